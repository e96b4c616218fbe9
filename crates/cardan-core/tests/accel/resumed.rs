//! A method that goes on from bytes proposes what it would have proposed.

use crate::manners::{methods, path};
use crate::problems::springs;
use cardan_core::accel::Accelerator;
use cardan_core::checkpoint::{Reader, Writer};

fn bytes_of(method: &dyn Accelerator) -> Vec<u8> {
    let mut writer = Writer::new();
    method.keep(&mut writer);
    writer.into_bytes()
}

#[test]
fn what_was_learnt_goes_along() {
    for ((name, mut straight), (_, mut resumed)) in methods().into_iter().zip(methods()) {
        for alpha in [2.0, 1.5] {
            path(&mut *straight, &springs(4, alpha), 4);
        }
        let bytes = bytes_of(&*straight);
        let mut reader = Reader::new(&bytes);
        resumed.resume(&mut reader).unwrap();
        reader.end().unwrap();
        let next = springs(4, 1.7);
        let expected = path(&mut *straight, &next, 5);
        assert_eq!(path(&mut *resumed, &next, 5), expected, "{name}");
        // It is not just a beginner's way.
        let learns = !["passing on", "relaxation"].contains(&name);
        let fresh = methods().into_iter().find(|(known, _)| *known == name);
        let beginner = path(&mut *fresh.unwrap().1, &next, 5);
        // Newton is given the matrix, and keeps the old one only as long as it serves.
        assert!(beginner != expected || !learns || name == "Newton", "{name}");
    }
}

#[test]
fn bytes_that_end_early_are_refused() {
    for (name, mut method) in methods() {
        path(&mut *method, &springs(3, 2.0), 4);
        let bytes = bytes_of(&*method);
        for length in 0..bytes.len() {
            let (_, mut fresh) = methods().into_iter().find(|(known, _)| *known == name).unwrap();
            assert!(
                fresh.resume(&mut Reader::new(&bytes[..length])).is_err(),
                "{name}: {length}"
            );
        }
    }
}
