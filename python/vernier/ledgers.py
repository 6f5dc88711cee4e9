"""The ledger of a catalog: what was spent, by whom, and what is left."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._errors import InvalidError
from vernier._located import errors_without_place, listed
from vernier._show import at_least, at_most, axes_or_new, html_table, number, progress
from vernier._words import kind_of, text
from vernier.catalogs import Catalog
from vernier.releases import Release
from vernier.studies import catalog_of
from vernier.verdicts import Verdict, record_of, verdict_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Balance:
    """How a ledger stands. Made by `Ledger.show`."""

    _stated: dict[str, Any]

    def __init__(self) -> None:
        raise InvalidError("a Balance is what vernier.Ledger(catalog).show() makes")

    @property
    def allowed(self) -> dict[str, float]:
        """The epsilon and delta of the catalog."""
        return dict(self._stated["budget"])

    @property
    def spent(self) -> dict[str, float]:
        return dict(self._stated["spent"])

    @property
    def left(self) -> dict[str, float]:
        return dict(self._stated["left"])

    @property
    def analysts(self) -> list[dict[str, Any]]:
        """Who spent how much of what share."""
        return self.to_dict()["analysts"]

    @property
    def studies(self) -> list[dict[str, Any]]:
        """What each study took."""
        return self.to_dict()["studies"]

    @property
    def counts(self) -> list[dict[str, Any]]:
        """How many more counts within the asked margins the ledger affords."""
        return self.to_dict().get("counts", [])

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier ledger show --json`."""
        return json.loads(json.dumps(self._stated))

    def __repr__(self) -> str:
        return (f"Balance(epsilon: {at_most(self.spent['epsilon'])} of {number(self.allowed['epsilon'])} spent, "
                f"{at_least(self.left['epsilon'])} left; delta: {at_least(self.left['delta'])} left)")

    def _repr_html_(self) -> str:
        rows = [[name, number(self.allowed[name]), at_most(self.spent[name]), at_least(self.left[name])]
                for name in ("epsilon", "delta")]
        table = html_table(["amount", "allowed", "spent", "left"], rows, self._stated["ledger"])
        studies = [[one["study"], one["releases"], at_most(one["epsilon"]), at_most(one["delta"])] for one in self.studies]
        return table + (html_table(["study", "releases", "epsilon", "delta"], studies) if studies else "")

    def plot(self, ax: Axes | None = None) -> Axes:
        """The use of epsilon, study by study, and what is left."""
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


class History:
    """The entries of a ledger. Made by `Ledger.history`."""

    _entries: list[dict[str, Any]]

    def __init__(self) -> None:
        raise InvalidError("a History is what vernier.Ledger(catalog).history() makes")

    @property
    def entries(self) -> list[dict[str, Any]]:
        """Each entry, by the words of `vernier ledger history --json`."""
        return json.loads(json.dumps(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.entries)

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return {"entries": self.entries}

    def __repr__(self) -> str:
        return f"History({len(self)} entries)"

    def _repr_html_(self) -> str:
        rows = [[one["index"], one["utc"], one["kind"], one["study"], one["analyst"], one["epsilon"], one["delta"]]
                for one in self._entries]
        return html_table(["entry", "time", "kind", "study", "analyst", "epsilon", "delta"], rows)


class Ledger:
    """The ledger of a catalog. It is read anew whenever it is asked; nothing here writes to it.

    >>> import tempfile
    >>> import vernier as vn
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6),
    ...                      {"people": vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row")},
    ...                      folder=tempfile.mkdtemp())
    >>> ledger = vn.Ledger(catalog)
    >>> ledger
    Ledger(epsilon: 0 of 2 spent, 2 left; delta: 1e-06 left)
    >>> ledger.left
    {'epsilon': 2, 'delta': 1e-06}
    >>> len(ledger.history())
    0
    """

    def __init__(self, catalog: Catalog | str | os.PathLike[str]) -> None:
        self.catalog: Catalog = catalog_of(catalog)

    def show(self, within: Iterable[int] = ()) -> Balance:
        """How it stands; and how many more counts within each of these margins it affords."""
        margins = [within] if isinstance(within, int) else listed("within", within, 100, "[50]")
        made = Balance.__new__(Balance)
        made._stated = json.loads(_read(self.catalog, _core.ledger_show, [_whole("within", one) for one in margins]))
        return made

    @property
    def allowed(self) -> dict[str, float]:
        """The epsilon and delta of the catalog."""
        return self.show().allowed

    @property
    def spent(self) -> dict[str, float]:
        return self.show().spent

    @property
    def left(self) -> dict[str, float]:
        return self.show().left

    @property
    def analysts(self) -> list[dict[str, Any]]:
        """Who spent how much of what share."""
        return self.show().analysts

    def history(self, *, analyst: str | None = None, last: int | None = None) -> History:
        """Its entries, of one analyst, or only the last ones."""
        who = None if analyst is None else text("analyst", analyst)
        made = History.__new__(History)
        stated = _read(self.catalog, _core.ledger_history, who, None if last is None else _whole("last", last))
        made._entries = json.loads(stated)["entries"]
        return made

    def verify(self, releases: Iterable[Release | bytes | str | os.PathLike[str]] = ()) -> Verdict:
        """Reads everything again, from the first entry: that the chain holds, that what was spent adds up, and that these
        releases are those that were paid for. A ledger that does not hold is an error."""
        if isinstance(releases, (Release, bytes, str, os.PathLike)):
            releases = [releases]
        given = [(_called(one, place), record_of(one))
                 for place, one in enumerate(listed("releases", releases, 100_000, "[release]"), 1)]
        return verdict_of(_read(self.catalog, _core.ledger_verify, given))

    def to_dict(self) -> dict[str, Any]:
        """How it stands, by the words of `vernier ledger show --json`."""
        return self.show().to_dict()

    def plot(self, ax: Axes | None = None) -> Axes:
        """The use of epsilon, study by study, and what is left."""
        return self.show().plot(ax)

    def __repr__(self) -> str:
        return repr(self.show()).replace("Balance", "Ledger", 1)

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()


def _read(catalog: Catalog, reader: Any, *arguments: Any) -> str:
    with errors_without_place(), progress("reading") as show:
        return reader(catalog._located, *arguments, show)


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
