"""Tables that add up, as they were published: cells with their intervals, read from the files beside release.json."""

from __future__ import annotations

import csv
import importlib.util
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vernier._errors import FailedError, InvalidError, MissingError
from vernier._result import Result, copied, frame_of_rows, made, stated
from vernier._show import at_most, cut, html_table, number, text_table

if TYPE_CHECKING:
    import pandas

_FIGURES = ("estimate", "value", "low", "high")


class ReleasedCells(Result):
    """The cells of one table: the keys of its columns, the `estimate`, which adds up and may be negative, and the `value`
    with the interval `low` to `high`, which are whole and possible.

    **Add up estimates, never values.** Who goes through it gets a dictionary for each cell; `cells["estimate"]` has the
    estimates by themselves.

    >>> import tempfile
    >>> import vernier as vn
    >>> columns = {"sex": vn.Column("string", keys=["f", "m"]), "old": vn.Column("boolean")}
    >>> people = vn.Table(columns, unit="row", data={"sex": ["f", "m", "m"], "old": [True, False, True]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6), {"people": people}, folder=tempfile.mkdtemp())
    >>> asked = vn.Tables("people", "people", ["sex", "old"], up_to=2)
    >>> tables = vn.release(vn.Study(catalog, [asked], epsilon=1, delta=1e-7))["people"]
    >>> sexes = tables.table("sex")
    >>> sexes["sex"], [low <= value <= high for low, value, high in zip(sexes["low"], sexes["value"], sexes["high"])]
    (['f', 'm', 'other'], [True, True, True])
    """

    _maker = 'vernier.release(study)[name].table("sex", "region")'
    _rows: list[list[str]]
    _header: list[str]

    columns: list[str] = stated("""Its columns, in the order of the study.

        >>> sexes.columns
        ['sex']
        """)
    accuracy: float = stated("""Every cell lies within this of the exact count, with its confidence; proven before any data was read.

        >>> 0 < sexes.accuracy < 30
        True
        """)
    deviation: float = stated("""The standard deviation of the error of an estimate.

        >>> 0 < sexes.deviation < sexes.accuracy
        True
        """)

    @property
    def names(self) -> list[str]:
        """The names of all columns as a frame has them.

        >>> sexes.names
        ['sex', 'estimate', 'value', 'low', 'high']
        """
        return [*self.columns, *_FIGURES]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        places = [self._header.index(column) for column in self.columns]
        first = len(self._header) - len(_FIGURES)
        for row in self._rows:
            yield {**{column: row[place] for column, place in zip(self.columns, places)}, "estimate": float(row[first]),
                   **{name: int(row[first + 1 + i]) for i, name in enumerate(_FIGURES[1:])}}

    def __getitem__(self, name: str) -> list[Any]:
        """One column: keys, estimates, values, or ends of intervals."""
        if name not in self.names:
            raise MissingError(f"a cell has no column of this name; it has {', '.join(self.names)}")
        return [row[name] for row in self]

    def cell(self, **keys: Any) -> dict[str, Any]:
        """The cell with these keys, one for every column.

        >>> sexes.cell(sex="f")["sex"]
        'f'
        """
        wanted = {name: str(key) for name, key in keys.items()}
        if sorted(wanted) != sorted(self.columns):
            raise InvalidError(f"a cell of this table has a key for each of {', '.join(self.columns) or 'no column'}")
        for row in self:
            if all(row[name] == key for name, key in wanted.items()):
                return row
        raise MissingError("the table has no cell with these keys")

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of a frame, by name.

        >>> list(sexes.to_dict())
        ['sex', 'estimate', 'value', 'low', 'high']
        """
        rows = list(self)
        return {name: [row[name] for row in rows] for name in self.names}

    def to_pandas(self) -> pandas.DataFrame:
        """As a frame of pandas.

        >>> sexes.to_pandas().shape
        (3, 5)
        """
        return frame_of_rows(self.to_dict())

    def __repr__(self) -> str:
        shown, left_out = cut(self._shown())
        return f"{self._title()}\n{text_table(self.names, shown)}" + (f"\n{left_out}" if left_out else "")

    def _repr_html_(self) -> str:
        shown, left_out = cut(self._shown())
        return html_table(self.names, shown, caption=self._title()) + (f"<p>{left_out}</p>" if left_out else "")

    def _shown(self) -> list[list[Any]]:
        return [[*(row[name] for name in self.columns), number(row["estimate"]), *(row[name] for name in _FIGURES[1:])]
                for row in self]

    def _title(self) -> str:
        return f"{', '.join(self.columns) or 'all rows'}: each cell within {at_most(self.accuracy, 4)}"


class ReleasedTables(Result):
    """The tables of one `vernier.Tables`: `.table("sex", "region")` has the cells of the table of these columns, in
    whichever order they are named, and `.table()` the number of all rows.

    >>> import tempfile
    >>> import vernier as vn
    >>> columns = {"sex": vn.Column("string", keys=["f", "m"]), "old": vn.Column("boolean")}
    >>> people = vn.Table(columns, unit="row", data={"sex": ["f", "m", "m"], "old": [True, False, True]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6), {"people": people}, folder=tempfile.mkdtemp())
    >>> asked = vn.Tables("people", "people", ["sex", "old"], up_to=2)
    >>> tables = vn.release(vn.Study(catalog, [asked], epsilon=1, delta=1e-7))["people"]
    >>> tables.columns
    [[], ['sex'], ['old'], ['sex', 'old']]
    >>> sexes = tables.table("sex")
    >>> sexes["sex"], abs(sum(sexes["estimate"]) - tables.table()["estimate"][0]) < 1e-9
    (['f', 'm', 'other'], True)
    >>> len(tables.table("old", "sex")), tables.table("sex").accuracy > 0
    (9, True)
    """

    _maker = "vernier.release(study)[name]"
    _files: dict[int, str]  # the content of the CSV of each order
    _parquet: dict[int, bytes]  # that of the Parquet file of each order
    _columns_of_all: list[str]

    name: str = stated("""The name that the study gives them.

        >>> tables.name
        'people'
        """)

    confidence: float = stated("""The probability with which an interval holds.

        >>> tables.confidence
        0.95
        """)

    simultaneous: bool = stated("""Whether all intervals hold at once with it.

        >>> tables.simultaneous
        False
        """, otherwise=False)

    @property
    def columns(self) -> list[list[str]]:
        """The columns of each of its tables.

        >>> tables.columns[-1]
        ['sex', 'old']
        """
        return [copied(one["columns"]) for one in self._stated["tables"]]

    def table(self, *columns: str) -> ReleasedCells:
        """The cells of the table of these columns.

        >>> len(tables.table("sex", "old"))
        9
        """
        for place, one in enumerate(self._stated["tables"]):
            if sorted(one["columns"]) == sorted(columns):
                header, rows = _cells_at(self, place)
                return made(ReleasedCells, one, header=header, rows=rows)
        known = "; ".join(", ".join(one) or "(all rows)" for one in self.columns)
        raise MissingError(f"there is no table of these columns; there are {known}")

    def __len__(self) -> int:
        return len(self._stated["tables"])

    def __iter__(self) -> Iterator[ReleasedCells]:
        return (self.table(*columns) for columns in self.columns)

    def __repr__(self) -> str:
        return f"{self.name}, tables that add up\n{text_table(_HEADINGS, cut(self._shown())[0])}"

    def _repr_html_(self) -> str:
        return html_table(_HEADINGS, cut(self._shown())[0], caption=f"{self.name}, tables that add up")

    def _shown(self) -> list[list[Any]]:
        return [[", ".join(one["columns"]) or "(all rows)", one["cells"], at_most(one["accuracy"], 4)] for one in self._stated["tables"]]


_HEADINGS = ("table", "cells", "each within")


def _cells_at(tables: ReleasedTables, place: int) -> tuple[list[str], list[list[str]]]:
    """Those of one table: files have the tables of so many columns one after the other, in the order of the record."""
    every = tables._stated["tables"]
    order = len(every[place]["columns"])
    first = sum(one["cells"] for one in every[:place] if len(one["columns"]) == order)
    if order in tables._files:
        header, rows = _csv_rows(tables._files[order], first, every[place]["cells"])
    elif order in tables._parquet:
        header, rows = _parquet_rows(tables._parquet[order], first, every[place]["cells"])
    else:
        raise MissingError("the cells of this table are in no file that was read; read the folder of the release")
    if len(rows) != every[place]["cells"]:
        raise InvalidError("the file of this table has other cells than release.json says; see vernier.verify")
    return header, rows


def _csv_rows(text: str, first: int, cells: int) -> tuple[list[str], list[list[str]]]:
    lines = csv.reader(io.StringIO(text, newline=""))
    header = next(lines)
    return header, [row for i, row in enumerate(lines) if first <= i < first + cells]


def _parquet_rows(content: bytes, first: int, cells: int) -> tuple[list[str], list[list[str]]]:
    if importlib.util.find_spec("pyarrow") is None:
        raise FailedError("tables of more than 10,000 cells are read through pyarrow, which is not installed; run: pip install pyarrow")
    from pyarrow import BufferReader, parquet

    found = parquet.read_table(BufferReader(content)).slice(first, cells)
    columns = [["" if one is None else str(one) for one in column.to_pylist()] for column in found.columns]
    return found.column_names, [list(row) for row in zip(*columns)]


def released_tables(content: Mapping[str, Any], documents: Mapping[str, bytes]) -> dict[str, ReleasedTables]:
    """All of a record, by their names."""
    every = content.get("tables", [])
    listed = [one["name"] for one in content["certificate"].get("documents", [])]
    slugs = [name[:-len(_CONTRASTS)] for name in listed if name.endswith(_CONTRASTS)]
    return {one["name"]: made(ReleasedTables, one, files=_files_of(slug, one["tables"], documents),
                              parquet=_parquet_of(slug, one["tables"], documents))
            for one, slug in zip(every, slugs or [""] * len(every))}


_CONTRASTS = ".contrasts.txt"


def _files_of(slug: str, tables: Sequence[Mapping[str, Any]], documents: Mapping[str, bytes]) -> dict[int, str]:
    orders = sorted({len(one["columns"]) for one in tables})
    names = {order: f"{slug}.order-{order}.csv" for order in orders}
    return {order: documents[name].decode() for order, name in names.items() if name in documents}


def _parquet_of(slug: str, tables: Sequence[Mapping[str, Any]], documents: Mapping[str, bytes]) -> dict[int, bytes]:
    orders = sorted({len(one["columns"]) for one in tables})
    names = {order: f"{slug}.order-{order}.parquet" for order in orders}
    return {order: documents[name] for order, name in names.items() if name in documents}
