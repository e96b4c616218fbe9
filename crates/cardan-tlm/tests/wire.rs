//! The wire, byte by byte and with random contents.
#![allow(clippy::unwrap_used, reason = "a test may give up")]

use cardan_describe::tlm::{Causality, Dimensions, Domain};
use cardan_tlm::wire::*;
use proptest::prelude::*;
use std::io::{self, Read};

/// A sample of a 1-D interface point as PROTOCOL prescribes it, little-endian, by hand.
const LITTLE: [u8; 56] = [
    b'T', b'L', b'M', b'_', b'0', b'1', b'0', b'1', 1, 0, 0, 0, 32, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0, 0, 0, 0, 0xE0, 0x3F, // 0.5
    0, 0, 0, 0, 0, 0, 0xF0, 0x3F, // 1
    0, 0, 0, 0, 0, 0, 0, 0xC0, // -2
    0, 0, 0, 0, 0, 0, 0x59, 0x40, // 100
];

/// The same, big-endian.
const BIG: [u8; 56] = [
    b'T', b'L', b'M', b'_', b'0', b'1', b'0', b'1', 1, 1, 0, 0, 0, 0, 0, 32, 0, 0, 0, 3, 0, 0, 0, 0, //
    0x3F, 0xE0, 0, 0, 0, 0, 0, 0, //
    0x3F, 0xF0, 0, 0, 0, 0, 0, 0, //
    0xC0, 0, 0, 0, 0, 0, 0, 0, //
    0x40, 0x59, 0, 0, 0, 0, 0, 0,
];

const SAMPLE: Sample1D = Sample1D {
    time: 0.5,
    position: 1.0,
    velocity: -2.0,
    wave: 100.0,
};

#[test]
fn a_sample_has_these_bytes_in_both_orders() {
    for (order, bytes) in [(ByteOrder::Little, LITTLE), (ByteOrder::Big, BIG)] {
        let mut stream = Vec::new();
        let header = Header::new(Kind::TimeData, 3).ordered(order);
        Sender::new()
            .send_with(&mut stream, header, |buffer| SAMPLE.encode(order, buffer))
            .unwrap();
        assert_eq!(stream, bytes);
        let mut inbox = Inbox::new();
        let message = inbox.receive(&mut &bytes[..]).unwrap().unwrap();
        assert_eq!(
            (message.header.kind, message.header.interface),
            (Kind::TimeData, 3)
        );
        let read: Vec<Sample1D> = samples(message.header.order, message.payload())
            .unwrap()
            .collect();
        assert_eq!(read, [SAMPLE]);
    }
}

#[test]
fn readdressing_keeps_the_order_of_the_message() {
    for (bytes, place) in [(LITTLE, 16), (BIG, 19)] {
        let mut inbox = Inbox::new();
        let mut message = inbox.receive(&mut &bytes[..]).unwrap().unwrap();
        message.readdress(7);
        let mut expected = bytes;
        expected[place] = 7;
        assert_eq!(message.bytes(), expected);
    }
}

#[test]
fn the_number_of_a_parameter_may_stand_in_either_order() {
    let mut bytes = Header::new(Kind::RegisterParameter, -1)
        .ordered(ByteOrder::Big)
        .encode();
    bytes[20..24].copy_from_slice(&5_i32.to_le_bytes());
    assert_eq!(Header::decode(&bytes).unwrap().parameter, 5);
    bytes[20..24].copy_from_slice(&5_i32.to_be_bytes());
    assert_eq!(Header::decode(&bytes).unwrap().parameter, 5);
}

#[test]
fn what_is_no_message_is_refused() {
    let good = Header::new(Kind::CheckModel, 1)
        .ordered(ByteOrder::Little)
        .encode();
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = good;
        bytes[at..at + with.len()].copy_from_slice(with);
        Header::decode(&bytes)
    };
    assert!(matches!(changed(0, b"HTTP"), Err(WireError::Signature(_))));
    assert_eq!(changed(8, &[0]), Err(WireError::Kind(0)));
    assert_eq!(changed(8, &[9]), Err(WireError::Kind(9)));
    assert_eq!(changed(9, &[7]), Err(WireError::Order(7)));
    assert_eq!(changed(12, &[0xFF; 4]), Err(WireError::NegativeSize(-1)));
    let huge = i32::MAX.to_le_bytes();
    assert_eq!(changed(12, &huge), Err(WireError::HugeSize(i32::MAX as u32)));
}

