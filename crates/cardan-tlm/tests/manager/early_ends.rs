//! Who asks for the end before `StopTime`, and what becomes of the others.

use crate::bench::{Client, PAIR, Running, quick, sample};
use cardan_tlm::manager::Options;
use std::time::{Duration, Instant};

/// Both send a sample at a time, m1 with a step of half a delay before it.
fn exchange(m1: &mut Client, m2: &mut Client, times: [f64; 2]) {
    m1.send(1, 0, &sample(times[0], 1.0));
    m2.receive();
    m2.send(1, 1, &sample(times[1], 1.0));
    m1.receive();
}

#[test]
fn a_partner_that_waits_for_ever_is_not_waited_for() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    // A line of 1 ms: with what was at 0.25, m2 can go to 0.251, and has sent 0.2505.
    exchange(&mut m1, &mut m2, [0.25, 0.2505]);
    let began = Instant::now();
    m1.send(7, -1, b"");
    running.warns(
        "m1 asked for the end (CLOSE_REQUEST) after its samples at 0.25 s, which is before `StopTime` (1 s).",
    );
    m1.is_closed();
    m2.is_closed();
    let failure = running.fails();
    assert_eq!(
        (failure.component.as_deref(), failure.time),
        (Some("m1"), Some(0.25))
    );
    assert!(
        failure
            .message
            .contains("before `StopTime` (1 s); m2 (at 0.2505 s) waits for samples that cannot come"),
        "{}",
        failure.message
    );
    assert!(failure.advice.unwrap().contains("`StopTime` in the meta-model"));
    let took = began.elapsed();
    assert!(
        took > Duration::from_millis(600) && took < Duration::from_secs(10),
        "{took:?}"
    );
}

/// Also if it never sent anything, and was gone at once.
#[test]
fn before_the_first_sample() {
    let running = Running::pair();
    let (mut m1, m2) = running.both();
    m1.send(7, -1, b"");
    drop(m1);
    let failure = running.fails();
    assert!(
        failure.message.contains("before it sent samples"),
        "{}",
        failure.message
    );
    drop(m2);
}

/// It may not need more, or do with what it has: all have asked for the end then, and that is a good one.
#[test]
fn a_partner_may_come_to_its_end_without_it() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    exchange(&mut m1, &mut m2, [0.25, 0.2505]);
    m1.send(7, -1, b"");
    running.warns("m1 asked for the end");
    // Steps that take a while, but less than the time that silence has, and more than that together.
    for step in 1..=5 {
        std::thread::sleep(Duration::from_millis(200));
        m2.send(1, 1, &sample(0.2 * f64::from(step), 1.0));
    }
    m2.send(7, -1, b"");
    while m1.receive().kind != 8 {}
    assert_eq!(m2.receive().kind, 8);
    drop((m1, m2));
    running.completes();
}

/// It has samples left to work on: it may think about them as long as it wants.
#[test]
fn a_slow_partner_that_lacks_nothing_is_left_alone() {
    let running = Running::pair();
    let (mut m1, mut m2) = running.both();
    exchange(&mut m1, &mut m2, [0.25, 0.1]);
    m1.send(7, -1, b"");
    running.warns("m1 asked for the end");
    std::thread::sleep(Duration::from_millis(1500));
    m2.send(1, 1, &sample(0.2, 1.0));
    while m1.receive().kind != 1 {}
    m2.send(7, -1, b"");
    assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
    drop((m1, m2));
    running.completes();
}

/// The last samples of a usual client may lie up to a delay before the end, since the rest leaves late or never. The other is
/// slow, and that is no failure; a word would be wrong, and so would waiting after the end.
#[test]
fn the_usual_end_is_neither_told_nor_slowed() {
    for last in [1.0, 0.9995, 0.999 - 1e-12] {
        let running = Running::start(
            PAIR,
            Options {
                last_chance: Duration::from_millis(200),
                ..quick()
            },
        );
        let (mut m1, mut m2) = running.both();
        exchange(&mut m1, &mut m2, [last, 0.9985]);
        m1.send(7, -1, b"");
        std::thread::sleep(Duration::from_millis(600));
        m2.send(1, 1, &sample(1.0, 1.0));
        assert_eq!(m1.receive().kind, 1);
        let began = Instant::now();
        m2.send(7, -1, b"");
        assert_eq!((m1.receive().kind, m2.receive().kind), (8, 8));
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        drop((m1, m2));
        let warnings = running.completes();
        assert!(
            !warnings.iter().any(|text| text.contains("asked for the end")),
            "{warnings:?}"
        );
    }
}

const CHAIN: &str = r#"<Model Name="chain"><SubModels>
<SubModel Name="a" StartCommand="none" ModelFile="a"><InterfacePoint Name="r" Dimensions="1"/></SubModel>
<SubModel Name="b" StartCommand="none" ModelFile="b"><InterfacePoint Name="l" Dimensions="1"/>
  <InterfacePoint Name="y" Dimensions="1" Causality="output" Domain="signal"/></SubModel>
<SubModel Name="c" StartCommand="none" ModelFile="c">
  <InterfacePoint Name="u" Dimensions="1" Causality="input" Domain="signal"/></SubModel>
</SubModels><Connections><Connection From="a.r" To="b.l" Delay="0.1" Zf="1"/>
<Connection From="b.y" To="c.u" Delay="0.1"/></Connections>
<SimulationParams StartTime="0" StopTime="1"/></Model>"#;

fn chain() -> (Running, [Client; 3]) {
    let running = Running::start(CHAIN, quick());
    let mut clients = [("a", &["r"][..]), ("b", &["l", "y"]), ("c", &["u"])].map(|(name, points)| {
        let mut client = running.connect();
        client.register(name, points);
        client.send(4, -1, b"");
        client
    });
    for client in &mut clients {
        assert_eq!(client.receive().id, 1);
    }
    (running, clients)
}

/// Hunger is handed on: a sensor hears nothing more from somebody who hears nothing more.
#[test]
fn all_who_wait_are_named() {
    let (running, [mut a, mut b, c]) = chain();
    a.send(1, 0, &sample(0.5, 1.0));
    b.receive();
    b.send(1, 1, &sample(0.55, 1.0));
    b.send(1, 2, &crate::bench::numbers(false, &[0.55, 1.0]));
    a.send(7, -1, b"");
    let failure = running.fails();
    assert!(
        failure.message.contains("; b (at 0.55 s), c wait for samples"),
        "{}",
        failure.message
    );
    drop((a, b, c));
}

/// Nobody waits for a sensor: it may go whenever it wants.
#[test]
fn a_sensor_may_leave() {
    let (running, [mut a, mut b, mut c]) = chain();
    c.send(7, -1, b"");
    std::thread::sleep(Duration::from_millis(1000));
    for (client, id) in [(&mut a, 0), (&mut b, 1)] {
        client.send(1, id, &sample(1.0, 1.0));
    }
    b.send(1, 2, &crate::bench::numbers(false, &[1.0, 1.0]));
    a.send(7, -1, b"");
    b.send(7, -1, b"");
    for client in [&mut a, &mut b, &mut c] {
        while client.receive().kind != 8 {}
    }
    drop((a, b, c));
    assert_eq!(running.completes(), Vec::<String>::new());
}
