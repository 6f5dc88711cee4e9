"""What many releases cost together, from above and from below."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from vernier import _core
from vernier._errors import InvalidError
from vernier._result import Guaranteed, Result, copied, frame_of_rows, made, stated
from vernier._show import at_least, at_most, draw, html_table, number, text_table
from vernier._words import kind_of, text, written

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


_MOST_EVENTS = 1_000_000  # the core refuses more; here so that a list without an end has one
_WORDS = {"noise", "neighbours"}  # keys of an event that are words; the others are numbers


Neighbours = Literal["add-remove", "replace"]


class Event:
    """A release, or several equal ones, known by its mechanism or only by its guarantee.

    The kinds and keys are those of `vernier compose --event`: `laplace`, `geometric`, `gaussian`, `discrete-gaussian` with
    `scale`, `sensitivity`, `sampling`; `pure` with `epsilon`; `approximate` with `epsilon` and `delta`; `zcdp` with `rho`;
    `key-selection` with `noise`, `scale`, `threshold` and `groups`; all of them with `times` and `neighbours`. In place of a
    kind a calibration may stand.

    >>> import vernier as vn
    >>> vn.Event("gaussian", scale=20, times=100)
    Event('gaussian', scale=20, times=100)
    >>> str(vn.Event("gaussian", scale=20, times=100))
    'gaussian,scale=20,times=100'
    """

    def __init__(self, mechanism: object, **keys: Any) -> None:
        if not isinstance(mechanism, str):
            mechanism, keys = _of_calibration(mechanism, keys)
        self.mechanism: str = text("the mechanism", mechanism)
        self.keys: dict[str, Any] = {key: value for key, value in keys.items() if value is not None}
        self._text = ",".join([_part("the mechanism", self.mechanism), *(_pair(*item) for item in self.keys.items())])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Event({', '.join([repr(self.mechanism), *(f'{key}={value!r}' for key, value in self.keys.items())])})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Event) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)


def _of_calibration(calibration: object, keys: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    mechanism, scale = getattr(calibration, "mechanism", None), getattr(calibration, "scale", None)
    if not isinstance(mechanism, str) or scale is None:
        raise InvalidError(f"an event is {kind_of(calibration)}; write it as 'gaussian,scale=20,times=100', as "
                           "vn.Event('gaussian', scale=20, times=100), as a dictionary, or give a calibration")
    stated = {"scale": scale, "sensitivity": getattr(calibration, "sensitivity", None)}
    return mechanism, {**stated, **keys}


def _part(name: str, value: str) -> str:
    if "," in value or "=" in value:
        raise InvalidError(f"{name} is '{value}', where neither a comma nor = may stand; write every key by itself, as in "
                           "vn.Event('gaussian', scale=20, times=100)")
    return value


def _pair(key: str, value: Any) -> str:
    name = _part("a key", text("a key", key))
    return f"{name}={_part(name, text(name, value) if name in _WORDS else written(name, value))}"


def _event_text(event: object) -> str:
    if isinstance(event, str):
        return text("an event", event)
    if isinstance(event, Guaranteed):
        return str(_of_guarantee(event))
    if isinstance(event, Mapping):
        event = _of_mapping(event)
    return str(event if isinstance(event, Event) else Event(event))


def _of_guarantee(event: Guaranteed) -> Event:
    """A plan or a release by what it guarantees."""
    kind = {"epsilon": event.epsilon} if event.delta == 0 else {"epsilon": event.epsilon, "delta": event.delta}
    return Event("pure" if event.delta == 0 else "approximate", **kind, neighbours=event._stated["neighbours"])


def _of_mapping(event: Mapping[str, Any]) -> Event:
    keys = dict(event)
    if "mechanism" not in keys or not all(isinstance(key, str) for key in keys):
        raise InvalidError("an event is a dictionary without a mechanism; write it as "
                           "{'mechanism': 'gaussian', 'scale': 20, 'times': 100}")
    return Event(keys.pop("mechanism"), **keys)


def _each(events: Any) -> Iterator[Any]:
    """One event, or several of them."""
    if isinstance(events, (str, Event, Mapping, Guaranteed, os.PathLike)) or not isinstance(events, Iterable):
        return iter([events])
    try:
        return iter(events)
    except TypeError:  # an array of numpy without dimensions says that it can be gone through
        return iter([events])


def _events_of(events: object) -> dict[str, list[str]]:
    """One event or several, and the files that have more of them."""
    given = list(itertools.islice(_each(events), _MOST_EVENTS + 1))
    if not given:
        raise InvalidError("there is no event; give one, for example \"laplace,scale=20\"")
    files = [text("the name of the file", os.fspath(one)) for one in given if isinstance(one, os.PathLike)]
    stated_here = [_event_text(one) for one in given if not isinstance(one, os.PathLike)]
    return {name: listed for name, listed in (("event", stated_here), ("events", files)) if listed}


def _given(events: object, numbers: Mapping[str, Any], names: Mapping[str, str | None]) -> dict[str, list[str]]:
    given = _events_of(events)
    given |= {name: [written(name, value)] for name, value in numbers.items() if value is not None}
    return given | {name: [text(name, value)] for name, value in names.items() if value is not None}


@overload
def compose(events: Any, *, delta: Any, epsilon: None = None, solve: None = None, neighbours: Neighbours | None = None,
            tightness: Any = None) -> ComposedEpsilon: ...
@overload
def compose(events: Any, *, epsilon: Any, delta: None = None, solve: None = None, neighbours: Neighbours | None = None,
            tightness: Any = None) -> ComposedDelta: ...
@overload
def compose(events: Any, *, epsilon: Any, delta: Any, solve: Literal["scale"], neighbours: Neighbours | None = None,
            tightness: Any = None) -> ComposedScale: ...


def compose(events: Any, *, epsilon: Any = None, delta: Any = None, solve: str | None = None, neighbours: str | None = None,
            tightness: Any = None) -> Composition:
    """What the events cost together: the least epsilon at a delta, or the least delta at an epsilon, each between two ends.

    `events` is one or several of: a text such as "gaussian,scale=20,times=100", an `Event`, a dictionary with the same
    words, a calibration, a plan or a release (each by what it guarantees, which holds whatever is asked next), or a
    `pathlib.Path` of a file with an event a line. With `solve="scale"`, `epsilon` and `delta` the
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
    given = _given(events, numbers, {"solve": solve, "neighbours": neighbours})
    return made(Composition, json.loads(_core.compose(given)), given=given)


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


