from math import exp

from pythonfmu import Fmi2Causality, Fmi2Initial, Fmi2Slave, Fmi2Variability, Real


class Decay(Fmi2Slave):
    """x' = -rate x + u, solved exactly for an input that is held over the step."""

    author = "Cardan tests"
    description = "x' = -rate x + u"

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u = 0.0
        self.rate = 1.0
        self.x = 1.0
        self.register_variable(Real("u", causality=Fmi2Causality.input))
        self.register_variable(Real("rate", causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed))
        self.register_variable(Real("x", causality=Fmi2Causality.output, initial=Fmi2Initial.exact))

    def do_step(self, current_time, step_size):
        rest = self.u / self.rate
        self.x = rest + (self.x - rest) * exp(-self.rate * step_size)
        return True
