"""Writes TOML: the files of a steward and an analyst, from what a program declares.

Strict: a value that TOML cannot say is refused here, by its name; whether it may be said is for the core's reader.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from vernier._errors import InvalidError
from vernier._words import kind_of, text, written

_DEEPEST = 16  # as the core reads
_LONGEST = 1_000_000
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def document(values: Mapping[str, Any], tables: Mapping[str, Any] | None = None) -> str:
    """A file: first the values, then the tables, each under a heading of its own. What is None is left out.

    >>> print(document({"alpha": 0.05, "catalog": None}, {"budget": {"epsilon": 1, "ledger": "a.ledger"}}), end="")
    alpha = 0.05
    <BLANKLINE>
    [budget]
    epsilon = 1
    ledger = "a.ledger"
    """
    parts = [_lines(values)] if values else []
    for name, table in (tables or {}).items():
        parts += [f"[{name}]\n{_lines(table)}"] if isinstance(table, Mapping) else _list_of_tables(name, table)
    return "\n".join(parts)


def _list_of_tables(name: str, tables: Sequence[Mapping[str, Any]]) -> list[str]:
    return [f"[[{name}]]\n{_lines(table)}" for table in tables]


def _lines(table: Mapping[str, Any]) -> str:
    keyed = [(key_text(key), value) for key, value in table.items() if value is not None]
    return "".join(f"{key} = {value_text(key, value)}\n" for key, value in keyed)


def key_text(key: Any) -> str:
    """A key, in quotes where it needs them; a number, a day or a truth value stands for the text that TOML has of it.

    >>> key_text("age"), key_text("people in 2026"), key_text(1), key_text(True), key_text(datetime.date(2026, 1, 31))
    ('age', '"people in 2026"', '1', 'true', '2026-01-31')
    """
    if isinstance(key, (bool, numpy.bool_)):
        return "true" if key else "false"
    if isinstance(key, (int, numpy.integer)):
        key = str(int(key))
    elif isinstance(key, (datetime.date, numpy.datetime64)):
        key = _day("a name", key)
    key = _plain("a name", key)
    return key if _BARE.fullmatch(key) else _string(key)


class _Number(str):
    """A text that stands for a number."""


def numbers_in(entries: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """The same entries, where texts under these keys, or in a dictionary under one, are numbers as they are written.

    >>> document(numbers_in({"epsilon": "0.10", "shares": {"anna": "0.5"}, "ledger": "1"}, "epsilon", "shares"))
    'epsilon = 0.10\\nshares = { anna = 0.5 }\\nledger = "1"\\n'
    """
    return {key: _number_in(value) if key in keys else value for key, value in entries.items()}


def _number_in(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _number_in(one) for key, one in value.items()}
    return _Number(value) if isinstance(value, str) else value


def value_text(name: str, value: Any, depth: int = 0) -> str:
    """A value; `name` is what a sentence calls it.

    >>> value_text("keys", ["north", 1, 0.1, True]), value_text("labels", {1: "one"})
    ('["north", 1, 0.1, true]', '{ 1 = "one" }')
    """
    if depth > _DEEPEST:
        raise InvalidError(f"{name} is nested too deep; write lists and dictionaries of at most {_DEEPEST} levels")
    if isinstance(value, (datetime.date, numpy.datetime64)):
        return _day(name, value)
    value = value.tolist() if isinstance(value, (numpy.generic, numpy.ndarray)) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return number_text(name, value) if isinstance(value, _Number) else _string(_plain(name, value))
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key_text(key)} = {value_text(f'{key_text(key)} of {name}', one, depth + 1)}"
                          for key, one in value.items() if one is not None)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple, range)):
        if len(value) > _LONGEST:
            raise InvalidError(f"{name} has {len(value)} values; write at most {_LONGEST}")
        return f"[{', '.join(value_text(name, one, depth + 1) for one in value)}]"
    return number_text(name, value)


def _day(name: str, value: Any) -> str:
    """The day of a date or of a time on its own clock: of datetime, of pandas (whose times are datetimes), or of numpy.

    >>> _day("lower", datetime.datetime(2026, 1, 31, 23)), _day("upper", numpy.datetime64("2026-01-31T12"))
    ('2026-01-31', '2026-01-31')
    """
    if isinstance(value, numpy.datetime64):
        value = value.astype("datetime64[D]").item()
    if not isinstance(value, datetime.date) or value != value:  # NaT is not itself
        raise InvalidError(f"{name} is no day of the years 1 to 9999; write one such as datetime.date(2026, 1, 31)")
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


def number_text(name: str, value: Any) -> str:
    """A number as it is written; a text may be one.

    >>> number_text("epsilon", "0.1"), number_text("delta", 1e-6), number_text("lower", float("nan"))
    ('0.1', '1e-06', 'nan')
    """
    if not isinstance(value, (str, int, float, decimal.Decimal, fractions.Fraction, numpy.generic)):
        raise InvalidError(f"{name} is {kind_of(value)}, which no catalog and no study can say; write a number, a text, "
                           "a day, True or False, or a list or a dictionary of these")
    number = written(name, value).strip()
    if number.lower().lstrip("+-") in ("nan", "inf", "infinity", "snan"):
        return number.lower().replace("infinity", "inf").replace("snan", "nan")
    if not _NUMBER.fullmatch(number):
        raise InvalidError(f"{name} is no number; write one such as 0.5")
    return number


def _plain(name: str, value: Any) -> str:
    return str(text(name, value))  # of a subclass of str, its text alone


def _string(value: str) -> str:
    return '"' + "".join(_ESCAPES.get(one) or (f"\\u{ord(one):04x}" if ord(one) < 32 or ord(one) == 127 else one)
                         for one in value) + '"'
