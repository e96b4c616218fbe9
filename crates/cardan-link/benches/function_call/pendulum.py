"""The right-hand side of a double pendulum, as pendulum.c has it."""

import math

import cardan


class Pendulum(cardan.Participant):
    a = cardan.Input(unit="rad")
    b = cardan.Input(unit="rad")
    u = cardan.Input(unit="rad/s")
    v = cardan.Input(unit="rad/s")
    u_dot = cardan.Output(unit="rad/s2", direct=True)
    v_dot = cardan.Output(unit="rad/s2", direct=True)

    def step(self, t, dt):
        pass

    def outputs(self, t):
        g, a, b, u, v = 9.81, self.a, self.b, self.u, self.v
        s, c, d = math.sin(a - b), math.cos(a - b), 3.0 - math.cos(2.0 * (a - b))
        self.u_dot = (-3.0 * g * math.sin(a) - g * math.sin(a - 2.0 * b) - 2.0 * s * (v * v + u * u * c)) / d
        self.v_dot = 2.0 * s * (2.0 * u * u + 2.0 * g * math.cos(a) + v * v * c) / d


cardan.run(Pendulum)
