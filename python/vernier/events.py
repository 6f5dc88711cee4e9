"""Releases as what many of them cost together is asked of."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from vernier._errors import InvalidError
from vernier._words import kind_of, option, text, written

_MOST_EVENTS = 1_000_000  # the core refuses more; here so that a list without an end has one
_WORDS = {"noise", "neighbours"}  # keys of an event that are words; the others are numbers


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


def _event_word(event: object) -> str:
    if isinstance(event, os.PathLike):
        return option("events", text("the name of the file", os.fspath(event)))
    if isinstance(event, str):
        return option("event", text("an event", event))
    if isinstance(event, Mapping):
        event = _of_mapping(event)
    return option("event", str(event if isinstance(event, Event) else Event(event)))


def _of_mapping(event: Mapping[str, Any]) -> Event:
    keys = dict(event)
    if "mechanism" not in keys or not all(isinstance(key, str) for key in keys):
        raise InvalidError("an event is a dictionary without a mechanism; write it as "
                           "{'mechanism': 'gaussian', 'scale': 20, 'times': 100}")
    return Event(keys.pop("mechanism"), **keys)


def _each(events: Any) -> Iterator[Any]:
    """One event, or several of them."""
    if isinstance(events, (str, Event, Mapping, os.PathLike)) or not isinstance(events, Iterable):
        return iter([events])
    try:
        return iter(events)
    except TypeError:  # an array of numpy without dimensions says that it can be gone through
        return iter([events])


def event_words(events: object) -> list[str]:
    """The words of the command line for one event, or for several."""
    words = [_event_word(event) for event in itertools.islice(_each(events), _MOST_EVENTS + 1)]
    if not words:
        raise InvalidError("there is no event; give one, for example \"laplace,scale=20\"")
    return words
