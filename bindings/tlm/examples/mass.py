"""A mass on a spring, with a line at its other side: mass.c once more, in Python.

    PYTHONPATH=../python python3 mass.py NAME START END MAXSTEP HOST:PORT MODELFILE
"""

import math
import sys

import cardan_tlm


def main() -> None:
    name, start, end, longest, server = sys.argv[1], *map(float, sys.argv[2:5]), sys.argv[5]
    x, v = 0.0, 0.0
    with cardan_tlm.Session(name, start, end, longest, server) as line:
        tie = line.interface("tlm", 1)
        m, k, x = (float(line.parameter(what, usual)) for what, usual in (("m", "1"), ("k", "1000"), ("x0", "0.01")))

        def acceleration(t: float, x: float, v: float) -> float:
            return ((tie.force(t, v) if tie else 0.0) - k * x) / m

        steps = math.ceil((end - start) / longest - 1e-6)
        h = (end - start) / steps
        for i in range(steps):  # the method of Runge and Kutta
            t = start + i * h
            a1 = acceleration(t, x, v)
            v2 = v + h / 2 * a1
            a2 = acceleration(t + h / 2, x + h / 2 * v, v2)
            v3 = v + h / 2 * a2
            a3 = acceleration(t + h / 2, x + h / 2 * v2, v3)
            v4 = v + h * a3
            a4 = acceleration(t + h, x + h * v3, v4)
            x += h / 6 * (v + 2 * v2 + 2 * v3 + v4)
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            if tie:
                tie.set_motion(start + (i + 1) * h, x, v)
    print(name, f"{x:.17g} {v:.17g}")


main()
