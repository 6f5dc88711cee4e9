"""Do intervals hold what they say, and what is the error of denoised vectors? By simulation, on public or synthetic data."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy

from vernier import _core
from vernier._errors import InvalidError
from vernier._result import made, stated
from vernier._show import CLAIMED, COLOURS, SEEN, WRONG, axes_or_new, legend, number, titles
from vernier._show import progress as shown_progress
from vernier._simulation import Simulation, column_of, numbers_of, records
from vernier._words import kind_of, spread, text, written

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

    mechanism: str = stated("""Of the noise.

        >>> found.mechanism
        'discrete-gaussian'
        """)

    size: int = stated("""Rows of which each vector is the mean.

        >>> found.size
        500
        """)

    @property
    def points(self) -> numpy.ndarray:
        """What was found, a record for each vector, epsilon, dimension and method; `bound` is nan where there is none.

        >>> raw = found.points[found.points["method"] == "raw"]
        >>> raw["dimension"].tolist(), raw["over_raw"].tolist()
        ([10, 30, 10, 30], [1.0, 1.0, 1.0, 1.0])
        """
        rows = [{"bound": numpy.nan, **point, **one} for point in self._stated["points"] for one in point["methods"]]
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
        for colour, method in zip(COLOURS, dict.fromkeys(drawn["method"].tolist())):
            line = numpy.sort(drawn[drawn["method"] == method], order=key)
            ax.plot(line[key], line["distance"], "--" if method == "raw" else "-", marker=".", color=colour, label=method)
        ax.set(xlabel=key, ylabel="distance", xscale="log", yscale="log")
        titles(ax, f"How far denoised means are from the exact ones: {vector} vectors",
                      f"{self.size} rows, delta {number(self.delta)}, {self.simulations} vectors a point")
        legend(ax)
        return ax

    def _rows(self) -> tuple[list[str], list[list[Any]]]:
        headings = ["vector", "epsilon", "dimension", "method", "distance", "over_raw"]
        return headings, [[*(point[name].item() for name in headings[:-1]), f"{point['over_raw']:.3f}"] for point in self.points]

    def _sentence(self) -> str:
        return f"denoised means of {self.size} rows, {self.simulations} vectors a point: {'refuted' if self.refuted else 'stands'}"


_SPREADS = ("epsilon", "size", "alpha", "lower", "upper", "dimension")
_NUMBERS = ("delta", "granularity", "simulations", "fraction")
_NAMES = ("distribution", "statistic", "covers", "mechanism", "interval")
_FLAGS = ("guaranteed", "public_count", "denoise")


@overload
def coverage(data: Any = None, *, denoise: Literal[True], dimension: Any = None, epsilon: Any = None, delta: Any = None,
             size: Any = None, simulations: Any = None, progress: bool = True) -> Denoising: ...
@overload
def coverage(data: Any = None, *, column: str | None = None, distribution: str | None = None, statistic: str | None = None,
             fraction: Any = None, covers: str | None = None, epsilon: Any = None, size: Any = None, alpha: Any = None,
             lower: Any = None, upper: Any = None, granularity: Any = None, delta: Any = None, simulations: Any = None,
             mechanism: str | None = None, interval: str | None = None, guaranteed: bool = False, public_count: bool = False,
             denoise: Literal[False] = False, dimension: None = None, progress: bool = True) -> Coverage: ...


def coverage(data: Any = None, *, column: str | None = None, distribution: str | None = None, statistic: str | None = None,
             fraction: Any = None, covers: str | None = None, epsilon: Any = None, size: Any = None, alpha: Any = None,
             lower: Any = None, upper: Any = None, granularity: Any = None, delta: Any = None, simulations: Any = None,
             mechanism: str | None = None, interval: str | None = None, guaranteed: bool = False, public_count: bool = False,
             denoise: bool = False, dimension: Any = None, progress: bool = True) -> Coverage | Denoising:
    """How often intervals hold the true value: samples are drawn, each is released as `vn.release` would, and counted.

    **Nothing is protected and nothing is charged: the data must be public or synthetic.** `data` is a list, an array or a
    column of numbers; or a frame, or the name of a CSV file, with `column`. In its place `distribution` may stand: "normal",
    "skewed", "two-point", "constant", "uniform". `epsilon`, `size`, `alpha`, `lower` and `upper` are each one number, a list
    of ascending ones, or a tuple (first, last, points). The other words are those of `vernier coverage`. A claim that is
    refuted is no error: `.refuted` tells.

    With `denoise=True` the error of denoised vectors is simulated instead; it takes `epsilon`, `dimension`, `delta`, `size`
    and `simulations`.

    >>> import vernier as vn
    >>> result = vn.coverage(distribution="uniform", size=500, epsilon=[1, 2], simulations=200)
    >>> result.refuted
    False
    >>> result.points["epsilon"]
    array([1., 2.])
    >>> vn.coverage([1, 2, 3, 4] * 50, lower=1, upper=4, size=100, epsilon=1, simulations=100).population
    200
    """
    asked = dict(locals())
    given = {name: [read(name, asked[name])] for names, read in ((_SPREADS, spread), (_NUMBERS, written), (_NAMES, text))
             for name in names if asked[name] is not None}
    given |= {name: [] for name in _FLAGS if _is_set(name, asked[name])}
    values, origin, file = _subject(data, column)
    if values is None and not file and distribution is None and not denoise:
        raise InvalidError("the values are missing; give data=, a list or a column of numbers, or distribution=\"normal\"")
    content = _simulated(given | file, values, origin, progress)
    if denoise:
        return made(Denoising, content)
    return made(Coverage, content, origin=origin or _origin(distribution, file))


def _is_set(name: str, value: object) -> bool:
    if isinstance(value, (bool, numpy.bool_)):
        return bool(value)
    raise InvalidError(f"{name} is {kind_of(value)}; it is True or False")


# The values, what they are called, and a file in their place.
def _subject(data: Any, column: str | None) -> tuple[numpy.ndarray | None, str, dict[str, list[str]]]:
    if data is None and column is None:
        return None, "", {}
    if data is None:
        raise InvalidError("column belongs to data; give data=, a frame or the name of a file, or leave column out")
    if isinstance(data, (str, os.PathLike)):
        file = {"data": [text("data", os.fspath(data))]}
        return None, "", file if column is None else file | {"column": [text("column", column)]}
    if column is not None:
        return numbers_of(column_of(data, column)), column, {}
    name = getattr(data, "name", None)
    return numbers_of(data), name if isinstance(name, str) and name else "the data", {}


def _origin(distribution: str | None, file: dict[str, list[str]]) -> str:
    if distribution is not None:
        return f"the distribution {distribution}"
    return " of ".join([*file.get("column", []), *map(os.path.basename, file.get("data", []))])


def _simulated(given: dict[str, list[str]], values: numpy.ndarray | None, origin: str, progress: bool) -> dict[str, Any]:
    watched = shown_progress("simulating") if progress else contextlib.nullcontext()
    with watched as show:
        return json.loads(_core.coverage(given, values, text("the name of the data", origin), show))


_POINT = {"epsilon": float, "size": int, "alpha": float, "lower": float, "upper": float, "mechanism": str, "coverage": float,
          "low": float, "high": float, "holds_sample": float, "holds_population": float, "width": float, "refuted": bool}
_INTERVAL = {"low": float, "high": float, "truth": float, "holds": bool}


class Coverage(Simulation):
    """What `vernier coverage` found.

    >>> import vernier as vn
    >>> found = vn.coverage(distribution="constant", size=100, epsilon=1, simulations=20)
    >>> found
    coverage of 95 % intervals (ours) for the sample's mean, the distribution constant, 20 simulations a point: stands
      epsilon  size  coverage  from  to  width
    ...
    """

    _origin: str

    @property
    def origin(self) -> str:
        """What the values are called.

        >>> found.origin
        'the distribution constant'
        """
        return self._origin

    statistic: str = stated("""Of which the intervals are.

        >>> found.statistic
        'mean'
        """)

    covers: str = stated("""Whose value the intervals are said to hold: the sample's or the population's.

        >>> found.covers
        'sample'
        """)

    interval: str = stated("""How the intervals are made: ours, lecture or lecture-analytic.

        >>> found.interval
        'ours'
        """)

    granularity: float = stated("""The step of the grid of values.

        >>> found.granularity == 2**-10
        True
        """)

    population: int = stated("""How many values there are to draw from.

        >>> found.population
        65536
        """)

    false_alarm: float = stated("""The chance at most that a claim which is true is refuted, all points together.

        >>> found.false_alarm
        1e-06
        """)

    @property
    def points(self) -> numpy.ndarray:
        """What was found, a record for each point: `points["coverage"]` between `low` and `high`, and more.

        >>> point = found.points[0]
        >>> bool(point["low"] <= point["coverage"] <= point["high"])
        True
        """
        return records(self._stated["points"], _POINT)

    @property
    def intervals(self) -> numpy.ndarray:
        """The first 100 intervals of the last point: `low`, `high`, the `truth` and whether it `holds`.

        >>> held = found.intervals
        >>> len(held), ((held["low"] <= held["truth"]) & (held["truth"] <= held["high"]) == held["holds"]).all()
        (20, np.True_)
        """
        return records(self._stated["intervals"], _INTERVAL)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The fraction of the intervals that hold the value, with Clopper and Pearson's bars, and the claim.

        >>> found.plot().get_ylabel()
        'part of the intervals'
        """
        key = self._swept()
        ax = axes_or_new(ax)
        points = self.points
        claim = 1 - points["alpha"]
        if key == "alpha":
            ax.plot(points[key], claim, "--", color=CLAIMED, label="claim")
        else:
            ax.axhline(claim[0], linestyle="--", color=CLAIMED, label="claim")
        for refuted, colour, name in ((False, SEEN, "coverage"), (True, WRONG, "refuted")):
            these = points[points["refuted"] == refuted]
            if len(these):
                bars = [these["coverage"] - these["low"], these["high"] - these["coverage"]]
                ax.errorbar(these[key], these["coverage"], yerr=bars, fmt="o", color=colour, capsize=2, label=name)
        ax.set(xlabel=key, ylabel="part of the intervals")
        titles(ax, f"How often the interval holds the {self.covers}'s value", self._subject())
        legend(ax)
        return ax

    def plot_intervals(self, ax: Axes | None = None) -> Axes:
        """A hundred intervals of the last point around the true value, those that miss it in another colour.

        A sample's value differs from one to the next: there the distance from it is drawn.

        >>> found.plot_intervals().get_xlabel()
        "mean, from the sample's own"
        """
        ax = axes_or_new(ax)
        shown = self.intervals
        of_population = self.covers == "population"
        start = 0 if of_population else shown["truth"]
        low, high, rank = shown["low"] - start, shown["high"] - start, numpy.arange(1, len(shown) + 1)
        for holds, colour, name in ((True, SEEN, "holds it"), (False, WRONG, "misses it")):
            these = shown["holds"] == holds
            if these.any():
                ax.hlines(rank[these], low[these], high[these], color=colour, linewidth=1, label=name)
        ax.axvline(shown["truth"][0] if of_population else 0, linestyle="--", color=CLAIMED, label="the value")
        ax.set(xlabel=self.statistic if of_population else f"{self.statistic}, from the sample's own", ylabel="simulation")
        last = self.points[-1]
        titles(ax, f"{len(shown)} intervals and the {self.covers}'s value",
                      f"{self.statistic} of {self.origin}, {self._swept()} {number(last[self._swept()].item())}")
        legend(ax, beside=True)
        return ax

    def _swept_all(self) -> list[str]:
        points = self.points
        return [name for name in ("epsilon", "size", "alpha", "lower", "upper") if len(numpy.unique(points[name])) > 1]

    def _swept(self) -> str:
        swept = self._swept_all() or ["epsilon"]
        if len(swept) > 1:
            raise InvalidError(f"coverage is drawn against one number, but {swept[0]} and {swept[1]} both vary; give one of them "
                               "a single value, or draw from .points")
        return swept[0]

    def _subject(self) -> str:
        return f"{self.statistic} of {self.origin}; {self.simulations} samples a point"

    def _sentence(self) -> str:
        alphas = numpy.unique(self.points["alpha"])
        claim = f"{number(100 * (1 - alphas[0].item()), 6)} % intervals" if len(alphas) == 1 else "intervals"
        return (f"coverage of {claim} ({self.interval}) for the {self.covers}'s {self.statistic}, {self.origin}, "
                f"{self.simulations} simulations a point: {'refuted' if self.refuted else 'stands'}")

    def _rows(self) -> tuple[list[str], list[list[Any]]]:
        keys = list(dict.fromkeys(["epsilon", "size", *self._swept_all()]))
        headings = [*keys, "coverage", "from", "to", "width", ""]
        rows = [[*(point[key].item() for key in keys), *(f"{point[key]:.4f}" for key in ("coverage", "low", "high")),
                 point["width"].item(), "refuted" if point["refuted"] else ""] for point in self.points]
        return (headings, rows) if self.refuted else (headings[:-1], [row[:-1] for row in rows])
