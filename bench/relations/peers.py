"""Private slopes in Python: diffprivlib's LinearRegression, and AdaSSP (Wang 2018) by its formula. Neither has an interval."""

import sys
import time
import warnings

import numpy

from bench.relations import cases
from bench.worker import NotMeasured, serve_figures

LEAST = 200  # releases, however short the time
DELTA = 1e-6


def diffprivlib_slope(x, y, epsilon, _):
    from diffprivlib.models import LinearRegression

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LinearRegression(epsilon=epsilon, bounds_X=(0.0, 1.0), bounds_y=(0.0, 1.0))
        return float(model.fit(x[:, None], y).coef_[0])


def adassp_slope(x, y, epsilon, random):
    """Over (1, z) and y in [-1, 1]; ||(1, z)||^2 <= 2, abs(y) <= 1; a third of the budget for each of three Gaussians."""
    z = numpy.stack([numpy.ones_like(x), 2 * x - 1], axis=1)
    target = 2 * y - 1
    log, d, bound, failure = numpy.log(6 / DELTA), 2, 2.0, 0.05
    scale = numpy.sqrt(log) / (epsilon / 3)
    gram, cross = z.T @ z, z.T @ target
    least = max(numpy.linalg.eigvalsh(gram)[0] + scale * bound * random.normal() - log / (epsilon / 3) * bound, 0.0)
    ridge = max(numpy.sqrt(d * log * numpy.log(2 * d * d / failure)) * bound / (epsilon / 3) - least, 0.0)
    noise = numpy.triu(random.normal(size=(d, d)))
    noise = noise + noise.T - numpy.diag(numpy.diag(noise))
    noisy = gram + scale * bound * noise
    return float(numpy.linalg.solve(noisy + ridge * numpy.eye(d), cross + scale * numpy.sqrt(bound) * random.normal(size=d))[1])


SLOPES = {"diffprivlib": diffprivlib_slope, "adassp": adassp_slope}


def error(line):
    figure, rows, epsilon = cases.parse(line)
    if figure != "error":
        raise NotMeasured("it has no interval and no plan")
    data = numpy.array(cases.values(rows), dtype=float)
    x, y = data[:, 0] / cases.X_STEPS, data[:, 1] / cases.Y_STEPS
    random, errors, exact = numpy.random.default_rng(), [], cases.exact(rows)
    end = time.thread_time() + float(sys.argv[1])
    while len(errors) < LEAST or time.thread_time() < end:
        errors.append(abs(SLOPES[sys.argv[2]](x, y, epsilon, random) - exact))
    return float(numpy.quantile(errors, 0.95))


if __name__ == "__main__":
    serve_figures(error)
