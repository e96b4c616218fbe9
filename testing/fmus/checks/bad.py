"""Bad FMUs: bad in the way they should be, and in no other."""

import os
import shutil
import signal
import subprocess
from math import isnan

import fmpy

from .fmu import refuses


def in_another_process(fmu, seconds=2):
    """The status of a process that steps an FMU over its bad moment. It is ended after some seconds."""
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        instance = fmu.open().run(at=0.25)
        for i in range(2):
            instance.step(i * 0.2, 0.2)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def works(fmu):
    """It can be simulated after all: y = t."""
    result = fmu.simulate(stop_time=1, output_interval=0.1)
    assert abs(result[-1]["y"] - 1) < 1e-12
    return result


def cannot_be_opened(fmu):
    try:
        fmu.open()
    except Exception:
        return
    raise AssertionError("it can be opened")


def null_dereference(fmu):
    assert in_another_process(fmu) == -signal.SIGSEGV


def exits(fmu):
    assert in_another_process(fmu) == 7


def disaster(fmu):
    # It aborts unless told otherwise; that it prints is part of it.
    assert in_another_process(fmu) == -signal.SIGABRT


def endless(fmu):
    assert in_another_process(fmu, seconds=1) == -signal.SIGALRM


missing_symbol = foreign = cannot_be_opened
needs_tool = works


def wrong_version(fmu):
    works(fmu)
    with fmu.open() as instance:
        assert instance.api.getVersion() == "2.7-odd"


def only_once(fmu):
    with fmu.open() as first:
        first.run()
        # From the same folder: a copy of a library is another library to the system.
        refuses(first, lambda: fmpy.instantiate_fmu(first.folder, fmu.description, logger=first.logger))


def source_only(fmu):
    folder = fmpy.extract(fmu.path)
    assert not os.path.exists(os.path.join(folder, "binaries"))
    sources = os.path.join(folder, "sources")
    ((file_set,),) = [configuration.sourceFileSets for configuration in fmu.description.buildConfigurations]
    files, flags = file_set.sourceFiles, [f"-D{d.name}={d.value}" for d in file_set.preprocessorDefinitions]
    platform = "linux64" if fmu.version == 2 else f"{os.uname().machine}-linux"
    library = os.path.join(folder, "binaries", platform, "source_only.so")
    os.makedirs(os.path.dirname(library))
    subprocess.run(["cc", "-shared", "-fPIC", *flags, *files, "-o", library, "-lm"], cwd=sources, check=True)
    fmu.path = folder
    works(fmu)
    shutil.rmtree(folder)


def bad_status(fmu):
    works(fmu)
    for parameter, status in (("error_at", 3), ("fatal_at", 4), ("discard_at", 2)):
        with fmu.open() as instance:
            instance.run(**{parameter: 0.25})
            instance.step(0, 0.2)
            refuses(instance, lambda: instance.step(0.2, 0.2))
            assert "as asked" in instance.messages[-1], instance.messages
            if status == 2 and fmu.version == 2:
                assert instance.api.getRealStatus(2) == 0.25
                assert abs(instance.get("y") - 0.25) < 1e-15
                instance.step(0.25, 0.2)
            elif status == 2:
                assert abs(instance.get("y") - 0.2) < 1e-15
                instance.step(0.2, 0.05)
                instance.step(0.25, 0.2)
            elif status == 4:
                refuses(instance, lambda: instance.get("y"))


def liar(fmu):
    with fmu.open() as instance:
        instance.run(nan_at=0.3)
        instance.set("u", 5.0)
        assert instance.get("y") == 0
        instance.step(0, 0.2)
        assert instance.get("y") == 5
        instance.step(0.2, 0.2)
        assert isnan(instance.get("y"))


def bad_rollback(fmu):
    with fmu.open() as instance:
        instance.run()
        state = instance.save()
        instance.step(0, 0.5)
        first = instance.get("y")
        instance.restore(state)
        instance.step(0, 0.5)
        assert instance.get("steps") == 2 and instance.get("y") != first
        instance.release(state)


def careless(fmu):
    works(fmu)
    if fmu.version == 3:
        with fmu.open() as instance:
            instance.run(large_at=0.1)
            assert instance.get("large") == 2**63 - 1
            instance.step(0, 0.2)
            assert instance.get("large") == 2**64 - 1
