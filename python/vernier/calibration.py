"""From a budget to the accuracy of a release, and back: what `vernier calibrate` does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from vernier import _core
from vernier._errors import InvalidError
from vernier._result import Result, frame_of_rows, made, stated
from vernier._show import draw, html_table, text_table

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes


class Figures(Result):
    """What a calibration and a row of them have in common: figures by name, as `vernier calibrate --json` has them."""

    _maker = "vernier.calibrate"

    mechanism: str = stated("""laplace, geometric, gaussian or discrete-gaussian.

        >>> found.mechanism
        'geometric'
        """)

    calibration: str | None = stated("""Of gaussian noise: analytic, classical or dwork-roth.

        >>> found.calibration is None, vn.calibrate("gaussian", epsilon=1, delta=1e-6).calibration
        (True, 'analytic')
        """)

    sensitivity: float = stated("""The most that one person, or other unit, moves the result.

        >>> thrice = vn.calibrate("laplace", epsilon=0.5, sensitivity=3)
        >>> thrice.sensitivity, thrice.scale
        (3.0, 6.0)
        """)

    cells: int = stated("""How many independent cells the accuracy holds for together.

        >>> many = vn.calibrate("geometric", epsilon=0.1, cells=100)
        >>> many.cells, many.accuracy
        (100, 76)
        """)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name.

        >>> list(found.to_dict())[:5]
        ['mechanism', 'calibration', 'sensitivity', 'scale', 'epsilon']
        """
        return dict(self._stated)

    def __reduce__(self) -> tuple[Any, ...]:
        return made, (type(self), self._stated)


