"""One released table: a row for every group, with the interval of every number beside it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from vernier._errors import MissingError, NotOneError
from vernier._number import Number, Numbers, number_of, numbers_of
from vernier._result import Result, library, made, stated
from vernier._show import at_least, at_most, axes_or_new, cut, html_table, number, text_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes


Column = tuple[str, str, list[Any]]  # name, type and values


def all_columns(table: ReleasedTable) -> list[Column]:
    """As a frame has them."""
    names: list[str] = []
    columns = [(_free(names, key), kind, [_key(row[key], kind) for row in table._stated["rows"]])
               for key, kind in zip(table.keys, table._key_types)]
    for column in table.columns:
        columns += [(_free(names, name), *_typed(values, is_whole)) for name, values, is_whole in _parts(table, column)]
    return columns


def _parts(table: ReleasedTable, column: str) -> list[tuple[str, list[Any], bool | None]]:
    """A number, the ends of its interval, whether that says anything, and what denoising made of them: name, values, and
    whether they are whole; None of truth values."""
    figures = [row[column] for row in table._stated["rows"]]
    prefix = f"{column}_"
    is_whole, first = column in table._whole, figures[0] if figures else {}
    parts: list[tuple[str, list[Any], bool | None]] = [
        (column, [one["value"] for one in figures], is_whole),
        (f"{prefix}low", [one["interval"][0] for one in figures], is_whole),
        (f"{prefix}high", [one["interval"][1] for one in figures], is_whole),
        (f"{prefix}informative", [one.get("informative") is not False for one in figures], None)]
    if "denoised" in first:
        adds_up = "denoised_interval" in first
        parts.append((f"{prefix}denoised", [one["denoised"] for one in figures], is_whole and not adds_up))
    if "denoised_interval" in first:
        parts += [(f"{prefix}denoised_{end}", [one["denoised_interval"][i] for one in figures], False)
                  for i, end in enumerate(("low", "high"))]
    return parts


def whole_columns(stated: Mapping[str, Any], certified: Mapping[str, Any]) -> set[str]:
    """Counts, and sums and quantiles on a whole grid, of the rows as they are: what typical rows would divide is real."""
    covers = certified.get("inference", {}).get("covers", "sample")
    return {one["column"] for one in stated["releases"]
            if one["column"] and covers == "sample" and "typical_rows" not in one and one["granularity"] >= 1}


def _typed(values: list[Any], is_whole: bool | None) -> tuple[str, list[Any]]:
    """Truth values where it says neither whole nor real."""
    if is_whole is None:
        return "boolean", values
    figures = [int(one) if isinstance(one, str) else one for one in values]
    if is_whole and all(isinstance(one, int) and abs(one) < 2**63 for one in figures):
        return "integer", figures
    return "real", [float(one) for one in figures]


def _key(value: Any, kind: str) -> Any:
    if value is None or not isinstance(value, str):
        return value
    if kind == "date":
        return datetime.date.fromisoformat(value)
    return int(value) if kind == "integer" else value


def _free(names: list[str], name: str) -> str:
    """The name, or where it is taken, with as many _ behind it as it needs."""
    while name in names:
        name += "_"
    names.append(name)
    return name


class ReleasedTable(Result):
    """The numbers of one statistic, one row for every group.

    A frame has the keys, then each number as the SQL names it, with `_low` and `_high` behind for its interval and
    `_informative` for whether that says anything: `people, people_low, people_high, people_informative, income, ...`. With
    `denoise` there is also `people_denoised`. A name that is taken gets a `_` behind it, as in the CSV files. A column by
    its name, `table["people"]`, has the numbers by themselves; who goes through a table gets its rows.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> sql = "SELECT BUCKET(age, 50) AS age, COUNT(*) AS people FROM people GROUP BY 1"
    >>> ages = vn.release(vn.Study(catalog, [vn.Statistic("ages", sql)], epsilon=1))["ages"]
    >>> ages.keys, ages.columns, ages.names
    (['age'], ['people'], ['age', 'people', 'people_low', 'people_high', 'people_informative'])
    >>> ages.to_dict()["age"]
    [0, 50, 100]
    >>> [row["age"] for row in ages if row["people"].informative]
    [0, 50, 100]
    >>> one = vn.query(catalog, "SELECT COUNT(*) AS people FROM people", epsilon=0.1)["query"]
    """

    _maker = "vernier.release(study)[name]"
    _key_types: list[str]
    _whole: set[str]

    name: str = stated("""The name of the statistic.

        >>> ages.name
        'ages'
        """)

    sql: str = stated("""What was asked.

        >>> ages.sql == sql
        True
        """)

    keys: list[str] = stated("""The columns that groups are named by.

        >>> ages.keys
        ['age']
        """)

    @property
    def columns(self) -> list[str]:
        """The numbers of every group, as the SQL names them.

        >>> ages.columns
        ['people']
        """
        if self._stated["rows"]:
            return [name for name in self._stated["rows"][0] if name not in self._stated["keys"]]
        return [one["column"] for one in self._stated["releases"] if one["column"]]

    rows: list[dict[str, Any]] = stated("""Every row as release.json has it: keys, and each number with all that is said of it.

        >>> first = ages.rows[0]
        >>> first["age"], first["people"]["interval"][0] <= first["people"]["value"] <= first["people"]["interval"][1]
        (0, True)
        """)

    differences: list[dict[str, Any]] = stated("""How much groups differ, where that was asked.

        >>> ages.differences
        []
        """, otherwise=[])

    @property
    def confidences(self) -> list[float]:
        """The probabilities with which its intervals hold.

        >>> ages.confidences
        [0.95]
        """
        return sorted({row[column]["confidence"] for row in self._stated["rows"] for column in self.columns})

    @property
    def names(self) -> list[str]:
        """The names of all columns as a frame has them.

        >>> ages.names
        ['age', 'people', 'people_low', 'people_high', 'people_informative']
        """
        return [name for name, _, _ in all_columns(self)]

    def __len__(self) -> int:
        return len(self._stated["rows"])

    def __getitem__(self, column: str) -> Numbers:
        """The numbers of a column, one for every group."""
        name = _column(self, column)
        return numbers_of(name, [number_of(row[name], name in self._whole) for row in self._stated["rows"]])

    def get(self, column: str, default: Any = None) -> Any:
        """The numbers of a column, or `default` where there is none of this name.

        >>> len(ages.get("people")), ages.get("income") is None
        (3, True)
        """
        return self[column] if column in self else default

    def __contains__(self, column: object) -> bool:
        return isinstance(column, str) and column in self.columns

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Its rows: keys by their names, and each number with its interval."""
        for row in self._stated["rows"]:
            yield {**{key: _key(row[key], kind) for key, kind in zip(self.keys, self._key_types)},
                   **{name: number_of(row[name], name in self._whole) for name in self.columns}}

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    @property
    def number(self) -> Number:
        """The only number, of a statistic with one column and no groups.

        >>> one.number.confidence
        0.95
        """
        return self[_only_column(self)].number

    @property
    def value(self) -> int | float:
        """The value of the only number.

        >>> one.value == float(one)
        True
        """
        return self.number.value

    @property
    def low(self) -> int | float:
        """The lower end of the only number's interval.

        >>> one.low <= one.value
        True
        """
        return self.number.low

    @property
    def high(self) -> int | float:
        """The upper end of the only number's interval.

        >>> one.high >= one.value
        True
        """
        return self.number.high

    def __float__(self) -> float:
        return float(self.number)

    def __int__(self) -> int:
        return int(self.number)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of a frame, by name.

        >>> shown = ages.to_dict()
        >>> all(low <= value <= high for low, value, high in zip(shown["people_low"], shown["people"], shown["people_high"]))
        True
        """
        return {name: values for name, _, values in all_columns(self)}

    def to_arrow(self) -> pyarrow.Table:
        """As a table of pyarrow.

        >>> ages.to_arrow().schema.field("people").type
        DataType(int64)
        """
        arrow = library("pyarrow")
        types = {"integer": arrow.int64(), "real": arrow.float64(), "string": arrow.string(), "boolean": arrow.bool_(),
                 "date": arrow.date32()}
        columns = all_columns(self)
        return arrow.table([arrow.array(values, types[kind]) for _, kind, values in columns],
                           names=[name for name, _, _ in columns])

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """For whoever reads Arrow: `polars.DataFrame(table)`, `pyarrow.table(table)`, DuckDB."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pandas.DataFrame:
        """As a frame of pandas.

        >>> ages.to_pandas().shape
        (3, 5)
        """
        frames = library("pandas")
        types = {"integer": "Int64", "real": "float64", "string": "str", "boolean": "boolean", "date": "object"}
        plain = {"integer": "int64", "boolean": "bool"}  # where nothing is missing
        return frames.DataFrame({name: frames.Series(values, dtype=plain[kind] if kind in plain and None not in values
                                                     else types[kind]) for name, kind, values in all_columns(self)})

    def to_polars(self) -> polars.DataFrame:
        """As a frame of polars.

        >>> ages.to_polars().columns
        ['age', 'people', 'people_low', 'people_high', 'people_informative']
        """
        frames = library("polars")
        types = {"integer": frames.Int64, "real": frames.Float64, "string": frames.String, "boolean": frames.Boolean,
                 "date": frames.Date}
        columns = all_columns(self)
        return frames.DataFrame({name: values for name, _, values in columns},
                                schema={name: types[kind] for name, kind, _ in columns})

    def plot(self, ax: Axes | None = None, *, column: str | None = None) -> Axes:
        """The numbers of one column with their intervals; of the first where none is named.

        >>> ages.plot().get_title(loc="left")
        'ages, intervals of 95 %'
        """
        ax = axes_or_new(ax)
        column = _column(self, column)
        figures = [row[column] for row in self._stated["rows"]]
        values = [float(one["value"]) for one in figures]
        low, high = ([float(one["interval"][i]) for one in figures] for i in (0, 1))
        places = list(range(len(values)))
        ax.vlines(places, low, high, colors="#0072B2")
        ax.plot(places, values, "o", color="#0072B2", label=column, markersize=6 if len(places) <= 30 else 3)
        _set_labels(ax, _labels(self))
        ax.set_ylabel(column)
        confidence = " or ".join(f"{100 * one:g} %" for one in self.confidences)
        ax.set_title(f"{self.name}, intervals of {confidence}" if confidence else self.name, loc="left")
        return ax

    def __repr__(self) -> str:
        headings, rows = _shown(self)
        shown, left_out = cut(rows)
        return f"{self.name}\n{text_table(headings, shown)}" + (f"\n{left_out}" if left_out else "")

    def _repr_html_(self) -> str:
        headings, rows = _shown(self)
        shown, left_out = cut(rows)
        return html_table(headings, shown, caption=self.name) + (f"<p>{left_out}</p>" if left_out else "")


