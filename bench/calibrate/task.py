"""The calibration benchmark: what a scale or an accuracy costs, and how far the answers are from the exact ones."""

import os
import sys

from bench.calibrate import cases
from bench.contender import ROOT, Contender
from bench.errors import Question
from bench.harness import Case, Task
from bench.main import main
from bench.targets import LimitTarget

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_calibrate_vernier")
PYTHON = os.path.join(CACHE, "bench-calibrate-venv", "bin", "python")
DIFFPRIVLIB = os.path.join(CACHE, "bench-calibrate-diffprivlib-venv", "bin", "python")


def calibrate(quick):
    seconds, rounds = ("0.02", 2) if quick else ("0.2", 5)
    return Task(
        name="calibrate",
        cases=tuple(Case(name, "us", less_is_better=True, line=line) for name, line in cases.ALL.items()),
        contenders=contenders(seconds),
        targets=(
            LimitTarget("analytic sigma at (1, 1e-6): us at most", 2.0, tuple(cases.ONE_SIGMA)),
            LimitTarget("analytic sigma anywhere: us at most", 20.0, tuple(cases.ANY_SIGMA)),
            LimitTarget("accuracy of every law: us at most", 2.0, tuple(cases.ACCURACY)),
            LimitTarget("scale for an accuracy: us at most", 10.0, tuple(cases.SCALE)),
            LimitTarget("near-ties: us at most", 100.0, tuple(cases.TIE)),
            LimitTarget("discrete Gaussian sigma: us at most", 100.0, tuple(cases.DISCRETE_SIGMA)),
        ),
        rounds=rounds,
        questions=questions(),
        reference=python("exact", PYTHON, seconds, ""),
    )


def contenders(seconds):
    return (
        Contender("vernier", [VERNIER, seconds], "certified at the double returned", needs=VERNIER),
        python("opendp_wheel", PYTHON, seconds, "accuracies from Python; sigma by its zCDP route"),
        python("dp_accounting_sigma", PYTHON, seconds, "get_sigma_gaussian, in Python"),
        python("google", PYTHON, seconds, "C++ through python-dp, with the making of a mechanism"),
        python("diffprivlib_analytic", DIFFPRIVLIB, seconds, "with the making of a mechanism"),
        python("autodp_analytic", PYTHON, seconds, "ana_gaussian_mech, in Python"),
    )


def python(module, interpreter, seconds, note):
    return Contender(module, [interpreter, "-m", f"bench.calibrate.{module}", seconds], note, needs=interpreter)


def questions():
    sigmas = [("gaussian", *point) for point in cases.SIGMA_VALUES]
    return tuple(_question("sigma", "under-noises", *q) for q in sigmas) + tuple(
        _question("accuracy", "overclaims", *q) for q in cases.ACCURACY_VALUES
    )


def _question(quantity, short, law, first, second):
    return Question(f"{quantity}, {law} ({first}, {second})", cases.line(quantity, law, [(first, second)]), short)


if __name__ == "__main__":
    sys.exit(main(calibrate))
