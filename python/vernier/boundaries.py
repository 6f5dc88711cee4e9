"""Bounds of a column, found privately."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._located import path_bytes
from vernier._result import Result, copied, frame_of_rows, made, stated
from vernier._show import at_least, at_most, html_table, number
from vernier._words import text, written
from vernier.catalogs import Catalog, frames_for
from vernier.releases import RECORD, Release, answer_of, bar, paying, request_of
from vernier.studies import catalog_of, optional_text

if TYPE_CHECKING:
    import pandas

_ANSWER = "bounds.json"


def _point(value: Any) -> Any:
    """A bound as Python has it: a date where it is one."""
    return datetime.date.fromisoformat(value) if isinstance(value, str) and value.count("-") >= 2 else value


class Bounds(Result):
    """Bounds of a column, and how much may lie outside. Made by `vernier.bounds`.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer")}, unit="row", data={"age": [20 + i % 50 for i in range(20000)]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> found = vn.bounds(catalog, "people.age", epsilon=1)
    >>> found.found, found.lower <= 20, found.upper >= 69
    (True, True, True)
    """

    _maker = "vernier.bounds(catalog, column)"
    release: Release  #: the noisy counts from which they were made, signed

    found: bool = stated("""Whether a range of values stands out of the noise.

        >>> found.found
        True
        """)

    lower: Any = stated("""The lower bound; None where nothing was found.

        >>> found.lower <= 20
        True
        """, read=_point)

    upper: Any = stated("""The upper bound; None where nothing was found.

        >>> found.upper >= 69
        True
        """, read=_point)

    share_outside_at_most: float | None = stated("""What share of the values lies outside, at most.

        >>> found.share_outside_at_most < 0.05
        True
        """)

    confidence: float = stated("""The probability with which all of this holds.

        >>> found.confidence
        0.95
        """)

    @property
    def bounds(self) -> tuple[Any, Any] | None:
        """For `vn.Column(..., bounds=...)`; None where less than half of the values are known to lie within.

        >>> vn.Column("integer", bounds=found.bounds).bounds == (found.lower, found.upper)
        True
        """
        return (self.lower, self.upper) if self._stated["line"] is not None else None

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier bounds --json`.

        >>> sorted(found.to_dict())[:3]
        ['above_at_most', 'below_at_most', 'buckets']
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """The noisy counts, a row for every bucket.

        >>> list(found.to_pandas().columns)
        ['lower', 'upper', 'noisy']
        """
        return frame_of_rows(self._stated["buckets"])

    def __repr__(self) -> str:
        name = f"{self._stated['table']}.{self._stated['column']}"
        if not self.found:
            return f"no bounds found for {name}: no range of values stands out of the noise; {self.release._spent()}"
        outside = self.share_outside_at_most
        known = "how much lies outside is not known" if outside is None or outside >= 1 else \
            f"at most {at_most(100 * outside)} % lie outside"
        return (f"{name} from {number(self.lower) if isinstance(self.lower, (int, float)) else self.lower} to "
                f"{number(self.upper) if isinstance(self.upper, (int, float)) else self.upper}; {known}, with probability "
                f"{at_least(100 * self.confidence)} %; {self.release._spent()}")

    def _repr_html_(self) -> str:
        rows = [[str(one["lower"]), str(one["upper"]), one["noisy"]] for one in self._stated["buckets"]]
        return html_table(["from", "to", "noisy count"], rows, repr(self))


def bounds(catalog: Catalog | str | os.PathLike[str], column: str, *, epsilon: Any, delta: Any = None, alpha: Any = None,
           max_groups: Any = None, max_rows: Any = None, data: Mapping[str, Any] | None = None,
           out: str | os.PathLike[str] | None = None, analyst: str | None = None, request: str | None = None,
           again: bool = False, progress: bool = True) -> Bounds:
    """Finds bounds of a column privately, and tells how much lies outside. It spends `epsilon` of the catalog.

    `column` is written with its table, "people.income". Where it has bounds, those within are looked for. The other words
    are those of `vernier.release`; the same question over the same rows is answered again for nothing.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer")}, unit="row", data={"age": [20 + i % 50 for i in range(20000)]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> vn.bounds(catalog, "people.age", epsilon=0.5).release.repeated
    False
    >>> vn.bounds(catalog, "people.age", epsilon=0.5).release.repeated
    True
    """
    asked = catalog_of(catalog)
    numbers = {"epsilon": epsilon, "delta": delta, "alpha": alpha, "max_groups": max_groups, "max_rows": max_rows}
    terms = {name: written(name, value) for name, value in numbers.items() if value is not None}
    frames = frames_for(asked, data)
    arguments = (asked._located, text("the column", column), terms, frames, optional_text("analyst", analyst),
                 *request_of(request, again), None if out is None else path_bytes("out", out))
    with paying(dict), bar("running", progress) as show:
        published = answer_of(_core.bounds(*arguments, show))
    found = made(Bounds, json.loads(published.documents[_ANSWER]))
    found.release = published
    assert RECORD in published.documents
    return found
