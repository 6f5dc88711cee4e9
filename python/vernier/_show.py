"""How results are looked at: tables for notebooks, pictures where matplotlib is there, progress of long work."""

from __future__ import annotations

import decimal
import html
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._errors import FailedError, InvalidError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def number(value: float | int | None, digits: int = 6) -> str:
    """A number for people: whole ones in full, others with so many significant digits.

    >>> number(1234567), number(0.123456789), number(1e-9), number(None), number(20.0)
    ('1234567', '0.123457', '1e-09', '', '20')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{digits}g}"


def at_most(value: float | None, digits: int = 6) -> str:
    """A bound from above with so many significant digits, rounded up: what is shown is never less than what is proven.

    >>> at_most(2.25473001), at_most(0.5), at_most(1e-9), at_most(None)
    ('2.25474', '0.5', '1e-09', '')
    """
    return _rounded(value, digits, decimal.ROUND_CEILING)


def at_least(value: float | None, digits: int = 6) -> str:
    """A bound from below, rounded down.

    >>> at_least(2.25473999)
    '2.25473'
    """
    return _rounded(value, digits, decimal.ROUND_FLOOR)


def _rounded(value: float | None, digits: int, rounding: str) -> str:
    if value is None:
        return ""
    exact = decimal.Decimal(repr(value))  # the shortest decimal, as the number is shown everywhere else
    if not exact.is_finite():
        return str(value)
    return f"{float(decimal.Context(digits, rounding).plus(exact)):.{digits}g}"


def html_table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str | None = None) -> str:
    """A table for notebooks. Everything is escaped; numbers stand to the right, those that are no text yet written short.

    >>> html_table(["name", "epsilon"], [["a & b", 0.5]])
    '<table><thead><tr><th>name</th><th>epsilon</th></tr></thead><tbody><tr><td style="text-align: left">a &amp; b</td><td style="text-align: right">0.5</td></tr></tbody></table>'
    """
    title = f"<caption>{html.escape(seen(caption))}</caption>" if caption else ""
    head = "".join(f"<th>{html.escape(seen(str(one)))}</th>" for one in headings)
    body = "".join(f"<tr>{''.join(_cell(one) for one in row)}</tr>" for row in rows)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


_MOST_ROWS = 60  # of a table that is shown; all are in what to_pandas() and to_dict() give
_ENDS = 30  # of a longer one, first and last


def cut(rows: Sequence[Sequence[object]]) -> tuple[list[Sequence[object]], str]:
    """Rows to show, and what to say of those that are left out.

    >>> rows, said = cut([[i] for i in range(3000)])
    >>> len(rows), said
    (61, '60 of 3000 rows are shown, the first and the last 30; to_pandas() has them all')
    >>> cut([[1], [2]])
    ([[1], [2]], '')
    """
    if len(rows) <= _MOST_ROWS:
        return list(rows), ""
    said = f"{2 * _ENDS} of {len(rows)} rows are shown, the first and the last {_ENDS}; to_pandas() has them all"
    return [*rows[:_ENDS], ["…"] * len(rows[0]), *rows[-_ENDS:]], said


def _cell(value: object) -> str:
    side = "right" if _is_number(value) else "left"
    return f'<td style="text-align: {side}">{html.escape(_text(value))}</td>'


def _is_number(value: object) -> bool:
    """A number, or one that is written already."""
    if isinstance(value, str):
        return bool(value) and value.strip("+-.0123456789e") == "" and value[-1].isdigit()
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text_table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The same as aligned text, for a terminal.

    >>> print(text_table(["method", "epsilon"], [["basic", 5.0], ["zcdp", 2.25]]))
    method  epsilon
    basic         5
    zcdp       2.25
    """
    kept = [list(row) for row in rows]
    right = [any(_is_number(row[i]) for row in kept) for i in range(len(headings))]
    lines = [[seen(one) for one in headings]] + [[_text(one) for one in row] for row in kept]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    return "\n".join(
        "  ".join(cell.rjust(width) if to_right else cell.ljust(width)
                  for cell, width, to_right in zip(line, widths, right)).rstrip()
        for line in lines)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value)
    return number(value) if isinstance(value, (int, float)) or value is None else seen(str(value))


def seen(text: str) -> str:
    """A text with all that cannot be seen spelled out, so that a name or a key moves no cursor and turns no direction.

    >>> seen("a\\u202eb")
    'a\\\\u{202e}b'
    """
    return _core.seen_text(text.encode("utf-8", "replace"))


def need_matplotlib() -> Any:
    """`matplotlib.pyplot`, or an error that says how to get it."""
    if importlib.util.find_spec("matplotlib") is None:
        raise FailedError("pictures are drawn with matplotlib, which is not installed; run: pip install vernier[plot]")
    import matplotlib.pyplot

    return matplotlib.pyplot


def axes_or_new(ax: Axes | None = None) -> Axes:
    """These axes, or those of a new figure."""
    pyplot = need_matplotlib()
    if ax is not None and not hasattr(ax, "transAxes"):
        raise InvalidError(f"ax is {_core.kind_of(ax)}; give axes of matplotlib, or leave it out")
    return pyplot.subplots(layout="constrained")[1] if ax is None else ax


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """Shows how much of long work is done: a tqdm bar where tqdm is installed, else a percentage on a terminal.

    The callback takes the share that is done, 0 to 1. Where standard error is neither a terminal nor a notebook's,
    nothing is shown.

    >>> with progress("simulating") as show:
    ...     show(0.5)
    """
    if not _is_watched():
        yield lambda done: None
    elif importlib.util.find_spec("tqdm") is not None:
        yield from _tqdm_bar(label)
    else:
        yield from _percentage(label)


def _is_watched() -> bool:
    return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def _tqdm_bar(label: str) -> Iterator[Callable[[float], None]]:
    import warnings

    with warnings.catch_warnings():  # tqdm.auto warns where a notebook has no widgets, and then draws text
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm

    with tqdm(total=100, desc=label, unit="%", leave=False, delay=0.5, bar_format="{desc}: {percentage:3.0f}% |{bar}|") as bar:
        yield lambda done: _advance(bar, done)


def _advance(bar: Any, done: float) -> None:
    step = 100 * min(max(done, 0.0), 1.0) - bar.n
    if step > 0:
        bar.update(step)


def _percentage(label: str) -> Iterator[Callable[[float], None]]:
    shown = -1

    def show(done: float) -> None:
        nonlocal shown
        percent = int(100 * min(max(done, 0.0), 1.0))
        if percent > shown:
            shown = percent
            sys.stderr.write(f"\r{label}: {percent:3d} %")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if shown >= 0:
            sys.stderr.write("\r" + " " * (len(label) + 7) + "\r")
            sys.stderr.flush()


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
    style: dict[str, Any] = {"color": COLOURS[series["colour"] - 1], "label": series["name"] or "_"}
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
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if beside else {}
        ax.legend(frameon=False, **place)
