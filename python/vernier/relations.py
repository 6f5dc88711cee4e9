"""Whether things go together: least squares and principal components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vernier import _toml
from vernier.catalogs import Declaration, said_of


def _entries_of(declared: Declaration) -> dict[str, Any]:
    """The keys of a study, where `table` is what stands in FROM, and one column may be written without a list."""
    said = {"from" if name == "table" else name: value for name, value in said_of(declared).items()}
    entries = {name: [value] if name in ("x", "columns", "group_by") and isinstance(value, str) else value for name, value in said.items()}
    return _toml.numbers_in(entries, "accuracy", "weight", "alpha", "max_groups", "max_rows", "typical_rows")


@dataclass(repr=False, eq=False)
class Regression(Declaration):
    """Least squares of `y` on one to eight `x`, each a column or an expression with bounds: a row for every coefficient, the
    deviation of the residuals and R². The keys are those of `[[regression]]` in a study.

    >>> import vernier as vn
    >>> vn.Regression("income by schooling", "people", y="income", x=["educ"], accuracy={"educ": 100})
    Regression(name='income by schooling', table='people', y='income', x=['educ'], accuracy={'educ': 100})
    """

    name: str
    table: str
    y: str
    x: Sequence[str] | str
    where: str | None = None
    group_by: Sequence[str] | str | None = None
    accuracy: Mapping[str, Any] | None = None
    covers: Literal["sample", "population"] | None = None
    weight: Any = None
    alpha: Any = None
    max_groups: int | None = None
    max_rows: int | None = None
    typical_rows: int | None = None
    simultaneous: bool | None = None

    def _entries(self) -> dict[str, Any]:
        return _entries_of(self)


@dataclass(repr=False, eq=False)
class Components(Declaration):
    """The variances along the principal components of two to nine columns, and their shares of all. The keys are those of
    `[[components]]` in a study.

    >>> import vernier as vn
    >>> vn.Components("what varies together", "people", ["age", "educ", "income"])
    Components(name='what varies together', table='people', columns=['age', 'educ', 'income'])
    """

    name: str
    table: str
    columns: Sequence[str]
    where: str | None = None
    group_by: Sequence[str] | str | None = None
    accuracy: Mapping[str, Any] | None = None
    weight: Any = None
    alpha: Any = None
    max_groups: int | None = None
    max_rows: int | None = None
    typical_rows: int | None = None
    simultaneous: bool | None = None

    def _entries(self) -> dict[str, Any]:
        return _entries_of(self)
