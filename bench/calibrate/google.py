"""Google's C++ library through python-dp: the standard deviation that a Gaussian mechanism chooses."""

from pydp.algorithms.numerical_mechanisms import GaussianMechanism

from bench.calibrate.cases import sigma_alone
from bench.worker import serve_calls


def sigma(epsilon, delta):
    return GaussianMechanism(epsilon, delta, 1.0).std


if __name__ == "__main__":
    serve_calls(sigma_alone(sigma))
