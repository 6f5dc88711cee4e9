"""The steward's catalog: what is protected, what may be spent, and what is public about the data."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from vernier import _core, _toml
from vernier._engines import session_of
from vernier._errors import InvalidError
from vernier._frames import Frame, check_frame, check_unchanged, frame_of
from vernier._located import CATALOG, Located, file_of, in_folder, place_of, read_located
from vernier._result import copied, stated
from vernier._show import html_table
from vernier._toml import numbers_in, value_text
from vernier._words import kind_of, text


def said_of(declared: Any) -> dict[str, Any]:
    """What was said of a declaration, in its order."""
    return {one.name: getattr(declared, one.name) for one in fields(declared) if getattr(declared, one.name) is not None}


class Declaration:
    """What can be said in TOML, which is looked at when it is built. It shows what was said, and nothing of data."""

    def _entries(self) -> dict[str, Any]:
        """The keys and values of its table."""
        return said_of(self)

    def __post_init__(self) -> None:
        for name, value in self._entries().items():
            value_text(name, value)
        self.__dict__["_built"] = True

    def __setattr__(self, name: str, value: Any) -> None:
        if "_built" in self.__dict__:
            raise InvalidError(f"a {type(self).__name__} never changes; build another")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        said = {name: "..." if name == "data" else repr(value) for name, value in said_of(self).items()}
        inner = ", ".join(f"{name}={value}" for name, value in said.items())
        return f"{type(self).__name__}({inner})"


ColumnType = Literal["integer", "real", "string", "boolean", "date"]


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
    accountant: Literal["zcdp", "rdp", "pure"] | None = None
    witness: str | os.PathLike[str] | None = None
    shares: Mapping[str, Any] | None = None
    conversion: str | None = None

    def _entries(self) -> dict[str, Any]:
        entries = said_of(self)
        for name in ("ledger", "witness"):
            if isinstance(entries.get(name), os.PathLike):
                entries[name] = os.fspath(entries[name])
        return numbers_in(entries, "epsilon", "delta", "shares")


@dataclass(repr=False, eq=False)
class Column(Declaration):
    """What is public about a column: its type, its bounds, its keys.

    `type` is "integer", "real", "string", "boolean" or "date". Bounds are `bounds=(lower, upper)`, or `lower` and `upper`;
    of dates those of datetime, pandas and numpy. Bounds of reals that are not on the grid are moved outward to it. How the
    cells of a CSV file are written (`decimal_mark`, `date_format`, ...) is as in a catalog file.

    >>> import vernier as vn
    >>> vn.Column("integer", bounds=(0, 100))
    Column(type='integer', bounds=(0, 100))
    >>> vn.Column("string", keys=["north", "south"])
    Column(type='string', keys=['north', 'south'])
    """

    type: ColumnType
    bounds: tuple[Any, Any] | None = None
    lower: Any = None
    upper: Any = None
    granularity: Any = None
    keys: Sequence[Any] | None = None
    labels: Mapping[Any, str] | None = None
    rest: Any = None
    never_null: bool | None = None
    missing: Sequence[Any] | None = None
    decimal_mark: Literal[".", ","] | None = None
    thousands: str | None = None
    date_format: str | None = None
    true_words: Sequence[str] | None = None
    false_words: Sequence[str] | None = None
    trim: bool | None = None

    def _entries(self) -> dict[str, Any]:
        entries = said_of(self)
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
    columns), or they stand in the file `source`, or in several, by a pattern or a list, or in a table of the catalog's engine: {"table": "census.people"}. Without either, `vernier.release(study, data={...})` gives them. The other
    keys are those of `[tables.NAME]` in a catalog. Columns of the frame that are not declared are not read, and the
    index of a pandas frame is not a column.

    >>> import vernier as vn
    >>> vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", source="people.csv")
    Table(columns={'age': Column(type='integer', bounds=(0, 100))}, unit='row', source='people.csv')
    """

    columns: Mapping[str, Column | Mapping[str, Any] | str]
    unit: str | None = None
    data: Any = field(default=None, compare=False)
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, str] | None = None
    format: Literal["csv", "parquet", "arrow"] | None = None
    delimiter: str | None = None
    quoted: bool | None = None
    line_breaks: bool | None = None
    neighbours: Literal["add-remove", "replace"] | None = None
    row_limit: int | None = None
    sampled: Any = None
    weight: str | None = None
    public_count: Any = None
    public: bool | None = None
    expressions: Mapping[str, Any] | None = None
    max_rows: int | None = None
    max_groups: int | None = None
    missing: Sequence[Any] | None = None
    decimal_mark: Literal[".", ","] | None = None
    thousands: str | None = None
    date_format: str | None = None
    true_words: Sequence[str] | None = None
    false_words: Sequence[str] | None = None
    trim: bool | None = None

    def _entries(self) -> dict[str, Any]:
        entries = said_of(self)
        for key in ("columns", "data"):
            entries.pop(key, None)
        if self.data is not None and self.source is not None:
            raise InvalidError("a table has data and also a source; its rows stand in one place, so leave one of them out")
        if isinstance(self.source, os.PathLike):
            entries["source"] = os.fspath(self.source)
        if isinstance(self.source, (list, tuple)):
            entries["source"] = [os.fspath(part) if isinstance(part, os.PathLike) else part for part in self.source]
        if self.source is None:
            entries.setdefault("format", "arrow")
        return numbers_in(entries, "row_limit", "sampled", "max_rows", "max_groups")

    def __post_init__(self) -> None:
        value_text("columns", self._columns())
        if self.data is not None:
            check_frame("data of a table", self.data)
        super().__post_init__()

    def _columns(self) -> dict[str, Any]:
        if not isinstance(self.columns, Mapping):
            raise InvalidError(f"the columns of a table are {kind_of(self.columns)}; write a dictionary, for example "
                               '{"age": vn.Column("integer", bounds=(0, 100))}')
        return {name: _column_entries(name, column) for name, column in self.columns.items()}


