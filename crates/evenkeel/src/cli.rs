//! The command line: which commands there are, and clap's complaints in our own form.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::commands::Command;
use crate::error::Error;

/// Keeps key-value clusters on an even keel, in processor time and in disk traffic.
#[derive(Debug, Parser)]
#[command(name = "evenkeel", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// Reads the arguments. Help and version are commands like any other.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    match Cli::try_parse_from(args) {
        Ok(Cli { command: Some(command) }) => Ok(command),
        Ok(Cli { command: None }) => Ok(Command::Show(Cli::command().render_help().to_string())),
        Err(error) => match error.kind() {
            // A command that needs another after it, such as `sim`, answers like the program itself: with its help.
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Ok(Command::Show(error.render().to_string()))
            }
            _ => Err(Error::Input(complaint(&error))),
        },
    }
}

/// One sentence, then the usage line where clap knows one.
fn complaint(error: &clap::Error) -> String {
    let sentence = sentence(error);
    match text(error, ContextKind::Usage) {
        Some(usage) => {
            format!("{sentence}\n{}", usage.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        None => sentence,
    }
}

fn sentence(error: &clap::Error) -> String {
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let next = match text(error, ContextKind::SuggestedArg) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "`--help` lists what there is".to_string(),
            };
            format!("found the argument `{argument}`, which is not known here: {next}")
        }
        ErrorKind::InvalidValue => {
            format!("found `{argument}` without its value: add the value, or leave the flag out")
        }
        ErrorKind::MissingRequiredArgument => {
            format!("found no `{argument}`, which is needed: add it, or see `--help`")
        }
        ErrorKind::InvalidSubcommand => {
            let found = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            format!("found the command `{found}`: expected {}; `--help` tells more", known_commands(error))
        }
        ErrorKind::ArgumentConflict => {
            format!("found `{argument}` more than once: give it once")
        }
        _ => {
            let whole = error.render().to_string();
            let first = whole.lines().next().unwrap_or_default();
            format!("{}: see `--help`", first.trim_start_matches("error: "))
        }
    }
}

/// The commands that may stand where an unknown one was found. The usage line says where that is.
fn known_commands(error: &clap::Error) -> String {
    let usage = text(error, ContextKind::Usage).unwrap_or_default();
    let mut command = Cli::command();
    for word in usage.split_whitespace() {
        if let Some(inner) = command.find_subcommand(word) {
            command = inner.clone();
        }
    }
    let names: Vec<String> =
        command.get_subcommands().map(|known| format!("`{}`", known.get_name())).collect();
    names.join(" or ")
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint_of(args: &[&str]) -> String {
        let args = std::iter::once("evenkeel").chain(args.iter().copied()).map(OsString::from);
        parse(args).expect_err("a complaint").to_string()
    }

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_similar_flag_is_suggested() {
        let text = complaint_of(&["plan", "--snapshot", "x", "--polcy", "keel"]);
        assert!(
            text.starts_with(
                "found the argument `--polcy`, which is not known here: did you mean `--policy`?"
            )
        );
        assert_eq!(text.lines().count(), 2, "{text}");
    }

    #[test]
    fn an_unknown_command_names_the_known_ones() {
        let text = complaint_of(&["pln"]);
        assert!(text.starts_with("found the command `pln`: expected `plan`"), "{text}");
        let text = complaint_of(&["sim", "clustr"]);
        assert!(text.starts_with("found the command `clustr`: expected `cluster`;"), "{text}");
    }

    #[test]
    fn a_flag_given_twice_is_named() {
        let text = complaint_of(&["plan", "--snapshot", "x", "--seed", "1", "--seed", "2"]);
        assert!(text.starts_with("found `--seed <N>` more than once"), "{text}");
    }
}
