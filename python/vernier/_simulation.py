"""What simulations of coverage and of denoising have in common."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy

from vernier._result import Result
from vernier._show import html_table, text_table

if TYPE_CHECKING:
    import pandas


def records(rows: list[dict[str, Any]], columns: dict[str, Any]) -> numpy.ndarray:
    """Objects of JSON as records of numpy, with these members of these kinds."""
    values = [tuple(float(row[name]) if kind is float else row[name] for name, kind in columns.items()) for row in rows]
    return numpy.array(values, dtype=[(name, "U32" if kind is str else kind) for name, kind in columns.items()])


class Simulation(Result):
    """What simulations of either kind have in common."""

    _maker = "vernier.coverage"
    _content: dict[str, Any]

    @property
    def delta(self) -> float:
        """Of each release.

        >>> 0 <= found.delta < 1e-5
        True
        """
        return self._content["delta"]

    @property
    def simulations(self) -> int:
        """At each point.

        >>> found.simulations
        20
        """
        return self._content["simulations"]

    @property
    def refuted(self) -> bool:
        """Whether what is claimed is refuted at any point.

        >>> found.refuted
        False
        """
        return self._content["refuted"]

    @property
    def points(self) -> numpy.ndarray:
        """What was found, a record for each point."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `vernier coverage --json` prints it.

        >>> found.to_dict()["simulations"]
        20
        """
        return json.loads(json.dumps(self._content))

    def to_pandas(self) -> pandas.DataFrame:
        """The points as a frame of pandas.

        >>> len(found.to_pandas()) == len(found.points)
        True
        """
        import pandas

        return pandas.DataFrame({name: self.points[name] for name in self.points.dtype.names})

    def _sentence(self) -> str:
        raise NotImplementedError

    def _rows(self) -> tuple[list[str], list[list[Any]]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        table = text_table(*self._rows())
        return self._sentence() + "\n" + "\n".join("  " + line for line in table.splitlines())

    def _repr_html_(self) -> str:
        return html_table(*self._rows(), caption=self._sentence())
