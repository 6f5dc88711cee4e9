"""From a budget to the accuracy of a release, and back: what `vernier calibrate` does."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Union

from vernier import _core
from vernier._calibration_rows import Calibrations
from vernier._calibrations import Calibration, made

if TYPE_CHECKING:
    import numpy

Number = Union[float, int, str, Decimal, Fraction]
Numbers = Union[Number, Sequence[Number], "numpy.ndarray"]


def calibrate(
    mechanism: str,
    *,
    epsilon: Numbers | None = None,
    delta: Numbers | None = None,
    scale: Numbers | None = None,
    accuracy: Numbers | None = None,
    alpha: Numbers = 0.05,
    sensitivity: Number = 1,
    cells: int = 1,
    calibration: str | None = None,
) -> Calibration | Calibrations:
    """State what is known of a release, get the rest.

    `mechanism` is laplace, geometric (also discrete-laplace), gaussian or discrete-gaussian. Give one of `epsilon`, `scale`
    and `accuracy`; `scale` with `epsilon` tells delta. A number counts as it is written: 0.1 is a tenth, and not the double
    that is nearest to it; text, `decimal.Decimal` and `fractions.Fraction` are taken too. What is found is rounded toward
    safety.

    >>> vn.calibrate("gaussian", epsilon=1, delta=1e-6).scale
    4.224678...
    >>> vn.calibrate("geometric", accuracy=50).epsilon
    0.05931...
    >>> vn.calibrate("discrete-gaussian", scale=1, epsilon=1).delta
    0.14135...

    Rows of numbers, such as arrays of numpy, give `Calibrations`:

    >>> vn.calibrate("geometric", epsilon=[0.1, 1.0]).accuracy
    array([30,  3])

    What breaks a rule is a `vernier.InvalidError`:

    >>> vn.calibrate("gaussian", epsilon=1)
    Traceback (most recent call last):
    vernier.InvalidError: delta is missing, and gaussian noise is private only at a delta above 0; ...
    """
    figures = _core.calibrate(mechanism, epsilon, delta, scale, accuracy, alpha, sensitivity, cells, calibration)
    return made(Calibration if type(figures) is tuple else Calibrations, figures)


def accuracy(
    mechanism: str,
    *,
    scale: Numbers | None = None,
    epsilon: Numbers | None = None,
    delta: Numbers | None = None,
    alpha: Numbers = 0.05,
    sensitivity: Number = 1,
    cells: int = 1,
    calibration: str | None = None,
) -> float | int | numpy.ndarray:
    """The accuracy of noise alone, from its scale, or from a budget at a sensitivity: `calibrate(...).accuracy`.

    The least a with Pr[error > a] <= alpha, so that released ± a, ends included, covers with probability 1 - alpha, for
    `cells` independent cells together. An int for integer noise; an array where rows of numbers are given.

    >>> vn.accuracy("geometric", scale=180)
    539
    >>> vn.accuracy("gaussian", epsilon=1, delta=1e-6, cells=100)
    14.676...
    """
    return calibrate(mechanism, scale=scale, epsilon=epsilon, delta=delta, alpha=alpha, sensitivity=sensitivity,
                     cells=cells, calibration=calibration).accuracy
