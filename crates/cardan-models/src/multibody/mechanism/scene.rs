//! Bodies as outputs, for whoever draws the mechanism.

use super::description::{Mechanism, Mistake, Place};
use super::ports::Ports;
use super::solid::Solid;

/// What the names of these outputs begin with.
const SCENE: &str = "scene";

/// The output that shows a body of a mechanism with a scene: a frame at its origin, or the position of a particle.
pub fn scene_port(body: &str) -> String {
    format!("{SCENE}.{body}")
}

/// Adds an output for every body.
pub(super) fn show<const D: usize>(
    mechanism: &Mechanism,
    solids: &[Solid<D>],
    ports: &mut Ports<D>,
) -> Result<(), Mistake> {
    check_names(mechanism, ports)?;
    for (body, solid) in mechanism.bodies.iter().zip(solids) {
        ports.body(&scene_port(&body.name), solid);
    }
    Ok(())
}

/// A frame `scene` has elements such as `scene.x`, which could be a body as well.
fn check_names<const D: usize>(mechanism: &Mechanism, made: &Ports<D>) -> Result<(), Mistake> {
    let ours = |name: &str| name == SCENE || name.starts_with("scene.");
    let Some(port) = made.interface.ports.iter().find(|port| ours(&port.name)) else {
        return Ok(());
    };
    let described = mechanism.ports.iter().find(|port| ours(&port.name));
    let place = match described {
        Some(port) => Place::Port(port.name.clone()),
        // Where no port is described, joints make some of their names.
        None => Place::Joint(port.name.clone()),
    };
    Err(
        Mistake::at(place, "makes a port with a name that bodies in the scene have")
            .advise("choose another name, or leave out the scene"),
    )
}
