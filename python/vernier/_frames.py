"""Frames in: rows that a program has in memory, as Arrow and without a copy.

No sentence here tells a value of a row, and none repeats what a library says of one.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
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
        return _taken(name, _pandas_table(name, data, declared))
    if isinstance(data, Mapping):
        return _taken(name, _table_of(name, _named(name, data.items()), declared))
    check_frame(f"data of the table '{name}'", data)
    return _taken(name, data)


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


def _taken(name: str, data: Any) -> Frame:
    try:
        capsule = data.__arrow_c_stream__()
    except BaseException as error:  # polars panics with one that is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)):
            raise
        raise InvalidError(f"the rows of the table '{name}' cannot be read as Arrow, since a column has values of a kind "
                           "that Arrow has not; leave such columns out, or cast them") from None
    return _core.take_frame(capsule)


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


def _array(arrow: Any, table: str, label: str, column: Any, declared: str) -> Any:
    _refuse_usual_mistakes(table, label, column, declared)
    try:
        made = arrow.array(column, from_pandas=True)
        if not isinstance(made.type, arrow.BaseExtensionType):  # such as periods, which are numbers to nobody
            return made
    except Exception:  # what it says may have values in it
        pass
    raise InvalidError(f"the column '{label}' of the table '{table}' has values of different kinds, or of a kind that Arrow "
                       f"has not, but it is declared as {declared}; convert it to that type")


def _refuse_usual_mistakes(table: str, label: str, column: Any, declared: str) -> None:
    """What pandas makes of whole numbers and of days where nobody asks it not to."""
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    subject = f"the column '{label}' of the table '{table}' is declared as {declared}, but it has"
    if declared == "integer" and kind == "f":
        raise InvalidError(f'{subject} real numbers, as pandas makes of whole ones where some are missing; write '
                           f'frame["{label}"].astype("Int64")')
    if declared == "date" and kind == "M":
        zone = "a time zone: take the day in the zone that is meant" if getattr(column.dtype, "tz", None) else "times of day"
        raise InvalidError(f'{subject} {zone}; write frame["{label}"].dt.date')
