//! Once it runs, the manager allocates nothing per message, and neither does whoever reads and writes messages.

#![allow(clippy::unwrap_used, reason = "a test may give up")]

use cardan_describe::{Reporter, Source, tlm};
use cardan_testkit::allocation::{CountingAllocator, allocations_anywhere};
use cardan_tlm::manager::{Event, Manager, Options};
use cardan_tlm::wire::{ByteOrder, Header, Inbox, Kind, Sample, Sample1D, Sender};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::channel;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const MODEL: &str = r#"<Model><SubModels>
<SubModel Name="m1" StartCommand="none" ModelFile="a"><InterfacePoint Name="tlm" Dimensions="1"/></SubModel>
<SubModel Name="m2" StartCommand="none" ModelFile="b"><InterfacePoint Name="tlm" Dimensions="1"/></SubModel>
</SubModels><Connections><Connection From="m1.tlm" To="m2.tlm" Delay="1e-3" Zf="200"/></Connections>
<SimulationParams StartTime="0" StopTime="1000"/></Model>"#;

struct Client {
    stream: TcpStream,
    inbox: Inbox,
    sender: Sender,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Client {
            stream,
            inbox: Inbox::new(),
            sender: Sender::new(),
        }
    }

    fn send(&mut self, kind: Kind, payload: &[u8]) {
        let header = Header::new(kind, -1);
        self.sender.send(&mut self.stream, header, payload).unwrap();
    }

    fn receive(&mut self) -> Kind {
        self.inbox.receive(&mut self.stream).unwrap().unwrap().header.kind
    }
}

#[test]
fn messages_on_their_way_do_not_allocate() {
    let mut reporter = Reporter::new();
    let model = tlm::parse(Source::new("m.xml", MODEL), tlm::Extent::Whole, &mut reporter).unwrap();
    let (tell, told) = channel();
    let options = Options {
        port: Some(0),
        ..Options::default()
    };
    let running = std::thread::spawn(move || {
        Manager::new(model, options).run(&mut |event| {
            if let Event::Listening { components, .. } = event {
                tell.send(*components).unwrap();
            }
        })
    });
    let address = told.recv().unwrap();
    let mut clients = [Client::new(address), Client::new(address)];
    for (client, name) in clients.iter_mut().zip(["m1", "m2"]) {
        client.send(Kind::RegisterComponent, name.as_bytes());
        client.receive();
        client.send(Kind::RegisterInterface, b"tlm");
        client.receive();
        client.send(Kind::CheckModel, &[]);
    }
    clients
        .iter_mut()
        .for_each(|client| assert_eq!(client.receive(), Kind::CheckModel));
    let mut run = |steps: u32| {
        for step in 0..steps {
            for (own, client) in (0..).zip(&mut clients) {
                let sample = Sample1D {
                    time: f64::from(step),
                    ..Sample1D::default()
                };
                let Client { stream, sender, .. } = client;
                let header = Header::new(Kind::TimeData, own);
                let put = |buffer: &mut Vec<u8>| sample.encode(ByteOrder::NATIVE, buffer);
                sender.send_with(stream, header, put).unwrap();
            }
            clients
                .iter_mut()
                .for_each(|client| assert_eq!(client.receive(), Kind::TimeData));
        }
    };
    run(100);
    assert_eq!(allocations_anywhere(|| run(5000)), 0);
    for client in &mut clients {
        client.send(Kind::CloseRequest, &[]);
    }
    clients
        .iter_mut()
        .for_each(|client| assert_eq!(client.receive(), Kind::ClosePermission));
    drop(clients);
    assert_eq!(running.join().unwrap().messages(), 2 * 5100);
}
