"""The cases of the calibration benchmark: their names, and the lines by which contenders are asked.

A line is `QUANTITY LAW: POINT, POINT, ...` and a point is two numbers:
    sigma       epsilon, delta       the scale for a budget at sensitivity 1
    accuracy    scale, alpha         the least a with Pr[abs(noise) >= a] <= alpha
    scale       accuracy, alpha      the largest scale with Pr[abs(noise) > accuracy] <= alpha
    near-tie    scale, alpha         the accuracy at the tail probability nearest to alpha, rounded to a double
"""

from bench.worker import NotMeasured

REAL = ("laplace", "gaussian")
INTEGER = ("geometric", "discrete-gaussian")
LAWS = REAL + INTEGER
ALPHAS = ("0.05", "1e-6")
SCALES = ("1e-3", "1", "1e3", "1e6", "1e12")
ACCURACIES = {"real": SCALES, "integer": ("0", "1", "1e3", "1e6", "1e12")}
TIE_SCALES = ("0.5", "1", "8.5", "20.3", "50", "1e3", "1e6", "1e9", "1e12")  # at 1e-3 a tail is below all doubles
TIE_ALPHAS = ("0.05", "1e-6", "1e-100")

EPSILONS = ("1e-10", "1e-8", "1e-6", "1e-4", "1e-2", "0.1", "1", "3", "10", "100", "1e3", "1e4")
DELTAS = ("0.5", "0.1", "1e-3", "1e-6", "1e-9", "1e-15", "1e-30", "1e-60", "1e-100", "1e-200", "1e-300")
BUDGETS = (  # for the discrete Gaussian: its delta rises and falls with sigma at the larger epsilons
    ("1", "1e-6"), ("0.1", "1e-9"), ("0.01", "1e-12"), ("1e-4", "1e-6"), ("0.5", "1e-100"), ("0.9", "1e-5"),
    ("2", "1e-6"), ("3", "0.1"), ("5", "1e-9"), ("10", "0.01"), ("10", "1e-6"), ("20", "1e-6"), ("100", "1e-30"),
)  # fmt: skip


def line(quantity, law, points):
    return f"{quantity} {law}: " + ", ".join(" ".join(point) for point in points)


def parse(text):
    """What is asked, and its points: "scale laplace: 1 0.05" is ("scale laplace", [(1.0, 0.05)])."""
    asked, _, points = text.partition(": ")
    return asked, [tuple(map(float, point.split())) for point in points.split(", ")]


def pairs(firsts, seconds):
    return [(first, second) for first in firsts for second in seconds]


def accuracies(law):
    return ACCURACIES["real" if law in REAL else "integer"]


ONE_SIGMA = {"analytic sigma, (1, 1e-6)": line("sigma", "gaussian", [("1", "1e-6")])}
ANY_SIGMA = {"analytic sigma, anywhere": line("sigma", "gaussian", pairs(EPSILONS, DELTAS))}
DISCRETE_SIGMA = {
    "discrete-gaussian sigma, (1, 1e-6)": line("sigma", "discrete-gaussian", [("1", "1e-6")]),
    "discrete-gaussian sigma, several": line("sigma", "discrete-gaussian", BUDGETS),
}
ACCURACY = {f"accuracy, {law}": line("accuracy", law, pairs(SCALES, ALPHAS)) for law in LAWS} | {
    "accuracy, discrete-gaussian 1e6": line("accuracy", "discrete-gaussian", [("1e6", "0.05")])
}
SCALE = {f"scale, {law}": line("scale", law, pairs(accuracies(law), ALPHAS)) for law in LAWS} | {
    "scale, discrete-gaussian 1e6": line("scale", "discrete-gaussian", [("1e6", "0.05")])
}
TIE = {f"near-tie, {law}": line("near-tie", law, pairs(TIE_SCALES, TIE_ALPHAS)) for law in INTEGER}

# Accuracies and scales last: a contender that exceeds its time there has answered all else.
ALL = ONE_SIGMA | ANY_SIGMA | DISCRETE_SIGMA | TIE | ACCURACY | SCALE

# Answers that are compared with exact ones.
SIGMA_VALUES = (("1", "1e-6"), ("1", "1e-15"), ("0.1", "1e-15"), ("1e-8", "1e-12"), ("710", "1e-9"))
ACCURACY_VALUES = (("gaussian", "1", "1e-17"), ("discrete-gaussian", "0.5", "1e-300"), ("discrete-gaussian", "1e6", "1e-6"))


def sigma_alone(sigma):
    """`prepare` of a peer that has nothing but `sigma(epsilon, delta)` of the analytic Gaussian mechanism."""

    def prepare(case):
        asked, points = parse(case)
        if asked != "sigma gaussian" or len(points) > 1:
            raise NotMeasured("it is measured on the analytic sigma alone, one budget at a time")
        return [lambda: sigma(*points[0])]

    return prepare
