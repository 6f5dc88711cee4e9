"""What functions of this package give back: made by them alone, so that what it says was computed."""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Callable
from typing import Any, TypeVar

from vernier._errors import FailedError, InvalidError

Kind = TypeVar("Kind", bound="Result")


class Result:
    """What the core said, by the words of its JSON. It cannot be made by hand; `made` is for the function that computes it."""

    _maker = ""
    _stated: dict[str, Any]

    def __init__(self, *given: Any, **named: Any) -> None:
        raise InvalidError(f"a {type(self).__name__} is what {self._maker} gives back; call that instead")


def made(kind: type[Kind], stated: Any, **parts: Any) -> Kind:
    """A result of this kind that says this and has these parts."""
    result = kind.__new__(kind)
    result._stated = stated
    for name, part in parts.items():
        setattr(result, f"_{name}", part)
    return result


def copied(part: Any) -> Any:
    """What a caller may change without changing the result."""
    return copy.deepcopy(part) if isinstance(part, (dict, list)) else part


def library(name: str) -> Any:
    """A library that is not needed otherwise, or an error that says how to get it."""
    if importlib.util.find_spec(name) is None:
        raise FailedError(f"this needs {name}, which is not installed; run: pip install {name}")
    return importlib.import_module(name)


def frame_of_rows(rows: Any) -> Any:
    """A frame of pandas: of dictionaries, a row each."""
    return library("pandas").DataFrame(rows)


class _Stated(property):
    """An attribute that a part of what the core said answers."""

    def __init__(self, doc: str, path: tuple[str, ...], read: Callable[[Any], Any], otherwise: tuple[Any, ...]) -> None:
        super().__init__(self._read_from)
        self.__doc__ = doc  # by itself, since a subclass of property would else show its own
        self._path, self._read, self._otherwise = path, read, otherwise

    def __set_name__(self, owner: type, name: str) -> None:
        self._path = self._path or (name,)

    def _read_from(self, result: Result) -> Any:
        part = result._stated
        for key in self._path:
            if self._otherwise and key not in part:
                return copied(self._otherwise[0])
            part = part[key]
        return self._read(part)


def stated(doc: str, *path: str, read: Callable[[Any], Any] = copied, **otherwise: Any) -> Any:
    """An attribute of a `Result`: the part of its own name or along the path, as `read` gives it, or `otherwise=` where that
    is missing.

    >>> class Told(Result):
    ...     size: int = stated("How large.")
    ...     width: float | None = stated("How wide.", "extent", "width", otherwise=None)
    >>> told = made(Told, {"size": 3})
    >>> told.size, told.width, Told.size.__doc__
    (3, None, 'How large.')
    """
    return _Stated(doc, path, read, tuple(otherwise.values()))


class Guaranteed(Result):
    """What a plan and a release have in common: a study, and what it costs."""

    study: str = stated("""The name of the study.

        >>> made.study
        'study'
        """)

    epsilon: float = stated("""What the whole study costs, rounded up.

        >>> round(made.epsilon, 6)
        0.5
        """, "guarantee", "epsilon")

    delta: float = stated("""The delta of the guarantee; 0 where it is pure.

        >>> made.delta
        0
        """, "guarantee", "delta")
