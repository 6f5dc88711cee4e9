"""What a plan and a release have in common: a study, and what it costs."""

from __future__ import annotations

from typing import Any


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