def _column_entries(name: Any, column: Any) -> Any:
    if isinstance(column, Column):
        return column._entries()
    if not isinstance(column, (str, Mapping)):
        raise InvalidError(f"the column '{name}' is {kind_of(column)}; write one such as vn.Column(\"integer\")")
    return {"type": column} if isinstance(column, str) else column


class Catalog:
    """What a steward declares: a budget, and the tables that are protected.

    It is written as the TOML of a catalog file and read by the reader of the command line, so that the same rules hold; what
    breaks one is refused here, before there is any data. `folder` is where the ledger and files are found from.

    >>> import tempfile
    >>> import vernier as vn
    >>> catalog = vn.Catalog(
    ...     budget=vn.Budget(epsilon=2, delta=1e-6, ledger="survey.ledger"),
    ...     tables={"people": vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row",
    ...                                data={"age": [31, 47, 58]})},
    ...     folder=tempfile.mkdtemp())
    >>> catalog
    Catalog(epsilon=2, delta=1e-06, tables=['people'])
    >>> print(catalog.to_toml(), end="")
    [budget]
    epsilon = 2
    delta = 1e-06
    ledger = "survey.ledger"
    <BLANKLINE>
    [tables.people]
    unit = "row"
    format = "arrow"
    <BLANKLINE>
    [tables.people.columns]
    age = { type = "integer", lower = 0, upper = 100 }
    """

    def __init__(self, budget: Budget, tables: Mapping[str, Table], *, views: Mapping[str, Mapping[str, Any]] | None = None,
                 engine: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] = ".") -> None:
        given = _tables_of(tables)
        located = in_folder(folder, CATALOG), _catalog_text(budget, given, views, engine).encode()
        declared = _checked(located)
        frames = {name: frame_of(name, table.data, _types(declared, name))
                  for name, table in given.items() if table.data is not None}
        self._located: Located = located
        self._stated: dict[str, Any] = declared
        self._frames: dict[str, Frame] = frames

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Catalog:
        """The catalog in this file.

        >>> import vernier as vn
        >>> vn.Catalog.read("no/such/catalog.toml")
        Traceback (most recent call last):
            ...
        vernier.MissingFileError: the file 'no/such/catalog.toml' cannot be read: No such file or directory; look whether its name is right
        """
        made = cls.__new__(cls)
        made._located = read_located(path)
        made._stated = _checked(made._located)
        made._frames = {}
        return made

    @staticmethod
    def new(data: str | os.PathLike[str], *, out: str | os.PathLike[str] = "catalog.toml", delimiter: str | None = None,
            engine: Any = None) -> Path:
        """Writes a catalog to fill in, with the names of the columns of a CSV or Parquet file, or of a table of `engine`, an
        address or a session of Spark; of the data nothing else is read. A file that is there is not written over.

        >>> with open("visits.csv", "w") as file:
        ...     _ = file.write("day;ward\\n")
        >>> vn.Catalog.new("visits.csv", out="visits.toml").read_text().splitlines()[-1]
        'ward = {}'
        """
        if engine is not None and not isinstance(engine, str):
            content = _core.new_catalog(os.fspath(data), session_of(engine))
            with open(out, "x", encoding="utf-8") as file:
                file.write(content)
            return Path(out)
        words = ["catalog", "new", os.fspath(data), "--out", os.fspath(out)]
        for name, value in (("--delimiter", delimiter), ("--engine", engine)):
            words += [] if value is None else [name, text(name[2:], value)]
        _core.printed(words)
        return Path(out)

    def check(self, engine: Any) -> None:
        """Compares its tables with those that a session of Spark has, and asks the session what it means; no row is read. What
        is wrong is an error.

        >>> catalog.check(3)
        Traceback (most recent call last):
        vernier.InvalidError: engine is an int; give a session of Spark 4 or later, or leave it out
        """
        _core.check_tables(self._located, session_of(engine))

    def fit(self) -> dict[str, Any]:
        """How the cells of its CSV files fit what it declares, by the words of `vernier catalog check --data --json`. These are
        **exact counts of the data, for the steward alone**. Of a catalog in a file.

        >>> catalog.fit()
        Traceback (most recent call last):
        vernier.InvalidError: the catalog stands in no file; write to_toml() into one, and read that
        """
        return json.loads(_core.printed(["catalog", "check", self._file(), "--data", "--json"]))

    def reopen(self, table: str) -> bool:
        """Opens a table again that a failed run has closed, once its file was repaired; whether it was closed. Of a catalog in a
        file.

        >>> catalog.reopen("people")
        Traceback (most recent call last):
        vernier.InvalidError: the catalog stands in no file; write to_toml() into one, and read that
        """
        words = ["catalog", "reopen", self._file(), "--table", text("table", table), "--json"]
        return bool(json.loads(_core.printed(words))["was_closed"])

    def _file(self) -> str:
        if self.path is None:
            raise InvalidError("the catalog stands in no file; write to_toml() into one, and read that")
        return str(self.path)

    @property
    def path(self) -> Path | None:
        """The file that it was read from; None where a program made it.

        >>> catalog.path is None
        True
        """
        return file_of(self._located)

    @property
    def tables(self) -> list[str]:
        """The names of all tables, protected and public.

        >>> catalog.tables
        ['people']
        """
        return [table["name"] for table in self._stated["tables"]]

    epsilon: float = stated("""What may be spent of epsilon in all.

        >>> catalog.epsilon
        2
        """, "budget", "epsilon")

    delta: float = stated("""What may be spent of delta in all; 0 where the budget names none.

        >>> catalog.delta
        1e-06
        """, "budget", "delta")

    def to_dict(self) -> dict[str, Any]:
        """All that it declares, by the words of `vernier catalog check --json`.

        >>> catalog.to_dict()["tables"][0]["columns"][0]["upper"]
        100
        """
        return copied(self._stated)

    def to_toml(self) -> str:
        """The text of the catalog file that says the same.

        >>> catalog.to_toml().splitlines()[:2]
        ['[budget]', 'epsilon = 2']
        """
        return self._located[1].decode()

    def __repr__(self) -> str:
        return f"Catalog(epsilon={self.epsilon:g}, delta={self.delta:g}, tables={self.tables})"

    def _repr_html_(self) -> str:
        rows = [[table["name"], column["name"], column["type"], _bounds_text(column), _keys_text(column),
                 "public" if table["public"] else "protected"]
                for table in self._stated["tables"] for column in table["columns"]]
        return html_table(["table", "column", "type", "bounds", "keys", ""], rows,
                          f"epsilon {self.epsilon:g} and delta {self.delta:g} for everything together")

    def __getstate__(self) -> dict[str, Any]:
        return {"_located": self._located, "_stated": self._stated, "_frames": {}}  # rows stay where they are

    def __copy__(self) -> Catalog:
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> Catalog:
        return self


