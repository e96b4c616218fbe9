//! Types, shapes and values of rare messages.

use super::MOST_ELEMENTS;
use super::malformed::Malformed;
use super::reader::Reader;
use super::writer::Writer;
use cardan_core::value::{Shape, Value, ValueType};

/// More dimensions than anybody has.
const MOST_DIMENSIONS: usize = 32;

pub(super) fn write_type(value_type: ValueType, writer: &mut Writer<'_>) {
    writer.u8(value_type.number());
}

pub(super) fn read_type(reader: &mut Reader<'_>) -> Result<ValueType, Malformed> {
    let number = reader.u8("a type")?;
    ValueType::numbered(number).ok_or(Malformed::Unknown {
        what: "type",
        number: number.into(),
    })
}

pub(super) fn write_shape(shape: &Shape, writer: &mut Writer<'_>) {
    writer.count(shape.dimensions().len());
    for &size in shape.dimensions() {
        writer.count(size);
    }
}

/// Reads a shape of at most [`MOST_ELEMENTS`] values: planes are made from shapes, so one line of text must not cost a
/// gigabyte.
pub(super) fn read_shape(reader: &mut Reader<'_>) -> Result<Shape, Malformed> {
    let count = reader.count(4, "the number of dimensions")?;
    if count > MOST_DIMENSIONS {
        return Err(Malformed::TooMuch {
            what: "the number of dimensions",
            found: count as u64,
            most: MOST_DIMENSIONS as u64,
        });
    }
    let mut sizes = Vec::with_capacity(count);
    let mut elements = 1_usize;
    for _ in 0..count {
        let size = reader.u32("a dimension")? as usize;
        // A dimension of zero must not hide the size of the others: whoever multiplies them in another order overflows.
        elements = elements.saturating_mul(size.max(1));
        sizes.push(size);
    }
    if elements > MOST_ELEMENTS {
        return Err(Malformed::TooMuch {
            what: "the size of a port or parameter",
            found: elements as u64,
            most: MOST_ELEMENTS as u64,
        });
    }
    Ok(Shape::of(sizes))
}

pub(super) fn write_value(value: &Value, writer: &mut Writer<'_>) {
    write_type(value.value_type(), writer);
    writer.count(value.len());
    match value {
        Value::Reals(list) => {
            writer.reals(list);
        }
        Value::Integers(list) => list.iter().for_each(|&number| {
            writer.i64(number);
        }),
        Value::Booleans(list) => list.iter().for_each(|&flag| {
            writer.u8(flag.into());
        }),
        Value::Strings(list) => list.iter().for_each(|text| {
            writer.text(text);
        }),
        Value::Binaries(list) => list.iter().for_each(|bytes| {
            writer.blob(bytes);
        }),
    }
}

pub(super) fn read_value(reader: &mut Reader<'_>) -> Result<Value, Malformed> {
    const COUNT: &str = "the number of values";
    /// One after the other; the count was compared with what is left, so the vector is in proportion.
    fn list<'a, T>(
        reader: &mut Reader<'a>,
        smallest: usize,
        read: impl Fn(&mut Reader<'a>) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = reader.count(smallest, COUNT)?;
        (0..count).map(|_| read(reader)).collect()
    }
    Ok(match read_type(reader)? {
        ValueType::Real => Value::Reals(list(reader, 8, |r| r.f64("a real"))?),
        ValueType::Integer | ValueType::Enumeration => {
            Value::Integers(list(reader, 8, |r| r.i64("an integer"))?)
        }
        ValueType::Boolean | ValueType::Clock => Value::Booleans(list(reader, 1, |r| r.flag("a boolean"))?),
        ValueType::String => Value::Strings(list(reader, 4, |r| r.text("a string").map(str::to_owned))?),
        ValueType::Binary => Value::Binaries(list(reader, 4, |r| r.blob("bytes").map(<[u8]>::to_vec))?),
    })
}

pub(super) fn write_choices(choices: &[(String, i64)], writer: &mut Writer<'_>) {
    writer.count(choices.len());
    for (name, number) in choices {
        writer.text(name).i64(*number);
    }
}

pub(super) fn read_choices(reader: &mut Reader<'_>) -> Result<Vec<(String, i64)>, Malformed> {
    let count = reader.count(12, "the number of choices")?;
    let choice = |reader: &mut Reader<'_>| {
        let name = reader.text("the name of a choice")?.to_owned();
        Ok((name, reader.i64("the number of a choice")?))
    };
    (0..count).map(|_| choice(reader)).collect()
}
