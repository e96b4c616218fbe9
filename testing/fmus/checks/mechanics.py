"""Masses and balls against their equations of motion."""

from math import cos, sin, sqrt

from .fmu import close, refuses
from .promises import saves_its_state


def oscillator_node(fmu):
    size, start = 1e-3, {"k0": 2.0, "k": 1.0, "x0": 1.0}
    result = fmu.simulate(stop_time=2, output_interval=size, start_values=start, output=["position", "velocity"])
    x, v = 1.0, 0.0
    for row in result[1:]:
        v += size * (1.0 * (0 - 2 * x) - 2.0 * x)
        x += size * v
        close(row["position"], x, 1e-13)
    # Neighbours at rest: omega^2 = k0 + 2 k = 4. Symplectic Euler errs by at most omega h / 2 in phase and amplitude.
    close(result[-1]["position"], cos(4), 2 * size * 2)
    saves_its_state(fmu, "position", "velocity", x0=1.0)


def ball(time, e=0.7, g=9.81):
    """Height and number of bounces of a ball dropped from 1 m."""
    when, speed, bounces = sqrt(2 / g), sqrt(2 * g), 0
    if time < when:
        return 1 - g / 2 * time**2, 0
    while True:
        bounces, speed = bounces + 1, e * speed
        if speed < 0.1:
            return 0.0, bounces
        if time < when + 2 * speed / g:
            since = time - when
            return since * (speed - g / 2 * since), bounces
        when += 2 * speed / g


def bouncing_ball(fmu):
    outputs = ["h", "v", "bounces"]
    result = fmu.simulate(stop_time=3, output_interval=0.01, fmi_type="CoSimulation", output=outputs)
    for row in result:
        close(row["h"], ball(row["time"])[0], 1e-11)
    assert result[-1]["bounces"] == ball(3)[1] and result[-1]["v"] == 0
    # An importer that only looks for crossings is late by its tolerance, times the speed.
    result = fmu.simulate(
        stop_time=2, fmi_type="ModelExchange", output=outputs, relative_tolerance=1e-9, output_interval=0.01
    )
    close(result[-1]["h"], ball(2)[0], 1e-4)
    assert result[-1]["bounces"] == ball(2)[1]
    saves_its_state(fmu, "h", "v", "bounces", size=0.3, steps=6)
    if fmu.version == 3:
        with fmu.open(events=True, early=True) as instance:
            instance.run()
            event, _, early, reached = instance.step(0, 1)
            assert event and early and instance.get("v") < 0
            close(reached, sqrt(2 / 9.81), 1e-15)
            instance.api.enterEventMode()
            assert instance.api.updateDiscreteStates()[3]
            instance.api.enterStepMode()
            assert instance.get("v") > 0 and instance.get("bounces") == 1
            instance.step(reached, 0.01)
            close(instance.get("h"), ball(reached + 0.01)[0], 1e-12)


def mass_under_constant_force(fmu, **options):
    # x'' + x = 1 from rest: 1 - cos t. RK4 errs by about t h^4 / 120.
    result = fmu.simulate(
        stop_time=3, output_interval=0.1, start_values={"force": 1.0, "inner_step": 0.01},
        output=["position", "velocity", "acceleration"], **options,
    )  # fmt: skip
    for row in result:
        close(row["position"], 1 - cos(row["time"]), 1e-9)
        close(row["velocity"], sin(row["time"]), 1e-9)
        close(row["acceleration"], cos(row["time"]), 1e-9)


def held_mass(fmu):
    mass_under_constant_force(fmu)
    with fmu.open() as instance:
        instance.run()
        refuses(instance, instance.save)
        instance.step(0, 0.1)
        refuses(instance, lambda: instance.step(0.1, 0.2))
        refuses(instance, lambda: instance.slope("acceleration", "force"))


def driven_mass(fmu):
    mass_under_constant_force(fmu, fmi_type="CoSimulation")
    result = fmu.simulate(
        stop_time=3, fmi_type="ModelExchange", relative_tolerance=1e-9, start_values={"force": 1.0}, output=["position"]
    )
    close(result[-1]["position"], 1 - cos(3), 1e-6)
    saves_its_state(fmu, "position", "velocity", force=1.0)
    with fmu.open() as instance:
        instance.run(m=2.0, k=3.0, d=5.0, x0=1.0)
        slopes = [instance.slope("acceleration", name) for name in ("force", "position", "velocity")]
        assert slopes == [0.5, -1.5, -2.5], slopes
        instance.step(0, 0.1)
        force, position, velocity = fmu.references["force"], fmu.references["position"], fmu.references["velocity"]
        derivatives = instance.api.getRealOutputDerivatives if fmu.version == 2 else instance.api.getOutputDerivatives
        assert derivatives([position, velocity], [1, 1]) == [instance.get("velocity"), instance.get("acceleration")]
        if fmu.version == 2:
            refuses(instance, lambda: instance.api.setRealInputDerivatives([force], [3], [1.0]))
    (input_derivatives if fmu.version == 2 else intermediate_update)(fmu)


def input_derivatives(fmu):
    # x'' + x = t^2 from rest: t^2 - 2 + 2 cos t, with one step a second: the derivatives carry the force.
    with fmu.open() as instance:
        instance.run(inner_step=0.01)
        for t in range(3):
            instance.set("force", float(t**2))
            reference = fmu.references["force"]
            instance.api.setRealInputDerivatives([reference, reference], [1, 2], [2.0 * t, 2.0])
            instance.step(t, 1)
            end = t + 1
            close(instance.get("position"), end**2 - 2 + 2 * cos(end), 1e-9)
            close(instance.get("acceleration"), 2 - 2 * cos(end), 1e-9)


def intermediate_update(fmu):
    # x'' + x = sin 2t from rest: (2 sin t - sin 2t) / 3, in one step: the force is asked for on the way.
    asked, reached = [], []

    def update(_environment, time, set_requested, get_allowed, finished, can_return, early, early_time):
        assert set_requested != finished and get_allowed == finished
        if set_requested:
            asked.append(time)
            instance.set("force", sin(2 * time))
        if finished:
            reached.append((time, instance.get("position")))
            if can_return and time > 0.75:
                early[0] = True
                early_time[0] = time

    for early in (False, True):
        asked.clear(), reached.clear()
        with fmu.open(update=update, early=early) as instance:
            instance.run(inner_step=0.01)
            _, _, returned, end = instance.step(0, 1)
            assert returned == early and len(asked) == 3 * len(reached) == (228 if early else 300)
            close(end, 0.76 if early else 1, 1e-12)
            for time, position in reached:
                close(position, (2 * sin(time) - sin(2 * time)) / 3, 1e-8)
