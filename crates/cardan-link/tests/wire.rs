//! What is written reads back the same, and no bytes whatever make a reader fall.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::interface::{Interface, Parameter, ParameterId, Port, PortId, Terminal, UnitDefinition};
use cardan_core::participant::{Failure, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::{Curve, Segment};
use cardan_core::time::SimTime;
use cardan_core::value::{Shape, Value, ValueType};
use cardan_link::wire::*;
use cardan_testkit::fakes::{AllTypes, Harmonic};
use cardan_testkit::problems::TwoMass;
use proptest::prelude::*;

const HEADER: usize = HEADER_SIZE;

fn payload(message: &mut Message) -> (Header, Vec<u8>) {
    let frame = message.frame().to_vec();
    let header = Header::read(frame.first_chunk().unwrap(), LARGEST_PAYLOAD).unwrap();
    assert_eq!(header.length as usize, frame.len() - HEADER);
    (header, frame[HEADER..].to_vec())
}

/// Real inputs of the interface below: eight of `AllTypes`, and a load.
const REALS: usize = 14;

/// An interface that uses everything an interface can have.
fn rich() -> Interface {
    let mut interface = AllTypes::direct().interface().clone();
    interface.parameter(
        Parameter::new("gain")
            .unit("N/m")
            .default(Value::real(2.0))
            .above(0.0)
            .tunable(),
    );
    let mut mode = Parameter::new("mode").typed(ValueType::Enumeration);
    mode.choices = vec![("slow".into(), 1), ("fast".into(), -2)];
    interface.parameter(mode);
    interface.parameter(Parameter::new("file").typed(ValueType::String).any_size());
    interface.port(Port::output("tip").frame());
    interface.port(Port::input("tip_load").load().start(Value::Reals(vec![0.0; 6])));
    interface.ports[6].range = Some((-128, 127));
    interface.ports[8].untold = Some("it is not finite".into());
    interface.initial_feedthrough = Some(vec![(AllTypes::output(0), AllTypes::input(3))]);
    interface.period = Some(0.125);
    interface.terminals.push(Terminal {
        name: "flange".into(),
        members: vec![("force".into(), PortId(0)), ("speed".into(), PortId(1))],
    });
    interface.units.push(UnitDefinition {
        name: "bar".into(),
        exponents: [1, -1, -2, 0, 0, 0, 0, 0],
        factor: 1e5,
        offset: 0.0,
    });
    interface
}

#[test]
fn an_interface_reads_back_the_same() {
    let harmonic = Harmonic::new(TwoMass::FIRST, [0.1, 0.0]).interface().clone();
    for interface in [rich(), harmonic, Interface::default()] {
        let abilities = Abilities::ROLLBACK.and(Abilities::TANGENT);
        let mut message = Message::default();
        let mut writer = message.begin(Kind::Interface, Flags::default(), 0);
        write_interface(abilities, &interface, &mut writer);
        let (header, bytes) = payload(&mut message);
        assert_eq!((header.kind, header.reply), (Kind::Interface, false));
        assert_eq!(read_interface(&bytes).unwrap(), (abilities, interface));
        // One byte less is never enough, one more always too much.
        assert!(read_interface(&bytes[..bytes.len() - 1]).is_err());
        assert!(read_interface(&[&bytes[..], &[0]].concat()).is_err());
    }
}

#[test]
fn interfaces_that_contradict_themselves_are_refused() {
    let refused = |interface: &Interface| {
        let mut bytes = Vec::new();
        write_interface(Abilities::default(), interface, &mut Writer::new(&mut bytes));
        read_interface(&bytes).unwrap_err().to_string()
    };
    let with = |ports: Vec<Port>| Interface {
        ports,
        ..Interface::default()
    };
    let twice = with(vec![Port::input("a"), Port::output("a")]);
    assert_eq!(refused(&twice), "two ports are named `a`");
    let huge = with(vec![Port::input("a").shaped(Shape::matrix(1 << 20, 1 << 20))]);
    assert!(refused(&huge).contains("more than the 16777216 that are allowed"));
    // A dimension of zero hides nothing.
    let hidden = with(vec![Port::input("a").shaped(Shape::of([
        1 << 20,
        1 << 20,
        1 << 30,
        0,
    ]))]);
    assert!(refused(&hidden).contains("more than the 16777216 that are allowed"));
    let many = with(
        (0..3)
            .map(|k| Port::input(format!("p{k}")).shaped(Shape::vector(6 << 20)))
            .collect(),
    );
    assert!(refused(&many).starts_with("the size of all ports"));
    let start = with(vec![Port::input("a").start(Value::string("x"))]);
    assert_eq!(
        refused(&start),
        "port `a` has a start value of another type or size"
    );
    // Names head the columns of tables.
    let torn = with(vec![Port::output("a\nb")]);
    assert_eq!(refused(&torn), "port `a\\nb` has a control character in its name");
    let mut torn = Interface::default();
    torn.parameter(Parameter::new("gain\u{7}"));
    assert_eq!(
        refused(&torn),
        "parameter `gain\\u{7}` has a control character in its name"
    );
    let mut backwards = with(vec![Port::input("a"), Port::output("b")]);
    backwards.feeds_through(PortId(0), PortId(1));
    assert_eq!(
        refused(&backwards),
        "feedthrough does not lead from an input to an output"
    );
    backwards.feedthrough = vec![(PortId(7), PortId(0))];
    assert_eq!(refused(&backwards), "7 stands for no port");
}

#[test]
fn a_count_that_lies_costs_nothing() {
    // Four thousand million ports in a message of ten bytes.
    let mut bytes = Vec::new();
    Writer::new(&mut bytes).u32(0).u8(0).u8(0).u32(u32::MAX);
    assert!(matches!(read_interface(&bytes), Err(Malformed::TooMuch { .. })));
}

#[test]
fn greetings_read_back_the_same() {
    let hello = Hello::new([7; 32], "brake", "test 1.0");
    let mut bytes = Vec::new();
    hello.write(&mut Writer::new(&mut bytes));
    assert_eq!(Hello::read(&bytes).unwrap(), hello);
    bytes[8] = 9;
    // Of another version nothing is read but the version.
    assert_eq!(Hello::read(&bytes[..12]).unwrap().version, 9);
    bytes[0] = b'X';
    assert_eq!(Hello::read(&bytes), Err(Malformed::Magic));
    let welcome = Welcome {
        digest: [1; 32],
        component: "wheel".into(),
    };
    let mut bytes = Vec::new();
    welcome.write(&mut Writer::new(&mut bytes));
    assert_eq!(Welcome::read(&bytes).unwrap(), welcome);
}

#[test]
fn failures_logs_windows_and_settings_read_back_the_same() {
    let failure = Failure::numbers("Too small.").advise("Larger.");
    let mut bytes = Vec::new();
    write_failure(&failure, &mut Writer::new(&mut bytes));
    assert_eq!(read_failure(&bytes).unwrap(), failure);
    let mut bytes = Vec::new();
    write_log(Level::Warning, "grüße", &mut Writer::new(&mut bytes));
    assert_eq!(read_log(&bytes).unwrap(), (Level::Warning, "grüße"));

    for tolerance in [None, Some(1e-6)] {
        let window = RunWindow {
            start: SimTime::from_seconds(-1.0),
            stop: SimTime::from_seconds(4.0),
            tolerance,
        };
        let settings = Settings(vec![(ParameterId(0), Value::real(3.0))]);
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        write_window(&window, &mut writer);
        write_settings(&settings, &mut writer);
        let mut reader = Reader::new(&bytes);
        assert_eq!(read_window(&mut reader).unwrap(), window);
        assert_eq!(read_settings(&rich(), &mut reader).unwrap(), settings);
        reader.finish().unwrap();
    }
    let negative = Settings(vec![(ParameterId(0), Value::real(-3.0))]);
    let mut bytes = Vec::new();
    write_settings(&negative, &mut Writer::new(&mut bytes));
    assert!(read_settings(&rich(), &mut Reader::new(&bytes)).is_err());
}

fn segment() -> impl Strategy<Value = Segment> {
    let numbers = proptest::array::uniform4(proptest::num::f64::ANY);
    (any::<bool>(), numbers, -1e9..1e9, -1e9..1e9).prop_map(|(arc, [a, b, c, d], until, origin)| Segment {
        until: SimTime::from_seconds(until),
        origin: SimTime::from_seconds(origin),
        curve: match arc {
            false => Curve::Polynomial([a, b, c, d]),
            true => Curve::Arc {
                cosine: a,
                sine: b,
                rate: c,
            },
        },
    })
}

fn held() -> impl Strategy<Value = HeldInputs> {
    let planes = (
        any::<[i64; 4]>(),
        any::<[bool; 3]>(),
        proptest::collection::vec(any::<Vec<u8>>(), 4),
    );
    (planes, -1e9..1e9).prop_map(|((integers, booleans, bytes), until)| HeldInputs {
        until: SimTime::from_seconds(until),
        values: Planes {
            reals: Vec::new(),
            integers: integers.to_vec(),
            booleans: booleans.to_vec(),
            bytes,
        },
    })
}

/// The inputs of the rich interface, each real with one or several segments.
fn step_inputs() -> impl Strategy<Value = (Vec<Vec<Segment>>, Vec<HeldInputs>)> {
    let lists = prop_oneof![
        proptest::collection::vec(proptest::collection::vec(segment(), 1), REALS),
        proptest::collection::vec(proptest::collection::vec(segment(), 1..4), REALS),
    ];
    (lists, proptest::collection::vec(held(), 1..3))
}

fn extent(input: bool) -> Extent {
    let interface = rich();
    let is_input = |p: &&Port| (p.causality == cardan_core::interface::Causality::Input) == input;
    Extent::of(interface.ports.iter().filter(is_input))
}

/// As text, where even numbers that are none compare.
fn shown(inputs: &Inputs<'_>) -> String {
    let lists: Vec<_> = (0..inputs.reals()).map(|i| inputs.segments(i)).collect();
    format!("{lists:?} {:?}", inputs.held())
}

fn step_message(lists: &[Vec<Segment>], held: &[HeldInputs], instants: &[SimTime]) -> (Message, String) {
    let segments: Vec<Segment> = lists.concat();
    let mut ends: Vec<u32> = Vec::new();
    for list in lists {
        ends.push(ends.last().unwrap_or(&0) + list.len() as u32);
    }
    let inputs = Inputs::new(&segments, &ends, held);
    let request = StepRequest {
        from: SimTime::from_seconds(1.0),
        to: SimTime::from_seconds(1.5),
        inputs,
        watch: Watch::Instants(instants),
    };
    let mut message = Message::default();
    write_step(
        &mut message,
        42,
        &request,
        Some(SimTime::from_seconds(0.5)),
        Flags::OUTPUTS,
    );
    (message, shown(&inputs))
}

/// Frames of every kind that the mutations start from.
fn frames() -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut message = Message::default();
    let mut make = |kind, reply, write: &dyn Fn(&mut Writer<'_>)| {
        let mut writer = match reply {
            false => message.begin(kind, Flags::default(), 3),
            true => message.reply(kind, Flags::OUTPUTS, 3),
        };
        write(&mut writer);
        frames.push(message.frame().to_vec());
    };
    make(Kind::Interface, false, &|w| {
        write_interface(Abilities::ROLLBACK, &rich(), w)
    });
    make(Kind::Hello, false, &|w| Hello::new([1; 32], "n", "t").write(w));
    make(Kind::Bind, false, &|w| {
        write_binding(&[PortId(0), PortId(2)], &[PortId(1)], w)
    });
    make(Kind::Failure, false, &|w| {
        write_failure(&Failure::failed("x").advise("y"), w)
    });
    make(Kind::Log, false, &|w| write_log(Level::Info, "hello", w));
    make(Kind::SetParameters, false, &|w| {
        w.time(SimTime::default());
        write_settings(&Settings(vec![(ParameterId(0), Value::real(3.0))]), w);
    });
    make(Kind::Outputs, false, &|w| {
        w.time(SimTime::default());
        write_planes(Planes::new(extent(true)).view(), w);
    });
    make(Kind::Step, true, &|w| {
        Standing::default().write(w);
        write_end(StepEnd::Completed, 2, w);
        let planes = Planes::new(extent(false));
        write_planes(planes.view(), w);
        w.f64(1.0).f64(2.0);
        write_planes(planes.view(), w);
        write_planes(planes.view(), w);
    });
    let line = Segment::constant(1.0, SimTime::from_seconds(1.5));
    let held = HeldInputs {
        until: SimTime::from_seconds(2.0),
        values: Planes::new(Extent {
            reals: 0,
            ..extent(true)
        }),
    };
    let (mut step, _) = step_message(&vec![vec![line; 2]; REALS], &[held], &[SimTime::default()]);
    frames.push(step.frame().to_vec());
    frames
}

