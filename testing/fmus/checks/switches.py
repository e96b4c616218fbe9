"""FMUs that switch, touch, stick and sample: what they are in each of the ways to run them."""

import ctypes
from math import atan, exp, pi

from .events import update
from .fmu import close, refuses
from .promises import saves_its_state


def thermostat(fmu):
    with fmu.open() as instance:
        instance.run(temperature=20.0)
        now = 0.0
        for temperature, on in ((19.5, False), (18.9, True), (20.9, True), (21.1, False), (19.1, False)):
            instance.set("temperature", temperature)
            instance.step(now, 0.5)
            now += 0.5
            assert instance.get("on") == on and instance.get("level") == on and instance.get("mode") == 1 + on
            assert instance.get("heat") == 1000 * on
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(temperature=20.0)
        instance.api.exitInitializationMode()
        assert update(instance) == (False, None)
        for temperature, sign, on in ((18.5, -1, True), (20.5, 1, True), (21.5, -1, False)):
            instance.api.enterContinuousTimeMode()
            instance.set("temperature", temperature)
            # It stays as it is until the event, and shows by its indicator whether it should.
            assert instance.get("z") * sign > 0
            instance.api.enterEventMode()
            update(instance)
            assert instance.get("on") == on and instance.get("z") > 0
    if fmu.version == 3:
        with fmu.open(events=True, early=True) as instance:
            instance.initialize(temperature=20.0)
            instance.api.exitInitializationMode()
            update(instance)
            instance.api.enterStepMode()
            instance.set("temperature", 18.0)
            event, _, early, reached = instance.step(0.0, 0.5)
            assert event and not early and reached == 0.5 and not instance.get("on")
            instance.api.enterEventMode()
            update(instance)
            assert instance.get("on")


def room(fmu):
    for switch, value, power in (("heat", 400.0, 400), ("on", True, 1000), ("level", 2, 2000), ("mode", 2, 1000)):
        with fmu.open() as instance:
            instance.run()
            instance.set(switch, value)
            instance.step(0.0, 30.0)
            rest = 5 + power / 50
            close(instance.get("temperature"), rest + (20 - rest) * exp(-30 / 200), 1e-12)
        with fmu.open(kind="ModelExchange") as instance:
            instance.initialize(**{switch: value})
            instance.api.exitInitializationMode()
            close(instance.get("der(temperature)"), (power - 50 * 15) / 1e4, 1e-15)
    saves_its_state(fmu, "temperature", start=15.0)


def pulse(fmu):
    with fmu.open() as instance:
        instance.run(begin=0.25, width=0.5, height=3.0)
        for k in range(1, 9):
            instance.step((k - 1) / 8, 1 / 8)
            assert instance.get("y") == (3.0 if 2 <= k < 6 else 0.0), k
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(begin=0.25, width=0.5, height=3.0)
        instance.api.exitInitializationMode()
        assert update(instance) == (False, 0.25)
        for time, y, following in ((0.25, 3.0, 0.75), (0.75, 0.0, None)):
            instance.api.enterContinuousTimeMode()
            instance.api.setTime(time)
            instance.api.enterEventMode()
            assert update(instance) == (False, following) and instance.get("y") == y


def contact(fmu):
    with fmu.open() as instance:
        instance.run(stiffness=2e3, damping=0.5, floor=0.1)
        for position, velocity, force in ((0.2, -1.0, 0.0), (0.05, 0.0, 100.0), (0.05, -2.0, 200.0), (0.05, 3.0, 0.0)):
            instance.set("position", position)
            instance.set("velocity", velocity)
            close(instance.get("force"), force, 1e-12)
            close(instance.get("z"), position - 0.1, 1e-15)


def dropped_ball(fmu):
    # Nothing is lost: after one bounce on a floor at rest it is back where it was.
    fall, swing = (2 * 0.1 / 9.81) ** 0.5, (1e4) ** 0.5
    touch = 2 * (pi - atan(fall * swing)) / swing
    result = fmu.simulate(stop_time=2 * fall + touch, output_interval=(2 * fall + touch) / 50, output=["height", "velocity"])
    close(result[-1]["height"], 0.1, 1e-9)
    close(result[-1]["velocity"], 0.0, 1e-7)
    saves_its_state(fmu, "height", "velocity", h0=0.2)


def sliding_block(fmu):
    # It sticks below 15 N; above, 10 N are lost.
    with fmu.open() as instance:
        instance.run(v0=1.0)
        instance.set("force", 4.0)
        instance.step(0.0, 0.1)
        close(instance.get("velocity"), 1 - 0.6, 1e-12)
        instance.step(0.1, 0.4)
        # At rest after 1/6 s.
        assert instance.get("velocity") == 0.0 and instance.get("direction") == 0
        close(instance.get("position"), 1 / 12, 1e-9)
        instance.set("force", -16.0)
        instance.step(0.5, 0.5)
        close(instance.get("velocity"), -3.0, 1e-9)
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(v0=1.0)
        instance.set("force", 4.0)
        instance.api.exitInitializationMode()
        update(instance)
        instance.api.enterContinuousTimeMode()
        close(instance.get("acceleration"), -6.0, 1e-15)
        instance.api.setContinuousStates((ctypes.c_double * 2)(0.08, -1e-8), 2)
        assert instance.get("z") < 0
        instance.api.enterEventMode()
        update(instance)
        assert instance.get("velocity") == 0.0 and instance.get("direction") == 0
        close(instance.get("z"), 11.0, 1e-12)


def backlash(fmu):
    with fmu.open() as instance:
        instance.run(play=0.25)
        now = 0.0
        for u, y in ((0.2, 0.0), (1.0, 0.75), (0.6, 0.75), (0.3, 0.55), (0.7, 0.55), (0.9, 0.65)):
            instance.set("u", u)
            instance.step(now, 0.1)
            now += 0.1
            close(instance.get("y"), y, 1e-15)
    saves_its_state(fmu, "y", y0=0.02)


def sampler(fmu):
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(u=0.5, setpoint=2.0, gain=3.0)
        instance.api.exitInitializationMode()
        assert update(instance) == (False, 0.1) and instance.get("y") == 4.5
        instance.api.enterContinuousTimeMode()
        instance.set("u", 1.0)
        assert instance.get("y") == 4.5
        instance.api.setTime(0.1)
        instance.api.enterEventMode()
        assert update(instance) == (False, 0.2) and instance.get("y") == 3.0
    if fmu.version == 3:
        with fmu.open(events=True, early=True) as instance:
            instance.initialize()
            instance.api.exitInitializationMode()
            update(instance)
            instance.api.enterStepMode()
            event, _, early, reached = instance.step(0.0, 0.25)
            assert event and early and reached == 0.1
        with fmu.open() as instance:
            instance.run()
            refuses(instance, lambda: instance.step(0.0, 0.25))
