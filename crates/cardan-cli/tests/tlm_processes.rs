//! Manager, monitor and clients as processes of their own, and what becomes of them when one is killed.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const CARDAN: &str = env!("CARGO_BIN_EXE_cardan");
const TLMMONITOR: &str = env!("CARGO_BIN_EXE_tlmmonitor");

/// A process that does not outlive the test.
struct Running(Child);

impl Running {
    fn start(program: &str, folder: &Path, arguments: &[&str]) -> Self {
        let child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Running(child)
    }

    /// How it ended, and what it said on standard error.
    fn end(&mut self, limit: Duration) -> (ExitStatus, String) {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if let Some(status) = self.0.try_wait().unwrap() {
                let said = self.0.stderr.take().map(std::io::read_to_string);
                return (
                    status,
                    said.map(|said| said.unwrap_or_default()).unwrap_or_default(),
                );
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }

    fn kill(&mut self) {
        let _ = self.0.kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const LIMIT: Duration = Duration::from_secs(15);

/// Two masses in a folder, and free ports for them.
struct Scene {
    folder: TempDir,
    ports: [String; 2],
}

impl Scene {
    fn new(stop: f64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, mass, stiffness) in [("m1", 1.0, 1000.0), ("m2", 2.0, 4000.0)] {
            let text = format!(
                "model = \"mass-spring-damper\"\nparameters = {{ mass = {mass:?}, stiffness = {stiffness:?}, position = 0.01 }}\n\
                 [interfaces.tlm]\nflow = \"velocity\"\nposition = \"position\"\neffort = \"force\"\n"
            );
            std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
        }
        let sub_model = |name: &str| {
            format!(
                "<SubModel Name=\"{name}\" StartCommand=\"none\" ModelFile=\"{name}.toml\">\
                 <InterfacePoint Name=\"tlm\" Dimensions=\"1\" Domain=\"mechanical\"/></SubModel>"
            )
        };
        let xml = format!(
            "<Model Name=\"pair\"><SubModels>{}{}</SubModels><Connections>\
             <Connection From=\"m1.tlm\" To=\"m2.tlm\" Delay=\"2e-4\" Zf=\"200\"/></Connections>\
             <SimulationParams StartTime=\"0\" StopTime=\"{stop}\" WriteTimeStep=\"0.01\"/></Model>",
            sub_model("m1"),
            sub_model("m2")
        );
        std::fs::write(folder.path().join("pair.xml"), xml).unwrap();
        // Both at once, so that they are two.
        let free = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
        let ports = free.map(|listener| listener.local_addr().unwrap().port().to_string());
        Scene { folder, ports }
    }

    fn manager(&self) -> Running {
        let [components, monitors] = &self.ports;
        let arguments = ["tlm", "manager", "-p", components, "-m", monitors, "pair.xml"];
        Running::start(CARDAN, self.folder.path(), &arguments)
    }

    fn client(&self, name: &str, stop: &str) -> Running {
        let (server, file) = (format!("127.0.0.1:{}", self.ports[0]), format!("{name}.toml"));
        let arguments = ["tlm", "client", name, "0", stop, "1e-4", &server, &file];
        Running::start(CARDAN, self.folder.path(), &arguments)
    }

    fn monitor(&self, options: &[&str]) -> Running {
        let server = format!("127.0.0.1:{}", self.ports[1]);
        let arguments = [options, &[&server, "pair.xml"]].concat();
        Running::start(TLMMONITOR, self.folder.path(), &arguments)
    }

    fn rows(&self) -> usize {
        let text = std::fs::read(self.folder.path().join("pair.csv")).unwrap_or_default();
        BufReader::new(&text[..]).lines().count().saturating_sub(1)
    }

    /// Waits until the run is under way.
    fn wait_for_rows(&self) {
        let begun = Instant::now();
        while self.rows() < 3 {
            assert!(begun.elapsed() < LIMIT, "no rows come");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn all_of_them_come_to_the_end() {
    let scene = Scene::new(0.5);
    let mut manager = scene.manager();
    let mut monitor = scene.monitor(&["-n", "50"]);
    let mut clients = ["m1", "m2"].map(|name| scene.client(name, "0.5"));
    for process in clients.iter_mut().chain([&mut manager, &mut monitor]) {
        let (status, said) = process.end(LIMIT);
        assert!(status.success(), "{status}: {said}");
    }
    assert_eq!(scene.rows(), 51);
    let text = std::fs::read_to_string(scene.folder.path().join("pair.run")).unwrap();
    assert!(text.starts_with("Status    : Done\n"), "{text}");
    assert!(scene.folder.path().join("monitor.log").exists());
    // Results like any other.
    let compared = Command::new(CARDAN)
        .args(["compare", "pair.csv", "pair.csv"])
        .current_dir(scene.folder.path())
        .output()
        .unwrap();
    assert!(compared.status.success(), "{compared:?}");
}

/// Whoever is killed while the run is under way: all others end by themselves, soon, with a code that is not 0, and say why.
#[test]
fn a_killed_process_takes_nobody_hostage() {
    for victim in ["manager", "m1", "m2"] {
        let scene = Scene::new(1000.0);
        let mut manager = scene.manager();
        let mut monitor = scene.monitor(&[]);
        let [mut m1, mut m2] = ["m1", "m2"].map(|name| scene.client(name, "1000"));
        scene.wait_for_rows();
        match victim {
            "manager" => manager.kill(),
            "m1" => m1.kill(),
            _ => m2.kill(),
        }
        for process in [&mut manager, &mut monitor, &mut m1, &mut m2] {
            let (status, said) = process.end(LIMIT);
            assert!(!status.success(), "{victim} was killed: {said}");
            assert!(
                status.code().is_none() || said.contains("error: "),
                "{victim}: {said}"
            );
        }
        assert!(scene.rows() >= 3);
        let text = std::fs::read_to_string(scene.folder.path().join("pair.csv")).unwrap();
        assert!(text.ends_with('\n'), "no half rows");
    }
}

/// A monitor that is killed disturbs nobody.
#[test]
fn a_killed_monitor_is_not_missed() {
    let scene = Scene::new(2.0);
    let mut manager = scene.manager();
    let mut monitor = scene.monitor(&["-t", "1e-3"]);
    let mut clients = ["m1", "m2"].map(|name| scene.client(name, "2"));
    scene.wait_for_rows();
    monitor.kill();
    for process in clients.iter_mut().chain([&mut manager]) {
        let (status, said) = process.end(LIMIT);
        assert!(status.success(), "{status}: {said}");
    }
}

/// Killed before the others have come.
#[test]
fn a_client_that_dies_at_the_start_is_noticed() {
    let scene = Scene::new(1.0);
    let mut manager = scene.manager();
    let mut monitor = scene.monitor(&[]);
    let mut m1 = scene.client("m1", "1");
    thread::sleep(Duration::from_millis(500));
    m1.kill();
    for process in [&mut manager, &mut monitor] {
        let (status, said) = process.end(LIMIT);
        assert!(!status.success(), "{said}");
    }
}

/// A monitor with a meta-model that is not quite that of the manager watches what both know.
#[test]
fn a_monitor_goes_on_without_what_the_manager_does_not_know() {
    let scene = Scene::new(0.5);
    let folder = scene.folder.path();
    let xml = std::fs::read_to_string(folder.join("pair.xml")).unwrap();
    let sub_model = |name: &str| {
        format!(
            "<SubModel Name=\"{name}\" StartCommand=\"none\" ModelFile=\"x\"><InterfacePoint Name=\"tlm\" Dimensions=\"1\"/></SubModel>"
        )
    };
    let line = "<Connection From=\"m3.tlm\" To=\"m4.tlm\" Delay=\"2e-4\" Zf=\"200\"/></Connections>";
    let more = xml
        .replace(
            "</SubModels>",
            &(sub_model("m3") + &sub_model("m4") + "</SubModels>"),
        )
        .replace("</Connections>", line);
    std::fs::write(folder.join("more.xml"), &more).unwrap();
    let other = more.replace("m1", "a1").replace("m2", "a2");
    std::fs::write(folder.join("other.xml"), other).unwrap();
    let mut manager = scene.manager();
    let server = format!("127.0.0.1:{}", scene.ports[1]);
    let mut lost = Running::start(TLMMONITOR, folder, &[&server, "other.xml"]);
    let (status, said) = lost.end(LIMIT);
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(
        said.contains("knows none of the interface points") && !said.contains("other.csv"),
        "{said}"
    );
    let mut monitor = Running::start(TLMMONITOR, folder, &["-n", "50", &server, "more.xml"]);
    let mut clients = ["m1", "m2"].map(|name| scene.client(name, "0.5"));
    let (status, said) = monitor.end(LIMIT);
    assert!(status.success(), "{said}");
    for name in ["m3.tlm", "m4.tlm"] {
        assert!(
            said.contains(&format!("the manager does not know `{name}`")),
            "{said}"
        );
    }
    assert!(said.contains("51 rows in more.csv"), "{said}");
    for process in clients.iter_mut().chain([&mut manager]) {
        let (status, said) = process.end(LIMIT);
        assert!(status.success(), "{status}: {said}");
    }
}
