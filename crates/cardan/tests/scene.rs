//! What a program is told of mechanisms that are to be drawn.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

mod support;

use cardan::core::spatial::{after, plus, times, turned};
use cardan::record::scene::{Axes, JointKind, Mechanism, Shape, beside};
use cardan::{Options, Overrides, Simulation, Table};
use support::{Variant, reals};

/// A body in a cardan joint, and a particle on a rope, both in space.
const MECHANISM: &str = r#"[components.m.multibody]
scene = true
[components.m.multibody.bodies.top]
mass = 2.0
center = [0.5, 0.0, 0.0]
shape = { kind = "cylinder", radius = 0.2, length = 0.6 }
angular_velocity = [1.0, -2.0, 3.0]
[components.m.multibody.bodies.bob]
mass = 1.0
position = [0.0, 1.0, 0.0]
center = [0.0, 0.0, 0.5]
points = { hook = [0.0, 0.0, 0.5] }
[components.m.multibody.joints.cross]
kind = "universal"
between = ["ground", "top"]
axes = [[0, 0, 1], [0, 1, 0]]
[components.m.multibody.joints.rope]
kind = "distance"
between = ["ground", "bob.hook"]
"#;

fn system(keys: &str) -> Variant {
    Variant::text(&format!(
        "[system]\nstop = 0.2\n[components.m]\n{keys}\n{MECHANISM}[method]\nkind = \"jacobi\"\nstep = 0.01\n"
    ))
}

/// The mechanism to be drawn, and the rows.
fn run(keys: &str) -> (Mechanism, Table) {
    let variant = system(keys);
    let (mut simulation, rows) = variant.open(Overrides::default());
    assert_eq!(simulation.scenes().len(), 1);
    let scene = simulation.scenes()[0].clone();
    assert_eq!(simulation.run().status, "ok");
    (scene, rows.table())
}

/// The last row of these columns.
fn last<const N: usize>(table: &Table, names: &[String]) -> [f64; N] {
    assert_eq!(names.len(), N);
    std::array::from_fn(|i| *reals(table, &names[i]).last().unwrap())
}

#[test]
fn a_program_sees_what_the_file_would_say() {
    let (scene, _) = run("");
    assert_eq!(scene.component, "m");
    assert_eq!(
        scene.bodies[0].shape,
        Some(Shape::Cylinder {
            radius: 0.2,
            length: 0.6
        })
    );
    let cross = &scene.joints[0];
    assert_eq!(cross.kind, JointKind::Universal);
    assert_eq!(cross.axis, Some([0.0, 0.0, 1.0]));
    assert_eq!(cross.second_axis, Some([0.0, 1.0, 0.0]));
    // A particle has no axes in which its points could be apart.
    assert!(scene.bodies[1].particle);
    assert_eq!(scene.bodies[1].center, [0.0; 3]);
    assert_eq!(scene.bodies[1].points[0].position, [0.0; 3]);
    assert_eq!(scene.joints[1].between[1].point, "hook");
    assert_eq!(scene.joints[1].between[1].position, [0.0; 3]);
}

#[test]
fn the_placement_leads_from_the_component_to_the_columns() {
    let (inside, plain) = run("");
    // Other lengths and forces, but the same seconds: inside the component everything is as before.
    let (placed, moved) = run(
        "frame = { position = [1.0, -2.0, 0.5], angles = [0.4, 0.3, -0.7] }\nscales = { length = 0.001 }",
    );
    assert_eq!(inside.placement.position, [0.0; 3]);
    assert_eq!(inside.placement.length, 1.0);
    let placement = placed.placement;
    assert_eq!(placement.position, [1.0, -2.0, 0.5]);
    assert_eq!(placement.length, 0.001);

    let top = &placed.bodies[0].pose;
    assert_eq!(top.axes, Axes::System);
    let position = top.position.as_ref().unwrap();
    let orientation = top.orientation.as_ref().unwrap();
    let own: [f64; 3] = last(&plain, position);
    let expected = plus(
        placement.position,
        turned(placement.orientation, times(placement.length, own)),
    );
    let axes = after(placement.orientation, last(&plain, orientation));
    let found: [f64; 3] = last(&moved, position);
    let turned: [f64; 4] = last(&moved, orientation);
    // A quaternion and its negative are the same rotation. What is left is rounding.
    let sign = if axes[0] * turned[0] < 0.0 { -1.0 } else { 1.0 };
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    for (found, expected) in turned.iter().zip(axes) {
        assert!((sign * found - expected).abs() < 1e-12, "{turned:?} {axes:?}");
    }

    let bob = &placed.bodies[1].pose;
    assert_eq!(bob.axes, Axes::Component);
    let position = bob.position.as_ref().unwrap();
    let (own, found): ([f64; 3], [f64; 3]) = (last(&plain, position), last(&moved, position));
    assert_eq!(own, found);
}

#[test]
fn a_program_that_names_a_file_gets_one_beside_it() {
    let variant = system("");
    let out = variant.path().join("results.csv");
    let options = Options {
        out: Some(out.clone()),
        ..Options::default()
    };
    let mut simulation = Simulation::open_with(variant.path(), options).unwrap();
    assert!(!beside(&out).exists(), "it comes with the results");
    let scenes = simulation.scenes().to_vec();
    let report = simulation.run();
    assert_eq!(report.scene, Some(beside(&out)));
    let (_, scene) = cardan::record::scene::Scene::of(&out).unwrap();
    assert_eq!(scene.mechanisms, scenes);
}