def released_table(content: dict[str, Any], certified: dict[str, Any]) -> ReleasedTable:
    """Of a statistic, and of what the certificate says of it."""
    return made(ReleasedTable, content, key_types=certified["key_types"], whole=whole_columns(content, certified))


def vouched(stated: Mapping[str, Any]) -> bool:
    """That a record has what its tables need; else this raises something."""
    for one, also in zip(stated["statistics"], stated["certificate"]["statistics"], strict=True):
        table = released_table(one, also)
        _shown(table), all_columns(table), table.confidences, table.name, table.sql  # noqa: B018
    return stated["guarantee"]["epsilon"] >= 0 and stated["guarantee"]["delta"] >= 0 and isinstance(stated["assumptions"], list)


def _column(table: ReleasedTable, column: str | None) -> str:
    if column is None:
        return table.columns[0]
    if column not in table:
        names = ", ".join(f"'{name}'" for name in table.columns)
        raise MissingError(f"the statistic '{table.name}' has no number of this name; it has {names}")
    return column


def _only_column(table: ReleasedTable) -> str:
    if len(table.columns) != 1:
        names = ", ".join(f"'{name}'" for name in table.columns)
        raise NotOneError(f"the statistic '{table.name}' has {len(table.columns)} numbers in each row; name one of {names}")
    return table.columns[0]


