"""One statement, released at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from vernier import _core
from vernier._errors import InvalidError
from vernier._words import kind_of, text
from vernier.catalogs import Catalog
from vernier.releases import DocumentKind, Release, released, tell_assumed_limits
from vernier.studies import Covers, Statistic, Study, catalog_of


def query(catalog: Catalog | str | os.PathLike[str], sql: str, *, epsilon: Any = None, delta: Any = None,
          accuracy: Any = None, alpha: Any = None, max_groups: int | None = None, max_rows: int | None = None,
          typical_rows: int | None = None, covers: Covers | None = None, data: Mapping[str, Any] | None = None,
          out: str | os.PathLike[str] | None = None, analyst: str | None = None, request: str | None = None, again: bool = False,
          documents: bool | Sequence[DocumentKind] | None = None, progress: bool = True) -> Release:
    """One statement, released at once with intervals. It spends budget of the catalog.

    State what it may cost, `epsilon` and `delta`, or how accurate it is to be: `accuracy` is the ± of all numbers, or a
    dictionary with that of each. With both, the least budget is spent that keeps the accuracy, and what would need more than
    `epsilon` is refused. All other words are those of `vernier.Statistic` and `vernier.release`: the same statement
    over the same rows is answered again for nothing, unless `again=True` asks for new noise.

    >>> import tempfile
    >>> import vernier as vn
    >>> people = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": people}, folder=tempfile.mkdtemp())
    >>> published = vn.query(catalog, "SELECT COUNT(*) AS total FROM people", epsilon=0.5)
    >>> published["total"].low <= published["total"].value <= published["total"].high
    True
    >>> vn.query(catalog, "SELECT COUNT(*) AS total FROM people", accuracy=10)["total"].number.accuracy
    10
    """
    asked = catalog_of(catalog)
    statement = text("the statement", sql)
    if epsilon is None and accuracy is None:
        raise InvalidError("say what it may cost or how accurate it is to be: epsilon=0.1, or accuracy=50")
    statistic = Statistic("query", statement, accuracy=_accuracies(asked, statement, accuracy), max_groups=max_groups,
                          max_rows=max_rows, typical_rows=typical_rows, covers=covers)
    study = Study(asked, [statistic], epsilon=epsilon, delta=delta, alpha=alpha, name="query")
    tell_assumed_limits(study, "of vn.query")
    return released(study, data=data, out=out, analyst=analyst, request=request, again=again, documents=documents,
                    progress=progress)


def _accuracies(catalog: Catalog, sql: str, accuracy: Any) -> Mapping[str, Any] | None:
    """By column, where one number is meant for all of them."""
    if accuracy is None or isinstance(accuracy, Mapping):
        return accuracy
    if isinstance(accuracy, (list, tuple)):
        raise InvalidError(f'accuracy is {kind_of(accuracy)}; write a number such as 50, or a dictionary such as {{"people": 50}}')
    return {column: accuracy for column in _core.columns_of(catalog._located, sql)}
