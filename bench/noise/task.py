"""The noise benchmark: samples per second of all contenders, and what a scalar call of Vernier costs."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.noise.cases import SCALAR, VECTOR
from bench.targets import LimitTarget, RatioTarget

LONG, SHORT = 1_000_000, 100_000  # samples in a call; the slow contenders get the shorter one
CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_noise_vernier")
OPENDP = os.path.join(CACHE, "bench-noise-opendp", "release", "bench_noise_opendp")
PYTHON = os.path.join(CACHE, "bench-noise-venv", "bin", "python")


def noise(quick):
    seconds, rounds = (0.02, 2) if quick else (0.2, 5)
    return Task(
        name="noise",
        cases=tuple(Case(name, "samples/s") for name in VECTOR)
        + tuple(Case(name, "ns", less_is_better=True) for name in SCALAR),
        contenders=contenders(str(seconds), str(SHORT // 10 if quick else SHORT)),
        targets=(
            RatioTarget("vectors: times OpenDP's Rust", 150.0, "opendp", VECTOR),
            RatioTarget("vectors: times numpy", 2.0 if has_avx2() else 1.0, "numpy_unsafe", VECTOR),
            LimitTarget("scalar calls: ns at most", 20.0, SCALAR),
        ),
        rounds=rounds,
    )


def contenders(seconds, short):
    def python(module, size, note):
        return Contender(module, [PYTHON, "-m", f"bench.noise.{module}", seconds, size], note, needs=PYTHON)

    return (
        Contender("vernier", [VERNIER, seconds, str(LONG)], f"vectors of {LONG:,}", needs=VERNIER),
        Contender("opendp", [OPENDP, seconds, short], f"Rust crate, ChaCha build, vectors of {int(short):,}", needs=OPENDP),
        python("opendp_wheel", short, f"the same from Python, lists of {int(short):,}"),
        python("google", short, "C++ through python-dp, scalar calls from Python (it has no other); integers by rounding"),
        python("numpy_unsafe", str(LONG), f"no protection: the ceiling; vectors of {LONG:,}, Gaussian never rounded"),
    )


def has_avx2():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
            return any("avx2" in line.split() for line in info if line.startswith("flags"))
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(noise))
