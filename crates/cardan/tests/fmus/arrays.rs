//! Arrays whose sizes are parameters.

use crate::workplace::{Workplace, largest_gap, mistakes};
use cardan::Overrides;

const A: [[f64; 3]; 3] = [[-1.0, 2.0, 0.0], [0.0, -3.0, 1.0], [0.5, 0.0, -2.0]];
const B: [[f64; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
const C: [[f64; 3]; 2] = [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]];
const D: [[f64; 2]; 2] = [[0.0, 0.0], [0.5, 0.0]];
const X0: [f64; 3] = [1.0, 0.0, -1.0];
/// Both inputs are constant.
const U: [f64; 2] = [2.0, -1.0];
const STEP: f64 = 0.05;

fn slope(x: [f64; 3]) -> [f64; 3] {
    let row = |i: usize| {
        let own: f64 = (0..3).map(|k| A[i][k] * x[k]).sum();
        let driven: f64 = (0..2).map(|k| B[i][k] * U[k]).sum();
        own + driven
    };
    [row(0), row(1), row(2)]
}

fn along(x: [f64; 3], step: f64, slope: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| x[i] + step * slope[i])
}

fn outputs(x: [f64; 3]) -> [f64; 2] {
    [0, 1].map(|i| {
        let own: f64 = (0..3).map(|k| C[i][k] * x[k]).sum();
        own + (0..2).map(|k| D[i][k] * U[k]).sum::<f64>()
    })
}

/// The classic Runge-Kutta method, which the FMU uses for one step each; states and outputs by row.
fn reference(steps: usize) -> (Vec<[f64; 3]>, Vec<[f64; 2]>) {
    let mut x = X0;
    let mut states = vec![x];
    for _ in 0..steps {
        let k1 = slope(x);
        let k2 = slope(along(x, STEP / 2.0, k1));
        let k3 = slope(along(x, STEP / 2.0, k2));
        let k4 = slope(along(x, STEP, k3));
        let mean = [0, 1, 2].map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0);
        x = along(x, STEP, mean);
        states.push(x);
    }
    let values = states.iter().map(|x| outputs(*x)).collect();
    (states, values)
}

fn system(matrices: &str) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 1.0
[components.first]
model = "constant"
parameters = {{ value = 2.0 }}
[components.second]
model = "constant"
parameters = {{ value = -1.0 }}
[components.plant]
fmu = {{@arrays-fmi3}}
parameters = {{ {matrices} }}
[[connections]]
from = "first.y"
to = "plant.u[1]"
[[connections]]
from = "second.y"
to = "plant.u[2]"
[method]
kind = "jacobi"
step = {STEP}
[record]
variables = ["plant.x", "plant.y"]
"#
    ))
}

#[test]
fn sizes_come_before_the_matrices() {
    let matrices = format!("A = {A:?}, B = {B:?}, C = {C:?}, D = {D:?}, x0 = {X0:?}");
    // Wherever the sizes are written.
    for text in [
        format!("n = 3, m = 2, r = 2, {matrices}"),
        format!("{matrices}, r = 2, m = 2, n = 3"),
    ] {
        let table = system(&text).run();
        let (states, values) = reference(20);
        // The same sums in another order: rounding over twenty steps.
        for i in 0..3 {
            let expected: Vec<f64> = states.iter().map(|x| x[i]).collect();
            let gap = largest_gap(&table, &format!("plant.x[{}]", i + 1), &expected);
            assert!(gap < 1e-13, "x[{}]: {gap}", i + 1);
        }
        for i in 0..2 {
            let expected: Vec<f64> = values.iter().map(|y| y[i]).collect();
            let gap = largest_gap(&table, &format!("plant.y[{}]", i + 1), &expected);
            assert!(gap < 1e-13, "y[{}]: {gap}", i + 1);
        }
    }
}

#[test]
fn matrices_of_the_wrong_size_are_refused() {
    let place = system("n = 3, m = 2, r = 2, A = [[1, 2], [3, 4]]");
    let told = mistakes(place.path(), Overrides::default());
    assert!(told.iter().any(|m| m.contains('A')), "{told:?}");
}

#[test]
fn a_size_that_the_fmu_refuses_is_told_with_its_words() {
    // The FMU takes eight at most.
    let place = system("n = 9, m = 2, r = 2");
    let error = match cardan::Simulation::open(place.path()) {
        Ok(_) => panic!("nine states"),
        Err(error) => error,
    };
    let told = error.to_string();
    assert!(told.contains("plant"), "{told}");
    assert!(told.contains("must not be above 8"), "{told}");
}
