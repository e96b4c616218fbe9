//! A manager in a thread of its own, and clients and monitors that meet it over sockets.

use cardan_describe::tlm::{self, Extent, MetaModel};
use cardan_describe::{Reporter, Source};
use cardan_tlm::manager::{Event, Handle, Manager, Options, Outcome, Task};
use cardan_tlm::monitor::{Assignment, Candidate, Span, Style};
use cardan_tlm::plugin::{Arithmetic, InterfaceId, InterfaceType, Patience, Plugin, PluginError, Settings};
use cardan_tlm::wire::ByteOrder;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

/// A meta-model in which nothing is started.
pub(crate) fn model(xml: &str) -> MetaModel {
    let mut reporter = Reporter::new();
    let model = tlm::parse(Source::new("model.xml", xml), Extent::Whole, &mut reporter);
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    model.unwrap()
}

/// Sub-models with their interface points, and connections.
pub(crate) fn xml(
    sub_models: &[(&str, &[&str])],
    connections: &[(&str, &str)],
    line: &str,
    stop: f64,
) -> String {
    let mut text = String::from("<Model Name=\"test\"><SubModels>");
    for (name, points) in sub_models {
        text += &format!("<SubModel Name=\"{name}\" StartCommand=\"none\" ModelFile=\"x\">");
        for point in *points {
            text += &format!("<InterfacePoint {point}/>");
        }
        text += "</SubModel>";
    }
    text += "</SubModels><Connections>";
    for (from, to) in connections {
        text += &format!("<Connection From=\"{from}\" To=\"{to}\" {line}/>");
    }
    text += &format!("</Connections><SimulationParams StartTime=\"0\" StopTime=\"{stop}\"/></Model>");
    text
}

/// A manager at work.
pub(crate) struct Stage {
    pub(crate) components: SocketAddr,
    pub(crate) monitors: Option<SocketAddr>,
    pub(crate) handle: Handle,
    thread: JoinHandle<Outcome>,
}

impl Stage {
    pub(crate) fn open(model: MetaModel, monitored: bool) -> Self {
        Stage::open_for(model, monitored, Task::Simulate)
    }

    pub(crate) fn open_for(model: MetaModel, monitored: bool, task: Task) -> Self {
        let options = Options {
            task,
            port: Some(0),
            monitor_port: monitored.then_some(0),
            start_timeout: Duration::from_secs(10),
            ..Options::default()
        };
        let (sender, events) = channel();
        let manager = Manager::new(model, options);
        let handle = manager.handle();
        let thread = std::thread::spawn(move || {
            manager.run(&mut |event| {
                let _ = sender.send(event.clone());
            })
        });
        loop {
            match events.recv_timeout(Duration::from_secs(10)).unwrap() {
                Event::Listening { components, monitors } => {
                    return Stage {
                        components,
                        monitors,
                        handle,
                        thread,
                    };
                }
                _ => continue,
            }
        }
    }

    pub(crate) fn outcome(self) -> Outcome {
        self.thread.join().unwrap()
    }
}

/// Who takes part in the tests of this crate: a client with a few settings.
pub(crate) fn client(
    address: SocketAddr,
    name: &str,
    stop: f64,
    arithmetic: Arithmetic,
) -> Result<Plugin, PluginError> {
    ordered_client(address, name, stop, arithmetic, ByteOrder::NATIVE)
}

pub(crate) fn ordered_client(
    address: SocketAddr,
    name: &str,
    stop: f64,
    arithmetic: Arithmetic,
    order: ByteOrder,
) -> Result<Plugin, PluginError> {
    Plugin::connect(Settings {
        name: name.to_owned(),
        start: 0.0,
        stop,
        address: address.to_string(),
        arithmetic,
        patience: patience(),
        order,
        secret: None,
    })
}

pub(crate) fn patience() -> Patience {
    Patience {
        meeting: Duration::from_secs(5),
        message: Some(Duration::from_secs(10)),
        ..Patience::default()
    }
}

pub(crate) fn axis(plugin: &mut Plugin, name: &str, domain: &str) -> InterfaceId {
    let is = InterfaceType {
        dimensions: 1,
        causality: "bidirectional",
        domain,
    };
    plugin.register_interface(name, is).unwrap().unwrap()
}

/// A monitor of all interface points of a meta-model.
pub(crate) fn assignment(
    model: &MetaModel,
    address: SocketAddr,
    folder: &Path,
    step: f64,
    style: Style,
) -> Assignment {
    let candidates = (0..model.interfaces.len()).map(|id| {
        let point = &model.interfaces[id];
        Candidate {
            name: model.interface_name(id),
            dimensions: i32::from(point.dimensions.number()),
            causality: point.causality.text().to_owned(),
            domain: point.domain.text().to_owned(),
            connected: model.connection_of(id).is_some(),
        }
    });
    Assignment {
        address: address.to_string(),
        candidates: candidates.collect(),
        rows: Span {
            start: model.simulation.start,
            stop: model.simulation.stop,
            step,
        },
        write_step: model.simulation.write_step,
        style,
        csv: folder.join("model.csv"),
        run: folder.join("model.run"),
        patience: patience(),
        secret: None,
    }
}

/// A mass that lines pull at, with a spring to the ground, integrated by its own small steps.
pub(crate) struct Mass {
    pub(crate) name: &'static str,
    pub(crate) points: &'static [&'static str],
    pub(crate) mass: f64,
    pub(crate) stiffness: f64,
    pub(crate) position: f64,
    pub(crate) step: f64,
    pub(crate) stop: f64,
    /// Rests for so long at the middle of its run.
    pub(crate) rest: Duration,
}

impl Mass {
    /// Runs it to the end. The answer is all states that it went through.
    pub(crate) fn run(&self, mut plugin: Plugin) -> Result<Vec<[f64; 3]>, PluginError> {
        let ids: Vec<InterfaceId> = self
            .points
            .iter()
            .map(|name| axis(&mut plugin, name, "mechanical"))
            .collect();
        plugin.check_model()?;
        let (mut x, mut v) = (self.position, 0.0);
        let steps = (self.stop / self.step).round() as u32;
        let mut states = vec![[0.0, x, v]];
        for id in &ids {
            plugin.set_motion_1d(*id, 0.0, x, v)?;
        }
        for k in 1..=steps {
            if k == steps / 2 {
                std::thread::sleep(self.rest);
            }
            let (from, to) = (
                f64::from(k - 1) * self.step,
                if k == steps {
                    self.stop
                } else {
                    f64::from(k) * self.step
                },
            );
            // Heun's method: two looks at the force.
            let mut force = |t: f64, x: f64, v: f64| -> Result<f64, PluginError> {
                let mut sum = -self.stiffness * x;
                for id in &ids {
                    sum += plugin.force_1d(*id, t, v)?;
                }
                Ok(sum)
            };
            let h = to - from;
            let a = force(from, x, v)? / self.mass;
            let (guess_x, guess_v) = (x + h * v, v + h * a);
            let b = force(to, guess_x, guess_v)? / self.mass;
            (x, v) = (x + 0.5 * h * (v + guess_v), v + 0.5 * h * (a + b));
            for id in &ids {
                plugin.set_motion_1d(*id, to, x, v)?;
            }
            states.push([to, x, v]);
        }
        plugin.close()?;
        Ok(states)
    }
}
