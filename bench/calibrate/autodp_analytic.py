"""autodp: the calibrator of its analytic Gaussian mechanism."""

from autodp import rdp_acct  # noqa: F401, I001  first, as autodp imports itself in a circle
from autodp import privacy_calibrator

from bench.calibrate.cases import sigma_alone
from bench.worker import serve_calls


def sigma(epsilon, delta):
    return privacy_calibrator.ana_gaussian_mech(epsilon, delta)["sigma"]


if __name__ == "__main__":
    serve_calls(sigma_alone(sigma))
