"""What every FMU promises that offers it."""

from .fmu import refuses


def saves_its_state(fmu, *outputs, size=0.1, steps=3, **start):
    """Going back and again forward gives the same bits, also through bytes."""
    with fmu.open() as instance:
        instance.run(**start)
        instance.step(0, size)
        saved = instance.save()
        copy = instance.through_bytes(saved)
        ends = []
        for state in (None, saved, copy):
            if state is not None:
                instance.restore(state)
            for i in range(1, steps):
                instance.step(i * size, size)
            ends.append([instance.get(output) for output in outputs])
        assert ends[0] == ends[1] == ends[2] and all(ends[0]), ends
        instance.release(saved)
        instance.release(copy)


def keeps_the_order_of_calls(fmu, output):
    with fmu.open() as instance:
        refuses(instance, lambda: instance.step(0, 0.1))
        refuses(instance, lambda: instance.get(output))
        instance.run()
        refuses(instance, lambda: instance.step(5, 0.1))
        getter = instance.api.getReal if fmu.version == 2 else instance.api.getFloat64
        refuses(instance, lambda: getter([999]))
