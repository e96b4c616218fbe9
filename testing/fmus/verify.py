"""Checks the test FMUs with FMPy: valid descriptions, right results, and the bad ones bad in the way they should be.

    python verify.py lag:2=path/to/lag.fmu lag:3=...
"""

import sys
import traceback

from checks import bad, clocks, events, mechanics, signals, switches
from checks.fmu import Fmu
from fmpy.validation import validate_fmu


def check(name, version, path):
    problems = validate_fmu(path)
    assert not problems, problems
    function = name.replace("-", "_")
    for module in (signals, mechanics, clocks, events, switches, bad):
        if hasattr(module, function):
            getattr(module, function)(Fmu(path, version))
            return
    raise AssertionError("there is no check for it")


def main(arguments):
    failed = 0
    for argument in arguments:
        fmu, path = argument.split("=", 1)
        name, version = fmu.split(":")
        try:
            check(name, int(version), path)
            print(f"{name} (FMI {version}) is fine")
        except Exception:
            failed += 1
            print(f"{name} (FMI {version}) is not fine:\n{traceback.format_exc()}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
