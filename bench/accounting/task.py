"""The accounting benchmark: what a total epsilon costs, and how far apart its two ends are."""

import os
import sys

from bench.accounting import cases
from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.targets import GapTarget, GrowthTarget, LimitTarget, RatioTarget, SoundTarget, TighterTarget

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_accounting_vernier")
PYTHON = os.path.join(CACHE, "bench-accounting-venv", "bin", "python")
PEER = "dp_accounting_pld"
SHARED = tuple(cases.REPEATED | cases.SAMPLED | cases.MIXED | cases.MANY | cases.MIXED_SAMPLED)  # that this peer takes, too
PATIENCE = 900.0  # seconds that a contender may be silent on a busy machine; its own limit is of CPU time


def accounting(quick):
    seconds, limit, rounds = ("0.02", "5", 2) if quick else ("0.2", "180", 5)
    return Task(
        name="accounting",
        cases=tuple(Case(name, "us", less_is_better=True, line=line) for name, line in cases.ALL.items()),
        contenders=contenders(seconds, limit),
        targets=targets(),
        rounds=rounds,
        reference=python("exact", [seconds], ""),
        has_bounds=True,
    )


def contenders(seconds, limit):
    return (
        Contender("vernier", [VERNIER, seconds], "both ends, certified", needs=VERNIER, patience=PATIENCE),
        python(PEER, [seconds, limit], "loss distributions on a grid of 1e-4, in Python: both ends"),
        python("prv", [seconds, limit], "privacy random variables, error 0.01 in epsilon, in Python: both ends"),
        python("autodp_rdp", [seconds, limit], "Renyi orders, in Python: an upper end alone"),
        python("opendp_wheel", [seconds, limit], "zCDP or the sum of epsilons, from Python: an upper end alone"),
    )


def python(module, arguments, note):
    command = [PYTHON, "-m", f"bench.accounting.{module}", *arguments]
    return Contender(module, command, note, needs=PYTHON, patience=PATIENCE)


def targets():
    repeated = tuple(name for name in cases.REPEATED if name.endswith("x 10,000"))
    return (
        RatioTarget("times dp-accounting", 50.0, PEER, SHARED),
        TighterTarget("gap, as a share of dp-accounting's: below", PEER, SHARED),
        GapTarget("gap, as a share of epsilon: at most", 1e-3, tuple(cases.TOTALS)),
        SoundTarget("beyond the exact value: at most", exactly_known()),
        LimitTarget("x 10,000 and 100 mechanisms: us at most", 2e3, (*repeated, *cases.MIXED)),
        LimitTarget("sampled x 100,000: us at most", 5e3, ("sampled gaussian x 100,000",)),
        LimitTarget("100 sampled gaussians: us at most", 100e3, tuple(cases.MIXED_SAMPLED)),
        GrowthTarget("delta 1e-30 and 1e-100: times the cost at 1e-6", 2.0, 100.0, deep_pairs()),
        GrowthTarget("odometer: times the cost of a tenth as many", 12.0, 0.0, {"odometer of 10,000": "odometer of 1,000"}),
    )


def exactly_known():
    several = [name for name in cases.DEEP if not name.startswith("laplace")]
    return (*(name for name in cases.REPEATED if not name.startswith("laplace") or name == "laplace x 1"), *several)


def deep_pairs():
    return {name: name.partition(" at ")[0] for name in cases.DEEP}


if __name__ == "__main__":
    sys.exit(main(accounting))
