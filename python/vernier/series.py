"""The same numbers at every step of a calendar."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from vernier import _core, _toml
from vernier._errors import InvalidError
from vernier._located import STUDY, Located, in_folder, path_bytes, read_located
from vernier._result import Result, copied, frame_of_rows, made, stated
from vernier._show import draw
from vernier._words import text
from vernier.catalogs import Catalog, Declaration, said_of
from vernier.releases import bar
from vernier.studies import _only, catalog_of, optional_text

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@dataclass(repr=False, eq=False)
class Series(Declaration):
    """Counts at every day, week or month, with the sum of the last steps and the total since the first.

    The keys are those of `[[series]]` in a study, where `table` is its `from`. A study of series has nothing else.

    >>> import datetime
    >>> import vernier as vn
    >>> vn.Series("cases", "cases", day="reported", step="day", start=datetime.date(2027, 1, 1),
    ...           end=datetime.date(2027, 12, 31), accuracy={"cumulative": 60})
    Series(name='cases', table='cases', day='reported', step='day', start=datetime.date(2027, 1, 1), \
end=datetime.date(2027, 12, 31), accuracy={'cumulative': 60})
    """

    name: str
    table: str
    day: str
    step: Literal["day", "week", "month"]
    start: Any
    end: Any
    columns: Sequence[str] | None = None
    up_to: int | None = None
    where: str | None = None
    max_steps: int | None = None
    apart: int | None = None
    accuracy: Mapping[str, Any] | None = None
    best: str | None = None

    def _entries(self) -> dict[str, Any]:
        entries = {"from" if name == "table" else name: value for name, value in said_of(self).items()}
        return _toml.numbers_in(entries, "accuracy", "max_steps", "apart", "up_to")


class SeriesPlan(Result):
    """What series will cost, and how accurate every number will be at every step. No data was read for it.

    Made by `SeriesStudy.plan`.

    >>> import datetime, os, tempfile
    >>> import vernier as vn
    >>> folder = tempfile.mkdtemp()
    >>> with open(os.path.join(folder, "cases.csv"), "w") as file:
    ...     _ = file.write("person,reported\\n1,2027-01-01\\n2,2027-01-02\\n")
    >>> with open(os.path.join(folder, "catalog.toml"), "w") as file:
    ...     _ = file.write('''[budget]
    ... epsilon = 2.0
    ... delta = 1e-6
    ... [tables.cases]
    ... source = "cases.csv"
    ... unit = "person"
    ... append_only = true
    ... [tables.cases.columns]
    ... person = { type = "integer" }
    ... reported = { type = "date" }
    ... ''')
    >>> cases = vn.Series("cases", "cases", day="reported", step="day", start=datetime.date(2027, 1, 1),
    ...                   end=datetime.date(2027, 12, 31), accuracy={"cumulative": 60})
    >>> study = vn.SeriesStudy(os.path.join(folder, "catalog.toml"), [cases], name="cases")
    >>> made = study.plan()
    >>> len(made.series[0]["steps"]), made.reserved
    (365, False)
    """

    _maker = "SeriesStudy.plan()"
    _study: Any
    _text: str

    series: list[dict[str, Any]] = stated("""Each series with all of its steps, by the words of `vernier plan --json`.

        The keys of a step are `step`, `each_deviation`, `last_deviation`, `cumulative_deviation`, and the same with
        `accuracy`.

        >>> made.series[0]["steps"][0]["step"], max(step["cumulative_accuracy"] for step in made.series[0]["steps"]) <= 60
        ('2027-01-01', True)
        """)

    reserved: bool = stated("""Whether all steps are paid for.

        >>> made.reserved
        False
        """)

    published_steps: int = stated("""So many steps from the first on are published.

        >>> made.published_steps
        0
        """)

    epsilon: float = stated("""Of all steps together.

        >>> made.epsilon < 1
        True
        """, "guarantee", "epsilon")

    delta: float = stated("""Likewise.

        >>> made.delta
        1e-07
        """, "guarantee", "delta")

    affordable: bool = stated("""Whether the ledger has enough left.

        >>> made.affordable
        True
        """, "ledger", "affordable")

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier plan --json`.

        >>> made.to_dict()["unit"]
        'person'
        """
        return dict(copied(self._stated))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each step of each series.

        >>> len(made.to_pandas())
        365
        """
        return frame_of_rows([{"series": one["name"], **step} for one in self._stated["series"] for step in one["steps"]])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Accuracy at every step.

        >>> made.plot().get_xlabel()
        'day from 2027-01-01 on'
        """
        return draw(json.loads(_core.series_chart(self._study._bound)), ax)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


