"""How many rows of a unit may count, found privately."""

from __future__ import annotations

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

_ANSWER = "limits.json"


class Limits(Result):
    """How many rows the units of a table have, and what each `max_rows` would mean. Made by `vernier.limits`.

    >>> import tempfile
    >>> import vernier as vn
    >>> rows = {"person": [i % 5000 for i in range(20000)]}
    >>> table = vn.Table({"person": vn.Column("integer")}, unit="person", data=rows)
    >>> catalog = vn.Catalog(vn.Budget(epsilon=5), {"visits": table}, folder=tempfile.mkdtemp())
    >>> found = vn.limits(catalog, "visits", epsilon=2)
    >>> found.max_rows in (4, 5)
    True
    """

    _maker = "vernier.limits(catalog, table)"
    release: Release  #: the noisy counts from which they were made, signed

    max_rows: int | None = stated("""The limit with the least of what is cut off and of noise; None where nothing was found.

        >>> found.max_rows in (4, 5)
        True
        """)

    units_at_least: int = stated("""How many units there are, at least.

        >>> found.units_at_least <= 5000
        True
        """)

    units_at_most: int = stated("""How many units there are, at most.

        >>> found.units_at_most >= 5000
        True
        """)

    confidence: float = stated("""The probability with which the numbers of units hold, all together.

        >>> found.confidence
        0.95
        """)

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier bounds CATALOG TABLE --json`.

        >>> sorted(found.to_dict())[:3]
        ['at_epsilon', 'confidence', 'delta']
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """The trade, a row for every `max_rows`.

        >>> list(found.to_pandas().columns)
        ['max_rows', 'units_with_more_at_most', 'share_with_more_at_most', 'cut_off_about', 'accuracy']
        """
        return frame_of_rows(self._stated["limits"])

    def __repr__(self) -> str:
        table, spent = self._stated["table"], self.release._spent()
        if self.max_rows is None:
            return f"nothing found for {table}: no number of rows stands out of the noise; {spent}"
        share = next(one["share_with_more_at_most"] for one in self._stated["limits"] if one["max_rows"] == self.max_rows)
        return (f"{table}: max_rows={self.max_rows}; at most {at_most(100 * share)} % of the units have more rows, with "
                f"probability {at_least(100 * self.confidence)} %; {spent}")

    def _repr_html_(self) -> str:
        rows = [[number(one["max_rows"]), f"{at_most(100 * one['share_with_more_at_most'])} %", number(round(one["cut_off_about"])),
                 f"± {number(round(one['accuracy']))}"] for one in self._stated["limits"]]
        return html_table(["max_rows", "units with more, at most", "rows cut off, about", f"noise at epsilon {self._stated['at_epsilon']:g}"],
                          rows, repr(self))


def limits(catalog: Catalog | str | os.PathLike[str], table: str, *, epsilon: Any, delta: Any = None, alpha: Any = None, at: Any = 1,
           data: Mapping[str, Any] | None = None, out: str | os.PathLike[str] | None = None, analyst: str | None = None,
           request: str | None = None, again: bool = False, progress: bool = True) -> Limits:
    """Finds privately how many rows the units of a table have, and what each `max_rows` would cut off and cost in noise.

    It spends `epsilon` of the catalog; `at` is the epsilon at which margins of COUNT(*) are told. The other words are those
    of `vernier.release`; the same question over the same rows is answered again for nothing.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"person": vn.Column("integer")}, unit="person", data={"person": [i % 5000 for i in range(20000)]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=5), {"visits": table}, folder=tempfile.mkdtemp())
    >>> vn.limits(catalog, "visits", epsilon=2).max_rows in (4, 5)
    True
    """
    asked = catalog_of(catalog)
    numbers = {"epsilon": epsilon, "delta": delta, "alpha": alpha, "at": 1 if at is None else at}
    terms = {name: written(name, value) for name, value in numbers.items() if value is not None}
    frames = frames_for(asked, data)
    arguments = (asked._located, text("the table", table), terms, frames, optional_text("analyst", analyst),
                 *request_of(request, again), None if out is None else path_bytes("out", out))
    with paying(dict), bar("running", progress) as show:
        published = answer_of(_core.bounds(*arguments, show))
    found = made(Limits, json.loads(published.documents[_ANSWER]))
    found.release = published
    assert RECORD in published.documents
    return found
