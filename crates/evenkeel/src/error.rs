//! Errors by what the receiver does next.

use std::io::Write;
use std::process::ExitCode;

/// Why a command ended early. The text is one sentence: what was found, what was expected, what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Something typed or given is wrong. The receiver corrects it and calls again.
    #[error("{0}")]
    Input(String),
    /// The machine, or we, failed. The receiver looks into it; the same call may work later.
    #[error("{0}")]
    Failed(String),
    /// Whoever read our output went away. Nobody has to do anything.
    #[error("the reader of the output went away")]
    ReaderGone,
}

impl Error {
    /// A complaint about something that was given.
    pub fn input(text: impl Into<String>) -> Error {
        Error::Input(text.into())
    }

    /// A failure that is not the caller's.
    pub fn failed(text: impl Into<String>) -> Error {
        Error::Failed(text.into())
    }

    /// An output file that could not be written: a wrong path is the caller's to correct, a full disk is not.
    pub fn writing(path: &std::path::Path, flag: &str, cause: &std::io::Error) -> Error {
        use std::io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
        let place = path.display();
        match cause.kind() {
            NotFound | PermissionDenied | IsADirectory | NotADirectory => Error::Input(format!(
                "cannot write {place}: {cause}; give {flag} a file in a folder that exists and may be written"
            )),
            _ => Error::Failed(format!("writing {place} failed: {cause}; make room or choose another place")),
        }
    }

    /// 2 for what the caller can correct, 1 for what failed here, 0 when nobody is left to care.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Input(_) => 2,
            Error::Failed(_) => 1,
            Error::ReaderGone => 0,
        }
    }

    /// Says it on stderr, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        if *self != Error::ReaderGone {
            // With stderr closed as well there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "evenkeel: {self}");
        }
        ExitCode::from(self.exit_code())
    }
}
