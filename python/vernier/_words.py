"""What a caller gives, as the core reads it: texts, and numbers as they are written."""

from __future__ import annotations

import fractions
import itertools
from typing import Any

import numpy

from vernier import _core
from vernier._errors import InvalidError

_MOST_NUMBERS = 10_000  # that a simulation is asked for together


def kind_of(value: object) -> str:
    """What a value is, for a sentence.

    >>> kind_of([1]), kind_of(numpy.array(1)), kind_of(None)
    ('a list', 'an ndarray', 'None')
    """
    return _core.kind_of(value)


def written(name: str, value: Any) -> str:
    """A number as it is written: a float by the shortest decimal that means it, exact types exactly.

    >>> written("epsilon", 0.1), written("size", 500), written("delta", "1e-6"), written("scale", fractions.Fraction(1, 8))
    ('0.1', '500', '1e-6', '125e-3')
    """
    if isinstance(value, str):
        return text(name, value)
    return _decimal_of(name, value) if isinstance(value, fractions.Fraction) else _core.number_text(name, value)


def _decimal_of(name: str, value: fractions.Fraction) -> str:
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0 and count < 1100:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    if rest != 1:
        raise InvalidError(f"{name} is the fraction {value}, which no decimal is equal to; write a decimal such as 0.3333")
    return f"{int(value * 10**places)}e-{places}"


def text(name: str, value: object) -> str:
    """A text that can be passed on."""
    if not isinstance(value, str):
        raise InvalidError(f"{name} is {kind_of(value)}; write a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidError(f"{name} is no text that can be read: it has half a character in it") from None
    if "\0" in value:
        raise InvalidError(f"{name} is no text that can be read: it has a zero byte in it")
    return value


def spread(name: str, value: Any) -> str:
    """One number, or several: a tuple (first, last, points) in equal steps, or any other sequence of ascending numbers.

    >>> spread("epsilon", 0.5), spread("epsilon", (0.1, 1, 10)), spread("size", [100, 500]), spread("size", range(1, 4))
    ('0.5', '0.1:1:10', '100,500', '1,2,3')
    """
    if isinstance(value, tuple):
        if len(value) != 3:
            raise InvalidError(f"{name} is a tuple of {len(value)}; write (first, last, points), or a list of numbers")
        return ":".join(written(name, one) for one in value)
    if not isinstance(value, (list, range)) and not (isinstance(value, numpy.ndarray) and value.ndim == 1):
        return written(name, value)
    listed = list(itertools.islice(value, _MOST_NUMBERS + 1))
    if not listed:
        raise InvalidError(f"{name} has no number; write at least one")
    if len(listed) > _MOST_NUMBERS:
        raise InvalidError(f"{name} has more than {_MOST_NUMBERS} numbers; give fewer")
    return ",".join(written(name, one) for one in listed)
