"""What a study will cost, and how accurate it will be."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._located import listed
from vernier._result import Guaranteed, copied, frame_of_rows, made, stated
from vernier._show import at_most, draw, html_table, number, seen
from vernier._words import written
from vernier.studies import Study, optional_text, study_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Plan(Guaranteed):
    """What a study will cost, and how accurate it will be. No data was read for it, and nothing was spent.

    Made by `vernier.plan`.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row")
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.5)
    >>> made = vn.plan(study)
    >>> made.accuracies, made.affordable
    ({'people': {'people': 6}}, True)
    """

    _maker = "vernier.plan(study)"
    _study: Study
    _text: str
    _what_if: list[str]

    method: str = stated("""How the guarantee was computed.

        >>> made.method
        'closed-form'
        """, "guarantee", "method")

    alpha: float = stated("""The chance that a number lies further from the exact one than its accuracy.

        >>> made.alpha
        0.05
        """)

    statistics: list[dict[str, Any]] = stated("""Each statistic with its groups and releases, by the words of `vernier plan --json`.

        >>> [one["name"] for one in made.statistics]
        ['people']
        """)

    @property
    def accuracies(self) -> dict[str, dict[str, float]]:
        """The accuracy of every published column, by statistic.

        >>> made.accuracies["people"]["people"]
        6
        """
        return {one["name"]: {release["column"]: release["accuracy"] for release in one["releases"] if release["column"]}
                for one in self._stated["statistics"]}

    ledger: dict[str, Any] = stated("""What the ledger allows, what is left of it, and what the study would take.

        >>> made.ledger["amounts"][0]["left"]
        2
        """)

    affordable: bool = stated("""Whether the ledger has enough left.

        >>> made.affordable
        True
        """, "ledger", "affordable")

    what_if: list[dict[str, Any]] = stated("""The accuracies at other budgets, where they were asked.

        >>> made.what_if, [one["epsilon"] for one in vn.plan(study, what_if=[0.25, 1]).what_if]
        ([], [0.25, 1])
        """, otherwise=[])

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier plan --json`.

        >>> list(made.to_dict())
        ['study', 'unit', 'neighbours', 'guarantee', 'alpha', 'statistics', 'ledger']
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """What is released, a row each: its statistic, column, mechanism, scale, accuracy and share of the budget.

        >>> made.to_pandas()[["statistic", "column", "accuracy"]].values.tolist()
        [['people', 'people', 6]]
        """
        kept = ("column", "mechanism", "scale", "sensitivity", "accuracy", "share")
        return frame_of_rows([{"statistic": one["name"], **{name: release.get(name) for name in kept}}
                              for one in self._stated["statistics"] for release in one["releases"]])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy against the total epsilon, a curve for every published column: through the points of `what_if`, or
        around what the study costs.

        >>> made.plot().get_xlabel()
        'epsilon of the whole study'
        """
        return draw(json.loads(_core.plan_chart(self._study._bound, self._what_if)), ax)

    def __repr__(self) -> str:
        return "\n".join([self._text.rstrip("\n"), *(f"{name}: {found}" for name, found in self._searches())])

    def _searches(self) -> list[tuple[str, str]]:
        """Tables of which nobody has said how many rows of a unit may count, each with what finds it."""
        if self._study.catalog.path is not None:
            return []  # the text says it for the command line
        tables = dict.fromkeys(table for _, table in self._study._bound.assumed_limits)
        return [(name, f"how many rows they have is found privately by: vn.limits(catalog, \"{name}\", epsilon=0.1)") for name in tables]

    def _limits_html(self) -> str:
        told = [f"{sentence}; nothing says how many may, so write max_rows and max_groups" for sentence, _ in self._study._bound.assumed_limits]
        return "".join(f"<p>{html.escape(seen(one))}</p>" for one in dict.fromkeys([*told, *(found for _, found in self._searches())]))

    def _repr_html_(self) -> str:
        rows = [[one["name"], release["column"] or "", release["mechanism"], number(release["scale"]), _margin(release),
                 f"{100 * release['share']:.0f} %"] for one in self._stated["statistics"] for release in one["releases"]]
        alphas = {one.get("alpha", self.alpha) for one in self._stated["statistics"]} or {self.alpha}
        holds = " or ".join(f"{100 * (1 - alpha):g} %" for alpha in sorted(alphas, reverse=True))
        caption = (f"epsilon {at_most(self.epsilon)}, delta {at_most(self.delta)} for the whole study; every ± holds with "
                   f"probability {holds}{', as its statistic says' if len(alphas) > 1 else ''}")
        return html_table(["statistic", "column", "law", "scale", "accuracy", "share"], rows, caption) + self._limits_html() + self._budget_html()

    def _budget_html(self) -> str:
        ledger = self._stated["ledger"]
        opens = ["and once"] if ledger["room"] else []
        amounts = [[one["name"], number(one["allowed"]), number(one["left"]), at_most(one["price"] - one["once"]),
                    *(at_most(one["once"]) for _ in opens)] for one in ledger["amounts"]]
        return html_table(["amount", "allowed", "left", "this study", *opens], amounts, self._budget_caption())

    def _budget_caption(self) -> str:
        room = self._stated["ledger"]["room"]
        if not self.affordable:
            return "the ledger has not enough left"
        return "" if room is None else (f"once: opens the conversion, which gives room for {room['with_conversion']} such "
                                        f"studies in place of {room['by_totals']}")


def _margin(release: Mapping[str, Any]) -> str:
    about = "about " if "typical_rows" in release else ""
    return f"{about}± {at_most(release['accuracy'])}{' ranks' if 'accuracy_in' in release else ''}"


def plan(study: Study | str | os.PathLike[str], *, what_if: Any = None, analyst: str | None = None) -> Plan:
    """What a study will cost and how accurate it will be: reads no data, spends nothing.

    `study` may be the path of one. `what_if` asks for the accuracies at other total epsilons: a list of numbers, or
    "0.5:2:4" for four of them, each by the same factor above the one before; "delta=1e-9:1e-6:4" for other deltas, and
    "people=10:100:4" for other accuracies of the column people. `analyst` is whose share of the budget would pay.

    >>> import tempfile
    >>> import vernier as vn
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6),
    ...                      {"people": vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row")},
    ...                      folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.5)
    >>> made = vn.plan(study, what_if=[0.25, 1])
    >>> round(made.epsilon, 6), made.accuracies, made.affordable
    (0.5, {'people': {'people': 6}}, True)
    >>> [(one["epsilon"], one["accuracies"][0]["people"]) for one in made.what_if]
    [(0.25, 12), (1, 3)]
    """
    asked, points = study_of(study), _points(what_if)
    content, text_for_people = _core.plan(asked._bound, optional_text("analyst", analyst), points)
    return made(Plan, json.loads(content), study=asked, text=text_for_people, what_if=points)


def _points(what_if: Any) -> list[str]:
    if what_if is None:
        return []
    if isinstance(what_if, str) or not hasattr(what_if, "__iter__"):
        return [written("what_if", what_if)]
    return [written("what_if", one) for one in listed("what_if", what_if, 100, "[0.5, 1, 2]")]
