//! What the two sides of a run say to each other besides rows: a few messages, and one word.

use super::prepared::Prepared;
use crate::report::Report;
use cardan_describe::Diagnostic;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::pipe::{PipeFlags, pipe_with};
use serde::{Deserialize, Serialize};
use std::io;

/// More than this is no message of ours: the child may be damaged.
const LONGEST: usize = 1 << 30;

/// A message begins with this. Whatever stands before was written by somebody who mistook the descriptor for its own.
const MARK: [u8; 8] = *b"\x00\xffnews\xff\x00";

/// What the child tells.
#[derive(Serialize, Deserialize)]
pub(super) enum News {
    /// The description is wrong.
    Refused {
        system: Option<String>,
        diagnostics: Vec<Diagnostic>,
        text: String,
    },
    /// The system cannot be run as asked for.
    Unfit { system: String, message: String },
    /// The system is read; the child waits for the word to go on.
    Prepared(Box<Prepared>),
    /// The run is over.
    Ended { report: Box<Report>, exit_code: u8 },
}

/// This side's end.
pub(super) struct Channel {
    news: OwnedFd,
    word: OwnedFd,
    heard: Vec<u8>,
    /// Room for what is read at a time; clearing it every time would cost more than reading.
    buffer: Box<[u8]>,
}

/// The child's end.
pub(super) struct FarEnd {
    news: OwnedFd,
    word: OwnedFd,
}

impl Channel {
    pub(super) fn pair() -> io::Result<(Self, FarEnd)> {
        let (news, news_far) = pipe_with(PipeFlags::CLOEXEC)?;
        let (word_far, word) = pipe_with(PipeFlags::CLOEXEC)?;
        // Reading stops where nothing has been said yet; the child may take its time to write.
        rustix::io::ioctl_fionbio(&news, true)?;
        let near = Channel {
            news,
            word,
            heard: Vec::new(),
            buffer: vec![0; 1 << 16].into(),
        };
        Ok((
            near,
            FarEnd {
                news: news_far,
                word: word_far,
            },
        ))
    }

    /// Becomes readable when there is news, or nobody left to tell any.
    pub(super) fn news(&self) -> BorrowedFd<'_> {
        self.news.as_fd()
    }

    /// The next message, if a whole one is there.
    pub(super) fn receive(&mut self) -> Option<News> {
        while let Ok(count @ 1..) = rustix::io::read(&self.news, &mut *self.buffer) {
            self.heard.extend_from_slice(&self.buffer[..count]);
        }
        let begin = self.heard.windows(MARK.len()).position(|bytes| *bytes == MARK);
        // The beginning of a mark may be the last that was heard.
        let rubbish = begin.unwrap_or_else(|| self.heard.len().saturating_sub(MARK.len() - 1));
        self.heard.drain(..rubbish);
        begin?;
        let (length, rest) = self.heard.get(MARK.len()..)?.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        let news = match length {
            ..=LONGEST => serde_json::from_slice(rest.get(..length)?).ok(),
            _ => None,
        };
        // What makes no sense is no message of ours; one of ours may follow its mark.
        let taken = MARK.len() + if news.is_some() { 4 + length } else { 0 };
        self.heard.drain(..taken);
        news
    }

    /// Lets the child go on.
    pub(super) fn go(&self) {
        // If it is gone, that is seen elsewhere.
        let _ = rustix::io::write(&self.word, b"g");
    }
}

impl FarEnd {
    pub(super) fn tell(&self, news: &News) -> io::Result<()> {
        let message = serde_json::to_vec(news).map_err(io::Error::other)?;
        let length = u32::try_from(message.len()).map_err(io::Error::other)?;
        let whole = [&MARK, &length.to_le_bytes()[..], &message].concat();
        let mut rest = whole.as_slice();
        while !rest.is_empty() {
            match rustix::io::write(&self.news, rest) {
                Ok(count) => rest = &rest[count..],
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits for the word to go on; false if it will never come.
    pub(super) fn wait(&self) -> bool {
        loop {
            match rustix::io::read(&self.word, &mut [0; 1]) {
                Err(rustix::io::Errno::INTR) => {}
                other => return other == Ok(1),
            }
        }
    }
}
