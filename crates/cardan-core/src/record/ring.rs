//! Rows on their way through memory that another process may map: what is committed survives the writer.
//!
//! A ring of words with one writer and one reader. A row is its time and a word for each column; strings and binaries
//! have their length there and their bytes after the last column. The writer commits whole rows, so a reader never
//! sees half of one, however the writer ended.

use super::{Block, ColumnData, RecordError};
use std::sync::atomic::{AtomicU64, Ordering};

/// How far both ends are, in words since the beginning. All zeros is a ring that has not begun.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct RingHead {
    committed: AtomicU64,
    /// Up to here the writer wants rows to outlive everything.
    wanted: AtomicU64,
    /// On a line of its own, for the other end writes it.
    consumed: Consumed,
}

#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Consumed {
    taken: AtomicU64,
    /// Up to here they do.
    secured: AtomicU64,
}

/// The memory of a ring.
#[derive(Clone, Copy, Debug)]
pub struct Ring<'a> {
    /// How far both ends are.
    pub head: &'a RingHead,
    /// The rows: a power of two of words.
    pub words: &'a [AtomicU64],
}

/// How the writer tells the reader that there is something to do, and waits for it.
pub trait Bell: Send {
    /// A good part of the ring is full.
    fn ring(&mut self);

    /// The ring is full: returns after a while in which the reader may have made room.
    fn wait(&mut self);
}

/// The writer's end.
pub struct RowWriter {
    head: &'static RingHead,
    words: &'static [AtomicU64],
    bell: Box<dyn Bell>,
    /// Words written so far, those of the present row included.
    written: u64,
    /// Up to here there is room, as far as is known.
    room: u64,
    /// The next place to ring at.
    next_bell: u64,
}

impl RowWriter {
    /// Writes into a ring that has not begun.
    pub fn new(Ring { head, words }: Ring<'static>, bell: Box<dyn Bell>) -> Self {
        RowWriter {
            head,
            words,
            bell,
            written: 0,
            room: words.len() as u64,
            next_bell: quantum(words),
        }
    }

    /// Begins a row of so many words. Waits where the reader is behind.
    #[inline]
    fn begin(&mut self, length: usize) -> Result<(), RecordError> {
        if self.written + length as u64 <= self.room {
            return Ok(());
        }
        self.wait_for_room(length)
    }

    #[cold]
    fn wait_for_room(&mut self, length: usize) -> Result<(), RecordError> {
        let size = self.words.len();
        if length > size {
            return Err(RecordError::new(format!(
                "a row of {} bytes does not fit the memory through which results go, which has {}",
                8 * length,
                8 * size
            )));
        }
        loop {
            self.room = self.head.consumed.taken.load(Ordering::Acquire) + size as u64;
            if self.written + length as u64 <= self.room {
                return Ok(());
            }
            self.bell.ring();
            self.bell.wait();
        }
    }

    /// Writes a row of so many words.
    #[inline(always)]
    pub(crate) fn words(&mut self, length: usize, row: impl Iterator<Item = u64>) -> Result<(), RecordError> {
        self.begin(length)?;
        let place = self.written as usize & (self.words.len() - 1);
        match self.words.get(place..place + length) {
            Some(slots) => {
                let pairs = slots.iter().zip(row);
                pairs.for_each(|(slot, word)| slot.store(word, Ordering::Relaxed));
                self.written += length as u64;
            }
            // Over the end of the ring.
            None => row.for_each(|word| self.push(word)),
        }
        self.commit();
        Ok(())
    }

    /// Adds a word to the row.
    #[inline(always)]
    fn push(&mut self, word: u64) {
        let place = self.written as usize & (self.words.len() - 1);
        if let Some(slot) = self.words.get(place) {
            slot.store(word, Ordering::Relaxed);
        }
        self.written += 1;
    }

    /// Ends the row: from now on it is the reader's.
    #[inline]
    fn commit(&mut self) {
        self.head.committed.store(self.written, Ordering::Release);
        if self.written >= self.next_bell {
            self.next_bell = self.written + quantum(self.words);
            self.bell.ring();
        }
    }

    /// Waits until the reader has seen to it that all rows so far outlive both processes.
    pub(crate) fn secure(&mut self) {
        self.head.wanted.store(self.written, Ordering::Release);
        self.bell.ring();
        while self.head.consumed.secured.load(Ordering::Acquire) < self.written {
            self.bell.wait();
        }
    }

