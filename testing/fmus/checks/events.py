"""FMUs with events that an importer must find and handle, in Model Exchange."""

from math import exp

from .fmu import close, refuses


def update(instance):
    """Ends an event; whether the simulation shall end, and when the next event is."""
    api = instance.api
    answer = api.newDiscreteStates() if instance.version == 2 else api.updateDiscreteStates()
    again, terminate, _, _, is_defined, next_time = answer
    assert not again
    return terminate, next_time if is_defined else None


def switching(fmu):
    for u, slope in ((0.0, -1), (1.0, 1)):
        result = fmu.simulate(
            stop_time=1, start_values={"u": u}, fmi_type="ModelExchange", output_interval=0.1,
            output=["x", "above", "ticks", "last_event"],
        )  # fmt: skip
        end = result[-1]
        close(end["x"], slope, 1e-9)
        assert end["above"] == (slope == 1) and end["ticks"] == 3
        close(end["last_event"], 3 * 0.3, 1e-12)
    branches(fmu)
    ends(fmu)


def branches(fmu):
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(u=0.0)
        instance.api.exitInitializationMode()
        assert update(instance) == (False, 0.3)
        instance.api.enterContinuousTimeMode()
        # Between events it stays on its branch, and shows by its indicator that it should not.
        instance.set("u", 1.0)
        assert instance.get("z1") == 0.5 and instance.get("der(x)") == -1 and not instance.get("above")
        refuses(instance, lambda: instance.set("reverse", True))
        instance.api.enterEventMode()
        update(instance)
        instance.api.enterContinuousTimeMode()
        assert instance.get("der(x)") == 1 and instance.get("above")
        instance.api.enterEventMode()
        instance.set("reverse", True)
        update(instance)
        instance.api.enterContinuousTimeMode()
        assert instance.get("der(x)") == -1 and instance.get("events") == 3


def ends(fmu):
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(terminate=True)
        instance.api.exitInitializationMode()
        update(instance)
        for tick in (1, 2):
            instance.api.enterContinuousTimeMode()
            instance.api.setTime(tick * 0.3)
            instance.api.enterEventMode()
            assert update(instance) == (tick == 2, (tick + 1) * 0.3)


def relay(fmu):
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(T=18.0)
        instance.api.exitInitializationMode()
        update(instance)
        shown = [instance.get(name) for name in ("on", "level", "number", "share")]
        assert shown == [True, 2, 1, 1.0] and instance.get("indicator") == 3
    with fmu.open() as instance:
        instance.run()
        for T, on in ((19.5, False), (18.9, True), (20.5, True), (21.1, False)):
            instance.set("T", T)
            instance.step(instance.get("time"), 0.1)
            assert instance.get("on") == on, T


def heated(fmu):
    for switch, value in (("on", True), ("level", 2), ("number", 1), ("share", 1.0)):
        with fmu.open() as instance:
            instance.initialize(**{switch: value}).api.exitInitializationMode()
            instance.step(0.0, 100.0)
            close(instance.get("T"), 25 - 5 * exp(-0.5), 1e-12)
