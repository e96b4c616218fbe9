//! What holds for every format: an older result is replaced whole or not at all, and every failure is an error.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod fixture;

use cardan_core::record::{Block, Recorder};
use cardan_record::Format;
use fixture::{block, schema, write};
use std::fs;
use std::path::Path;

fn for_every_format(check: impl Fn(&Path)) {
    for format in Format::ALL {
        let folder = tempfile::tempdir().unwrap();
        check(&folder.path().join(format!("result.{}", format.extension())));
    }
}

fn files(path: &Path) -> usize {
    fs::read_dir(path.parent().unwrap()).unwrap().count()
}

#[test]
fn the_old_result_stays_until_the_new_one_is_complete() {
    for_every_format(|path| {
        fs::write(path, "old").unwrap();
        let mut file = cardan_record::create(path).unwrap();
        file.begin(&schema()).unwrap();
        file.write(&block()).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "old");
        file.finish().unwrap();
        assert_eq!(cardan_record::read(path).unwrap().rows(), 3);
        assert_eq!(files(path), 1);
    });
}

#[test]
fn a_dropped_writer_leaves_the_old_result_and_nothing_else() {
    for_every_format(|path| {
        fs::write(path, "old").unwrap();
        let mut file = cardan_record::create(path).unwrap();
        file.begin(&schema()).unwrap();
        file.write(&block()).unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(path).unwrap(), "old");
        assert_eq!(files(path), 1);
    });
}

#[test]
fn what_cannot_be_written_fails_at_the_beginning() {
    for_every_format(|path| {
        let nowhere = path.with_file_name("nowhere").join(path.file_name().unwrap());
        let message = cardan_record::create(&nowhere)
            .unwrap()
            .begin(&schema())
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("nowhere") && message.contains("does not exist"),
            "{message}"
        );
        fs::create_dir(path).unwrap();
        let message = cardan_record::create(path)
            .unwrap()
            .begin(&schema())
            .unwrap_err()
            .to_string();
        assert!(message.contains("is a folder"), "{message}");
    });
}

#[test]
fn calls_out_of_order_and_rows_that_do_not_fit_are_errors() {
    for_every_format(|path| {
        let mut file = cardan_record::create(path).unwrap();
        file.write(&block()).unwrap_err();
        file.finish().unwrap_err();
        file.begin(&schema()).unwrap();
        let mut narrow = block();
        narrow.columns.pop();
        file.write(&narrow).unwrap_err();
        let mut ragged = block();
        ragged.times.push(1.0);
        file.write(&ragged).unwrap_err();
        file.write(&block()).unwrap();
        file.finish().unwrap();
        file.finish().unwrap_err();
    });
}

#[test]
fn unknown_extensions_are_told_the_known_ones() {
    let message = cardan_record::create(Path::new("result.xlsx"))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("`.xlsx`") && message.contains(".csv"),
        "{message}"
    );
    let message = cardan_record::read(Path::new("result")).unwrap_err().to_string();
    assert!(
        message.contains("no extension") && message.contains(".mat"),
        "{message}"
    );
    assert_eq!(Format::of(Path::new("RESULT.CSV")), Some(Format::Csv));
}

/// The device that is always full takes the place of a disk that is; it has no extension, so the writers are made by hand.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = Path::new("/dev/full");
    let mut writers: Vec<Box<dyn Recorder>> = vec![
        Box::new(cardan_record::CsvWriter::new(full)),
        #[cfg(feature = "parquet")]
        Box::new(cardan_record::ParquetWriter::new(full)),
        Box::new(cardan_record::MatWriter::new(full)),
    ];
    for writer in &mut writers {
        let written = writer
            .begin(&schema())
            .and_then(|()| (0..20_000).try_for_each(|_| writer.write(&block())))
            .and_then(|()| writer.finish());
        let message = written.unwrap_err().to_string();
        assert!(
            message.contains("/dev/full") && message.contains("No space left"),
            "{message}"
        );
    }
}

#[test]
fn the_same_result_gives_the_same_bytes() {
    for_every_format(|path| {
        let bytes = || {
            write(path, &schema(), &[block()]);
            fs::read(path).unwrap()
        };
        let first = bytes();
        assert!((0..5).all(|_| bytes() == first), "{}", path.display());
    });
}

/// A damaged file may still be readable; it must never take the reader down.
#[test]
fn damaged_files_do_not_make_the_readers_panic() {
    for_every_format(|path| {
        write(path, &schema(), &[block()]);
        let whole = fs::read(path).unwrap();
        for place in 0..whole.len() {
            for mask in [0x01, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] ^= mask;
                fs::write(path, &damaged).unwrap();
                let _ = cardan_record::read(path);
            }
        }
    });
}

/// Blocks travel back to the run and come again with other rows.
#[test]
fn a_block_may_be_reused() {
    for_every_format(|path| {
        let mut file = cardan_record::create(path).unwrap();
        file.begin(&schema()).unwrap();
        let mut reused = Block::new(&schema(), 4);
        for _ in 0..3 {
            reused.clear();
            let Block { times, columns } = block();
            reused.times.extend(times);
            reused.columns.clone_from(&columns);
            reused.times.iter_mut().for_each(|t| *t = 1.0);
            file.write(&reused).unwrap();
        }
        file.finish().unwrap();
        assert_eq!(cardan_record::read(path).unwrap().times, [1.0; 9]);
    });
}