    /// Writes the only row of a block.
    pub(crate) fn row(&mut self, block: &Block) -> Result<(), RecordError> {
        let bytes = block.columns.iter().map(|column| match column {
            ColumnData::Bytes(values) => values.get(0).len().div_ceil(8),
            _ => 0,
        });
        self.begin(1 + block.columns.len() + bytes.sum::<usize>())?;
        self.push(block.times[0].to_bits());
        for column in &block.columns {
            self.push(match column {
                ColumnData::Reals(values) => values[0].to_bits(),
                ColumnData::Integers(values) => values[0].cast_unsigned(),
                ColumnData::Booleans(values) => u64::from(values[0]),
                ColumnData::Bytes(values) => values.get(0).len() as u64,
            });
        }
        for column in &block.columns {
            let ColumnData::Bytes(values) = column else {
                continue;
            };
            for chunk in values.get(0).chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                self.push(u64::from_le_bytes(word));
            }
        }
        self.commit();
        Ok(())
    }
}

/// The bell rings once in so many words.
fn quantum(words: &[AtomicU64]) -> u64 {
    words.len() as u64 / 8
}

/// The reader's end: how far it is.
#[derive(Debug, Default)]
pub struct RowReader {
    read: u64,
    bytes: Vec<u8>,
}

impl RowReader {
    /// Moves up to `most` committed rows to the end of a block that has the columns of the writer's. Returns their number.
    pub fn take(&mut self, ring: Ring<'_>, block: &mut Block, most: usize) -> usize {
        let committed = ring.head.committed.load(Ordering::Acquire);
        let has_bytes = block.columns.iter().any(|c| matches!(c, ColumnData::Bytes(_)));
        let mut rows = 0;
        if has_bytes {
            while rows < most && self.read < committed {
                self.row(ring.words, block);
                rows += 1;
            }
        } else {
            let stride = 1 + block.columns.len();
            rows = (committed.saturating_sub(self.read) as usize / stride).min(most);
            self.even_rows(ring.words, block, rows, stride);
        }
        ring.head.consumed.taken.store(self.read, Ordering::Release);
        rows
    }

    /// Are all rows taken that the writer wants to be secured, and were they not yet?
    pub fn is_to_secure(&self, ring: Ring<'_>) -> bool {
        let secured = ring.head.consumed.secured.load(Ordering::Relaxed);
        let wanted = ring.head.wanted.load(Ordering::Acquire);
        wanted > secured && wanted <= self.read
    }

    /// What was taken so far is secured.
    pub fn secured(&self, ring: Ring<'_>) {
        ring.head.consumed.secured.store(self.read, Ordering::Release);
    }

    /// Rows of the same length, column by column.
    fn even_rows(&mut self, words: &[AtomicU64], block: &mut Block, rows: usize, stride: usize) {
        let (mask, read) = (words.len() - 1, self.read as usize);
        let column = |index: usize| {
            let places = (0..rows).map(move |row| (read + index + row * stride) & mask);
            places.map(|place| words.get(place).map_or(0, |word| word.load(Ordering::Relaxed)))
        };
        block.times.extend(column(0).map(f64::from_bits));
        for (index, values) in block.columns.iter_mut().enumerate() {
            let words = column(1 + index);
            match values {
                ColumnData::Reals(values) => values.extend(words.map(f64::from_bits)),
                ColumnData::Integers(values) => values.extend(words.map(u64::cast_signed)),
                ColumnData::Booleans(values) => values.extend(words.map(|word| word != 0)),
                ColumnData::Bytes(_) => {}
            }
        }
        self.read += (rows * stride) as u64;
    }

