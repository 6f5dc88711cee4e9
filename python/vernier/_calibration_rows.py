"""Rows of calibrations, as arrays of numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from vernier._calibrations import FIGURES, Calibration, Figures, drawn, made
from vernier._errors import InvalidError
from vernier._show import html_table, text_table

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes


class Calibrations(Figures):
    """A row of calibrations: each figure is an array of numpy, or None where it does not apply.

    >>> import vernier as vn
    >>> found = vn.calibrate("geometric", epsilon=[0.1, 1])
    >>> found.accuracy
    array([30,  3])
    >>> len(found), found[1].accuracy
    (2, 3)
    """

    __slots__ = ()

    @property
    def scale(self) -> numpy.ndarray:
        """The scales of the noise.

        >>> found.scale
        array([10.,  1.])
        """
        return self._figures[3]

    @property
    def epsilon(self) -> numpy.ndarray | None:
        """The budgets; None where the mechanism has no pure statement and no delta was given.

        >>> found.epsilon
        array([0.1, 1. ])
        """
        return self._figures[4]

    @property
    def delta(self) -> numpy.ndarray | None:
        """Of the budgets; None where epsilon is.

        >>> found.delta
        array([0., 0.])
        """
        return self._figures[5]

    @property
    def rho(self) -> numpy.ndarray | None:
        """Of zero-concentrated privacy; None for laplace and geometric.

        >>> found.rho is None, vn.calibrate("gaussian", scale=[1, 10]).rho
        (True, array([0.5  , 0.005]))
        """
        return self._figures[6]

    @property
    def alpha(self) -> numpy.ndarray:
        """The chances that the accuracies may fail.

        >>> vn.calibrate("geometric", epsilon=1, alpha=[0.05, 0.01]).alpha
        array([0.05, 0.01])
        """
        return self._figures[7]

    @property
    def accuracy(self) -> numpy.ndarray:
        """The least a with Pr[error > a] <= alpha, of 64-bit integers for integer noise.

        >>> found.accuracy
        array([30,  3])
        """
        return self._figures[9]

    @property
    def accuracy_strict(self) -> numpy.ndarray:
        """As OpenDP has them; for integer noise one more.

        >>> found.accuracy_strict
        array([31,  4])
        """
        return self._figures[10]

    @property
    def accuracy_continuous(self) -> numpy.ndarray:
        """The accuracies of the noise over the reals with the same scales.

        >>> found.accuracy_continuous.round(2)
        array([29.96,  3.  ])
        """
        return self._figures[11]

    @property
    def standard_deviation(self) -> numpy.ndarray:
        """Of the noise.

        >>> found.standard_deviation.round(2)
        array([14.14,  1.36])
        """
        return self._figures[12]

    @property
    def epsilon_continuous(self) -> numpy.ndarray | None:
        """The epsilons of the document of 2020, for geometric noise that was asked for by accuracies.

        >>> vn.calibrate("geometric", accuracy=[50, 100]).epsilon_continuous.round(3)
        array([0.06, 0.03])
        """
        return self._figures[13]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each calibration and a column for each figure.

        >>> found.to_pandas()[["epsilon", "accuracy"]]
           epsilon  accuracy
        0      0.1        30
        1      1.0         3
        """
        import pandas

        return pandas.DataFrame(self.to_dict(), columns=FIGURES)

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
