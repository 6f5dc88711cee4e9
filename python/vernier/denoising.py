"""The error of denoised vectors, by simulation on invented ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from vernier import _plots
from vernier._errors import InvalidError
from vernier._show import axes_or_new, number
from vernier._simulation import Simulation, records

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OUTCOME = {"vector": str, "epsilon": float, "dimension": int, "sigma": float, "method": str, "over_raw": float, "error": float,
            "standard_error": float, "distance": float, "bound": float, "refuted": bool}


class Denoising(Simulation):
    """What `vernier coverage --denoise` found: the error of denoised vectors, dense and sparse.

    >>> import vernier as vn
    >>> found = vn.coverage(denoise=True, epsilon=0.1, dimension=[10, 30], simulations=20)
    >>> sorted(set(found.points["vector"].tolist())), found.refuted
    (['dense', 'sparse'], False)
    """

    @property
    def mechanism(self) -> str:
        """Of the noise.

        >>> found.mechanism
        'discrete-gaussian'
        """
        return self._content["mechanism"]

    @property
    def size(self) -> int:
        """Rows of which each vector is the mean.

        >>> found.size
        500
        """
        return self._content["size"]

    @property
    def points(self) -> numpy.ndarray:
        """What was found, a record for each vector, epsilon, dimension and method; `bound` is nan where there is none.

        >>> raw = found.points[found.points["method"] == "raw"]
        >>> raw["dimension"].tolist(), raw["over_raw"].tolist()
        ([10, 30, 10, 30], [1.0, 1.0, 1.0, 1.0])
        """
        rows = [{"bound": numpy.nan, **point, **one} for point in self._content["points"] for one in point["methods"]]
        return records(rows, _OUTCOME)

    def plot(self, ax: Axes | None = None, vector: str = "dense") -> Axes:
        """The distance from the exact mean by method: against dimension at the least epsilon, or else against epsilon.

        >>> found.plot(vector="sparse").get_xlabel()
        'dimension'
        """
        points = self.points
        if not isinstance(vector, str) or vector not in ("dense", "sparse"):
            raise InvalidError("vector must be \"dense\" or \"sparse\"")
        key = "dimension" if len(numpy.unique(points["dimension"])) > 1 else "epsilon"
        drawn = points[points["vector"] == vector]
        drawn = drawn[drawn["epsilon"] == drawn["epsilon"].min()] if key == "dimension" else drawn
        ax = axes_or_new(ax)
        for colour, method in zip(_plots.COLOURS, dict.fromkeys(drawn["method"].tolist())):
            line = numpy.sort(drawn[drawn["method"] == method], order=key)
            ax.plot(line[key], line["distance"], "--" if method == "raw" else "-", marker=".", color=colour, label=method)
        ax.set(xlabel=key, ylabel="distance", xscale="log", yscale="log")
        _plots.titles(ax, f"How far denoised means are from the exact ones: {vector} vectors",
                      f"{self.size} rows, delta {number(self.delta)}, {self.simulations} vectors a point")
        _plots.legend(ax)
        return ax

    def _rows(self) -> tuple[list[str], list[list[Any]]]:
        headings = ["vector", "epsilon", "dimension", "method", "distance", "over_raw"]
        return headings, [[*(point[name].item() for name in headings[:-1]), f"{point['over_raw']:.3f}"] for point in self.points]

    def _sentence(self) -> str:
        return f"denoised means of {self.size} rows, {self.simulations} vectors a point: {'refuted' if self.refuted else 'stands'}"
