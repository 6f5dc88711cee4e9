"""Google's dp-accounting: the analytic Gaussian mechanism, in Python."""

from dp_accounting import gaussian_mechanism

from bench.calibrate.cases import sigma_alone
from bench.worker import serve_calls


def sigma(epsilon, delta):
    return gaussian_mechanism.get_sigma_gaussian(epsilon, delta)


if __name__ == "__main__":
    serve_calls(sigma_alone(sigma))
