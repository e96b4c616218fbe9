"""A slider with a pendulum, computed by MuJoCo. Whatever holds the slider gives the force."""

import math
import os

import mujoco
import numpy

import cardan


class Body(cardan.Participant):
    force = cardan.Input(unit="N", description="on the slider, upwards")
    height = cardan.Output(unit="m", description="of the slider")
    velocity = cardan.Output(unit="m/s", description="of the slider, upwards")
    angle = cardan.Output(unit="rad", description="of the pendulum; hanging it is zero")
    energy = cardan.Output(unit="J", description="kinetic, and of the weights")

    start_height = cardan.Parameter(0.0, unit="m")
    start_angle = cardan.Parameter(0.0, unit="rad")
    inner_step = cardan.Parameter(0.005, unit="s", minimum=1e-6, description="of MuJoCo, at most")

    WHOLE = mujoco.mjtState.mjSTATE_INTEGRATION  # All that the next step depends on.

    def initialize(self, start, stop):
        self.model = mujoco.MjModel.from_xml_path(os.path.join(os.path.dirname(__file__), "body.xml"))
        self.data = mujoco.MjData(self.model)
        self.data.time = start
        self.data.qpos[:] = self.start_height, self.start_angle
        # MuJoCo asks for the force at each stage of its Runge-Kutta method: it gets the value at that very time.
        mujoco.set_mjcb_control(self.drive)
        # Its warnings would go to a file; here they end the run.
        self.warnings = []
        mujoco.set_mju_user_warning(self.warnings.append)

    def drive(self, model, data):
        data.qfrc_applied[0] = self.read("force", data.time)

    def step(self, t, dt):
        count = math.ceil(dt / self.inner_step * (1.0 - 1e-9))
        self.model.opt.timestep = dt / count
        for k in range(count):
            self.data.time = t + dt * k / count
            mujoco.mj_step(self.model, self.data)
        if self.warnings:
            raise ArithmeticError(f"MuJoCo says: {self.warnings[0]}")

    def outputs(self, t):
        self.height, self.angle = map(float, self.data.qpos)
        self.velocity = float(self.data.qvel[0])
        # What MuJoCo derives from positions and velocities is that of its last stage, not of the end of the step.
        for derive in (mujoco.mj_fwdPosition, mujoco.mj_fwdVelocity, mujoco.mj_energyPos, mujoco.mj_energyVel):
            derive(self.model, self.data)
        self.energy = float(sum(self.data.energy))

    def save(self):
        state = numpy.empty(mujoco.mj_stateSize(self.model, self.WHOLE))
        mujoco.mj_getState(self.model, self.data, state, self.WHOLE)
        return state

    def restore(self, state):
        mujoco.mj_setState(self.model, self.data, state, self.WHOLE)