class Calibration(Figures):
    """All figures of a release: what was stated as it was written, what was found as it was rounded toward safety.

    >>> import vernier as vn
    >>> found = vn.calibrate("geometric", epsilon=0.1)
    >>> found.scale, found.accuracy, found.accuracy_strict
    (10.000000000000002, 30, 31)
    """

    scale: float = stated("""The scale of the noise; of gaussian noise its standard deviation.

        >>> found.scale, vn.calibrate("geometric", epsilon=0.2).scale
        (10.000000000000002, 5.000000000000001)
        """)

    epsilon: float | None = stated("""The budget; None where no delta was given and the mechanism has no pure statement.

        >>> found.epsilon, vn.calibrate("gaussian", scale=20).epsilon
        (0.1, None)
        """)

    delta: float | None = stated("""Of the budget; None where it was not given and the mechanism has no pure statement.

        >>> found.delta, vn.calibrate("gaussian", scale=4, epsilon=1).delta
        (0.0, ...e-06)
        """)

    rho: float | None = stated("""Of zero-concentrated privacy; None for laplace and geometric.

        >>> found.rho is None, vn.calibrate("gaussian", scale=10).rho
        (True, 0.005)
        """)

    alpha: float = stated("""The chance that the accuracy may fail.

        >>> found.alpha, vn.calibrate("geometric", epsilon=0.1, alpha=0.01).accuracy
        (0.05, 46)
        """)

    accuracy: float | int = stated("""The least a with Pr[error > a] <= alpha: released ± a, ends included, covers. An int for integer noise.

        >>> noise = vn.law(found.mechanism, found.scale)
        >>> found.accuracy, 2 * noise.tail(30) <= found.alpha < 2 * noise.tail(29)
        (30, True)
        """)

    accuracy_strict: float | int = stated("""The least a with Pr[error >= a] <= alpha, as OpenDP has it; for integer noise one more.

        >>> found.accuracy_strict
        31
        """)

    accuracy_continuous: float = stated("""The accuracy of the noise over the reals with the same scale: how near the next whole number is.

        >>> found.accuracy_continuous
        29.95732...
        """)

    standard_deviation: float = stated("""Of the noise.

        >>> found.standard_deviation
        14.136...
        """)

    epsilon_continuous: float | None = stated("""The epsilon of the document of 2020, for geometric noise that was asked for by an accuracy.

        >>> asked = vn.calibrate("geometric", accuracy=50)
        >>> asked.epsilon, asked.epsilon_continuous
        (0.0593..., 0.0599...)
        """)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy against epsilon, for this mechanism and those that take the same delta and sensitivity.

        >>> found.plot().get_xlabel()
        'epsilon'
        """
        return drawn([self], ax)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self._stated == other._stated

    def __hash__(self) -> int:
        return hash(tuple(self._stated.items()))

    def to_pandas(self) -> pandas.DataFrame:
        """One row, with a column for each figure.

        >>> vn.calibrate("geometric", epsilon=0.1).to_pandas()["accuracy"].tolist()
        [30]
        """
        return frame_of_rows([self.to_dict()])

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items()
                          if name != "mechanism" and value is not None)
        return f"Calibration({self.mechanism!r}, {given})"

    def _repr_html_(self) -> str:
        rows = [(name, value) for name, value in self.to_dict().items() if value is not None]
        return html_table(["figure", "value"], rows)


def drawn(calibrations: list[Calibration], ax: Axes | None) -> Axes:
    """Accuracy against epsilon around these calibrations."""
    return draw(json.loads(_core.calibrate_chart([one._stated for one in calibrations])), ax)


class _NoSuchPlace(InvalidError, IndexError):
    """Also an IndexError, by which Python knows where a row ends."""


class Calibrations(Figures):
    """A row of calibrations: each figure is an array of numpy, or None where it does not apply.

    >>> import vernier as vn
    >>> found = vn.calibrate("geometric", epsilon=[0.1, 1])
    >>> found.accuracy
    array([30,  3])
    >>> len(found), found[1].accuracy
    (2, 3)
    """

    scale: numpy.ndarray = stated("""The scales of the noise.

        >>> found.scale
        array([10.,  1.])
        """)

    epsilon: numpy.ndarray | None = stated("""The budgets; None where the mechanism has no pure statement and no delta was given.

        >>> found.epsilon
        array([0.1, 1. ])
        """)

    delta: numpy.ndarray | None = stated("""Of the budgets; None where epsilon is.

        >>> found.delta
        array([0., 0.])
        """)

    rho: numpy.ndarray | None = stated("""Of zero-concentrated privacy; None for laplace and geometric.

        >>> found.rho is None, vn.calibrate("gaussian", scale=[1, 10]).rho
        (True, array([0.5  , 0.005]))
        """)

    alpha: numpy.ndarray = stated("""The chances that the accuracies may fail.

        >>> vn.calibrate("geometric", epsilon=1, alpha=[0.05, 0.01]).alpha
        array([0.05, 0.01])
        """)

    accuracy: numpy.ndarray = stated("""The least a with Pr[error > a] <= alpha, of 64-bit integers for integer noise.

        >>> found.accuracy
        array([30,  3])
        """)

    accuracy_strict: numpy.ndarray = stated("""As OpenDP has them; for integer noise one more.

        >>> found.accuracy_strict
        array([31,  4])
        """)

    accuracy_continuous: numpy.ndarray = stated("""The accuracies of the noise over the reals with the same scales.

        >>> found.accuracy_continuous.round(2)
        array([29.96,  3.  ])
        """)

    standard_deviation: numpy.ndarray = stated("""Of the noise.

        >>> found.standard_deviation.round(2)
        array([14.14,  1.36])
        """)

    epsilon_continuous: numpy.ndarray | None = stated("""The epsilons of the document of 2020, for geometric noise that was asked for by accuracies.

        >>> vn.calibrate("geometric", accuracy=[50, 100]).epsilon_continuous.round(3)
        array([0.06, 0.03])
        """)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each calibration and a column for each figure.

        >>> found.to_pandas()[["epsilon", "accuracy"]]
           epsilon  accuracy
        0      0.1        30
        1      1.0         3
        """
        import pandas

        return pandas.DataFrame(self.to_dict())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy against epsilon over the epsilons of the row, mechanism by mechanism.

        >>> found.plot().get_ylabel()
        'accuracy (± with probability 95 %)'
        """
        return drawn(list(self), ax)

    def __len__(self) -> int:
        return len(self.scale)

    def __getitem__(self, index: int) -> Calibration:
        place = self._place(index)
        return made(Calibration, {name: figure[place].item() if hasattr(figure, "dtype") else figure
                                  for name, figure in self._stated.items()})

    def _place(self, index: Any) -> int:
        if not isinstance(index, int) or isinstance(index, bool):
            kind = type(index).__name__
            raise InvalidError(f"a row of calibrations is read by a whole number such as [0], not by a {kind}")
        if not -len(self) <= index < len(self):
            raise _NoSuchPlace(f"there are {len(self)} calibrations, and none at {index}")
        return index

    def __iter__(self) -> Iterator[Calibration]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"Calibrations of {self.mechanism} noise\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        return html_table(*self._table(), caption=f"Calibrations of {self.mechanism} noise")

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        shown = {name: figure for name, figure in self.to_dict().items() if hasattr(figure, "dtype")}
        return list(shown), [list(row) for row in zip(*(figure.tolist() for figure in shown.values()))]


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
    return made(Calibrations, figures) if hasattr(figures["scale"], "dtype") else made(Calibration, figures)


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
