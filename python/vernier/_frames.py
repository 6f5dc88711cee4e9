"""Frames in: rows that a program has in memory, as Arrow and without a copy.

No sentence here tells a value of a row, and none repeats what a library says of one. Nor does a value decide whether a
frame is taken: pandas, polars and lists infer the type of a column from all of its values, so that one odd cell makes
reals, texts or objects of integers. Whatever the type, each cell is read as the declared type, or is NULL.
"""

from __future__ import annotations

import datetime
import decimal
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from vernier import _core
from vernier._core import Frame
from vernier._errors import FailedError, InvalidError
from vernier._words import kind_of, text

_WHAT_TO_GIVE = ("give a pandas or polars frame, an Arrow table, a relation of DuckDB, anything else with "
                 "__arrow_c_stream__, or a dictionary of columns")


def frame_of(table: Any, data: Any, declared: Mapping[str, str]) -> Frame:
    """The rows of a table whose columns are declared with these types."""
    name = text("the name of a table", table)
    if isinstance(data, Frame):
        return data
    if _is_of("pandas", "DataFrame", data):
        as_it_is = _unchanging(data)
        return _taken(name, _pandas_table(name, as_it_is, declared), as_it_is)
    if _is_of("polars", "DataFrame", data):
        return _taken(name, _polars_frame(data, declared), watched=list(declared))
    if isinstance(data, Mapping):
        columns = [(label, _unchanging(column)) for label, column in data.items()]
        is_of_others = any(hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__") for _, column in columns
                           if not _is_of("pandas", "Series", column))
        return _taken(name, _table_of(name, _named(name, columns), declared), columns, list(declared) if is_of_others else ())
    check_frame(f"data of the table '{name}'", data)
    if _is_of("pyarrow", "Table", data) or _is_of("pyarrow", "RecordBatch", data) or _is_of("pyarrow", "ChunkedArray", data):
        return _taken(name, data, watched=list(declared))
    return _core.stream_frame(_capsule(name, data), list(declared))


def check_unchanged(table: str, frame: Frame) -> None:
    """That nobody has written into rows since they were given, of which numbers would be new then and texts old."""
    if not _core.is_unchanged(frame):
        raise InvalidError(f"the rows of the table '{table}' were changed after they were given; declare the table again with the "
                           "rows that are to count")


def check_frame(subject: str, data: Any) -> None:
    """That it may be a frame, by what it is."""
    if not isinstance(data, (Frame, Mapping)) and not _is_of("pandas", "DataFrame", data) \
            and (isinstance(data, type) or not hasattr(data, "__arrow_c_stream__")):
        raise InvalidError(f"{subject} is {kind_of(data)}; {_remedy(data)}")


def _is_of(library: str, class_name: str, value: Any) -> bool:
    """Without importing what nobody uses."""
    module = sys.modules.get(library)
    return module is not None and isinstance(value, getattr(module, class_name, ()))


def _remedy(data: Any) -> str:
    if _is_of("polars", "LazyFrame", data):
        return "call its .collect() first"
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return "a file is declared as source= of the table"
    return _WHAT_TO_GIVE


def _unchanging(data: Any) -> Any:
    """What it is now, whatever is written into it later. Frames and series of pandas from 3 on are shared until somebody
    writes, and other arrays are copied, since Arrow would read numbers where they lie and texts from a copy of its own."""
    if _is_of("pandas", "DataFrame", data) or _is_of("pandas", "Series", data):
        return data.copy(deep=int(sys.modules["pandas"].__version__.split(".")[0]) < 3)
    if _is_of("numpy", "ndarray", data) or _is_extension_array(data):
        return data.copy()
    return data


