"""What a calibration gives: all figures of a release, or rows of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._errors import InvalidError
from vernier._show import html_table, text_table

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes

FIGURES = ("mechanism", "calibration", "sensitivity", "scale", "epsilon", "delta", "rho", "alpha", "cells", "accuracy",
           "accuracy_strict", "accuracy_continuous", "standard_deviation", "epsilon_continuous")


class _Figures:
    """What a calibration and a row of them have in common: figures by name, in the order of the command line's JSON."""

    __slots__ = ("_figures",)

    def __init__(self, *_: Any, **__: Any) -> None:
        raise InvalidError(f"a {type(self).__name__} is not made by hand; vernier.calibrate gives one")

    @property
    def mechanism(self) -> str:
        """laplace, geometric, gaussian or discrete-gaussian."""
        return self._figures[0]

    @property
    def calibration(self) -> str | None:
        """Of gaussian noise: analytic, classical or dwork-roth."""
        return self._figures[1]

    @property
    def sensitivity(self) -> float:
        """The most that one person, or other unit, moves the result."""
        return self._figures[2]

    @property
    def cells(self) -> int:
        """How many independent cells the accuracy holds for together."""
        return self._figures[8]

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return dict(zip(FIGURES, self._figures))

    def __reduce__(self) -> tuple[Any, ...]:
        return made, (type(self), self._figures)


def made(kind: type[Any], figures: Sequence[Any]) -> Any:
    """One of the kinds below, of what the core gave."""
    result = kind.__new__(kind)
    result._figures = tuple(figures)
    return result


class Calibration(_Figures):
    """All figures of a release: what was stated as it was written, what was found as it was rounded toward safety.

    >>> import vernier as vn
    >>> found = vn.calibrate("geometric", epsilon=0.1)
    >>> found.scale, found.accuracy, found.accuracy_strict
    (10.000000000000002, 30, 31)
    """

    __slots__ = ()

    @property
    def scale(self) -> float:
        """The scale of the noise; of gaussian noise its standard deviation."""
        return self._figures[3]

    @property
    def epsilon(self) -> float | None:
        """The budget; None where no delta was given and the mechanism has no pure statement."""
        return self._figures[4]

    @property
    def delta(self) -> float | None:
        """Of the budget; None where it was not given and the mechanism has no pure statement."""
        return self._figures[5]

    @property
    def rho(self) -> float | None:
        """Of zero-concentrated privacy; None for laplace and geometric."""
        return self._figures[6]

    @property
    def alpha(self) -> float:
        """The chance that the accuracy may fail."""
        return self._figures[7]

    @property
    def accuracy(self) -> float | int:
        """The least a with Pr[error > a] <= alpha: released ± a, ends included, covers. An int for integer noise."""
        return self._figures[9]

    @property
    def accuracy_strict(self) -> float | int:
        """The least a with Pr[error >= a] <= alpha, as OpenDP has it; for integer noise one more."""
        return self._figures[10]

    @property
    def accuracy_continuous(self) -> float:
        """The accuracy of the noise over the reals with the same scale: how near the next whole number is."""
        return self._figures[11]

    @property
    def standard_deviation(self) -> float:
        """Of the noise."""
        return self._figures[12]

    @property
    def epsilon_continuous(self) -> float | None:
        """The epsilon of the document of 2020, for geometric noise that was asked for by an accuracy."""
        return self._figures[13]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy against epsilon, for this mechanism and those that take the same delta and sensitivity."""
        return _drawn([self], ax)

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


class Calibrations(_Figures):
    """A row of calibrations: each figure is an array of numpy, or None where it does not apply.

    >>> import vernier as vn
    >>> found = vn.calibrate("laplace", epsilon=[0.5, 1, 2])
    >>> found.scale
    array([2. , 1. , 0.5])
    >>> len(found), found[1].accuracy
    (3, 2.99573...)
    """

    __slots__ = ()

    @property
    def scale(self) -> numpy.ndarray:
        """As of a `Calibration`; so are those below."""
        return self._figures[3]

    @property
    def epsilon(self) -> numpy.ndarray | None:
        return self._figures[4]

    @property
    def delta(self) -> numpy.ndarray | None:
        return self._figures[5]

    @property
    def rho(self) -> numpy.ndarray | None:
        return self._figures[6]

    @property
    def alpha(self) -> numpy.ndarray:
        return self._figures[7]

    @property
    def accuracy(self) -> numpy.ndarray:
        """Of 64-bit integers for integer noise."""
        return self._figures[9]

    @property
    def accuracy_strict(self) -> numpy.ndarray:
        return self._figures[10]

    @property
    def accuracy_continuous(self) -> numpy.ndarray:
        return self._figures[11]

    @property
    def standard_deviation(self) -> numpy.ndarray:
        return self._figures[12]

    @property
    def epsilon_continuous(self) -> numpy.ndarray | None:
        return self._figures[13]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each calibration and a column for each figure."""
        import pandas

        return pandas.DataFrame(self.to_dict(), columns=FIGURES)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy against epsilon over the epsilons of the row, mechanism by mechanism."""
        return _drawn(list(self), ax)

    def __len__(self) -> int:
        return len(self.scale)

    def __getitem__(self, index: int) -> Calibration:
        place = self._place(index)
        return made(Calibration, [figure[place].item() if hasattr(figure, "dtype") else figure for figure in self._figures])

    def _place(self, index: Any) -> int:
        if not isinstance(index, int) or isinstance(index, bool):
            kind = type(index).__name__
            raise InvalidError(f"a row of calibrations is read by a whole number such as [0], not by a {kind}")
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} calibrations, and none at {index}")
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


def _drawn(calibrations: list[Calibration], ax: Axes | None) -> Axes:
    from vernier._plots import draw

    return draw(json.loads(_core.calibrate_chart([one._figures for one in calibrations])), ax)
