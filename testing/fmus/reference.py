"""Simulates FMUs with FMPy, to compare with.

Reads a list of cases as JSON from standard input, each with `fmu`, `kind` (CoSimulation or ModelExchange), `stop`,
`step`, `tolerance`, `start` (values by name), `outputs` (names), `input` (a CSV file or null) and `csv`, and writes one
CSV per case with a column `time` and one per output.
"""

import json
import sys

import numpy as np
from fmpy import simulate_fmu
from fmpy.util import read_csv


def simulate(case):
    result = simulate_fmu(
        case["fmu"],
        fmi_type=case["kind"],
        stop_time=case["stop"],
        step_size=case["step"],
        output_interval=case["step"],
        relative_tolerance=case["tolerance"],
        start_values=case["start"],
        input=read_csv(case["input"]) if case["input"] else None,
        output=case["outputs"],
        record_events=False,
    )
    with open(case["csv"], "w") as file:
        columns = ["time"] + case["outputs"]
        # Elements of arrays are columns of their own.
        names = ["time"]
        for name in case["outputs"]:
            shape = result[name].shape[1:]
            names += [name] if shape == () else [f"{name}[{i + 1}]" for i in range(int(np.prod(shape)))]
        print(",".join(names), file=file)
        for row in result:
            cells = [float(v) for name in columns for v in np.ravel(row[name])]
            print(",".join(repr(cell) for cell in cells), file=file)


for case in json.load(sys.stdin):
    simulate(case)
