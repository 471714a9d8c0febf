//! From a compressed stream to plain bytes, with a guard against endless lines.

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

/// The longest line. Keys are ids; what is longer than this is not a trace.
const LINE_BYTES_MAX: usize = 4096;

/// How a trace is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    Plain,
    /// gzip, one or more members.
    Gzip,
    /// zstd, one or more frames.
    Zstd,
}

impl Compression {
    /// How a file of this name is packed: by its ending, `.gz` or `.zst`.
    pub fn of_name(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((_, "gz")) => Self::Gzip,
            Some((_, "zst")) => Self::Zstd,
            _ => Self::Plain,
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain text",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

/// The plain bytes of a stream.
pub(super) fn open<'a>(reader: impl Read + 'a, compression: Compression) -> Box<dyn Read + 'a> {
    match compression {
        Compression::Plain => Box::new(LineGuard::new(reader)),
        Compression::Gzip => Box::new(LineGuard::new(MultiGzDecoder::new(reader))),
        Compression::Zstd => Box::new(LineGuard::new(ZstdReader::new(reader))),
    }
}

/// Passes bytes on until a line gets too long. Without it a file with no line end would be gathered whole in
/// memory, and a small compressed file can unpack to any length.
struct LineGuard<R> {
    inner: R,
    line_bytes: usize,
}

impl<R: Read> LineGuard<R> {
    fn new(inner: R) -> Self {
        Self { inner, line_bytes: 0 }
    }
}

impl<R: Read> Read for LineGuard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for line in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            self.line_bytes += line.len();
            if self.line_bytes > LINE_BYTES_MAX {
                let message = format!("a line is longer than {LINE_BYTES_MAX} bytes");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            if line.ends_with(b"\n") {
                self.line_bytes = 0;
            }
        }
        Ok(count)
    }
}

/// Unpacks all frames of a zstd stream. The decoder of the library stops after the first one, but tools
/// that compress in parallel or append write several.
struct ZstdReader<R> {
    source: BufReader<R>,
    frame: FrameDecoder,
    /// Whether a frame has been begun and not yet been read to its end.
    inside: bool,
}

impl<R: Read> ZstdReader<R> {
    fn new(source: R) -> Self {
        Self { source: BufReader::new(source), frame: FrameDecoder::new(), inside: false }
    }

    /// Steps to the next frame that holds data; false at the end of the stream.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.frame.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(u64::from(length))?,
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        Ok(false)
    }

    /// Skippable frames carry notes of other tools.
    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.source.by_ref().take(bytes), &mut io::sink())?;
        if skipped < bytes { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl<R: Read> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside && !self.next_frame()? {
                return Ok(0);
            }
            self.inside = true;
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                // One block at a time: at most 128 KiB beyond the window are held.
                self.frame
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            }
            let count = self.frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.inside = false;
        }
    }
}
