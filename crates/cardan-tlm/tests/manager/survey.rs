//! Asking tools where their interface points are.

use crate::bench::{PAIR, Running, numbers, quick};
use cardan_tlm::manager::{Options, Task};

fn asking(sub_model: Option<&str>) -> Running {
    let task = Task::AskForInterfaces(sub_model.map(str::to_owned));
    Running::start(PAIR, Options { task, ..quick() })
}

#[test]
fn positions_and_orientations_are_told() {
    let running = asking(None);
    let (mut m1, mut m2) = (running.connect(), running.connect());
    m1.send(2, -1, b"m1");
    assert_eq!(m1.receive().id, 0);
    m2.send(2, -1, b"m2");
    assert_eq!(m2.receive().id, 1);
    // Numbers go by arrival; names that the meta-model does not have are just what is wanted.
    m2.send(3, -1, b"body");
    let reply = m2.receive();
    assert_eq!((reply.id, reply.payload.len()), (0, 232));
    let mut expected = vec![0.0; 29];
    for one in [7, 11, 15, 19, 23, 27] {
        expected[one] = 1.0;
    }
    (expected[0], expected[28]) = (0.1, 1.0);
    assert_eq!(reply.payload, numbers(false, &expected));
    m1.send(3, -1, b"x:1:bidirectional:rotational");
    assert_eq!(m1.receive().id, 1);
    m1.send(3, -1, b"y:1:output:signal");
    assert_eq!(m1.receive().id, 2);
    // The value of the meta-model counts, as it would in a run, and the default is told.
    m1.send(6, -1, b"mass:7");
    assert!(m1.receive().payload.starts_with(b"2.5\0"));
    m1.send(6, -1, b"length:3");
    assert!(m1.receive().payload.starts_with(b"3\0"));
    m1.send(6, -1, b"name:");
    m1.receive();
    m1.send(4, -1, b"");
    m2.send(4, -1, b"");
    assert_eq!((m1.receive().id, m2.receive().id), (1, 1));

    m1.send(1, 1, &numbers(false, &[0.0, 0.125, 9.0, 9.0]));
    m1.send(1, 2, &numbers(false, &[0.0, 1.0]));
    let mut body = vec![0.0, 0.0, -0.1, 0.3];
    body.extend(cardan_tlm::wire::rotation_of([0.25, 0.5, -0.75]));
    body.extend([0.0; 12]);
    m2.big = true;
    m2.send(1, 0, &numbers(true, &body));
    m1.send(7, -1, b"");
    m2.send(7, -1, b"");
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    drop((m1, m2));
    let survey = running.outcome().survey.unwrap();
    let [body, x, y] = &survey.interfaces[..] else {
        panic!("{survey:?}");
    };
    assert_eq!(body.position, [0.0, -0.1, 0.3]);
    for (found, given) in body.angles.iter().zip([0.25, 0.5, -0.75]) {
        assert!((found - given).abs() < 1e-15);
    }
    assert_eq!((x.position, x.angles), ([0.125, 0.0, 0.0], [0.0; 3]));
    assert_eq!(y.position, [0.0; 3]);
    let listing = survey.listing();
    assert!(
        listing.starts_with("Positions and orientations:\nm2.body:\nR  : ( 0 -0.1 0.3 )\nphi: ( 0.25 "),
        "{listing}"
    );
    let xml = survey.xml();
    for line in [
        r#"<Interface model="m1" Name="x" Dimensions="1" Causality="bidirectional" Domain="rotational" Position="0.125,0,0" Angle321="0,0,0"/>"#,
        r#"<Parameter model="m1" Name="mass" DefaultValue="7"/>"#,
    ] {
        assert!(xml.contains(line), "{xml}");
    }
}

#[test]
fn one_sub_model_alone() {
    let running = asking(Some("m2"));
    let mut m2 = running.connect();
    m2.send(2, -1, b"m2");
    assert_eq!(m2.receive().id, 1, "its place in the meta-model");
    // The bare form says nothing about dimensions; the sample does.
    m2.send(3, -1, b"tlm");
    m2.receive();
    m2.send(4, -1, b"");
    assert_eq!(m2.receive().id, 1);
    m2.send(1, 0, &numbers(false, &[0.0, 0.5, 0.0, 0.0]));
    m2.send(7, -1, b"");
    assert_eq!(m2.receive().kind, 8);
    drop(m2);
    let survey = running.outcome().survey.unwrap();
    assert_eq!(survey.interfaces[0].text.dimensions.number(), 1);
    assert_eq!(survey.interfaces[0].position[0], 0.5);
}

#[test]
fn samples_for_others_are_refused() {
    let running = asking(Some("m2"));
    let mut m2 = running.connect();
    m2.send(2, -1, b"m2");
    m2.receive();
    m2.send(4, -1, b"");
    m2.receive();
    m2.send(1, 5, &[0; 32]);
    m2.is_closed();
    assert!(running.fails().message.contains("which is not its own"));
}
