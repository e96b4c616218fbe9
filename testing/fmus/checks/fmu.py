"""An FMU under test: variables by name, the same calls for both versions of the standard."""

import shutil

import fmpy
import numpy as np

GETTERS = {2: {"Enumeration": "Integer"}, 3: {"Enumeration": "Int64"}}


class Fmu:
    def __init__(self, path, version):
        self.path, self.version = path, version
        self.description = fmpy.read_model_description(path)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.types = {v.name: v.type for v in self.description.modelVariables}

    def simulate(self, **options):
        """The result of FMPy's own importer."""
        return fmpy.simulate_fmu(self.path, **options)

    def signal(self, name, function, stop, points):
        """An input for `simulate`: the function sampled."""
        time = np.linspace(0, stop, points)
        return np.array(list(zip(time, function(time))), dtype=[("time", float), (name, float)])

    def open(self, **options):
        """An instance, not yet initialized. What it logs is in `messages`."""
        return Instance(self, **options)


class Instance:
    def __init__(self, fmu, kind="CoSimulation", events=False, early=False, update=None):
        self.fmu, self.version, self.kind, self.events = fmu, fmu.version, kind, events
        self.messages = []
        self.folder = fmpy.extract(fmu.path)
        self.logger = self._log2 if self.version == 2 else self._log3
        self.api = fmpy.instantiate_fmu(
            self.folder, fmu.description, fmi_type=kind, logger=self.logger, debug_logging=True,
            event_mode_used=events, early_return_allowed=early, intermediate_update=update,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.api.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _log2(self, _environment, _instance, _status, _category, message):
        self.messages.append(message.decode())

    def _log3(self, _environment, _status, _category, message):
        self.messages.append(message.decode())

    def _access(self, verb, name):
        kind = self.fmu.types[name]
        return getattr(self.api, verb + GETTERS[self.version].get(kind, kind))

    def get(self, name, count=None):
        reference = [self.fmu.references[name]]
        if count is None:
            value = self._access("get", name)(reference)[0]
            # FMPy hands out the strings of FMI 2 as bytes.
            return value.decode() if self.fmu.types[name] == "String" and isinstance(value, bytes) else value
        return list(self._access("get", name)(reference, nValues=count))

    def set(self, name, value):
        values = value if isinstance(value, (list, tuple)) else [value]
        self._access("set", name)([self.fmu.references[name]], values)

    def initialize(self, **start):
        if self.version == 2:
            self.api.setupExperiment(startTime=0.0)
        for name, value in start.items():
            self.set(name, value)
        self.api.enterInitializationMode()
        return self

    def run(self, **start):
        """Initialized, and ready for steps."""
        self.initialize(**start)
        self.api.exitInitializationMode()
        if self.events:
            self.api.enterStepMode()
        return self

    def step(self, start, size):
        return self.api.doStep(start, size)

    def save(self):
        return self.api.getFMUstate() if self.version == 2 else self.api.getFMUState()

    def restore(self, state):
        return self.api.setFMUstate(state) if self.version == 2 else self.api.setFMUState(state)

    def release(self, state):
        return self.api.freeFMUstate(state) if self.version == 2 else self.api.freeFMUState(state)

    def through_bytes(self, state):
        """A copy of a state that has been serialized on the way."""
        if self.version == 2:
            return self.api.deSerializeFMUstate(self.api.serializeFMUstate(state))
        return self.api.deserializeFMUState(self.api.serializeFMUState(state))

    def slope(self, unknown, known):
        references = self.fmu.references
        return self.api.getDirectionalDerivative([references[unknown]], [references[known]], [1.0])[0]


def refuses(instance, call):
    """Asserts that a call fails, and that the instance says something about it."""
    before = len(instance.messages)
    try:
        call()
    except Exception:
        assert len(instance.messages) > before, "it fails without a message"
        return
    raise AssertionError("it should have been refused")


def close(found, wanted, tolerance):
    assert abs(found - wanted) <= tolerance, f"{found} instead of {wanted}, beyond {tolerance}"
