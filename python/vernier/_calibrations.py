"""What a calibration gives: all figures of a release."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._errors import InvalidError
from vernier._show import html_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURES = ("mechanism", "calibration", "sensitivity", "scale", "epsilon", "delta", "rho", "alpha", "cells", "accuracy",
           "accuracy_strict", "accuracy_continuous", "standard_deviation", "epsilon_continuous")


class Figures:
    """What a calibration and a row of them have in common: figures by name, in the order of the command line's JSON."""

    __slots__ = ("_figures",)

    def __init__(self, *_: Any, **__: Any) -> None:
        raise InvalidError(f"a {type(self).__name__} is not made by hand; vernier.calibrate gives one")

    @property
    def mechanism(self) -> str:
        """laplace, geometric, gaussian or discrete-gaussian.

        >>> found.mechanism
        'geometric'
        """
        return self._figures[0]

    @property
    def calibration(self) -> str | None:
        """Of gaussian noise: analytic, classical or dwork-roth.

        >>> found.calibration is None, vn.calibrate("gaussian", epsilon=1, delta=1e-6).calibration
        (True, 'analytic')
        """
        return self._figures[1]

    @property
    def sensitivity(self) -> float:
        """The most that one person, or other unit, moves the result.

        >>> thrice = vn.calibrate("laplace", epsilon=0.5, sensitivity=3)
        >>> thrice.sensitivity, thrice.scale
        (3.0, 6.0)
        """
        return self._figures[2]

    @property
    def cells(self) -> int:
        """How many independent cells the accuracy holds for together.

        >>> many = vn.calibrate("geometric", epsilon=0.1, cells=100)
        >>> many.cells, many.accuracy
        (100, 76)
        """
        return self._figures[8]

    def to_dict(self) -> dict[str, Any]:
        """All figures by name.

        >>> list(found.to_dict())[:5]
        ['mechanism', 'calibration', 'sensitivity', 'scale', 'epsilon']
        """
        return dict(zip(FIGURES, self._figures))

    def __reduce__(self) -> tuple[Any, ...]:
        return made, (type(self), self._figures)


def made(kind: type[Any], figures: Sequence[Any]) -> Any:
    """A calibration or a row of them, of what the core gave."""
    result = kind.__new__(kind)
    result._figures = tuple(figures)
    return result


class Calibration(Figures):
    """All figures of a release: what was stated as it was written, what was found as it was rounded toward safety.

    >>> import vernier as vn
    >>> found = vn.calibrate("geometric", epsilon=0.1)
    >>> found.scale, found.accuracy, found.accuracy_strict
    (10.000000000000002, 30, 31)
    """

    __slots__ = ()

    @property
    def scale(self) -> float:
        """The scale of the noise; of gaussian noise its standard deviation.

        >>> found.scale, vn.calibrate("geometric", epsilon=0.2).scale
        (10.000000000000002, 5.000000000000001)
        """
        return self._figures[3]

    @property
    def epsilon(self) -> float | None:
        """The budget; None where no delta was given and the mechanism has no pure statement.

        >>> found.epsilon, vn.calibrate("gaussian", scale=20).epsilon
        (0.1, None)
        """
        return self._figures[4]

    @property
    def delta(self) -> float | None:
        """Of the budget; None where it was not given and the mechanism has no pure statement.

        >>> found.delta, vn.calibrate("gaussian", scale=4, epsilon=1).delta
        (0.0, ...e-06)
        """
        return self._figures[5]

    @property
    def rho(self) -> float | None:
        """Of zero-concentrated privacy; None for laplace and geometric.

        >>> found.rho is None, vn.calibrate("gaussian", scale=10).rho
        (True, 0.005)
        """
        return self._figures[6]

    @property
    def alpha(self) -> float:
        """The chance that the accuracy may fail.

        >>> found.alpha, vn.calibrate("geometric", epsilon=0.1, alpha=0.01).accuracy
        (0.05, 46)
        """
        return self._figures[7]

    @property
    def accuracy(self) -> float | int:
        """The least a with Pr[error > a] <= alpha: released ± a, ends included, covers. An int for integer noise.

        >>> noise = vn.law(found.mechanism, found.scale)
        >>> found.accuracy, 2 * noise.tail(30) <= found.alpha < 2 * noise.tail(29)
        (30, True)
        """
        return self._figures[9]

    @property
    def accuracy_strict(self) -> float | int:
        """The least a with Pr[error >= a] <= alpha, as OpenDP has it; for integer noise one more.

        >>> found.accuracy_strict
        31
        """
        return self._figures[10]

    @property
    def accuracy_continuous(self) -> float:
        """The accuracy of the noise over the reals with the same scale: how near the next whole number is.

        >>> found.accuracy_continuous
        29.95732...
        """
        return self._figures[11]

    @property
    def standard_deviation(self) -> float:
        """Of the noise.

        >>> found.standard_deviation
        14.136...
        """
        return self._figures[12]

    @property
    def epsilon_continuous(self) -> float | None:
        """The epsilon of the document of 2020, for geometric noise that was asked for by an accuracy.

        >>> asked = vn.calibrate("geometric", accuracy=50)
        >>> asked.epsilon, asked.epsilon_continuous
        (0.0593..., 0.0599...)
        """
        return self._figures[13]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy against epsilon, for this mechanism and those that take the same delta and sensitivity.

        >>> found.plot().get_xlabel()
        'epsilon'
        """
        return drawn([self], ax)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self._figures == other._figures

    def __hash__(self) -> int:
        return hash(self._figures)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items()
                          if name != "mechanism" and value is not None)
        return f"Calibration({self.mechanism!r}, {given})"

    def _repr_html_(self) -> str:
        rows = [(name, value) for name, value in self.to_dict().items() if value is not None]
        return html_table(["figure", "value"], rows)


def drawn(calibrations: list[Calibration], ax: Axes | None) -> Axes:
    """Accuracy against epsilon around these calibrations."""
    from vernier._plots import draw

    return draw(json.loads(_core.calibrate_chart([one._figures for one in calibrations])), ax)
