"""Google's C++ library through python-dp, which has no vector call: one call from Python for each sample.

Noise on an integer is continuous noise, rounded: at scale 1 zero comes with probability 0.39, not the geometric law's
0.46. So the integer cases stand for the library's nearest offer, not for the same law.
"""

from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism

from bench.noise.cases import law_and_scale
from bench.worker import serve

ZERO = {"geometric": 0, "discrete-gaussian": 0, "laplace": 0.0, "gaussian": 0.0}


def mechanism(law, scale):
    if law in ("geometric", "laplace"):
        return LaplaceMechanism(epsilon=1 / scale, sensitivity=1.0)
    return GaussianMechanism.create_from_standard_deviation(scale)


def prepare(case, size):
    law, scale = law_and_scale(case)
    add_noise = mechanism(law, scale).add_noise
    zeros = [ZERO[law]] * size
    return lambda: list(map(add_noise, zeros))


if __name__ == "__main__":
    serve(prepare)
