"""The Python benchmark: what a call costs beyond the core's own work, and how fast vectors of noise come."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.python import cases
from bench.targets import BeyondTarget, RatioTarget

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
BUILD = os.path.join(ROOT, "build", "bench")
CORE = os.path.join(BUILD, "bin", "bench_python_core")
PYTHON = os.path.join(CACHE, "python-tests", "bin", "python")  # of tools/setup --python, with OpenDP and numpy in it


def python(quick):
    seconds, rounds = ("0.02", 2) if quick else ("0.2", 5)
    return Task(
        name="python",
        cases=tuple(Case(name, "us", less_is_better=True, line=line) for name, line in cases.ALL.items()),
        contenders=contenders(seconds),
        targets=(
            BeyondTarget("vn.calibrate: us beyond the core at most", 5.0, "core", tuple(cases.CALIBRATE)),
            BeyondTarget("vn.compat.opendp: us beyond the core at most", 5.0, "core", tuple(cases.CONVERT)),
            RatioTarget("vn.compat.opendp: times OpenDP", 2.0, "opendp_wheel", tuple(cases.CONVERT)),
            RatioTarget("vectors of noise: times the core", 0.9, "core", tuple(cases.DRAW)),
        ),
        rounds=rounds,
    )


def contenders(seconds):
    package = os.path.join(BUILD, "python", "package")

    def module(name, note):
        command = ["env", f"PYTHONPATH={package}", PYTHON, "-m", f"bench.python.{name}", seconds]
        return Contender(name, command, note, needs=PYTHON)

    return (
        module("package", "import vernier: keywords in, an object or an array out"),
        Contender("core", [CORE, seconds], "the same work in C++, its vectors used again", needs=CORE),
        module("opendp_wheel", "opendp.accuracy"),
        module("numpy_unsafe", "no protection: the ceiling"),
    )


if __name__ == "__main__":
    sys.exit(main(python))
