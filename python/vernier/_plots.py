"""Draws with matplotlib what the core says that a chart shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vernier._show import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# As the charts of the command line: the first for what is claimed, the second for what was seen, the sixth for what is
# wrong. Okabe and Ito's, which readers who see colours differently can tell apart.
COLOURS = ("#0072B2", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#D55E00")
CLAIMED, SEEN, WRONG = COLOURS[0], COLOURS[1], COLOURS[5]

_STROKES = {"solid": "-", "dashed": "--", "dotted": ":"}


def draw(chart: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """The chart (chart_json of the core) on these axes, or on new ones."""
    ax = axes_or_new(ax)
    for series in chart["series"]:
        _draw_series(ax, series)
    _set_axis(ax, "x", chart["x"])
    _set_axis(ax, "y", chart["y"])
    titles(ax, chart["title"], chart["subtitle"])
    legend(ax)
    return ax


def _draw_series(ax: Axes, series: Mapping[str, Any]) -> None:
    style = {"color": COLOURS[series["colour"] - 1], "label": series["name"] or "_"}
    if series["kind"] == "line":
        ax.plot(series["x"], series["y"], linestyle=_STROKES[series["stroke"]], **style)
    elif series["kind"] == "dots":
        ax.plot(series["x"], series["y"], "o", **style)
    elif series["kind"] == "stems":
        ax.vlines(series["x"], 0, series["y"], colors=style["color"], linewidth=1)
        ax.plot(series["x"], series["y"], ".", **style)
    else:
        widths = [right - left for left, right in zip(series["left"], series["right"])]
        ax.bar(series["left"], series["height"], widths, align="edge", **style)


def _set_axis(ax: Axes, name: str, axis: Mapping[str, Any]) -> None:
    scale = {name + "scale": "log"} if axis["logarithmic"] else {}
    ax.set(**{name + "label": axis["title"], name + "lim": (axis["low"], axis["high"])}, **scale)


def titles(ax: Axes, title: str, subtitle: str) -> None:
    """A title, and below it in small letters what it is about."""
    ax.set_title(f"{title}\n", loc="left", fontsize="large")
    ax.text(0, 1.02, subtitle, transform=ax.transAxes, fontsize="small", color="0.4")


def legend(ax: Axes, beside: bool = False) -> None:
    """A legend where anything has a name; beside the picture where it would hide what is drawn."""
    if ax.get_legend_handles_labels()[1]:
        ax.legend(frameon=False, **({"loc": "upper left", "bbox_to_anchor": (1, 1)} if beside else {}))
