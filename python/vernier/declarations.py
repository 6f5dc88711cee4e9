"""The parts of a catalog, by the words of its file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from vernier._errors import InvalidError
from vernier._frames import check_frame
from vernier._toml import numbers_in, value_text
from vernier._words import kind_of


def stated(declared: Any) -> dict[str, Any]:
    """What was said of a declaration, in its order."""
    return {one.name: getattr(declared, one.name) for one in fields(declared) if getattr(declared, one.name) is not None}


class Declaration:
    """What can be said in TOML, which is looked at when it is built. It shows what was said, and nothing of data."""

    def _entries(self) -> dict[str, Any]:
        """The keys and values of its table."""
        return stated(self)

    def __post_init__(self) -> None:
        for name, value in self._entries().items():
            value_text(name, value)
        self.__dict__["_built"] = True

    def __setattr__(self, name: str, value: Any) -> None:
        if "_built" in self.__dict__:
            raise InvalidError(f"a {type(self).__name__} never changes; build another")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        said = {name: "..." if name == "data" else repr(value) for name, value in stated(self).items()}
        inner = ", ".join(f"{name}={value}" for name, value in said.items())
        return f"{type(self).__name__}({inner})"


@dataclass(repr=False, eq=False)
class Budget(Declaration):
    """What may be spent, for ever, on everything that is published from a catalog.

    The keys are those of `[budget]` in a catalog. Numbers are exact decimals: 0.1 means one tenth.

    >>> import vernier as vn
    >>> vn.Budget(epsilon=2, delta=1e-6, ledger="survey.ledger")
    Budget(epsilon=2, delta=1e-06, ledger='survey.ledger')
    """

    epsilon: Any
    delta: Any = None
    ledger: str | os.PathLike[str] | None = None
    accountant: str | None = None
    witness: str | os.PathLike[str] | None = None
    shares: Mapping[str, Any] | None = None
    conversion: str | None = None

    def _entries(self) -> dict[str, Any]:
        entries = stated(self)
        for name in ("ledger", "witness"):
            if isinstance(entries.get(name), os.PathLike):
                entries[name] = os.fspath(entries[name])
        return numbers_in(entries, "epsilon", "delta", "shares")


@dataclass(repr=False, eq=False)
class Column(Declaration):
    """What is public about a column: its type, its bounds, its keys.

    `type` is "integer", "real", "string", "boolean" or "date". Bounds are `bounds=(lower, upper)`, or `lower` and `upper`.

    >>> import vernier as vn
    >>> vn.Column("integer", bounds=(0, 100))
    Column(type='integer', bounds=(0, 100))
    >>> vn.Column("string", keys=["north", "south"])
    Column(type='string', keys=['north', 'south'])
    """

    type: str
    bounds: tuple[Any, Any] | None = None
    lower: Any = None
    upper: Any = None
    granularity: Any = None
    keys: Sequence[Any] | None = None
    labels: Mapping[Any, str] | None = None

    def _entries(self) -> dict[str, Any]:
        entries = stated(self)
        if not isinstance(self.type, str):
            raise InvalidError(f'the type of a column is {kind_of(self.type)}; write "integer", "real", "string", "boolean" or "date"')
        if "bounds" in entries:
            entries |= dict(zip(("lower", "upper"), self._both_bounds()))
            del entries["bounds"]
        return numbers_in(entries, "granularity")

    def _both_bounds(self) -> tuple[Any, Any]:
        if self.lower is not None or self.upper is not None:
            raise InvalidError("a column has bounds and also lower or upper; give them once")
        if not isinstance(self.bounds, (tuple, list)) or len(self.bounds) != 2:
            raise InvalidError(f"the bounds of a column are {_shape(self.bounds)}; write (lower, upper), for example (0, 100)")
        return self.bounds[0], self.bounds[1]


def _shape(value: Any) -> str:
    return f"{kind_of(value)} of {len(value)}" if isinstance(value, (tuple, list)) else kind_of(value)


@dataclass(repr=False, eq=False)
class Table(Declaration):
    """A table: whose data it is, and what is public about its columns.

    Its rows are `data`, a frame (anything with `__arrow_c_stream__`: pandas, polars, Arrow, DuckDB; or a dictionary of
    columns), or they stand in the file `source`. Without either, `vernier.release(study, data={...})` gives them. The other
    keys are those of `[tables.NAME]` in a catalog. Columns of the frame that are not declared are not read, and the
    index of a pandas frame is not a column.

    >>> import vernier as vn
    >>> vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", source="people.csv")
    Table(columns={'age': Column(type='integer', bounds=(0, 100))}, unit='row', source='people.csv')
    """

    columns: Mapping[str, Column | Mapping[str, Any] | str]
    unit: str | None = None
    data: Any = field(default=None, compare=False)
    source: str | os.PathLike[str] | None = None
    format: str | None = None
    delimiter: str | None = None
    quoted: bool | None = None
    line_breaks: bool | None = None
    neighbours: str | None = None
    row_limit: int | None = None
    sampled: Any = None
    weight: str | None = None
    public_count: Any = None
    public: bool | None = None
    expressions: Mapping[str, Any] | None = None

    def _entries(self) -> dict[str, Any]:
        entries = stated(self)
        for key in ("columns", "data"):
            entries.pop(key, None)
        if self.data is not None and self.source is not None:
            raise InvalidError("a table has data and also a source; its rows stand in one place, so leave one of them out")
        if isinstance(self.source, os.PathLike):
            entries["source"] = os.fspath(self.source)
        if self.source is None:
            entries.setdefault("format", "arrow")
        return numbers_in(entries, "row_limit", "sampled")

    def __post_init__(self) -> None:
        value_text("columns", self._columns())
        if self.data is not None:
            check_frame("data of a table", self.data)
        super().__post_init__()

    def _columns(self) -> dict[str, Any]:
        if not isinstance(self.columns, Mapping):
            raise InvalidError(f"the columns of a table are {kind_of(self.columns)}; write a dictionary, for example "
                               '{"age": vn.Column("integer", bounds=(0, 100))}')
        return {name: _column_entries(column) for name, column in self.columns.items()}


def _column_entries(column: Any) -> Any:
    if isinstance(column, Column):
        return column._entries()
    return {"type": column} if isinstance(column, str) else column
