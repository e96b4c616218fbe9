//! How many messages the manager hands on per second, beside a bare relay in the same run; and how long the handshake
//! takes.
//!
//! Two trivial clients with one degree of freedom each, step = delay/2: each sends one sample per step and may be one delay
//! ahead of what it has received. `cargo bench -p cardan-tlm --bench relay`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and may give up"
)]

use cardan_describe::{Reporter, Source, tlm};
use cardan_tlm::manager::{Event, Manager, Options};
use cardan_tlm::wire::{ByteOrder, Header, Inbox, InterfaceReply, Kind, Sample, Sample1D, Sender, samples};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

const STEPS: u32 = 40_000;
const ROUNDS: usize = 7;
const STEP: f64 = 5e-4;

const MODEL: &str = r#"<Model Name="pair"><SubModels>
<SubModel Name="m1" StartCommand="none" ModelFile="a"><InterfacePoint Name="tlm" Dimensions="1"/></SubModel>
<SubModel Name="m2" StartCommand="none" ModelFile="b"><InterfacePoint Name="tlm" Dimensions="1"/></SubModel>
</SubModels><Connections><Connection From="m1.tlm" To="m2.tlm" Delay="1e-3" Zf="200"/></Connections>
<SimulationParams StartTime="0" StopTime="1000"/></Model>"#;

fn main() {
    let (mut bare, mut managed, mut handshakes) = (Vec::new(), Vec::new(), Vec::new());
    // One after the other, so that both meet the same company on the machine.
    for _ in 0..ROUNDS {
        bare.push(bare_relay());
        let (rate, handshake) = manager();
        managed.push(rate);
        handshakes.push(handshake);
    }
    let mut ratios: Vec<f64> = managed.iter().zip(&bare).map(|(a, b)| a / b).collect();
    for (name, list) in [("bare relay", &mut bare), ("manager", &mut managed)] {
        list.sort_by(f64::total_cmp);
        println!(
            "{name:<11} {:>9.0} messages/s (median of {ROUNDS}; {:.0} to {:.0})",
            list[ROUNDS / 2],
            list[0],
            list[ROUNDS - 1]
        );
    }
    ratios.sort_by(f64::total_cmp);
    handshakes.sort_by(f64::total_cmp);
    println!(
        "ratio       {:>9.2} (median; {:.2} to {:.2})",
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1]
    );
    println!(
        "handshake   {:>9.2} ms from connecting to the start (median; at most {:.2})",
        handshakes[ROUNDS / 2] * 1e3,
        handshakes[ROUNDS - 1] * 1e3
    );
}

