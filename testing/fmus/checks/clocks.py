"""FMUs with clocks, driven as an importer does that knows about them."""

from ctypes import c_double, c_int, c_uint32

from .fmu import close, refuses

NOT_YET_KNOWN, UNCHANGED, CHANGED = range(3)


def interval(instance, clock):
    seconds, qualifier = (c_double * 1)(), (c_int * 1)()
    reference = (c_uint32 * 1)(instance.fmu.references[clock])
    instance.api.getIntervalDecimal(reference, seconds, qualifier)
    return seconds[0], qualifier[0]


def event(instance, *ticking, **inputs):
    """Event mode with some clocks ticking; the caller looks at it before it ends."""
    instance.api.enterEventMode()
    for clock in ticking:
        instance.set(clock, True)
    for name, value in inputs.items():
        instance.set(name, value)


def end(instance):
    instance.api.updateDiscreteStates()
    instance.api.enterStepMode()


def ticker(fmu):
    with fmu.open(events=True) as instance:
        instance.initialize(slow_interval=0.3)
        assert interval(instance, "slow_clock") == (0.3, CHANGED)
        instance.api.exitInitializationMode()
        instance.api.updateDiscreteStates()
        instance.api.enterStepMode()
        for tick in range(1, 8):
            instance.set("u", float(tick))
            instance.step((tick - 1) * 0.1, 0.1)
            assert instance.get("sample") == tick - 1
            event(instance, "clock", *(["slow_clock"] if tick % 3 == 0 else []))
            # Asking twice gives the same: the tick is counted once.
            for _ in range(2):
                assert instance.get("sample") == tick and instance.get("ticks") == tick
                assert instance.get("every_third") == (tick % 3 == 0)
            end(instance)
        assert instance.get("ticks") == 7 and instance.get("slow_ticks") == 2
        refuses(instance, lambda: instance.set("clock", True))
    # The same in Model Exchange, where time is set.
    with fmu.open(kind="ModelExchange") as instance:
        instance.initialize(u=5.0)
        instance.api.exitInitializationMode()
        instance.set("clock", True)
        assert instance.get("sample") == 5 and instance.get("ticks") == 1
        instance.api.updateDiscreteStates()
        instance.api.enterContinuousTimeMode()
        refuses(instance, lambda: instance.set("clock", True))
        instance.api.setTime(0.1)
        assert instance.get("ticks") == 1


def follower(fmu):
    with fmu.open(events=True) as instance:
        instance.run()
        assert instance.get("last_tick_time") == -1
        total = 0.0
        for tick in range(1, 4):
            instance.step((tick - 1) * 0.5, 0.5)
            event(instance, "clock", value=tick * 1.5)
            total += tick * 1.5
            assert instance.get("sum") == total
            end(instance)
            assert instance.get("sum") == total and instance.get("ticks") == tick
            close(instance.get("last_tick_time"), tick * 0.5, 1e-15)
        # Without a tick an event changes nothing.
        event(instance, value=100.0)
        end(instance)
        assert instance.get("sum") == total


def alarm(fmu):
    with fmu.open(events=True) as instance:
        instance.initialize(delay=0.4)
        assert interval(instance, "clock")[1] == NOT_YET_KNOWN
        instance.api.exitInitializationMode()
        instance.api.updateDiscreteStates()
        instance.api.enterStepMode()
        instance.step(0, 0.5)
        event(instance, arm=True)
        assert interval(instance, "clock") == (0.4, CHANGED)
        assert interval(instance, "clock")[1] == UNCHANGED
        end(instance)
        instance.step(0.5, 0.4)
        assert instance.get("fired_at") == -1
        event(instance, "clock")
        close(instance.get("fired_at"), 0.9, 1e-15)
        assert interval(instance, "clock")[1] == NOT_YET_KNOWN
        end(instance)
        assert instance.get("alarms") == 1
        # It can be armed again after a rest.
        event(instance, arm=False)
        end(instance)
        event(instance, arm=True)
        assert interval(instance, "clock") == (0.4, CHANGED)
