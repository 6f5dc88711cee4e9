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


class Guaranteed:
    """Reads the words that are the same in the JSON of both."""

    _stated: dict[str, Any]

    @property
    def study(self) -> str:
        """The name of the study.

        >>> made.study
        'study'
        """
        return self._stated["study"]

    @property
    def epsilon(self) -> float:
        """What the whole study costs, rounded up.

        >>> round(made.epsilon, 6)
        0.5
        """
        return self._stated["guarantee"]["epsilon"]

    @property
    def delta(self) -> float:
        """The delta of the guarantee; 0 where it is pure.

        >>> made.delta
        0
        """
        return self._stated["guarantee"]["delta"]
