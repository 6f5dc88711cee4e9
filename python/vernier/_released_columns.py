"""The columns of a released table, as frames have them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vernier._released import ReleasedTable

_REAL_FIGURES = {"mean", "variance-sample", "variance-population", "deviation-sample", "deviation-population"}

Column = tuple[str, str, list[Any]]  # name, type and values


def all_columns(table: ReleasedTable) -> list[Column]:
    """As a frame has them."""
    names: list[str] = []
    columns = [(_free(names, key), kind, [_key(row[key], kind) for row in table._stated["rows"]])
               for key, kind in zip(table.keys, table._key_types)]
    for column in table.columns:
        columns += [(_free(names, name), *_typed(values, is_whole)) for name, values, is_whole in _parts(table, column)]
    return columns


def _parts(table: ReleasedTable, column: str) -> list[tuple[str, list[Any], bool]]:
    """A number, the ends of its interval, and what denoising made of them: name, values, and whether they are whole."""
    figures = [row[column] for row in table._stated["rows"]]
    prefix = "" if len(table.columns) == 1 else f"{column}_"
    is_whole, first = column in table._whole, figures[0] if figures else {}
    parts = [("value" if not prefix else column, [one["value"] for one in figures], is_whole),
             (f"{prefix}low", [one["interval"][0] for one in figures], is_whole),
             (f"{prefix}high", [one["interval"][1] for one in figures], is_whole)]
    if "denoised" in first:
        adds_up = "denoised_interval" in first
        parts.append((f"{prefix}denoised", [one["denoised"] for one in figures], is_whole and not adds_up))
    if "denoised_interval" in first:
        parts += [(f"{prefix}denoised_{end}", [one["denoised_interval"][i] for one in figures], False)
                  for i, end in enumerate(("low", "high"))]
    return parts


def whole_columns(stated: Mapping[str, Any], certified: Mapping[str, Any]) -> set[str]:
    """Counts, and sums and quantiles on a whole grid, of the rows as they are."""
    covers = certified.get("inference", {}).get("covers", "sample")
    return {one["column"] for one, also in zip(stated["releases"], certified["measurements"])
            if one["column"] and covers == "sample" and also["figure"] not in _REAL_FIGURES and one["granularity"] >= 1}


def _typed(values: list[Any], is_whole: bool) -> tuple[str, list[Any]]:
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
