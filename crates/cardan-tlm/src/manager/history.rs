//! What interface points have sent, for monitors that join late or are slow.

use std::collections::VecDeque;

/// Samples of all interface points together are kept up to this many bytes; beyond it the oldest go first.
pub const HISTORY_BYTES: usize = 256 << 20;

/// Messages are kept in blocks, each whole in one.
const BLOCK: usize = 256 << 10;

/// The messages of one interface point.
#[derive(Debug)]
pub(super) struct History {
    blocks: VecDeque<Vec<u8>>,
    /// Number of the first block that is still there.
    first: usize,
    bytes: usize,
    most: usize,
}

/// How far somebody has read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cursor {
    block: usize,
    byte: usize,
}

impl History {
    /// One of so many.
    pub(super) fn shared_by(interfaces: usize) -> Self {
        History {
            blocks: VecDeque::new(),
            first: 0,
            bytes: 0,
            most: (HISTORY_BYTES / interfaces.max(1)).max(2 * BLOCK),
        }
    }

    /// Adds a message.
    pub(super) fn push(&mut self, message: &[u8]) {
        let fits = self
            .blocks
            .back()
            .is_some_and(|b| b.len() + message.len() <= BLOCK);
        if !fits {
            self.blocks
                .push_back(Vec::with_capacity(BLOCK.max(message.len())));
        }
        if let Some(block) = self.blocks.back_mut() {
            block.extend_from_slice(message);
        }
        self.bytes += message.len();
        while self.bytes > self.most && self.blocks.len() > 1 {
            let dropped = self.blocks.pop_front();
            self.bytes -= dropped.map_or(0, |block| block.len());
            self.first += 1;
        }
    }

    /// What follows a cursor, up to the end of a block; moves the cursor. Says too whether something in between is gone.
    pub(super) fn read(&self, cursor: &mut Cursor) -> (&[u8], bool) {
        let lost = cursor.block < self.first;
        if lost {
            *cursor = Cursor {
                block: self.first,
                byte: 0,
            };
        }
        let index = cursor.block - self.first;
        let Some(block) = self.blocks.get(index) else {
            return (&[], lost);
        };
        if cursor.byte == block.len() && index + 1 < self.blocks.len() {
            *cursor = Cursor {
                block: cursor.block + 1,
                byte: 0,
            };
            let (rest, _) = self.read(cursor);
            return (rest, lost);
        }
        let rest = &block[cursor.byte..];
        cursor.byte = block.len();
        (rest, lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_gets_everything_in_order() {
        let mut history = History::shared_by(1);
        let (mut cursor, mut read) = (Cursor::default(), Vec::<u8>::new());
        let mut written: Vec<u8> = Vec::new();
        for i in 0..20_000_u32 {
            let message = i.to_le_bytes().repeat(14);
            history.push(&message);
            written.extend(message);
            if i % 3000 == 0 {
                read.extend(history.read(&mut cursor).0);
            }
        }
        loop {
            let (rest, lost) = history.read(&mut cursor);
            assert!(!lost);
            if rest.is_empty() {
                break;
            }
            read.extend(rest);
        }
        assert!(read == written);
    }

    #[test]
    fn the_oldest_go_first_and_that_is_said() {
        let mut history = History::shared_by(usize::MAX);
        let mut cursor = Cursor::default();
        for i in 0..100_000_u32 {
            history.push(&i.to_le_bytes().repeat(14));
        }
        assert!(history.bytes <= 2 * BLOCK);
        let (rest, lost) = history.read(&mut cursor);
        assert!(lost && rest.len() % 56 == 0);
        assert!(!history.read(&mut cursor).1);
    }
}
