"""What simulations are made of: the numbers that a user has, and what simulations of coverage and of denoising have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from vernier._errors import InvalidError
from vernier._result import Result, copied, stated
from vernier._show import html_table, text_table
from vernier._words import kind_of, text

if TYPE_CHECKING:
    import pandas


_NO_NUMBERS = "the data are {}; give numbers as a list, a numpy array, or a column of a frame"


def column_of(frame: Any, column: Any) -> Any:
    """A column of a frame by its name."""
    name = text("column", column)
    try:
        found = frame[name]
    except Exception:  # every library has its own
        raise InvalidError(f"the data have no column '{name}'; name one that is there") from None
    if hasattr(found, "columns"):
        raise InvalidError(f"the data have several columns '{name}'; rename all but one")
    return found


def numbers_of(data: Any) -> numpy.ndarray:
    """As doubles, without those that are missing, as empty cells of a file are left out.

    >>> numbers_of([1, 2.5, None]), numbers_of(numpy.array([True, False]))
    (array([1. , 2.5]), array([1., 0.]))
    """
    if hasattr(data, "columns") or hasattr(data, "column_names"):
        raise InvalidError("the data have columns; name one, for example as column=\"educ\"")
    if isinstance(data, (str, bytes, dict, set)) or not (hasattr(data, "__len__") or hasattr(data, "__array__")):
        raise InvalidError(_NO_NUMBERS.format(kind_of(data)))
    values = _array_of(data)
    if values.ndim != 1:
        raise InvalidError(f"the data have {values.ndim} dimensions; give one, for example a column")
    values = _doubles(values)
    return numpy.ascontiguousarray(values[~numpy.isnan(values)])


def _array_of(data: Any) -> numpy.ndarray:
    try:
        return numpy.asarray(data)
    except Exception:
        raise InvalidError(_NO_NUMBERS.format(kind_of(data))) from None


def _doubles(values: numpy.ndarray) -> numpy.ndarray:
    if values.dtype.kind in "biuf":
        return values.astype(numpy.float64)
    if values.dtype.kind != "O":
        raise InvalidError("the data are no numbers; convert them, or name a column of numbers")
    return numpy.array([_double(value) for value in values], dtype=numpy.float64)


def _double(value: Any) -> float:
    if value is None or type(value).__name__ == "NAType":
        return numpy.nan
    if isinstance(value, (str, bytes)):
        raise InvalidError("the data have texts among them; convert them to numbers, or name a column of numbers")
    try:
        return float(value)
    except Exception:
        raise InvalidError("the data have something among them that is no number; convert it, or leave it out") from None


def records(rows: list[dict[str, Any]], columns: dict[str, Any]) -> numpy.ndarray:
    """Objects of JSON as records of numpy, with these members of these kinds."""
    values = [tuple(float(row[name]) if kind is float else row[name] for name, kind in columns.items()) for row in rows]
    return numpy.array(values, dtype=[(name, "U32" if kind is str else kind) for name, kind in columns.items()])


class Simulation(Result):
    """What simulations of either kind have in common."""

    _maker = "vernier.coverage"

    delta: float = stated("""Of each release.

        >>> 0 <= found.delta < 1e-5
        True
        """)

    simulations: int = stated("""At each point.

        >>> found.simulations
        20
        """)

    refuted: bool = stated("""Whether what is claimed is refuted at any point.

        >>> found.refuted
        False
        """)

    @property
    def points(self) -> numpy.ndarray:
        """What was found, a record for each point."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `vernier coverage --json` prints it.

        >>> found.to_dict()["simulations"]
        20
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """The points as a frame of pandas.

        >>> len(found.to_pandas()) == len(found.points)
        True
        """
        import pandas

        return pandas.DataFrame({name: self.points[name] for name in self.points.dtype.names or ()})

    def _sentence(self) -> str:
        raise NotImplementedError

    def _rows(self) -> tuple[list[str], list[list[Any]]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        table = text_table(*self._rows())
        return self._sentence() + "\n" + "\n".join("  " + line for line in table.splitlines())

    def _repr_html_(self) -> str:
        return html_table(*self._rows(), caption=self._sentence())