    #[inline(always)]
    fn next(&mut self, words: &[AtomicU64]) -> u64 {
        let place = self.read as usize & (words.len() - 1);
        self.read += 1;
        words.get(place).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    #[inline]
    fn row(&mut self, words: &[AtomicU64], block: &mut Block) {
        block.times.push(f64::from_bits(self.next(words)));
        let lengths = self.read;
        let mut has_bytes = false;
        for column in &mut block.columns {
            let word = self.next(words);
            match column {
                ColumnData::Reals(values) => values.push(f64::from_bits(word)),
                ColumnData::Integers(values) => values.push(word.cast_signed()),
                ColumnData::Booleans(values) => values.push(word != 0),
                ColumnData::Bytes(_) => has_bytes = true,
            }
        }
        if has_bytes {
            self.byte_columns(words, block, lengths);
        }
    }

    /// The values of strings and binaries, whose lengths stand in the words from `lengths` on.
    fn byte_columns(&mut self, words: &[AtomicU64], block: &mut Block, lengths: u64) {
        for (index, column) in block.columns.iter_mut().enumerate() {
            let ColumnData::Bytes(values) = column else {
                continue;
            };
            let place = (lengths as usize + index) & (words.len() - 1);
            let length = words[place].load(Ordering::Relaxed) as usize;
            // The writer may have been damaged by what it ran: never more than the ring can hold.
            let length = length.min(8 * words.len());
            self.bytes.clear();
            for _ in 0..length.div_ceil(8) {
                let word = self.next(words);
                self.bytes.extend_from_slice(&word.to_le_bytes());
            }
            values.push(&self.bytes[..length]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Column, Schema};
    use crate::value::ValueType;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    #[derive(Default, Clone)]
    struct Counted {
        rings: Arc<AtomicUsize>,
    }

    impl Bell for Counted {
        fn ring(&mut self) {
            self.rings.fetch_add(1, Ordering::Relaxed);
        }

        fn wait(&mut self) {
            std::thread::yield_now();
        }
    }

    fn ring(words: usize) -> Ring<'static> {
        let words: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ring {
            head: Box::leak(Box::default()),
            words: Box::leak(words.into_boxed_slice()),
        }
    }

    fn schema() -> Schema {
        let types = [
            ValueType::Real,
            ValueType::Integer,
            ValueType::String,
            ValueType::Boolean,
            ValueType::Binary,
        ];
        let column = |value_type| Column {
            name: String::new(),
            value_type,
            unit: None,
            description: String::new(),
        };
        Schema {
            columns: types.map(column).into(),
            ..Schema::default()
        }
    }

    fn fill(block: &mut Block, k: usize) {
        block.times.push(k as f64);
        for column in &mut block.columns {
            match column {
                ColumnData::Reals(values) => values.push(-(k as f64) / 3.0),
                ColumnData::Integers(values) => values.push(-(k as i64)),
                ColumnData::Booleans(values) => values.push(k.is_multiple_of(3)),
                ColumnData::Bytes(values) => values.push(&b"0123456789abcdefghij"[..k % 21]),
            }
        }
    }

    #[test]
    fn rows_of_every_type_arrive_though_the_ring_is_short() {
        let ring = ring(64);
        let mut writer = RowWriter::new(ring, Box::new(Counted::default()));
        let thread = std::thread::spawn(move || {
            let mut block = Block::new(&schema(), 1);
            for k in 0..1000 {
                fill(&mut block, k);
                writer.row(&block).unwrap();
                block.clear();
            }
        });
        let mut reader = RowReader::default();
        let (mut found, mut expected) = (Block::new(&schema(), 0), Block::new(&schema(), 0));
        while found.rows() < 1000 {
            reader.take(ring, &mut found, 7);
        }
        thread.join().unwrap();
        (0..1000).for_each(|k| fill(&mut expected, k));
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_of_numbers_arrive_over_the_end_of_the_ring() {
        let ring = ring(16);
        let mut writer = RowWriter::new(ring, Box::new(Counted::default()));
        let mut reader = RowReader::default();
        let mut schema = schema();
        schema
            .columns
            .retain(|c| !matches!(c.value_type, ValueType::String | ValueType::Binary));
        let (mut found, mut expected) = (Block::new(&schema, 0), Block::new(&schema, 0));
        for k in 0..100_usize {
            let row = [k as f64, -(k as f64) / 3.0].map(f64::to_bits);
            let whole = [(-(k as i64)).cast_unsigned(), u64::from(k.is_multiple_of(3))];
            writer.words(4, row.into_iter().chain(whole)).unwrap();
            fill(&mut expected, k);
            // Three rows wait at times, so that takes begin and end anywhere in the ring.
            if k % 3 == 2 {
                assert_eq!(reader.take(ring, &mut found, 10), 3);
            }
        }
        reader.take(ring, &mut found, 10);
        assert_eq!(found, expected);
    }

    #[test]
    fn only_what_is_committed_can_be_read() {
        let ring = ring(16);
        let mut writer = RowWriter::new(ring, Box::new(Counted::default()));
        let mut reader = RowReader::default();
        let schema = Schema::default();
        let mut block = Block::new(&schema, 1);
        writer.begin(1).unwrap();
        writer.push(1.5_f64.to_bits());
        assert_eq!(reader.take(ring, &mut block, 10), 0);
        writer.commit();
        assert_eq!(reader.take(ring, &mut block, 10), 1);
        assert_eq!(block.times, [1.5]);
    }

    #[test]
    fn a_row_that_can_never_fit_is_refused() {
        let ring = ring(8);
        let mut writer = RowWriter::new(ring, Box::new(Counted::default()));
        assert!(writer.begin(9).unwrap_err().to_string().contains("72 bytes"));
    }

    #[test]
    fn the_bell_rings_now_and_then() {
        let ring = ring(64);
        let bell = Counted::default();
        let mut writer = RowWriter::new(ring, Box::new(bell.clone()));
        for _ in 0..64 {
            writer.words(1, std::iter::once(0)).unwrap();
        }
        assert_eq!(bell.rings.load(Ordering::Relaxed), 8);
    }
}
