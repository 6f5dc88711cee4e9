"""diffprivlib: the scale of its analytic Gaussian mechanism, computed when one is made."""

from diffprivlib.mechanisms import GaussianAnalytic

from bench.calibrate.cases import sigma_alone
from bench.worker import serve_calls


def sigma(epsilon, delta):
    return GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=1)._scale


if __name__ == "__main__":
    serve_calls(sigma_alone(sigma))
