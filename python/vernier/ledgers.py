"""The ledger of a catalog: what was spent, by whom, and what is left."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from vernier import _core
from vernier._errors import InvalidError, file_error
from vernier._located import listed, path_bytes
from vernier._result import Result, copied, frame_of_rows, made, stated
from vernier._show import at_least, at_most, axes_or_new, cut, html_table, number, progress, text_table
from vernier._words import kind_of, text
from vernier.catalogs import Catalog
from vernier.releases import Release
from vernier.studies import catalog_of
from vernier.verdicts import Verdict, record_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Balance(Result):
    """How a ledger stands. Made by `Ledger.show`.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> count = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")
    >>> made = vn.release(vn.Study(catalog, [count], epsilon=0.5))
    >>> balance = vn.Ledger(catalog).show(within=[5])
    >>> print(balance)
    budget   allowed  spent  left
    epsilon        2    0.5   1.5
    delta          0      0     0
    <BLANKLINE>
    analyst  epsilon  delta  of epsilon  of delta
    nobody       0.5      0           2         0
    <BLANKLINE>
    study  releases  epsilon  delta
    study         1      0.5      0
    <BLANKLINE>
    within ±  more counts
    5                   2
    """

    _maker = "vernier.Ledger(catalog).show()"

    allowed: dict[str, float] = stated("""The epsilon and delta of the catalog.

        >>> balance.allowed
        {'epsilon': 2, 'delta': 0}
        """, "budget")

    spent: dict[str, float] = stated("""What was spent, rounded up.

        >>> round(balance.spent["epsilon"], 6)
        0.5
        """)

    left: dict[str, float] = stated("""What is left, rounded down.

        >>> balance.left["epsilon"] <= 2 - balance.spent["epsilon"]
        True
        """)

    analysts: list[dict[str, Any]] = stated("""Who spent how much of what share.

        >>> [(one["analyst"], one["of"]["epsilon"]) for one in balance.analysts]
        [('', 2)]
        """)

    studies: list[dict[str, Any]] = stated("""What each study took.

        >>> [(one["study"], one["releases"]) for one in balance.studies]
        [('study', 1)]
        """)

    counts: list[dict[str, Any]] = stated("""How many more counts within the asked margins the ledger affords.

        >>> [(one["within"], one["more"][0]["counts"]) for one in balance.counts]
        [(5, 2)]
        """, otherwise=[])

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier ledger show --json`.

        >>> balance.to_dict()["accountant"], balance.to_dict()["entries"]
        ('pure', 3)
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """What is allowed, spent and left, a row for epsilon and one for delta.

        >>> balance.to_pandas()["allowed"].tolist()
        [2, 0]
        """
        return frame_of_rows([{"budget": name, "allowed": self.allowed[name], "spent": self.spent[name], "left": self.left[name]}
                              for name in ("epsilon", "delta")])

    def __repr__(self) -> str:
        return (f"Balance(epsilon: {at_most(self.spent['epsilon'])} of {number(self.allowed['epsilon'])} spent, "
                f"{at_least(self.left['epsilon'])} left; delta: {at_least(self.left['delta'])} left)")

    def __str__(self) -> str:
        return "\n\n".join(text_table(headings, rows) for headings, rows in self._tables())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """On a terminal of IPython."""
        printer.text(str(self))

    def _repr_html_(self) -> str:
        captions = [self._stated["ledger"]]
        return "".join(html_table(headings, rows, captions.pop() if captions else None) for headings, rows in self._tables())

    def _tables(self) -> list[tuple[list[str], list[list[Any]]]]:
        """As the command line shows them; those without rows are left out."""
        amounts = [[name, number(self.allowed[name]), at_most(self.spent[name]), at_least(self.left[name])]
                   for name in ("epsilon", "delta")]
        analysts = [[one["analyst"] or "nobody", at_most(one["spent"]["epsilon"]), at_most(one["spent"]["delta"]),
                     number(one["of"]["epsilon"]), number(one["of"]["delta"])] for one in self.analysts]
        studies = [[one["study"], one["releases"], at_most(one["epsilon"]), at_most(one["delta"])] for one in self.studies]
        counts = [[one["within"], more["counts"]] for one in self.counts for more in one["more"][:1]]
        tables = [(["budget", "allowed", "spent", "left"], amounts),
                  (["analyst", "epsilon", "delta", "of epsilon", "of delta"], analysts),
                  (["study", "releases", "epsilon", "delta"], studies), (["within ±", "more counts"], counts)]
        return [(headings, rows) for headings, rows in tables if rows]

    def plot(self, ax: Axes | None = None) -> Axes:
        """The use of epsilon, study by study, and what is left.

        >>> balance.plot().get_xlabel()
        'epsilon'
        """
        ax = axes_or_new(ax)
        parts = [(one["study"] or "without a name", one["epsilon"]) for one in self.studies]
        start = 0.0
        for name, epsilon in parts:
            ax.barh([0], [epsilon], left=[start], label=name)
            start += epsilon
        ax.barh([0], [self.left["epsilon"]], left=[self.allowed["epsilon"] - self.left["epsilon"]], label="left", color="0.9")
        ax.set(xlabel="epsilon", yticks=[], xlim=(0, self.allowed["epsilon"]))
        ax.legend()
        return ax


class History(Result):
    """The entries of a ledger. Made by `Ledger.history`.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> count = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")
    >>> made = vn.release(vn.Study(catalog, [count], epsilon=0.5))
    >>> history = vn.Ledger(catalog).history()
    >>> len(history), [entry["kind"] for entry in history]
    (3, ['terms', 'reserve', 'settle'])
    """

    _maker = "vernier.Ledger(catalog).history()"

    entries: list[dict[str, Any]] = stated("""Each entry, by the words of `vernier ledger history --json`.

        >>> [one["kind"] for one in history.entries]
        ['terms', 'reserve', 'settle']
        """)

    def __len__(self) -> int:
        return len(self._stated["entries"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.entries)

    def to_dict(self) -> dict[str, Any]:
        """All of it.

        >>> len(history.to_dict()["entries"])
        3
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for every entry, with the columns that are shown.

        >>> history.to_pandas()["kind"].tolist()
        ['terms', 'reserve', 'settle']
        """
        return frame_of_rows([dict(zip(_HISTORY, row)) for row in self._rows()])

    def __repr__(self) -> str:
        shown, left_out = cut(self._rows())
        return text_table(_HISTORY, [[_short(cell) for cell in row] for row in shown]) + (f"\n{left_out}" if left_out else "")

    def _repr_html_(self) -> str:
        shown, left_out = cut(self._rows())
        return html_table(_HISTORY, shown) + (f"<p>{left_out}</p>" if left_out else "")

    def _rows(self) -> list[list[Any]]:
        """With the columns of the command line; prices of what was paid for, rounded up."""
        return [_history_row(one) for one in self._stated["entries"]]


_HISTORY = ["entry", "time", "kind", "analyst", "study", "epsilon", "delta", "charged by", "release", "request", "answered"]


def _history_row(entry: dict[str, Any]) -> list[Any]:
    is_paid = entry["kind"] == "reserve"
    prices = [at_most(float(entry[name])) if is_paid else "" for name in ("epsilon", "delta")]
    answered = {True: "yes", False: "no", None: ""}[entry["answered"]]
    return [entry["index"], entry["utc"], entry["kind"], entry["analyst"], entry["study"], *prices,
            entry["manner"] if is_paid else "", entry["release"], entry["request"], answered]


def _short(cell: Any) -> Any:
    """What fits into a column of a terminal."""
    return cell if not isinstance(cell, str) or len(cell) <= 24 else cell[:15] + "…"


class Ledger:
    """The ledger of a catalog. It is read anew whenever it is asked; nothing here writes to it.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6), {"people": table}, folder=tempfile.mkdtemp())
    >>> count = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")
    >>> made = vn.release(vn.Study(catalog, [count], epsilon=0.5))
    >>> ledger = vn.Ledger(catalog)
    >>> ledger
    Ledger(epsilon: 0.5 of 2 spent, 1.5 left; delta: 1e-06 left)
    """

    def __init__(self, catalog: Catalog | str | os.PathLike[str]) -> None:
        self.catalog: Catalog = catalog_of(catalog)

    def show(self, within: Iterable[int] = ()) -> Balance:
        """How it stands; and how many more counts within each of these margins it affords.

        >>> ledger.show(within=[5]).counts[0]["more"][0]["counts"]
        2
        """
        margins = [within] if isinstance(within, int) else listed("within", within, 100, "[50]")
        return made(Balance, _read(self.catalog, _core.ledger_show, [_whole("within", one) for one in margins]))

    @property
    def allowed(self) -> dict[str, float]:
        """The epsilon and delta of the catalog.

        >>> ledger.allowed
        {'epsilon': 2, 'delta': 1e-06}
        """
        return self.show().allowed

    @property
    def spent(self) -> dict[str, float]:
        """What was spent, rounded up.

        >>> round(ledger.spent["epsilon"], 6), ledger.spent["delta"]
        (0.5, 0)
        """
        return self.show().spent

    @property
    def left(self) -> dict[str, float]:
        """What is left, rounded down.

        >>> round(ledger.left["epsilon"], 6), ledger.left["delta"]
        (1.5, 1e-06)
        """
        return self.show().left

    @property
    def analysts(self) -> list[dict[str, Any]]:
        """Who spent how much of what share.

        >>> [(one["analyst"], round(one["spent"]["epsilon"], 6)) for one in ledger.analysts]
        [('', 0.5)]
        """
        return self.show().analysts

    def history(self, *, analyst: str | None = None, last: int | None = None) -> History:
        """Its entries, of one analyst, or only the last ones.

        >>> len(ledger.history()), ledger.history(last=1).entries[0]["kind"]
        (3, 'settle')
        """
        who = None if analyst is None else text("analyst", analyst)
        return made(History, _read(self.catalog, _core.ledger_history, who, None if last is None else _whole("last", last)))

    def verify(self, releases: Iterable[Release | bytes | str | os.PathLike[str]] = ()) -> Verdict:
        """Reads everything again, from the first entry: that the chain holds, that what was spent adds up, and that these
        releases are those that were paid for. A ledger that does not hold is an error.

        >>> bool(ledger.verify([made]))
        True
        """
        if isinstance(releases, (Release, bytes, str, os.PathLike)):
            releases = [releases]
        given = [(_called(one, place), record_of(one))
                 for place, one in enumerate(listed("releases", releases, 100_000, "[release]"), 1)]
        return made(Verdict, _read(self.catalog, _core.ledger_verify, given))

    def export(self, path: str | os.PathLike[str] | None = None, *, format: Literal["jsonl", "registry"] = "jsonl") -> str:
        """All entries as `vernier ledger export` writes them: a JSON object a line, or the YAML of a registry of releases; into
        a new file, too, where one is named.

        >>> import json
        >>> [json.loads(line)["kind"] for line in ledger.export().splitlines()]
        ['terms', 'reserve', 'settle']
        """
        with progress("reading") as show:
            content = _core.ledger_export(self.catalog._located, text("format", format), show)
        if path is not None:
            with _new_file(path) as file:
                file.write(content)
        return content

    def to_pandas(self) -> pandas.DataFrame:
        """What is allowed, spent and left.

        >>> ledger.to_pandas()["budget"].tolist()
        ['epsilon', 'delta']
        """
        return self.show().to_pandas()

    def to_dict(self) -> dict[str, Any]:
        """How it stands, by the words of `vernier ledger show --json`.

        >>> ledger.to_dict()["budget"]
        {'epsilon': 2, 'delta': 1e-06}
        """
        return self.show().to_dict()

    def plot(self, ax: Axes | None = None) -> Axes:
        """The use of epsilon, study by study, and what is left.

        >>> ledger.plot().get_xlabel()
        'epsilon'
        """
        return self.show().plot(ax)

    def __repr__(self) -> str:
        return repr(self.show()).replace("Balance", "Ledger", 1)

    def __str__(self) -> str:
        return str(self.show())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """On a terminal of IPython."""
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()


def _read(catalog: Catalog, reader: Any, *arguments: Any) -> dict[str, Any]:
    with progress("reading") as show:
        return json.loads(reader(catalog._located, *arguments, show))


def _new_file(path: Any) -> Any:
    place = path_bytes("the path", path)
    try:
        return open(place, "x", encoding="utf-8")
    except FileExistsError:
        raise InvalidError(f"'{os.fsdecode(place)}' exists already, and nothing is written over; name a new file") from None
    except OSError as error:
        raise file_error(f"'{os.fsdecode(place)}' cannot be written: {error.strerror}") from None


def _whole(name: str, value: Any) -> int:
    try:
        number_of = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number_of = None
    if number_of is None or abs(number_of) >= 2**63:
        raise InvalidError(f"{name} is {kind_of(value)}; write a whole number such as 50")
    return number_of


def _called(release: Any, place: int) -> bytes:
    """What a sentence calls a release."""
    return os.fsencode(release) if isinstance(release, (str, os.PathLike)) else f"release {place}".encode()