def frames_for(catalog: Catalog, data: Any) -> dict[str, Frame]:
    """Rows for tables of a catalog, beside those that it has: a dictionary of frames by table, or None."""
    if not isinstance(data, (Mapping, type(None))):
        raise InvalidError(f'data is {kind_of(data)}; write a dictionary from tables to their rows, as in {{"people": frame}}')
    given = {name: frame_of(name, rows, _types(catalog._stated, name)) for name, rows in (data or {}).items()}
    for name, frame in catalog._frames.items():
        check_unchanged(name, frame)
    return {**catalog._frames, **given}


def _types(declared: Mapping[str, Any], name: Any) -> dict[str, str]:
    """The declared types of a table by its columns; none of a table that is not there, which the core will say."""
    for table in declared["tables"]:
        if isinstance(name, str) and table["name"].casefold() == name.casefold():
            return {column["name"]: column["type"] for column in table["columns"]}
    return {}


def _tables_of(tables: Any) -> dict[str, Table]:
    if not isinstance(tables, Mapping):
        raise InvalidError(f"the tables of a catalog are {kind_of(tables)}; write a dictionary, for example "
                           '{"people": vn.Table(...)}')
    if not tables:
        raise InvalidError('the catalog has no tables; write for example {"people": vn.Table(...)}')
    for name, table in tables.items():
        if not isinstance(table, Table):
            raise InvalidError(f"a table of a catalog is {kind_of(table)}; write vn.Table(columns, unit=...)")
        _toml.key_text(name)
    return dict(tables)