def _is_extension_array(data: Any) -> bool:
    """A Categorical, or another array of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.api.extensions.ExtensionArray)


def _taken(name: str, data: Any, held: Any = None, watched: Iterable[str] = ()) -> Frame:
    """`held` lives as long as the frame: as long as pandas shares its columns, a write makes others. The columns that are
    `watched` lie in memory that others may write into."""
    return _core.take_frame(_capsule(name, data), held, list(watched))


def _capsule(name: str, data: Any) -> Any:
    try:
        return data.__arrow_c_stream__()
    except BaseException as error:  # polars panics with one that is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)):
            raise
        raise InvalidError(f"the rows of the table '{name}' cannot be read as Arrow, since a column has values of a kind "
                           "that Arrow has not; leave such columns out, or cast them") from None


def _pandas_table(name: str, frame: Any, declared: Mapping[str, str]) -> Any:
    if frame.columns.nlevels > 1:
        raise InvalidError(f"the columns of the table '{name}' have names of {frame.columns.nlevels} levels; give a frame "
                           "whose columns have plain names")
    columns = _named(name, ((label, frame.iloc[:, place]) for place, label in enumerate(frame.columns)))
    return _table_of(name, columns, declared)


def _named(table: str, columns: Any) -> list[tuple[str, Any]]:
    return [(text(f"the name of a column of the table '{table}'", str(label)), column) for label, column in columns]


def _table_of(table: str, columns: list[tuple[str, Any]], declared: Mapping[str, str]) -> Any:
    """A table of Arrow with all names; of columns that are not declared, which nobody reads, without their values."""
    arrow = _pyarrow(table)
    types = {column.casefold(): kind for column, kind in declared.items()}
    lengths = {len(column) if hasattr(column, "__len__") else None for _, column in columns}
    if len(lengths) > 1 or None in lengths or any(isinstance(column, (str, bytes, Mapping)) for _, column in columns):
        raise InvalidError(f"the columns of the table '{table}' are not equally long lists; give a list or an array of "
                           "the same length for each")
    arrays = [_array(arrow, table, label, column, types[label.casefold()]) if label.casefold() in types
              else arrow.nulls(len(column), arrow.struct([])) for label, column in columns]
    return arrow.Table.from_arrays(arrays, names=[label for label, _ in columns])


def _pyarrow(table: str) -> Any:
    if importlib.util.find_spec("pyarrow") is None:
        raise FailedError(f"the rows of the table '{table}' are read through pyarrow, which is not installed; run: pip "
                          "install pyarrow, or give a polars frame")
    import pyarrow

    return pyarrow


# What Arrow calls the type in which cells are read of each declared one.
_ARROW_TYPES = {"boolean": "uint8", "integer": "int64", "real": "float64", "string": "large_string", "date": "date32"}


def _array(arrow: Any, table: str, label: str, column: Any, declared: str) -> Any:
    if getattr(column, "ndim", 1) != 1:
        raise InvalidError(f"the column '{label}' of the table '{table}' has several values in each row; give one")
    try:
        made = _array_at_once(arrow, column)
        return _array_of_cells(arrow, column, declared) if made is None else made
    except MemoryError:
        raise
    except Exception:  # what it says may have values in it; cells raise nothing, so the column itself does
        raise InvalidError(f"the column '{label}' of the table '{table}' cannot be read; give a list or an array") from None


def _array_at_once(arrow: Any, column: Any) -> Any:
    """As Arrow reads it, where each cell comes out as if it were read by itself; else None."""
    kind = getattr(column, "dtype", None)
    try:
        if isinstance(column, (arrow.Array, arrow.ChunkedArray)):
            made = column
        elif _is_of_objects(column) or not _has_only(getattr(kind, "categories", ()), {str, int, float, bool}):
            return None
        elif kind is not None and hasattr(kind, "categories"):  # a place of -1 is in no dictionary, and so NULL
            codes = getattr(column, "array", column).codes
            made = arrow.DictionaryArray.from_arrays(arrow.array(codes), arrow.array(kind.categories, from_pandas=True), safe=False)
        else:
            made = arrow.array(_days(column) if getattr(kind, "kind", "") == "M" else column, from_pandas=True)
    except Exception:
        return None
    values = made.type.value_type if arrow.types.is_dictionary(made.type) else made.type
    return made if _is_of_values(arrow, values) else None


def _is_of_objects(column: Any) -> bool:
    """Whether nothing is known of its cells before each was looked at."""
    return not hasattr(column, "dtype") or str(column.dtype) == "object"


def _array_of_cells(arrow: Any, column: Any, declared: str) -> Any:
    """Each cell read by itself."""
    is_array = str(getattr(column, "dtype", "")) == "object"
    cells = list(column) if not is_array else column.to_numpy() if hasattr(column, "to_numpy") else column
    values, ends, known, nulls = _core.column_of(cells, declared, _plain)
    parts = [known, ends, values] if declared == "string" else [known, values]
    return arrow.Array.from_buffers(arrow.type_for_alias(_ARROW_TYPES[declared]), len(cells),
                                    [arrow.py_buffer(part) for part in parts], nulls)


def _has_only(cells: Iterable[Any], classes: set[type]) -> bool:
    """Whether all are of these very classes, or None."""
    return set(map(type, () if cells is None else cells)) <= classes | {type(None)}


def _is_of_values(arrow: Any, type_: Any) -> bool:
    """Whether the engine reads such a column cell by cell, whatever it was declared as."""
    is_ = arrow.types
    return any(fits(type_) for fits in (is_.is_null, is_.is_boolean, is_.is_integer, is_.is_floating, is_.is_string,
                                        is_.is_large_string, is_.is_string_view, is_.is_date32))


def _days(times: Any) -> Any:
    """The days of an array or a series of times, each on its own clock."""
    clock = getattr(times, "dt", times)
    values = clock.tz_localize(None).to_numpy() if hasattr(clock, "tz_localize") else times
    return values.astype("datetime64[D]")


def _read(cells: Iterable[Any], declared: str) -> list[Any]:
    """Each cell by itself, in the declared type; None where it is nothing there."""
    return _core.read_cells(list(cells), declared, _plain)


def _plain(cell: Any) -> Any:
    """A cell as a truth value, a number or a text, a day being its text; None for everything else."""
    try:
        if hasattr(cell, "as_py"):
            cell = cell.as_py()
        if type(cell).__module__ == "numpy" and type(cell).__name__ == "datetime64":
            cell = cell.astype("datetime64[D]")
        if type(cell).__module__ == "numpy" and hasattr(cell, "item"):
            cell = cell.item()
        if isinstance(cell, decimal.Decimal):
            cell = _number(cell)
        if isinstance(cell, complex):  # as numpy makes of all numbers of a column with one such
            cell = cell.real if cell.imag == 0 else None
        if isinstance(cell, bytes):  # as polars makes of all texts of a column with one such
            return cell.decode()
        if isinstance(cell, datetime.date):  # a time is of the day on its own clock; NaT, which is none, is not itself
            return f"{cell.year:04}-{cell.month:02}-{cell.day:02}" if cell == cell else None
        if isinstance(cell, int) and not -2**63 <= cell < 2**63:
            return str(cell)
        return cell if isinstance(cell, (bool, int, float, str)) else None
    except Exception:  # of a cell that is a program of its own
        return None


def _number(cell: decimal.Decimal) -> int | float | None:
    """Whole where it is whole and may have a place in 64 bits; None where it is no double either."""
    if not cell.is_finite() or cell.adjusted() > 308:
        return None
    return int(cell) if cell.adjusted() < 20 and cell == cell.to_integral_value() else float(cell)


def _polars_frame(frame: Any, declared: Mapping[str, str]) -> Any:
    """The same frame with all names; of columns that are not declared, which nobody reads, without their values."""
    types = {column.casefold(): kind for column, kind in declared.items()}
    return frame.with_columns([_polars_series(series, types.get(series.name.casefold())) for series in frame.get_columns()])


def _polars_series(series: Any, declared: str | None) -> Any:
    import polars

    kind = series.dtype
    if declared is not None and kind in (
            polars.Null, polars.Boolean, polars.Int8, polars.Int16, polars.Int32, polars.Int64, polars.UInt8, polars.UInt16,
            polars.UInt32, polars.UInt64, polars.Float32, polars.Float64, polars.String, polars.Date, polars.Categorical,
            polars.Enum):
        return series
    if declared is not None and kind == polars.Datetime:
        return series.dt.date()
    if declared is None or kind.is_nested() or kind in (polars.Time, polars.Duration):
        return polars.Series(series.name, [None] * len(series), dtype=polars.Null)
    of_polars = {"boolean": polars.Boolean, "integer": polars.Int64, "real": polars.Float64, "string": polars.String,
                 "date": polars.Int32}
    read = polars.Series(series.name, _read(series.to_list(), declared), dtype=of_polars[declared])
    return read.cast(polars.Date) if declared == "date" else read
