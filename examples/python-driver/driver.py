"""A driver who looks at the speedometer ten times a second."""

import cardan


class Driver(cardan.Participant):
    speed = cardan.Input(unit="m/s")
    force = cardan.Output(unit="N", discrete=True, direct=True)

    target = cardan.Parameter(25.0, unit="m/s", tunable=True)
    eagerness = cardan.Parameter(600.0, unit="N.s/m", minimum=0.0)

    rollback = True  # Nothing in it cannot be copied.

    def initialize(self, start, stop):
        print(f"driving at {self.target} m/s from {start} s to {stop} s")  # Harms nothing.

    def outputs(self, t):
        self.force = self.eagerness * (self.target - self.speed)