/// Sends a sample per step, and waits for what arrives only as far as the delay of the line asks for.
fn client(mut stream: TcpStream, mut inbox: Inbox, own: i32) -> TcpStream {
    let (mut sender, mut received) = (Sender::new(), f64::NEG_INFINITY);
    for step in 1..=STEPS {
        let time = f64::from(step) * STEP;
        // A wave of the time t - delay is needed at t.
        while received < time - 2.0 * STEP && step > 2 {
            let message = inbox.receive(&mut stream).unwrap().unwrap();
            let order = message.header.order;
            let last = samples::<Sample1D>(order, message.payload())
                .unwrap()
                .last()
                .unwrap();
            received = last.time;
        }
        let sample = Sample1D {
            time,
            position: 1.0,
            velocity: 2.0,
            wave: 3.0,
        };
        let header = Header::new(Kind::TimeData, own);
        sender
            .send_with(&mut stream, header, |buffer| {
                sample.encode(ByteOrder::NATIVE, buffer)
            })
            .unwrap();
    }
    while received < f64::from(STEPS) * STEP - 0.5 * STEP {
        let message = inbox.receive(&mut stream).unwrap().unwrap();
        let order = message.header.order;
        received = samples::<Sample1D>(order, message.payload())
            .unwrap()
            .last()
            .unwrap()
            .time;
    }
    stream
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// Bytes from one to the other and back, a thread for each way: nothing can do less.
fn bare_relay() -> f64 {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = door.local_addr().unwrap();
    let ends: Vec<_> = (0..2)
        .map(|_| {
            let near = connect(address);
            let (far, _) = door.accept().unwrap();
            far.set_nodelay(true).unwrap();
            (near, far)
        })
        .collect();
    let pump = |mut from: TcpStream, mut to: TcpStream| {
        thread::spawn(move || {
            let mut buffer = [0; 32 << 10];
            while let Ok(taken @ 1..) = from.read(&mut buffer) {
                to.write_all(&buffer[..taken]).unwrap();
            }
        })
    };
    let pumps = [
        pump(ends[0].1.try_clone().unwrap(), ends[1].1.try_clone().unwrap()),
        pump(ends[1].1.try_clone().unwrap(), ends[0].1.try_clone().unwrap()),
    ];
    let began = Instant::now();
    let clients: Vec<_> = ends
        .iter()
        .map(|(near, _)| {
            let near = near.try_clone().unwrap();
            thread::spawn(move || client(near, Inbox::new(), 0))
        })
        .collect();
    clients.into_iter().for_each(|c| drop(c.join().unwrap()));
    let rate = 2.0 * f64::from(STEPS) / began.elapsed().as_secs_f64();
    for (near, far) in &ends {
        let _ = near.shutdown(std::net::Shutdown::Both);
        let _ = far.shutdown(std::net::Shutdown::Both);
    }
    pumps.into_iter().for_each(|pump| pump.join().unwrap());
    rate
}

/// The same through the manager. Returns messages per second, and the seconds of the handshake.
fn manager() -> (f64, f64) {
    let mut reporter = Reporter::new();
    let model = tlm::parse(Source::new("pair.xml", MODEL), tlm::Extent::Whole, &mut reporter).unwrap();
    let options = Options {
        port: Some(0),
        ..Options::default()
    };
    let (tell, told) = channel();
    let running = thread::spawn(move || {
        Manager::new(model, options).run(&mut |event| {
            if let Event::Listening { components, .. } = event {
                tell.send(*components).unwrap();
            }
        })
    });
    let address = told.recv().unwrap();
    let began = Instant::now();
    let clients: Vec<_> = [("m1", 0), ("m2", 1)]
        .into_iter()
        .map(|(name, own)| {
            thread::spawn(move || {
                let (stream, inbox) = shake_hands(connect(address), name);
                let ready = Instant::now();
                let mut stream = client(stream, inbox, own);
                let done = Instant::now();
                let mut sender = Sender::new();
                sender
                    .send(&mut stream, Header::new(Kind::CloseRequest, -1), &[])
                    .unwrap();
                let mut rest = Vec::new();
                stream.read_to_end(&mut rest).ok();
                (ready, done)
            })
        })
        .collect();
    let times: Vec<_> = clients.into_iter().map(|c| c.join().unwrap()).collect();
    let ready = times.iter().map(|(ready, _)| *ready).max().unwrap();
    let done = times.iter().map(|(_, done)| *done).max().unwrap();
    let outcome = running.join().unwrap();
    assert_eq!(outcome.messages(), 2 * u64::from(STEPS));
    let rate = 2.0 * f64::from(STEPS) / done.duration_since(ready).as_secs_f64();
    (rate, ready.duration_since(began).as_secs_f64())
}

fn shake_hands(mut stream: TcpStream, name: &str) -> (TcpStream, Inbox) {
    let (mut sender, mut inbox) = (Sender::new(), Inbox::new());
    sender
        .send(
            &mut stream,
            Header::new(Kind::RegisterComponent, -1),
            name.as_bytes(),
        )
        .unwrap();
    inbox.receive(&mut stream).unwrap().unwrap();
    let header = Header::new(Kind::RegisterInterface, -1);
    sender
        .send(&mut stream, header, b"tlm:1:bidirectional:mechanical")
        .unwrap();
    let reply = inbox.receive(&mut stream).unwrap().unwrap();
    InterfaceReply::decode(reply.header.order, reply.payload()).unwrap();
    sender
        .send(&mut stream, Header::new(Kind::CheckModel, -1), &[])
        .unwrap();
    inbox.receive(&mut stream).unwrap().unwrap();
    (stream, inbox)
}
