//! A matrix in a level 4 file: five little-endian integers, the name with a zero, the elements column by column.

use std::io::{self, Read, Write};

/// Full matrix of doubles, little-endian.
const DOUBLES: i32 = 0;
/// Full matrix of characters, a byte each.
const CHARACTERS: i32 = 51;

/// The head of a matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) kind: Kind,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) name: String,
}

/// How an element is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Number(Number),
    Text(Number),
}

/// The number formats of level 4, in the order of their digit in the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    F64,
    F32,
    I32,
    I16,
    U16,
    U8,
}

impl Number {
    const ALL: [Number; 6] = [
        Number::F64,
        Number::F32,
        Number::I32,
        Number::I16,
        Number::U16,
        Number::U8,
    ];

    /// Bytes of an element.
    pub(super) fn size(self) -> usize {
        match self {
            Number::F64 => 8,
            Number::F32 | Number::I32 => 4,
            Number::I16 | Number::U16 => 2,
            Number::U8 => 1,
        }
    }

    /// The elements behind `bytes` as doubles; level 4 has no integers that do not fit.
    pub(super) fn decode(self, bytes: &[u8]) -> Vec<f64> {
        fn all<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
            bytes
                .as_chunks::<N>()
                .0
                .iter()
                .map(|&element| number(element))
                .collect()
        }
        match self {
            Number::F64 => all(bytes, f64::from_le_bytes),
            Number::F32 => all(bytes, |b| f64::from(f32::from_le_bytes(b))),
            Number::I32 => all(bytes, |b| f64::from(i32::from_le_bytes(b))),
            Number::I16 => all(bytes, |b| f64::from(i16::from_le_bytes(b))),
            Number::U16 => all(bytes, |b| f64::from(u16::from_le_bytes(b))),
            Number::U8 => all(bytes, |[b]: [u8; 1]| f64::from(b)),
        }
    }
}

/// Writes the head of a column vector of doubles; the elements follow.
pub(super) fn write_vector_head(out: &mut impl Write, name: &str, rows: i32) -> io::Result<()> {
    write_head(out, DOUBLES, rows, 1, name)
}

/// Writes texts as a matrix of characters, one row each, filled up with spaces.
pub(super) fn write_texts(out: &mut impl Write, name: &str, texts: &[&str]) -> io::Result<()> {
    // A matrix without columns would lose its rows in some readers.
    let width = texts.iter().map(|t| t.len()).max().unwrap_or(0).max(1);
    let size = |n: usize| i32::try_from(n).map_err(|_| io::Error::other("too many names for a MAT file"));
    write_head(out, CHARACTERS, size(texts.len())?, size(width)?, name)?;
    let mut elements = Vec::with_capacity(width * texts.len());
    for column in 0..width {
        elements.extend(
            texts
                .iter()
                .map(|t| t.as_bytes().get(column).copied().unwrap_or(b' ')),
        );
    }
    out.write_all(&elements)
}

fn write_head(out: &mut impl Write, kind: i32, rows: i32, columns: i32, name: &str) -> io::Result<()> {
    let length = i32::try_from(name.len() + 1).map_err(io::Error::other)?;
    for field in [kind, rows, columns, 0, length] {
        out.write_all(&field.to_le_bytes())?;
    }
    out.write_all(name.as_bytes())?;
    out.write_all(&[0])
}

/// Reads the next head, nothing at the end of the file, or why this cannot be one.
pub(super) fn read_head(input: &mut impl Read) -> Result<Option<Head>, HeadError> {
    let mut bytes = [0; 20];
    if input.read(&mut bytes[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut bytes[1..])?;
    if bytes.starts_with(b"MATLAB") || bytes.starts_with(b"\x89HDF") {
        return Err(HeadError::Newer);
    }
    let mut fields = bytes.as_chunks::<4>().0.iter().map(|&b| i32::from_le_bytes(b));
    let mut field = || fields.next().unwrap_or(-1);
    let kind = kind(field()).ok_or(HeadError::Foreign)?;
    let mut size = || usize::try_from(field()).map_err(|_| HeadError::Foreign);
    let (rows, columns, imaginary, length) = (size()?, size()?, size()?, size()?);
    if imaginary != 0 || !(1..=4096).contains(&length) {
        return Err(HeadError::Foreign);
    }
    let mut name = vec![0; length];
    input.read_exact(&mut name)?;
    name.pop();
    let name = String::from_utf8_lossy(&name).into_owned();
    Ok(Some(Head {
        kind,
        rows,
        columns,
        name,
    }))
}

fn kind(code: i32) -> Option<Kind> {
    // Thousands are the byte order (0: little-endian), hundreds are always 0, sparse matrices end in 2.
    let number = *Number::ALL.get(usize::try_from(code / 10).ok()?)?;
    match code % 10 {
        0 => Some(Kind::Number(number)),
        1 => Some(Kind::Text(number)),
        _ => None,
    }
}

/// Why the head of a matrix could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum HeadError {
    #[error("this is a newer MAT file; save it with `save(…, '-v4')`")]
    Newer,
    #[error("this is not a MAT file of level 4, or it holds complex or sparse matrices")]
    Foreign,
    #[error(transparent)]
    Io(#[from] io::Error),
}
