"""What functions of this package give back: made by them alone, so that what it says was computed."""

from __future__ import annotations

from typing import Any

from vernier._errors import InvalidError


class Result:
    """Cannot be made by hand; `_made` is for the function that computes it."""

    _maker = ""

    def __init__(self, *given: Any, **named: Any) -> None:
        raise InvalidError(f"a {type(self).__name__} is what {self._maker} gives back; call that instead")

    @classmethod
    def _made(cls, **parts: Any) -> Any:
        made = cls.__new__(cls)
        made.__dict__.update({f"_{name}": part for name, part in parts.items()})
        return made