#[test]
fn a_stranger_is_told_apart_by_its_first_bytes() {
    let error = Inbox::new().receive(&mut &b"GET / "[..]).unwrap_err();
    assert!(
        matches!(error, ReadError::Wire(WireError::Signature(_))),
        "{error}"
    );
}

#[test]
fn half_a_header_and_half_a_message_are_cut_off() {
    for length in 1..LITTLE.len() {
        let error = Inbox::new().receive(&mut &LITTLE[..length]).unwrap_err();
        assert!(matches!(error, ReadError::CutOff), "{length}: {error}");
    }
    assert!(Inbox::new().receive(&mut io::empty()).unwrap().is_none());
}

#[test]
fn an_announced_size_allocates_nothing() {
    let header = Header {
        size: MAX_PAYLOAD,
        ..Header::new(Kind::TimeData, 0)
    };
    let mut inbox = Inbox::new();
    inbox.fill(&mut &header.encode()[..]).unwrap();
    assert!(inbox.take().unwrap().is_none());
    let mut rest = io::repeat(0).take(u64::from(MAX_PAYLOAD));
    let message = inbox.receive(&mut rest).unwrap().unwrap();
    assert_eq!(message.payload().len(), MAX_PAYLOAD as usize);
}

#[test]
fn the_text_of_an_interface_has_defaults() {
    let full = InterfaceText::parse(b"tlm:1:Bidirectional:Hydraulic").unwrap();
    assert_eq!(full.dimensions, Dimensions::One);
    assert_eq!(full.domain, Domain::Hydraulic);
    assert_eq!(full.to_string(), "tlm:1:bidirectional:hydraulic");
    let bare = InterfaceText::parse(b"tlm").unwrap();
    assert_eq!(bare.to_string(), "tlm:6:bidirectional:mechanical");
    let in_space = InterfaceText::parse(b"a:3D").unwrap();
    assert_eq!(in_space.dimensions, Dimensions::Six);
    assert_eq!(
        InterfaceText::parse(b"y:1:output:signal").unwrap().causality,
        Causality::Output
    );
    for wrong in [&b""[..], b":1", b"a:7", b"a:1:sideways", b"\xFF"] {
        assert!(InterfaceText::parse(wrong).is_err());
    }
}

#[test]
fn parameters_are_filled_with_zeros() {
    let reply = parameter_reply("3.14");
    assert_eq!(&reply[..5], b"3.14\0");
    assert!(reply[4..].iter().all(|byte| *byte == 0));
    assert_eq!(parameter_value(&reply).unwrap(), "3.14");
    let long = "ü".repeat(80);
    assert_eq!(parameter_value(&parameter_reply(&long)).unwrap(), "ü".repeat(49));
    assert_eq!(parameter_value(b"7\0garbage\xFF").unwrap(), "7");
    assert_eq!(parameter_request(b"mass:1.5").unwrap(), ("mass", "1.5"));
    assert_eq!(parameter_request(b"mass").unwrap(), ("mass", ""));
}

#[test]
fn angles_give_the_rotation_of_the_protocol() {
    // A1(0.3) A2(-0.4) A3(1.2), multiplied out from the elementary matrices.
    let ([s1, s2, s3], [c1, c2, c3]) = (
        [0.3_f64, -0.4, 1.2].map(f64::sin),
        [0.3_f64, -0.4, 1.2].map(f64::cos),
    );
    let a1 = [1.0, 0.0, 0.0, 0.0, c1, s1, 0.0, -s1, c1];
    let a2 = [c2, 0.0, -s2, 0.0, 1.0, 0.0, s2, 0.0, c2];
    let a3 = [c3, s3, 0.0, -s3, c3, 0.0, 0.0, 0.0, 1.0];
    let times = |a: Matrix, b: Matrix| -> Matrix {
        std::array::from_fn(|i| (0..3).map(|k| a[i / 3 * 3 + k] * b[k * 3 + i % 3]).sum())
    };
    let expected = times(a1, times(a2, a3));
    for (found, expected) in rotation_of([0.3, -0.4, 1.2]).into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15);
    }
}

