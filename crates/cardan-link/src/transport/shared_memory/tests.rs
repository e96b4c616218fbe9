//! Both ends in one process, and words that nobody should have written.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

use super::{SIZE, SharedMemory, Waiting};
use crate::transport::{ByteStream, Deadline};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn soon() -> Deadline {
    Deadline::within(Some(Duration::from_secs(10)))
}

fn pair(waiting: Waiting) -> (SharedMemory, SharedMemory, PathBuf) {
    let cardan = SharedMemory::create(waiting).unwrap();
    let path = cardan.path().unwrap();
    let participant = SharedMemory::open(&path).unwrap();
    (cardan, participant, path)
}

fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|k| (k * k / 7) as u8).collect()
}

fn gathered(end: &mut SharedMemory, count: usize, at_once: usize) -> Vec<u8> {
    let mut all = Vec::new();
    let mut room = vec![0; at_once];
    while all.len() < count {
        let read = end.read_some(&mut room, &soon()).unwrap();
        assert!(read > 0, "{} of {count}", all.len());
        all.extend_from_slice(&room[..read]);
    }
    all
}

/// Sizes around what lies in the first cache line, around the block, and in several parcels; taken whole and in bits.
#[test]
fn parcels_of_every_size_arrive_both_ways() {
    let most = SIZE as usize - 16;
    for waiting in [Waiting::Sleep, Waiting::Spin] {
        for count in [1, 47, 48, 49, 444, most - 1, most, most + 1, 3 * most + 5] {
            for at_once in [13, 1 << 17] {
                let (mut cardan, mut participant, _path) = pair(waiting);
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        for _ in 0..3 {
                            let request = gathered(&mut participant, count, at_once);
                            participant.write_all(&request, &soon()).unwrap();
                        }
                    });
                    for _ in 0..3 {
                        cardan.write_all(&bytes(count), &soon()).unwrap();
                        assert_eq!(gathered(&mut cardan, count, at_once), bytes(count), "{count}");
                    }
                });
            }
        }
    }
}

/// Several messages in a row, as logs before a reply: each waits until the one before was taken.
#[test]
fn messages_in_a_row_keep_their_order() {
    for waiting in [Waiting::Sleep, Waiting::Spin] {
        let (mut cardan, mut participant, _path) = pair(waiting);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for k in 0..200_u8 {
                    participant.write_all(&[k; 100], &soon()).unwrap();
                }
            });
            for k in 0..200_u8 {
                assert_eq!(gathered(&mut cardan, 100, 100), [k; 100]);
            }
        });
    }
}

/// The words at the beginning of the participant's block, as a process could write them that means no good.
#[test]
fn words_that_make_no_sense_are_refused() {
    let block = 4096 + u64::from(SIZE);
    for words in [
        [1, 0, 0, 0],        // an empty parcel
        [1, SIZE, 0, 0],     // one that would reach beyond the file
        [1, u32::MAX, 0, 0], // one that would reach beyond memory
        [2, 8, 0, 0],        // two at once
        [u32::MAX, 8, 0, 0], // fewer than none
    ] {
        let (mut cardan, participant, path) = pair(Waiting::Spin);
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        let written: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        file.write_all_at(&written, block).unwrap();
        let error = cardan.read_some(&mut [0; 64], &soon()).unwrap_err();
        assert_eq!(
            error.message(),
            "The counters in shared memory make no sense.",
            "{words:?}"
        );
        drop(participant);
    }
    // More taken than was ever sent.
    let (mut cardan, _participant, path) = pair(Waiting::Sleep);
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all_at(&7_u32.to_le_bytes(), block + 8).unwrap();
    let error = cardan.write_all(&[1, 2, 3], &soon()).unwrap_err();
    assert_eq!(error.message(), "The counters in shared memory make no sense.");
}

/// A limit holds though nobody looks at the clock before there is something to wait for.
#[test]
fn a_limit_ends_the_wait_for_a_parcel_and_for_room() {
    for waiting in [Waiting::Sleep, Waiting::Spin] {
        let (mut cardan, _participant, _path) = pair(waiting);
        let short = || Deadline::within(Some(Duration::from_millis(30)));
        assert!(cardan.read_some(&mut [0; 64], &short()).unwrap_err().is_timeout());
        cardan.write_all(&[1], &short()).unwrap();
        assert!(cardan.write_all(&[2], &short()).unwrap_err().is_timeout());
    }
}

/// What was said before the end is heard.
#[test]
fn last_words_are_heard_and_then_the_end() {
    for waiting in [Waiting::Sleep, Waiting::Spin] {
        let (mut cardan, mut participant, _path) = pair(waiting);
        participant.write_all(b"goodbye", &soon()).unwrap();
        drop(participant);
        assert_eq!(gathered(&mut cardan, 7, 64), b"goodbye");
        assert_eq!(cardan.read_some(&mut [0; 64], &soon()).unwrap(), 0);
    }
}

/// A process that shortens the file would end the other with SIGBUS.
#[test]
fn nobody_can_change_the_size_of_the_file() {
    let (mut cardan, mut participant, path) = pair(Waiting::Sleep);
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    for size in [0, 4096, 1 << 30] {
        let error = file.set_len(size).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied, "{size}");
    }
    cardan.write_all(b"still there", &soon()).unwrap();
    assert_eq!(gathered(&mut participant, 11, 64), b"still there");
}

/// The file has no name, so that nothing is left however the processes end.
#[test]
fn the_file_is_gone_with_its_maker() {
    let (cardan, participant, path) = pair(Waiting::Sleep);
    let inode = |path: &Path| std::fs::metadata(path).ok().map(|file| file.ino());
    let before = inode(&path);
    assert!(before.is_some());
    drop(cardan);
    // The number of the descriptor may be in use again, for another file.
    assert_ne!(inode(&path), before);
    drop(participant);
}
