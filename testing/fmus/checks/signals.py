"""FMUs that pass on, combine or count signals, against what is known about their equations."""

from math import exp, pi

import numpy as np

from .fmu import close, refuses
from .promises import keeps_the_order_of_calls, saves_its_state


def lag(fmu):
    start = {"u": 1.0, "T": 0.5}
    result = fmu.simulate(stop_time=1, output_interval=0.01, start_values=start, fmi_type="CoSimulation")
    # Euler steps have a closed form: 1 - (1 - h/T)^n.
    for row in result:
        close(row["y"], 1 - (1 - 0.01 / 0.5) ** round(row["time"] / 0.01), 1e-13)
    result = fmu.simulate(
        stop_time=1, start_values=start, fmi_type="ModelExchange", output=["y", "der(x)"], relative_tolerance=1e-8
    )
    close(result[-1]["y"], 1 - exp(-2), 1e-6)
    close(result[-1]["der(x)"], 2 * exp(-2), 2e-6)
    keeps_the_order_of_calls(fmu, "y")
    saves_its_state(fmu, "y", u=1.0)
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(T=0.5, x0=3.0)
        assert instance.get("y") == 3
        instance.api.exitInitializationMode()
        assert [instance.slope("der(x)", "u"), instance.slope("der(x)", "x"), instance.slope("y", "x")] == [2, -2, 1]
    with fmu.open() as instance:
        refuses(instance, lambda: instance.run(T=-1.0))


VALUES = {
    "Real": -1.5e300, "Integer": -(2**31), "Boolean": True, "String": 'grün, "x" <&>', "Enumeration": -1,
    "Float64": -1.5e300, "Float32": 0.25, "Binary": bytes(range(256)), "Int8": -128, "UInt8": 255, "Int16": -32768,
    "UInt16": 65535, "Int32": -(2**31), "UInt32": 2**32 - 1, "Int64": -(2**63), "UInt64": 2**64 - 1,
}  # fmt: skip


def feedthrough(fmu):
    for kind in ("CoSimulation", "ModelExchange"):
        with fmu.open(kind=kind) as instance:
            instance.run()
            for name, type_ in fmu.types.items():
                if not name.endswith("_in"):
                    continue
                value = VALUES[type_]
                instance.set(name, value)
                found = instance.get(name.removesuffix("_in") + "_out")
                assert found == value, (name, found)
                refuses(instance, lambda: instance.set(name.removesuffix("in") + "parameter", value))
            instance.set("tunable", 2.0)
            assert instance.get("tunable") == 2
        name = "real" if fmu.version == 2 else "float64"
        ramp = fmu.signal(name + "_in", lambda time: 3 * time, stop=1, points=2)
        result = fmu.simulate(stop_time=1, output_interval=0.25, fmi_type=kind, input=ramp, output=[name + "_out"])
        close(result[-1][name + "_out"], 3 if kind == "ModelExchange" else 2.25, 1e-12)


def arrays(fmu):
    # x' = -x + 1 for both states; y is their sum.
    options = {"stop_time": 1, "start_values": {"u": [1.0]}, "output": ["y"]}
    result = fmu.simulate(output_interval=0.01, fmi_type="CoSimulation", **options)
    close(result[-1]["y"].item(), 2 * (1 - exp(-1)), 1e-10)
    result = fmu.simulate(relative_tolerance=1e-8, fmi_type="ModelExchange", **options)
    close(result[-1]["y"].item(), 2 * (1 - exp(-1)), 1e-6)
    with fmu.open() as instance:
        refuses(instance, lambda: instance.set("n", 3))
        instance.api.enterConfigurationMode()
        for name, size in {"n": 3, "m": 2, "r": 2}.items():
            instance.set(name, size)
        instance.api.exitConfigurationMode()
        instance.set("A", [0.0, 1, 0, 0, 0, 1, 0, 0, 0])  # a chain of integrators
        instance.set("B", [0.0, 0, 0, 0, 1, 2])
        instance.set("C", [1.0, 0, 0, 0, 1, 0])
        instance.set("D", [0.0, 0, 1, 10])
        instance.run(x0=[1.0, 0.0, 0.0], u=[1.0, 1.0], triple_in=[1.0, 2.0, 3.0])
        instance.step(0, 1)
        # The third derivative of the first state is 3: 1 + 3 t^3 / 6, which RK4 solves exactly.
        found = instance.get("y", 2)
        close(found[0], 1.5, 1e-14)
        close(found[1], 1.5 + 11, 1e-14)
        assert instance.get("triple_out", 3) == [1, 2, 3]
        instance.api.enterConfigurationMode()
        instance.set("m", 1)
        instance.api.exitConfigurationMode()
        assert instance.get("u", 1) == [0]
        refuses(instance, lambda: instance.set("B", [0.0]))
        instance.step(1, 1)


def counter(fmu):
    with fmu.open() as instance:
        instance.run(first=7)
        for i in range(3):
            instance.step(i * 0.1, 0.1)
        assert instance.get("count") == 10 and instance.get("text") == "count 10"
        if fmu.version == 3:
            assert instance.get("bytes") == bytes(range(10))
    saves_its_state(fmu, "count", "text")


def gain(fmu):
    with fmu.open() as instance:
        instance.initialize(a=-0.5, b=3.0, u=4.0)
        assert instance.get("y") == 1
        instance.api.exitInitializationMode()
        instance.set("u", 2.0)
        assert instance.get("y") == 2 and instance.slope("y", "u") == -0.5
        instance.step(0, 0.1)
        assert instance.get("y") == 2


def cosine(fmu):
    with fmu.open() as instance:
        instance.run(a=2.0, b=1.0)
        instance.set("u", pi)
        close(instance.get("y"), -1, 1e-15)
        refuses(instance, lambda: instance.slope("y", "u"))


def decay(fmu):
    result = fmu.simulate(stop_time=2, output_interval=0.5, start_values={"rate": 2.0})
    assert np.allclose(result["x"], np.exp(-2 * result["time"]), rtol=1e-12)


def told(fmu):
    with fmu.open() as instance:
        instance.run(u=1.0)
        assert instance.get("tolerance") == 0
        instance.step(0.0, 0.5)
        close(instance.get("x"), 1 - exp(-0.5), 1e-15)
