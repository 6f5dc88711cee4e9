"""OpenDP from Python, through its wheel: its accuracy conversions, and sigma by its zCDP route.

Its integer accuracies are the least a with Pr[abs(noise) >= a] <= alpha, one more than Pr[abs(noise) > a] asks for.
"""

import opendp.prelude as dp

from bench.calibrate.cases import ANY_SIGMA, DISCRETE_SIGMA, parse
from bench.worker import NotMeasured, serve_calls

CONVERSIONS = {
    "accuracy laplace": dp.laplacian_scale_to_accuracy,
    "accuracy gaussian": dp.gaussian_scale_to_accuracy,
    "accuracy geometric": dp.discrete_laplacian_scale_to_accuracy,
    "accuracy discrete-gaussian": dp.discrete_gaussian_scale_to_accuracy,
    "scale laplace": dp.accuracy_to_laplacian_scale,
    "scale gaussian": dp.accuracy_to_gaussian_scale,
    "scale geometric": lambda accuracy, alpha: dp.accuracy_to_discrete_laplacian_scale(accuracy + 1, alpha),
    "scale discrete-gaussian": lambda accuracy, alpha: dp.accuracy_to_discrete_gaussian_scale(accuracy + 1, alpha),
}
KINDS = {"sigma gaussian": float, "sigma discrete-gaussian": int}
GREATEST = 1e6  # its discrete Gaussian takes time in proportion to the scale: at 1e12 days


def sigma(kind, epsilon, delta):
    atom = dp.atom_domain(T=kind, nan=False) if kind is float else dp.atom_domain(T=kind)
    space = atom, dp.absolute_distance(T=kind)

    def mechanism(scale):
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=scale)), delta=delta)

    return dp.binary_search_param(mechanism, d_in=kind(1), d_out=(epsilon, delta), T=float)


def prepare(case):
    asked, points = parse(case)
    if case in (*ANY_SIGMA.values(), DISCRETE_SIGMA["discrete-gaussian sigma, several"]):
        raise NotMeasured("it takes a fifth of a second for each of the points")
    if asked in KINDS:
        return [lambda p=point: sigma(KINDS[asked], *p) for point in points]
    if asked not in CONVERSIONS:
        raise NotMeasured(f"it has nothing for {asked}")
    if asked.endswith("discrete-gaussian") and max(point[0] for point in points) > GREATEST:
        raise NotMeasured("it takes time in proportion to the scale")
    return [lambda p=point: CONVERSIONS[asked](*p) for point in points]


if __name__ == "__main__":
    dp.enable_features("contrib", "honest-but-curious")
    serve_calls(prepare)