#[test]
fn a_secret_is_compared_whole() {
    let secret = Secret::new(" open sesame\n").unwrap();
    assert!(secret.is(b"open sesame"));
    for wrong in [
        &b""[..],
        b"open",
        b"open sesamE",
        b"open sesame\0",
        b"open sesame!",
    ] {
        assert!(!secret.is(wrong));
    }
    let text = Introduction::compose("m1", Some(&secret));
    let introduction = Introduction::parse(&text);
    assert_eq!(introduction.name, b"m1");
    assert!(introduction.knows(&secret));
    assert!(!Introduction::parse(b"m1").knows(&secret));
    assert!(Secret::new("  ").is_none());
}

fn order() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)]
}

/// Gives out a few bytes at a time.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

proptest! {
    #[test]
    fn headers_come_back(
        kind in 0..8_usize, order in order(), size in 0..=MAX_PAYLOAD, interface: i32, parameter in 0..0x1_0000_i32,
    ) {
        let header = Header { kind: Kind::ALL[kind], order, size, interface, parameter };
        prop_assert_eq!(Header::decode(&header.encode()), Ok(header));
    }

    #[test]
    fn messages_come_back_however_they_are_cut(
        messages in prop::collection::vec((order(), -1..9_i32, prop::collection::vec(any::<u8>(), 0..300)), 1..20),
        piece in 1..100_usize,
    ) {
        let mut stream = Vec::new();
        for (order, interface, payload) in &messages {
            compose(&mut stream, Header::new(Kind::TimeData, *interface).ordered(*order), payload);
        }
        let (mut inbox, mut dribble) = (Inbox::new(), Dribble(&stream, piece));
        for (order, interface, payload) in &messages {
            let message = inbox.receive(&mut dribble).unwrap().unwrap();
            prop_assert_eq!(message.header.order, *order);
            prop_assert_eq!(message.header.interface, *interface);
            prop_assert_eq!(message.payload(), &payload[..]);
        }
        prop_assert!(inbox.receive(&mut dribble).unwrap().is_none());
    }

    #[test]
    fn garbage_is_survived(bytes in prop::collection::vec(any::<u8>(), 0..200), good in 0..24_usize) {
        let mut stream = Header::new(Kind::TimeData, 0).encode()[..good].to_vec();
        stream.extend(bytes);
        let (mut inbox, mut source) = (Inbox::new(), &stream[..]);
        while let Ok(Some(_)) = inbox.receive(&mut source) {}
    }

    #[test]
    fn samples_in_space_come_back(order in order(), numbers in prop::array::uniform25(any::<f64>())) {
        let mut given = numbers.into_iter();
        let sample = Sample3D::from_numbers(|| given.next().unwrap());
        let mut bytes = Vec::new();
        sample.encode(order, &mut bytes);
        prop_assert_eq!(bytes.len(), 200);
        let back: Vec<f64> = order.f64s(&bytes).collect();
        prop_assert!(back.iter().zip(numbers).all(|(a, b)| a.to_bits() == b.to_bits()));
        prop_assert!(samples::<Sample3D>(order, &bytes[1..]).is_err());
    }

    #[test]
    fn replies_come_back(order in order(), numbers in prop::array::uniform28(-1e9..1e9), request: bool) {
        let mut all = numbers.to_vec();
        all.push(f64::from(u8::from(request)));
        let bytes: Vec<u8> = all.iter().flat_map(|n| order.f64_bytes(*n)).collect();
        let reply = InterfaceReply::decode(order, &bytes).unwrap();
        prop_assert_eq!(reply.delay, numbers[0]);
        prop_assert_eq!(reply.mode == Mode::InterfaceRequest, request);
        prop_assert_eq!(&reply.encode(order)[..], &bytes[..]);
    }

    #[test]
    fn angles_come_back(x in -3.1..3.1, y in -1.57..1.57, z in -3.1..3.1) {
        let back = angles_of(&rotation_of([x, y, z]));
        // Near a right angle about y the others are known as well as its cosine is.
        let allowed = 1e-14 / f64::cos(y).max(1e-3);
        for (found, given) in back.into_iter().zip([x, y, z]) {
            prop_assert!((found - given).abs() < allowed.max(1e-12), "{back:?}");
        }
    }

    #[test]
    fn right_angles_keep_their_rotation(x in -3.1..3.1, z in -3.1..3.1, up: bool) {
        let y = if up { 1.0 } else { -1.0 } * std::f64::consts::FRAC_PI_2;
        let rotation = rotation_of([x, y, z]);
        let back = rotation_of(angles_of(&rotation));
        for (found, given) in back.into_iter().zip(rotation) {
            prop_assert!((found - given).abs() < 1e-7);
        }
    }
}