#[test]
fn whole_frames_of_every_kind_are_read() {
    for frame in frames() {
        assert_eq!(examine(&frame, &rich()), Ok(()), "{frame:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn steps_read_back_the_same((lists, held) in step_inputs(), instants in proptest::collection::vec(-1e9..1e9, 0..4)) {
        let instants: Vec<SimTime> = instants.into_iter().map(SimTime::from_seconds).collect();
        let (mut message, sent) = step_message(&lists, &held, &instants);
        let (header, bytes) = payload(&mut message);
        let (mut head, mut inputs) = (StepHead::default(), StepInputs::default());
        // Twice into the same memory: nothing of an earlier step may remain.
        for _ in 0..2 {
            head.read(header.flags, &bytes, extent(true), &mut inputs).unwrap();
            prop_assert_eq!(shown(&inputs.inputs()), sent.clone());
            prop_assert_eq!(head.watch(), Watch::Instants(&instants));
            prop_assert_eq!(head.accepted, Some(SimTime::from_seconds(0.5)));
        }
    }

    #[test]
    fn mutated_frames_are_refused_or_read_and_never_more(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        keep in any::<bool>(),
    ) {
        let frames = frames();
        let mut frame = which.get(&frames).clone();
        for (place, byte) in changes {
            let place = place.index(frame.len());
            frame[place] = byte;
        }
        if !keep {
            frame.truncate(cut.index(frame.len() + 1));
            if let Some(length) = frame.len().checked_sub(HEADER) {
                frame[..4].copy_from_slice(&(length as u32).to_le_bytes());
            }
        }
        let _ = examine(&frame, &rich());
    }

    #[test]
    fn arbitrary_bytes_are_refused_or_read(kind in 0_u16..0x50, reply in any::<bool>(), flags in 0_u16..16, bytes in any::<Vec<u8>>()) {
        let mut frame = (bytes.len() as u32).to_le_bytes().to_vec();
        frame.extend_from_slice(&(kind | if reply { Kind::REPLY } else { 0 }).to_le_bytes());
        frame.extend_from_slice(&flags.to_le_bytes());
        frame.extend_from_slice(&[0; 8]);
        frame.extend_from_slice(&bytes);
        let _ = examine(&frame, &rich());
    }
}
