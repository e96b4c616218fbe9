//! Archives with bits flipped, bytes missing and added: refused or read, never a panic, never without end.

use super::forge::{Entry, deflated, entry, zip};
use super::{DESCRIPTION, folder, write};
use cardan_fmi::archive::{Limits, read_entry, unpack};
use std::time::{Duration, Instant};

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

type Operator = fn(&mut Vec<u8>, &mut Dice);

/// Puts a number over the field of a header that lies `field` bytes behind a mark.
fn overwrite(bytes: &mut [u8], mark: &[u8], field: usize, value: &[u8]) {
    let found = bytes.windows(mark.len()).rposition(|w| w == mark);
    if let Some(place) = found.and_then(|at| bytes.get_mut(at + field..at + field + value.len())) {
        place.copy_from_slice(value);
    }
}

const OPERATORS: [(&str, Operator); 22] = [
    ("cut off", |b, d| b.truncate(d.below(b.len()))),
    ("begins late", |b, d| drop(b.drain(..d.below(b.len())))),
    ("a bit", |b, d| {
        let at = d.below(b.len());
        b[at] ^= 1 << d.below(8);
    }),
    ("many bits", |b, d| {
        for _ in 0..30 {
            let at = d.below(b.len());
            b[at] ^= 1 << d.below(8);
        }
    }),
    ("a hole", |b, d| {
        let at = d.below(b.len());
        let end = (at + d.below(60)).min(b.len());
        b[at..end].fill(0);
    }),
    ("bytes missing", |b, d| {
        let at = d.below(b.len());
        let end = (at + d.below(60)).min(b.len());
        drop(b.drain(at..end));
    }),
    ("bytes more", |b, d| {
        let at = d.below(b.len());
        drop(b.splice(at..at, [0x50, 0x4B, 1, 2, 3]));
    }),
    ("text in front", |b, _| drop(b.splice(0..0, *b"#!/bin/sh\n"))),
    ("text behind", |b, _| b.extend(b"text".repeat(20_000))),
    ("twice", |b, _| b.extend(b.clone())),
    ("count too large", |b, _| {
        overwrite(b, b"PK\x05\x06", 8, &[0xFF; 4])
    }),
    ("count too small", |b, _| {
        overwrite(b, b"PK\x05\x06", 8, &[1, 0, 1, 0])
    }),
    ("directory elsewhere", |b, d| {
        let place = d.below(b.len()) as u32;
        overwrite(b, b"PK\x05\x06", 16, &place.to_le_bytes());
    }),
    ("directory far away", |b, _| {
        overwrite(b, b"PK\x05\x06", 12, &[0xFE; 8])
    }),
    ("a long comment", |b, _| {
        overwrite(b, b"PK\x05\x06", 20, &[0xFF; 2])
    }),
    ("size of nothing", |b, _| overwrite(b, b"PK\x01\x02", 20, &[0; 8])),
    ("size of everything", |b, _| {
        overwrite(b, b"PK\x01\x02", 20, &[0xFF; 8])
    }),
    ("a long name", |b, _| overwrite(b, b"PK\x01\x02", 28, &[0xFF; 2])),
    ("a long extra field", |b, _| {
        overwrite(b, b"PK\x01\x02", 30, &[0xFF; 2])
    }),
    ("data elsewhere", |b, _| {
        overwrite(b, b"PK\x01\x02", 42, &[0xFF, 0xFF, 0, 0])
    }),
    ("a name of the local header", |b, _| {
        overwrite(b, b"PK\x03\x04", 26, &[0xFF; 2])
    }),
    ("another method", |b, _| overwrite(b, b"PK\x01\x02", 10, &[9, 0])),
];

#[test]
fn damaged_archives_never_panic_and_never_hang() {
    let folder = folder();
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let noise: Vec<u8> = (0..5000).map(|_| dice.below(256) as u8).collect();
    let plain: Vec<Entry> = [
        "modelDescription.xml",
        "resources/",
        "resources/a.txt",
        "sources/m.c",
    ]
    .iter()
    .map(|name| entry(name, DESCRIPTION))
    .collect();
    let originals = [
        deflated(&[
            ("modelDescription.xml", DESCRIPTION.as_bytes()),
            ("resources/noise", &noise),
        ]),
        zip(&plain),
    ];
    let limits = Limits {
        total: 64 << 20,
        ..Limits::default()
    };
    let (mut readable, mut refused) = (0, 0);
    for (name, operator) in OPERATORS {
        for original in &originals {
            for _ in 0..12 {
                let mut bytes = original.clone();
                operator(&mut bytes, &mut dice);
                // Another name each time: the same file would not be looked at again.
                let path = write(folder.path(), &format!("{}.fmu", readable + refused), &bytes);
                let begin = Instant::now();
                let _ = read_entry(&path, "modelDescription.xml", 1 << 20);
                match unpack(&path, &limits) {
                    Ok(_) => readable += 1,
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty());
                    }
                }
                assert!(begin.elapsed() < Duration::from_secs(5), "{name}");
            }
        }
    }
    println!("{readable} could be read, {refused} were refused");
    assert!(readable > 20 && refused > 100, "{readable} {refused}");
}
