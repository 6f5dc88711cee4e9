"""What many releases cost together, from above and from below."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vernier import _core, _plots
from vernier._errors import InvalidError
from vernier._result import Result, made
from vernier._show import at_least, at_most, html_table, number, text_table
from vernier._words import errors_in_keywords, kind_of, option, text, written
from vernier.events import event_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _words(events: object, numbers: Mapping[str, Any], names: Mapping[str, str | None]) -> list[str]:
    words = event_words(events)
    words += [option(name, written(name, value)) for name, value in numbers.items() if value is not None]
    return words + [option(name, text(name, value)) for name, value in names.items() if value is not None]


def compose(events: Any, *, epsilon: Any = None, delta: Any = None, solve: str | None = None, neighbours: str | None = None,
            tightness: Any = None) -> Composition:
    """What the events cost together: the least epsilon at a delta, or the least delta at an epsilon, each between two ends.

    `events` is one or several of: a text such as "gaussian,scale=20,times=100", an `Event`, a dictionary with the same
    words, a calibration, or a `pathlib.Path` of a file with an event a line. With `solve="scale"`, `epsilon` and `delta` the
    least common scale of the events that have none is found.

    >>> import vernier as vn
    >>> composed = vn.compose("gaussian,scale=20,times=100", delta=1e-6)
    >>> round(composed.epsilon.upper, 4), composed.method
    (2.2541, 'closed-form')
    >>> vn.compose([vn.Event("pure", epsilon=0.1, times=3)], delta=0).epsilon.upper
    0.30000000000000004
    >>> round(vn.compose("laplace,times=20", epsilon=1, delta=1e-4, solve="scale").scale, 3)
    13.547
    """
    numbers = {"epsilon": epsilon, "delta": delta, "tightness": tightness}
    words = _words(events, numbers, {"solve": solve, "neighbours": neighbours})
    with errors_in_keywords():
        return made(Composition, content=json.loads(_core.compose(words)), words=words)


class Ends:
    """A figure between two ends: the upper one is certified, and the exact figure is not below the lower one.

    >>> import vernier as vn
    >>> vn.compose("pure,epsilon=0.25,times=2", delta=0).epsilon
    Ends(upper=0.5, lower=0.5)
    """

    def __init__(self, upper: float, lower: float) -> None:
        self.upper: float = _end("upper", upper)
        self.lower: float = _end("lower", lower)

    def __repr__(self) -> str:
        return f"Ends(upper={self.upper!r}, lower={self.lower!r})"

    def __float__(self) -> float:
        return self.upper

    def __eq__(self, other: object) -> bool:
        return (self.upper, self.lower) == (other.upper, other.lower) if isinstance(other, Ends) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.upper, self.lower))


def _end(name: str, value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise InvalidError(f"{name} is {kind_of(value)}; write a number such as 0.5")


def _figure(value: Any) -> float | Ends:
    return Ends(_float(value["upper"]), _float(value["lower"])) if isinstance(value, dict) else value


def _float(value: Any) -> float:
    return float(value)  # infinities are texts in JSON


class Composition(Result):
    """What `vernier compose` tells: the figure asked for with both its ends, and what each method proves.

    >>> import vernier as vn
    >>> found = vn.compose("laplace,scale=20,times=100", delta=1e-6)
    >>> found
    epsilon 2.1932... at delta 1e-06, by loss-distribution; epsilon is at least 2.1932...
    """

    _maker = "vernier.compose"
    _content: dict[str, Any]
    _words: list[str]

    @property
    def epsilon(self) -> float | Ends:
        """As it was stated, or else its two ends.

        >>> found.epsilon.lower <= found.epsilon.upper
        True
        """
        return _figure(self._content["epsilon"])

    @property
    def delta(self) -> float | Ends:
        """As it was stated, or else its two ends.

        >>> found.delta, vn.compose("gaussian,scale=20,times=100", epsilon=2).delta.upper
        (1e-06, 9.43916...e-06)
        """
        return _figure(self._content["delta"])

    @property
    def scale(self) -> float | None:
        """The scale that was found, where one was asked for.

        >>> found.scale is None, vn.compose("gaussian,times=100", epsilon=1, delta=1e-6, solve="scale").scale
        (True, 42.24...)
        """
        return self._content.get("scale")

    @property
    def guarantee(self) -> dict[str, Ends] | None:
        """At the scale that was found: both ends of `epsilon` and `delta`.

        >>> solved = vn.compose("gaussian,times=100", epsilon=1, delta=1e-6, solve="scale")
        >>> found.guarantee is None, solved.guarantee["epsilon"].upper <= 1
        (True, True)
        """
        found = self._content.get("guarantee")
        return found and {name: _figure(value) for name, value in found.items()}

    @property
    def method(self) -> str:
        """By which method the upper end is proven.

        >>> found.method
        'loss-distribution'
        """
        return self._content["method"]

    @property
    def methods(self) -> dict[str, float | None]:
        """What each method proves; None where it says nothing.

        >>> found.method, found.methods["basic"]  # adding up epsilons proves more than twice as much
        ('loss-distribution', 5.000000000000001)
        """
        return dict(self._content["methods"])

    @property
    def neighbours(self) -> str:
        """In what two data sets that may not be told apart differ: add-remove or replace.

        >>> found.neighbours
        'add-remove'
        """
        return self._content["neighbours"]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events as they were understood.

        >>> found.events
        [{'mechanism': 'laplace', 'scale': 20, 'sensitivity': 1, 'times': 100}]
        """
        return [dict(event) for event in self._content["events"]]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `vernier compose --json` prints it.

        >>> found.to_dict()["method"]
        'loss-distribution'
        """
        return json.loads(json.dumps(self._content))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Delta against epsilon around the answer: both ends, what zCDP proves where it applies, and the answer.

        >>> found.plot().get_ylabel()
        'delta'
        """
        with errors_in_keywords():
            return _plots.draw(json.loads(_core.compose_chart(self._words)), ax)

    def __repr__(self) -> str:
        if self.scale is not None:
            return f"scale {at_most(self.scale, 9)} meets epsilon {self.epsilon!r} at delta {self.delta!r}, by {self.method}"
        epsilon, delta = (at_most(one.upper, 9) if isinstance(one, Ends) else number(one) for one in (self.epsilon, self.delta))
        lower = next(at_least(one.lower, 9) for one in (self.epsilon, self.delta) if isinstance(one, Ends))
        return f"epsilon {epsilon} at delta {delta}, by {self.method}; {self._asked()} is at least {lower}"

    def __str__(self) -> str:
        return f"{self!r}\n\n{text_table(['method', self._asked()], self._method_rows())}"

    def _asked(self) -> str:
        return "epsilon" if isinstance(self.epsilon, Ends) or self.scale is not None else "delta"

    def _method_rows(self) -> list[list[Any]]:
        return [[name, "says nothing" if value is None else at_most(_float(value))] for name, value in self.methods.items()]

    def _repr_html_(self) -> str:
        return html_table(["method", self._asked()], self._method_rows(), caption=repr(self))
