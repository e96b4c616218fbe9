"""A clamped beam in finite elements by scikit-fem. Its tip is moved; it answers with a force and its tangent stiffness.

The tip runs in a guide, so a beam that bends has to become longer: the elongation of a slope is half its square, and the
tension that comes of it stiffens the beam. Its mass is left out."""

import numpy
from skfem import Basis, BilinearForm, ElementLineHermite, MeshLine
from skfem.helpers import d, dd, ddot, dot

import cardan


@BilinearForm
def bending(u, v, _):
    return ddot(dd(u), dd(v))


@BilinearForm
def slopes(u, v, _):
    return dot(d(u), d(v))


class Beam(cardan.Participant):
    deflection = cardan.Input(unit="m", description="of the tip, upwards")
    force = cardan.Output(unit="N", direct=True, description="of the beam on what holds its tip, upwards")
    energy = cardan.Output(unit="J", direct=True, description="that the beam has stored")

    length = cardan.Parameter(0.6, unit="m", minimum=1e-6)
    rigidity = cardan.Parameter(2.8, unit="N.m2", minimum=0.0, description="against bending, E I")
    axial = cardan.Parameter(2000.0, unit="N/m", minimum=0.0, description="stiffness of beam and guide lengthwise")
    elements = cardan.Parameter(8, minimum=1)

    def initialize(self, start, stop):
        basis = Basis(MeshLine(numpy.linspace(0.0, self.length, self.elements + 1)), ElementLineHermite(), intorder=4)
        self.bending = self.rigidity * bending.assemble(basis).toarray()
        self.slopes = slopes.assemble(basis).toarray()
        clamped = basis.get_dofs(lambda x: x[0] == 0.0).all()
        self.tip = basis.get_dofs(lambda x: x[0] == x[0].max()).all("u")[0]
        self.free = numpy.setdiff1d(numpy.arange(basis.N), [*clamped, self.tip])
        self.shape = numpy.zeros(basis.N)  # Deflections and slopes of all nodes at the end of the last step.

    def equilibrium(self, deflection):
        """Newton's method, from the last shape on: the new one, the forces that hold its nodes, and their tangent."""
        shape, free = self.shape.copy(), self.free
        shape[self.tip] = deflection
        for _ in range(60):
            pull = self.slopes @ shape
            tension = self.axial * (shape @ pull) / 2.0
            residual = self.bending @ shape + tension * pull
            tangent = self.bending + tension * self.slopes + self.axial * numpy.outer(pull, pull)
            change = numpy.linalg.solve(tangent[numpy.ix_(free, free)], residual[free])
            if numpy.abs(change).max() <= 1e-13 * numpy.abs(shape).max():
                return shape, residual, tangent
            shape[free] -= change
        raise ArithmeticError(f"the beam finds no equilibrium with its tip at {deflection} m")

    def step(self, t, dt):
        self.shape, _, _ = self.equilibrium(self.read("deflection", t + dt))

    def outputs(self, t):
        shape, forces, _ = self.equilibrium(self.deflection)
        stretch = shape @ self.slopes @ shape / 2.0
        self.force = -float(forces[self.tip])
        self.energy = float(shape @ self.bending @ shape + self.axial * stretch**2) / 2.0

    def tangent(self, t):
        """How force and energy change with the deflection. All nodes but the tip give way: the tangent is condensed."""
        _, forces, tangent = self.equilibrium(self.deflection)
        free, tip = self.free, self.tip
        way = numpy.linalg.solve(tangent[numpy.ix_(free, free)], tangent[free, tip])
        stiffness = tangent[tip, tip] - tangent[tip, free] @ way
        return [[-stiffness], [forces[tip]]]

    def save(self):
        return self.shape.copy()

    def restore(self, state):
        self.shape = state.copy()
