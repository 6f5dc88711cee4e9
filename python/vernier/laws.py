"""The laws of noise: densities, probabilities, quantiles and draws, as `vernier law` has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._errors import InvalidError
from vernier._show import draw, html_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vernier.calibration import Number


class Law:
    """A law of noise at a scale. Numbers give numbers, and arrays of any shape give arrays of that shape.

    Every figure is certified to lie within bounds, whose middle it is; with `bounds=True` the two bounds come instead.
    Points of integer noise are whole numbers, and its quantiles and draws 64-bit integers.

    >>> import vernier as vn
    >>> noise = vn.law("geometric", 10)
    >>> noise.tail(30), noise.quantile(0.975), noise.standard_deviation
    (0.0236..., 30, 14.136...)
    >>> noise.cdf([-1, 0, 1])
    array([0.475..., 0.524..., 0.570...])
    >>> low, high = noise.pmf(0, bounds=True)
    >>> low <= noise.pmf(0) <= high
    True
    """

    __slots__ = {
        "name": "laplace, geometric, gaussian or discrete-gaussian.\n\n>>> noise.name\n'geometric'",
        "scale": "The scale; of gaussian noise its standard deviation.\n\n>>> noise.scale\n10.0",
        "standard_deviation": "Of the noise, rounded up.\n\n>>> noise.standard_deviation\n14.136...",
        "_noise": None, "_is_whole": None,
    }

    name: str
    scale: float
    standard_deviation: float

    def __init__(self, mechanism: str, scale: Number) -> None:
        self._noise, *figures = _core.law_named(mechanism, scale)
        self.name, self.scale, self.standard_deviation, self._is_whole = figures

    def pmf(self, x: Any, *, bounds: bool = False) -> Any:
        """The probability of x, of integer noise.

        >>> vn.law("discrete-gaussian", 1).pmf(0)
        0.398942...
        """
        if not self._is_whole:
            raise InvalidError(f"{self.name} noise takes any real value, each with probability 0; ask for pdf(x)")
        return _core.law_figure(self._noise, "density", x, bool(bounds))

    def pdf(self, x: Any, *, bounds: bool = False) -> Any:
        """The density at x, of noise over the reals.

        >>> vn.law("laplace", 1).pdf(0)
        0.5
        """
        if self._is_whole:
            raise InvalidError(f"{self.name} noise takes whole values and has no density; ask for pmf(x)")
        return _core.law_figure(self._noise, "density", x, bool(bounds))

    def cdf(self, x: Any, *, bounds: bool = False) -> Any:
        """P[noise <= x].

        >>> vn.law("gaussian", 1).cdf([0, 1.96])
        array([0.5       , 0.97500...])
        """
        return _core.law_figure(self._noise, "cumulative", x, bool(bounds))

    def tail(self, x: Any, *, bounds: bool = False) -> Any:
        """P[noise > x], of which nothing is lost however small it is.

        >>> vn.law("gaussian", 1).tail(30)
        4.9067...e-198
        """
        return _core.law_figure(self._noise, "tail", x, bool(bounds))

    def quantile(self, p: Any) -> Any:
        """The least x with P[noise <= x] >= p.

        >>> vn.law("gaussian", 1).quantile(0.975)
        1.9599...
        """
        return _core.law_quantile(self._noise, p)

    def sample(self, size: int | tuple[int, ...] | None = None) -> Any:
        """Independent draws from the randomness of the operating system: one, or an array of a size or shape.

        Integer noise is exact. Noise over the reals lies on a grid that is fine beside the scale. There is no seed.
        Draws are for looking at the law. To protect a number take `perturb`: `x + law.sample()` on floats is not
        private, since which doubles such a sum can be depends on x, and the last bits of one sum often give x away.

        >>> vn.law("geometric", 10).sample(3).dtype
        dtype('int64')
        >>> vn.law("laplace", 1).sample((2, 3)).shape
        (2, 3)
        """
        return _core.law_sample(self._noise, size)

    def perturb(self, values: Any, *, lower: Number, upper: Number) -> Any:
        """The values with noise, each its own: a number, or an array of the same shape.

        Values are moved to declared bounds, which must not come from the data; put on a grid; noise is added to them in
        integers; the scaling comes last. So every multiple of the grid can come out for every value. What is not a
        number counts as the lower bound; no float and no 64-bit integer raises an error. Of integer noise the grid is the whole numbers,
        and the answer is whole; of other noise it is a power of two of 2^-21 to 2^-20 of the scale. Rounding to the
        grid brings values further apart by less than one step of it: a sensitivity D of real values counts as less than
        D + scale / 2^20, which of laplace noise is less than 2^-20 of epsilon more.

        >>> released = vn.law("geometric", 10).perturb([3, 5, 900], lower=0, upper=100)
        >>> released.dtype, released.shape
        (dtype('int64'), (3,))
        >>> vn.law("laplace", 0.5).perturb(2.75, lower=0, upper=10) * 2**22 % 1
        0.0
        """
        return _core.law_perturb(self._noise, values, lower, upper)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The law over a histogram of 100,000 draws.

        >>> noise.plot().get_ylabel()
        'probability of each whole number'
        """
        return draw(json.loads(_core.law_chart(self._noise)), ax)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and (self.name, self.scale) == (other.name, other.scale)

    def __hash__(self) -> int:
        return hash((self.name, self.scale))

    def __reduce__(self) -> tuple[Any, ...]:
        return Law, (self.name, self.scale)

    def __repr__(self) -> str:
        return f"Law({self.name!r}, {self.scale!r})"

    def _repr_html_(self) -> str:
        return html_table(["law", "scale", "standard deviation"], [[self.name, self.scale, self.standard_deviation]])


def law(mechanism: str, scale: Number) -> Law:
    """The law of a mechanism's noise: laplace, geometric (also discrete-laplace), gaussian or discrete-gaussian.

    >>> vn.law("discrete-laplace", 10)
    Law('geometric', 10.0)
    """
    return Law(mechanism, scale)
