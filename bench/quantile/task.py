"""The quantile benchmark: the rank error and the time of a private quantile of one million rows, at epsilon 1."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.quantile.cases import MEANS, RANKS, TIMES
from bench.quantile.data import ROWS, path
from bench.targets import LimitTarget, RatioTarget

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
DATA = os.path.join(CACHE, "bench-quantile")
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_quantile_vernier")
PYTHON = os.path.join(CACHE, "bench-noise-venv", "bin", "python")
CHANCE = 0.85  # of two samples of the same law, 400 draws or more, the one may be so much worse at 95 in a hundred


def quantile(quick):
    return Task(
        name="quantile",
        cases=tuple(Case(name, "ranks", less_is_better=True) for name in RANKS + MEANS)
        + tuple(Case(name, "ms", less_is_better=True) for name in TIMES),
        contenders=contenders(quick),
        targets=(
            LimitTarget("rank error at 95 %: ranks at most, of a million", ROWS / 1000, RANKS),
            RatioTarget("rank error: OpenDP's, times ours", CHANCE, "opendp_wheel", RANKS),
            RatioTarget("rank error: Google's, times ours", CHANCE, "google", RANKS),
            RatioTarget("mean rank error: OpenDP's, times ours", CHANCE, "opendp_wheel", MEANS),
            RatioTarget("mean rank error: Google's, times ours", CHANCE, "google", MEANS),
            RatioTarget("time: OpenDP's, times ours", 1.0, "opendp_wheel", TIMES),
            RatioTarget("time: Google's, times ours", 1.0, "google", TIMES),
        ),
        rounds=1,  # the best of several rounds would be luck, where a figure is an error
    )


def contenders(quick):
    seconds = "0.1" if quick else "1"

    def python(module, draws, note):
        command = [PYTHON, "-m", f"bench.quantile.{module}", seconds, str(20 if quick else draws), DATA]
        return Contender(module, command, f"{note}; {20 if quick else draws} draws", needs=PYTHON, patience=1800.0)

    draws = "100" if quick else "10000"
    return (
        Contender("vernier", [VERNIER, seconds, draws, path(DATA)], f"with an interval; {draws} draws", needs=VERNIER,
                  patience=600.0),
        python("opendp_wheel", 2000, "exponential mechanism over all values, without an interval"),
        python("google", 400, "tree, C++ through python-dp, without an interval"),
    )


if __name__ == "__main__":
    sys.exit(main(quantile))
