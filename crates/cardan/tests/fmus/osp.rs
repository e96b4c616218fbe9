//! Systems of the Open Simulation Platform.

use crate::workplace::{Workplace, largest_gap, run};
use cardan::Overrides;

const TEXT: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
  <StartTime>0.0</StartTime>
  <EndTime>1.0</EndTime>
  <BaseStepSize>0.01</BaseStepSize>
  <Algorithm>fixedStep</Algorithm>
  <Simulators>
    <Simulator name="a" source="lag2.fmu">
      <InitialValues>
        <InitialValue variable="u"><Real value="2"/></InitialValue>
        <InitialValue variable="T"><Real value="0.5"/></InitialValue>
      </InitialValues>
    </Simulator>
    <Simulator name="b" source="lag3.fmu">
      <InitialValues>
        <InitialValue variable="x0"><Real value="1"/></InitialValue>
        <InitialValue variable="T"><Real value="0.25"/></InitialValue>
      </InitialValues>
    </Simulator>
    <Simulator name="scaled" source="lag2.fmu"/>
    <Simulator name="summed" source="lag3.fmu"/>
  </Simulators>
  <Functions>
    <LinearTransformation name="scale" factor="3" offset="0.5"/>
    <Sum name="total" inputCount="2"/>
  </Functions>
  <Connections>
    <SignalConnection>
      <Variable simulator="a" name="y"/>
      <Signal function="scale" name="in"/>
    </SignalConnection>
    <SignalConnection>
      <Signal function="scale" name="out"/>
      <Variable simulator="scaled" name="u"/>
    </SignalConnection>
    <SignalConnection>
      <Variable simulator="a" name="y"/>
      <Signal function="total" name="in[0]"/>
    </SignalConnection>
    <SignalConnection>
      <Variable simulator="b" name="y"/>
      <Signal function="total" name="in[1]"/>
    </SignalConnection>
    <SignalConnection>
      <Signal function="total" name="out"/>
      <Variable simulator="summed" name="u"/>
    </SignalConnection>
  </Connections>
</OspSystemStructure>
"#;

/// All step at once with what the others had at the beginning of the step; each takes one explicit Euler step.
#[test]
fn linear_transformations_and_sums_give_the_right_numbers() {
    let place = Workplace::new();
    let path = place.write("OspSystemStructure.xml", TEXT);
    place.copy("lag-fmi2", "lag2.fmu");
    place.copy("lag-fmi3", "lag3.fmu");
    let (report, table) = run(&path, Overrides::default());
    assert_eq!(report.method, "jacobi");
    let (mut a, mut b, mut scaled, mut summed) = (0.0, 1.0, 0.0, 0.0);
    let (mut first, mut second, mut sums) = (vec![scaled], vec![summed], vec![a + b]);
    for _ in 0..100 {
        let before = (a, b);
        a += 0.01 / 0.5 * (2.0 - a);
        b += 0.01 / 0.25 * (0.0 - b);
        scaled += 0.01 * (3.0 * before.0 + 0.5 - scaled);
        summed += 0.01 * (before.0 + before.1 - summed);
        first.push(scaled);
        second.push(summed);
        sums.push(a + b);
    }
    // Rounding over a hundred steps.
    for (name, expected) in [("scaled.y", first), ("summed.y", second), ("total.y", sums)] {
        let gap = largest_gap(&table, name, &expected);
        assert!(gap < 1e-13, "{name}: {gap}");
    }
    // The folder is enough.
    let (_, again) = run(place.path(), Overrides::default());
    assert_eq!(crate::workplace::bits(&again), crate::workplace::bits(&table));
}