class SeriesStep(Result):
    """A published step of series. Made by `SeriesStudy.release`.

    >>> import datetime, os, tempfile
    >>> import vernier as vn
    >>> folder = tempfile.mkdtemp()
    >>> with open(os.path.join(folder, "cases.csv"), "w") as file:
    ...     _ = file.write("person,reported\\n1,2027-01-01\\n2,2027-01-02\\n")
    >>> with open(os.path.join(folder, "catalog.toml"), "w") as file:
    ...     _ = file.write('''[budget]
    ... epsilon = 2.0
    ... delta = 1e-6
    ... [tables.cases]
    ... source = "cases.csv"
    ... unit = "person"
    ... append_only = true
    ... [tables.cases.columns]
    ... person = { type = "integer" }
    ... reported = { type = "date" }
    ... ''')
    >>> cases = vn.Series("cases", "cases", day="reported", step="day", start=datetime.date(2027, 1, 1),
    ...                   end=datetime.date(2027, 12, 31), accuracy={"cumulative": 60})
    >>> study = vn.SeriesStudy(os.path.join(folder, "catalog.toml"), [cases], name="cases")
    >>> published = study.release("2027-01-02", progress=False)
    >>> bool(vn.verify(published.record))
    True
    """

    _maker = "SeriesStudy.release()"
    _record: bytes
    _documents: dict[str, bytes]
    _told: tuple[str, bool, bool, int]

    series: list[dict[str, Any]] = stated("""Of each series its `rows`: keys, and `each`, `last` and `cumulative` with
        `value`, `interval` and `accuracy`.

        >>> published.series[0]["rows"][0]["cumulative"]["accuracy"] <= 60
        True
        """)

    @property
    def step(self) -> datetime.date:
        """The first day of the step.

        >>> published.step
        datetime.date(2027, 1, 2)
        """
        return datetime.date.fromisoformat(self._told[0])

    @property
    def repeated(self) -> bool:
        """Whether it was published before: these are the same bytes.

        >>> published.repeated, study.release("2027-01-02", progress=False).repeated
        (False, True)
        """
        return self._told[1]

    @property
    def paid(self) -> bool:
        """Whether all steps were paid for by this one, as the first of them is.

        >>> published.paid, study.release("2027-01-03", progress=False).paid
        (True, False)
        """
        return self._told[2]

    @property
    def skipped(self) -> int:
        """So many skipped steps it made up for.

        >>> published.skipped
        1
        """
        return self._told[3]

    @property
    def record(self) -> bytes:
        """The bytes of release.json, which `vernier.verify` takes.

        >>> published.record == study.release("2027-01-02", progress=False).record
        True
        """
        return self._record

    @property
    def documents(self) -> dict[str, bytes]:
        """All files, by their names.

        >>> sorted(published.documents)
        ['cases.csv', 'cases.past.csv', 'release.json', 'report.html', 'report.txt']
        """
        return dict(self._documents)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each group of each series.

        >>> list(published.to_pandas())[:4]
        ['series', 'each', 'each_low', 'each_high']
        """
        return frame_of_rows([{"series": one["name"], **_flat(row)} for one in self._stated["series"] for row in one["rows"]])

    def __repr__(self) -> str:
        return self._documents.get("report.txt", b"").decode("utf-8", "replace").rstrip("\n")


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, part in row.items():
        if isinstance(part, Mapping):
            flat |= {name: part["value"], f"{name}_low": part["interval"][0], f"{name}_high": part["interval"][1]}
        else:
            flat[name] = part
    return flat


def _day_text(name: str, value: Any) -> str:
    """A day as it is written: of a date, or of a text such as 2027-03-05."""
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, str):
        return text(name, value)
    raise InvalidError(f'{name} is no day; write one such as "2027-03-05"')


class SeriesStudy:
    """Series over a catalog: planned and paid for as a whole, released step by step.

    >>> import datetime, os, tempfile
    >>> import vernier as vn
    >>> folder = tempfile.mkdtemp()
    >>> with open(os.path.join(folder, "cases.csv"), "w") as file:
    ...     _ = file.write("person,reported\\n1,2027-01-01\\n2,2027-01-02\\n")
    >>> with open(os.path.join(folder, "catalog.toml"), "w") as file:
    ...     _ = file.write('''[budget]
    ... epsilon = 2.0
    ... delta = 1e-6
    ... [tables.cases]
    ... source = "cases.csv"
    ... unit = "person"
    ... append_only = true
    ... [tables.cases.columns]
    ... person = { type = "integer" }
    ... reported = { type = "date" }
    ... ''')
    >>> cases = vn.Series("cases", "cases", day="reported", step="day", start=datetime.date(2027, 1, 1), end=datetime.date(2027, 1, 31))
    >>> study = vn.SeriesStudy(os.path.join(folder, "catalog.toml"), [cases], epsilon=1, delta=1e-7, name="cases")
    >>> study
    SeriesStudy('cases', series=['cases'])
    """

    name: str  #: in releases and in the ledger
    series: list[str]  #: their names
    catalog: Catalog
    _located: Located
    _bound: _core.SeriesStudy

    def __init__(self, catalog: Catalog | str | os.PathLike[str], series: Series | Sequence[Series], *, epsilon: Any = None,
                 delta: Any = None, alpha: Any = None, name: str = "study") -> None:
        asked = catalog_of(catalog)
        located = (in_folder(os.path.dirname(os.fsdecode(asked._located[0])), STUDY),
                   _study_text(asked, series, epsilon, delta, alpha).encode())
        self._fill(text("the name of the study", name), located, asked)

    @classmethod
    def read(cls, path: str | os.PathLike[str], catalog: Catalog | str | os.PathLike[str] | None = None) -> SeriesStudy:
        """A study in a file, with the catalog that it names; or with the one that is given.

        >>> vn.SeriesStudy.read("no/such/study.toml")
        Traceback (most recent call last):
        vernier.MissingFileError: the file 'no/such/study.toml' cannot be read: No such file or directory; look whether its name is right
        """
        located = read_located(path)
        named = os.fsdecode(_core.catalog_of_series(located, catalog is None))
        study = cls.__new__(cls)
        study._fill(Path(os.fsdecode(located[0])).stem, located, Catalog.read(named) if catalog is None else _only(catalog_of(catalog), named))
        return study

    def _fill(self, name: str, located: Located, catalog: Catalog) -> None:
        bound = _core.bind_series(name, located, catalog._located)
        self.name, self.series, self.catalog, self._located, self._bound = name, bound.series, catalog, located, bound

    def plan(self, *, analyst: str | None = None) -> SeriesPlan:
        """What all steps will cost together, and how accurate each will be: reads no rows, spends nothing.

        >>> len(study.plan().series[0]["steps"])
        31
        """
        content, words = _core.plan_series(self._bound, optional_text("analyst", analyst))
        return made(SeriesPlan, json.loads(content), study=self, text=words)

    def release(self, step: datetime.date | str, *, out: str | os.PathLike[str] | None = None, analyst: str | None = None,
                progress: bool = True) -> SeriesStep:
        """Publishes the step of a day. The first one pays for all of them; one that was published before is given again.

        >>> study.release(datetime.date(2027, 1, 2), progress=False).step
        datetime.date(2027, 1, 2)
        """
        return self._released(_day_text("step", step), None, out, analyst, progress)[0]

    def release_due(self, *, out: str | os.PathLike[str] | None = None, analyst: str | None = None,
                    progress: bool = True) -> list[SeriesStep]:
        """Publishes all steps that have ended by now, each in a folder of its own below `out`.

        >>> study.release_due(progress=False)
        []
        """
        return self._released(None, datetime.date.today().isoformat(), out, analyst, progress)

    def _released(self, step: str | None, today: str | None, out: Any, analyst: Any, progress: Any) -> list[SeriesStep]:
        with bar("running", progress) as show:
            told = _core.release_series(self._bound, step, today, optional_text("analyst", analyst),
                                        None if out is None else path_bytes("out", out), show)
        return [_step_of(one) for one in told]

    def to_toml(self) -> str:
        """The text of a file that says the same.

        >>> "[[series]]" in study.to_toml()
        True
        """
        return self._located[1].decode()

    def __repr__(self) -> str:
        return f"SeriesStudy({self.name!r}, series={self.series})"


def _study_text(catalog: Catalog, series: Any, epsilon: Any, delta: Any, alpha: Any) -> str:
    asked = [series] if isinstance(series, Series) else series
    if not isinstance(asked, (list, tuple)) or not asked or not all(isinstance(one, Series) for one in asked):
        raise InvalidError('the series of a study are no list of vn.Series; write for example '
                           '[vn.Series("cases", "cases", day="reported", step="day", start=..., end=...)]')
    budget = {key: value for key, value in (("epsilon", epsilon), ("delta", delta)) if value is not None}
    file = catalog.path
    head = {"catalog": "catalog.toml" if file is None else str(file), "alpha": alpha, "budget": budget or None}
    return _toml.document(_toml.numbers_in(head, "alpha", "budget"), {"series": _entries_of(asked)})


def _step_of(told: Any) -> SeriesStep:
    date, documents, repeated, first, skipped = told
    files = dict(documents)
    record = files["release.json"]
    return made(SeriesStep, json.loads(record), record=record, documents=files, told=(date, repeated, first, skipped))


def _entries_of(series: Sequence[Series]) -> list[dict[str, Any]]:
    """As a study file has them; days are written without quotes."""
    for one in series:
        for name in ("start", "end"):
            if isinstance(getattr(one, name), str):
                raise InvalidError(f"{name} of a series is a text; write a day such as datetime.date(2027, 1, 1)")
    return [one._entries() for one in series]