def _catalog_text(budget: Any, tables: Mapping[str, Table], views: Mapping[str, Mapping[str, Any]] | None,
                  engine: Mapping[str, Any] | None) -> str:
    if not isinstance(budget, Budget):
        raise InvalidError(f"the budget of a catalog is {kind_of(budget)}; write vn.Budget(epsilon=1, delta=1e-6)")
    parts: dict[str, Any] = {"budget": budget._entries()}
    if engine is not None:
        parts["engine"] = _engine_of(engine)
    for name, table in tables.items():
        key = f"tables.{_toml.key_text(name)}"
        parts[key] = table._entries()
        parts[f"{key}.columns"] = table._columns()
    for name, view in _views_of(views).items():
        parts[f"views.{_toml.key_text(name)}"] = view
    return _toml.document({}, parts)


def _engine_of(engine: Any) -> Mapping[str, Any]:
    if not isinstance(engine, Mapping):
        raise InvalidError(f'the engine of a catalog is {kind_of(engine)}; write a dictionary, for example {{"kind": "spark"}}; a '
                           "session is given to vn.release")
    return engine


def _views_of(views: Any) -> Mapping[str, Mapping[str, Any]]:
    if views is None:
        return {}
    if not isinstance(views, Mapping) or not all(isinstance(view, Mapping) for view in views.values()):
        raise InvalidError('the views of a catalog are no dictionary of dictionaries; write for example '
                           '{"adults": {"table": "people", "where": "age >= 18"}}')
    return views


def _checked(located: Located) -> dict[str, Any]:
    """What the catalog declares; all that is wrong is one error, a line each."""
    declared = json.loads(_core.catalog_json(located))
    problems = declared.pop("problems")
    declared.pop("catalog", None)
    if problems:
        raise InvalidError("\n".join(place_of(located, one) + one["sentence"] for one in problems))
    return declared


def _bounds_text(column: Mapping[str, Any]) -> str:
    return "" if column["lower"] is None else f"{column['lower']} to {column['upper']}"


def _keys_text(column: Mapping[str, Any]) -> str:
    return f"{len(column['keys'])} public" if column["keys"] else "private"