_MOST_LABELS = 30  # that can be read below one picture


def _set_labels(ax: Axes, labels: list[str]) -> None:
    """All of them, or every so many that they can be read, upright where they are many."""
    step = -(-len(labels) // _MOST_LABELS) if labels else 1
    places = list(range(0, len(labels), step))
    short = [label if len(label) <= 24 else label[:23] + "…" for label in labels]
    ax.set_xticks(places, [short[place] for place in places], rotation=0 if len(places) <= 6 else 45 if len(places) <= 12 else 90)
    if step > 1:
        ax.set_xlabel(f"every {step}th of {len(labels)} groups is named")


def _labels(table: ReleasedTable) -> list[str]:
    return [", ".join(str(row[key]) for key in table.keys) or table.name for row in table._stated["rows"]]


def _shown(table: ReleasedTable) -> tuple[list[str], list[list[Any]]]:
    """For people: every number, and its interval in one cell."""
    headings = list(table.keys)
    for column in table.columns:
        headings += [column, f"interval of {column}"]
    return headings, [_shown_row(table, row) for row in table._stated["rows"]]


def _shown_row(table: ReleasedTable, row: Mapping[str, Any]) -> list[Any]:
    cells: list[Any] = ["NULL" if row[key] is None else str(row[key]) for key in table.keys]
    for column in table.columns:
        cells += [number(row[column]["value"]), _interval_text(row[column])]
    return cells


def _interval_text(figure: Mapping[str, Any]) -> str:
    if figure.get("informative") is False:
        return "no information"
    low, high = figure["interval"]
    ends = f"{_end(low, at_least)} to {_end(high, at_most)}"
    return f"{ends}, may be empty" if figure.get("may_be_empty") else ends


def _end(value: Any, rounded_outwards: Any) -> str:
    """Of an interval, never shorter than it is; whole ones in full."""
    return str(value) if isinstance(value, (int, str)) else rounded_outwards(value)
