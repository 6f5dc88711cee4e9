"""The ledger of a catalog: what was spent, by whom, and what is left."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._balances import Balance, History, balance_of, history_of
from vernier._errors import InvalidError
from vernier._located import errors_without_place, listed
from vernier._show import progress
from vernier._words import errors_in_keywords, kind_of, text
from vernier.catalogs import Catalog
from vernier.releases import Release
from vernier.studies import catalog_of
from vernier.verdicts import Verdict, record_of, verdict_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        return balance_of(_read(self.catalog, _core.ledger_show, [_whole("within", one) for one in margins]))

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
        return history_of(_read(self.catalog, _core.ledger_history, who, None if last is None else _whole("last", last)))

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
        return verdict_of(_read(self.catalog, _core.ledger_verify, given))

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

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()


def _read(catalog: Catalog, reader: Any, *arguments: Any) -> str:
    with errors_in_keywords(), errors_without_place(), progress("reading") as show:
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