def _figures(found: dict[str, Any]) -> dict[str, float | Ends]:
    return {name: _figure(value) for name, value in found.items()}


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
    _given: dict[str, list[str]]

    epsilon: float | Ends = stated("""As it was stated, or else its two ends.

        >>> found.epsilon.lower <= found.epsilon.upper
        True
        """, read=_figure)

    delta: float | Ends = stated("""As it was stated, or else its two ends.

        >>> found.delta, vn.compose("gaussian,scale=20,times=100", epsilon=2).delta.upper
        (1e-06, 9.43916...e-06)
        """, read=_figure)

    scale: float | None = stated("""The scale that was found, where one was asked for.

        >>> found.scale is None, vn.compose("gaussian,times=100", epsilon=1, delta=1e-6, solve="scale").scale
        (True, 42.24...)
        """, otherwise=None)

    guarantee: dict[str, Ends] | None = stated("""At the scale that was found: both ends of `epsilon` and `delta`.

        >>> solved = vn.compose("gaussian,times=100", epsilon=1, delta=1e-6, solve="scale")
        >>> found.guarantee is None, solved.guarantee["epsilon"].upper <= 1
        (True, True)
        """, read=_figures, otherwise=None)

    method: str = stated("""By which method the upper end is proven.

        >>> found.method
        'loss-distribution'
        """)

    methods: dict[str, float | None] = stated("""What each method proves; None where it says nothing.

        >>> found.method, found.methods["basic"]  # adding up epsilons proves more than twice as much
        ('loss-distribution', 5.000000000000001)
        """)

    neighbours: str = stated("""In what two data sets that may not be told apart differ: add-remove or replace.

        >>> found.neighbours
        'add-remove'
        """)

    events: list[dict[str, Any]] = stated("""The events as they were understood.

        >>> found.events
        [{'mechanism': 'laplace', 'scale': 20, 'sensitivity': 1, 'times': 100}]
        """)

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `vernier compose --json` prints it.

        >>> found.to_dict()["method"]
        'loss-distribution'
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """What each method proves, a row each.

        >>> found.to_pandas()["method"].tolist()[:1]
        ['basic']
        """
        return frame_of_rows([{"method": name, self._asked(): None if value is None else _float(value)}
                              for name, value in self.methods.items()])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Delta against epsilon around the answer: both ends, what zCDP proves where it applies, and the answer.

        >>> found.plot().get_ylabel()
        'delta'
        """
        return draw(json.loads(_core.compose_chart(self._given)), ax)

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


if TYPE_CHECKING:  # what is known of an answer from what was asked; all are made as Compositions

    class ComposedEpsilon(Composition):
        epsilon: Ends
        delta: float

    class ComposedDelta(Composition):
        epsilon: float
        delta: Ends

    class ComposedScale(Composition):
        epsilon: float
        delta: float
        scale: float
        guarantee: dict[str, Ends]
