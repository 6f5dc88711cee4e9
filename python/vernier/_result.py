"""What functions of this package give back: made by them alone, so that what it says was computed."""

from __future__ import annotations

from typing import Any, TypeVar

from vernier._errors import InvalidError


Kind = TypeVar("Kind", bound="Result")


class Result:
    """Cannot be made by hand; `made` is for the function that computes it."""

    _maker = ""

    def __init__(self, *given: Any, **named: Any) -> None:
        raise InvalidError(f"a {type(self).__name__} is what {self._maker} gives back; call that instead")


def made(kind: type[Kind], **parts: Any) -> Kind:
    """A result of this kind with these parts."""
    result = kind.__new__(kind)
    result.__dict__.update({f"_{name}": part for name, part in parts.items()})
    return result
