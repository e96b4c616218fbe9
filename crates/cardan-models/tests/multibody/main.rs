//! probe
#![allow(clippy::unwrap_used, clippy::print_stdout)]
use cardan_core::participant::*;
use cardan_models::Native;
use cardan_models::multibody::*;
use cardan_ode::*;

fn at(body: &str, point: &str) -> PointName {
    PointName {
        body: body.into(),
        point: point.into(),
    }
}

fn linkage(loops: usize) -> Mechanism {
    let mut m = Mechanism {
        space: Space::Plane,
        gravity: [0.0, -9.81, 0.0],
        ..Default::default()
    };
    let rod = |name: String, position: [f64; 3], orientation: [f64; 4]| Body {
        name,
        mass: 1.0,
        center: [0.5, 0.0, 0.0],
        shape: Some(Shape::Rod { length: 1.0 }),
        points: vec![
            Point {
                name: "a".into(),
                at: [0.0; 3],
            },
            Point {
                name: "b".into(),
                at: [1.0, 0.0, 0.0],
            },
        ],
        position: Some(position),
        orientation: Some(orientation),
        ..Default::default()
    };
    let s = 0.5f64.sqrt();
    let hinge = |name: String, a: PointName, b: PointName| Joint {
        name,
        kind: JointKind::Revolute {
            axis: [0.0, 0.0, 1.0],
        },
        between: [a, b],
        start: None,
        speed: None,
        drive: None,
    };
    for i in 0..=loops {
        m.ground.push(Point {
            name: format!("A{i}"),
            at: [i as f64, 0.0, 0.0],
        });
        m.bodies
            .push(rod(format!("crank{i}"), [i as f64, 0.0, 0.0], [s, 0.0, 0.0, s]));
        m.joints.push(hinge(
            format!("foot{i}"),
            at("ground", &format!("A{i}")),
            at(&format!("crank{i}"), "a"),
        ));
        if i > 0 {
            let c = format!("coupler{i}");
            m.bodies
                .push(rod(c.clone(), [i as f64 - 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]));
            m.joints.push(hinge(
                format!("left{i}"),
                at(&format!("crank{}", i - 1), "b"),
                at(&c, "a"),
            ));
            m.joints.push(hinge(
                format!("right{i}"),
                at(&c, "b"),
                at(&format!("crank{i}"), "b"),
            ));
        }
    }
    m.joints[0].speed = Some(-30.0);
    m.ports.push(PortOf {
        name: "angle".into(),
        kind: PortKind::Motion {
            joint: "foot0".into(),
        },
    });
    m.ports.push(PortOf {
        name: "tip".into(),
        kind: PortKind::Point {
            at: at("crank0", "b"),
        },
    });
    m
}

#[test]
fn probe() {
    for loops in [1usize, 5, 100, 1000] {
        for method in [Method::Trapezoidal, Method::Rattle, Method::Dopri5] {
            if loops > 5 && method != Method::Trapezoidal {
                continue;
            }
            let started = std::time::Instant::now();
            let blueprint = linkage(loops).blueprint("linkage").unwrap();
            println!("built in {:?}", started.elapsed());
            let settings = SolverSettings {
                method,
                step: Some(1e-3),
                ..Default::default()
            };
            let mut p = Native::new(blueprint, &Settings::default(), &settings).unwrap();
            let ports: Vec<_> = p
                .interface()
                .ports
                .iter()
                .enumerate()
                .map(|(i, p)| (i, p.name.clone()))
                .collect();
            println!("{ports:?}");
            let ids: Vec<_> = (0..ports.len())
                .map(|i| cardan_core::interface::PortId(i as u32))
                .collect();
            p.bind(&[], &ids).unwrap();
            use cardan_core::time::SimTime;
            p.begin_initialization(
                &RunWindow {
                    start: SimTime::from_seconds(0.0),
                    stop: SimTime::from_seconds(1.0),
                    tolerance: None,
                },
                &Settings::default(),
            )
            .unwrap();
            p.finish_initialization().unwrap();
            let mut y = vec![0.0; 8];
            let planes = cardan_core::planes::Planes::default();
            let started = std::time::Instant::now();
            for k in 0..=10 {
                let t = SimTime::from_seconds(k as f64 * 0.1);
                if k > 0 {
                    p.step(StepRequest {
                        from: SimTime::from_seconds((k - 1) as f64 * 0.1),
                        to: t,
                        inputs: cardan_core::inputs::Inputs::single(&[]),
                        watch: Watch::Nothing,
                    })
                    .unwrap();
                }
                let mut out = cardan_core::planes::Planes {
                    reals: std::mem::take(&mut y),
                    ..Default::default()
                };
                p.outputs(t, &planes, out.view_mut()).unwrap();
                y = out.reals;
                if k % 10 == 0 {
                    println!("{method} L {loops} t {:?} {y:?}", t.seconds());
                }
            }
            println!("{:?} {:?}", started.elapsed(), p.effort());
        }
    }
}
