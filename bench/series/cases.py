"""The cases: how many steps, at how many of them one unit counts, how far apart, and which error is looked at."""

import math

LINES = {
    "mean error of totals, 1024 steps": (1024, 1, 1, "mean"),
    "mean error of totals, 256 steps": (256, 1, 1, "mean"),
    "greatest error of totals, 365 steps, 30 a unit": (365, 30, 1, "greatest"),
    "greatest error of totals, 365 steps, 52 a unit, 7 apart": (365, 52, 7, "greatest"),
}


# The certified epsilon over that of one Gaussian number that moves as far.
EPSILON = "certified epsilon over the Gaussian's, 365 steps"
# Milliseconds of one process's CPU time.
MILLISECONDS = {
    "choice of the matrix, 256 steps": ("plan", "256"),
    "a step of 1,000 groups with 364 before it, beyond reading": ("step", "1000"),
}


def least_mean(steps):
    """No matrix has a smaller mean error: the sum of the singular values of the prefix matrix, over the steps."""
    return sum(0.5 / math.sin((2 * k - 1) * math.pi / (4 * steps + 2)) for k in range(1, steps + 1)) / steps
