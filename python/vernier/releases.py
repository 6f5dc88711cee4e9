"""Releases: numbers with intervals, and the record that a stranger can check."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from vernier import _core
from vernier._engines import session_of
from vernier._errors import Error, ExhaustedError, InvalidError, MissingError
from vernier._located import content_of, listed, path_bytes
from vernier._number import Numbers
from vernier._cells import ReleasedTables, released_tables
from vernier._released import ReleasedTable, released_table, vouched
from vernier._result import Guaranteed, frame_of_rows, made, stated
from vernier._show import at_least, at_most, need_matplotlib, seen
from vernier._show import progress as shown_progress
from vernier._words import kind_of, text
from vernier.catalogs import frames_for
from vernier.studies import Study, optional_text, study_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def charge_of(stated: dict[str, Any]) -> dict[str, Any]:
    """Of a record."""
    charge = stated["certificate"]["charge"]
    opening = charge.get("opening")
    return {**_amounts(charge), "manner": charge["manner"], "unit": stated["unit"],
            "opening": None if opening is None else {**opening, **_amounts(opening)}}


def _amounts(stated: dict[str, str]) -> dict[str, float]:
    """Exact fractions, as they are written, rounded up."""
    return {name: _not_below(Fraction(stated[name])) for name in ("epsilon", "delta")}


def _not_below(exact: Fraction) -> float:
    nearest = float(exact)
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)


def took_text(charge: dict[str, Any]) -> str:
    """As a sentence tells it."""
    opening = charge["opening"]
    took = (f"the ledger took epsilon {at_most(charge['epsilon'])} and delta {at_most(charge['delta'])} "
            f"for each {charge['unit']}")
    if opening is None:
        return took
    return (f"{took}, epsilon {at_most(opening['epsilon'])} and delta {at_most(opening['delta'])} of it once, to open the "
            f"conversion: room for {opening['room_with_conversion']} such studies in place of {opening['room_by_totals']}")


RECORD = "release.json"
DocumentKind = Literal["csv", "charts", "page", "parquet", "text"]
_DOCUMENTS = ("csv", "charts", "page", "parquet", "text")


class Release(Guaranteed):
    """What was published: a table for every statistic, by its name, and the record of it all.

    Made by `vernier.release`, or read from what was published before. `release["people"]` is the table of the statistic of
    this name, or the tables of the `vernier.Tables` of this name, or the numbers of the column of this name where only one
    statistic has it. Who goes through a release gets the names of its statistics.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.5)
    >>> made = vn.release(study, documents=True)
    >>> list(made), made["people"].names
    (['people'], ['people', 'people_low', 'people_high', 'people_informative'])
    """

    _maker = "vernier.release(study), or vernier.Release.read(folder),"
    repeated: bool  #: whether it was stored before, for the same request, and nothing was charged
    left: dict[str, float] | None  #: what there was left of epsilon and delta then; None where it was read from a file
    _documents: dict[str, bytes]
    _tables: dict[str, ReleasedTable]
    _sets: dict[str, ReleasedTables]  # of tables that add up

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Release:
        """A release that was published: its folder, or its release.json. Whether it holds is for `vernier.verify` to say.

        >>> folder = tempfile.mkdtemp()
        >>> made.save(folder)
        >>> vn.Release.read(folder) == made
        True
        """
        place = path_bytes("the path", path)
        if not os.path.isdir(place):
            return _released([(RECORD, _core.read_text(place))], False, None)
        record = _core.read_text(os.path.join(place, RECORD.encode()))
        others = [(os.fsdecode(name), content_of(os.path.join(place, name))) for name in sorted(os.listdir(place))
                  if os.path.isfile(os.path.join(place, name))]
        return _released([*others, (RECORD, record)], False, None)

    def __getitem__(self, name: str) -> Any:
        found = self.get(name)
        if found is None:
            names = ", ".join(f"'{name}'" for name in self._ipython_key_completions_())
            raise MissingError(f"the release has no statistic of this name, and no column that one statistic alone has; it has {names}")
        return found

    def get(self, name: str, default: Any = None) -> Any:
        """The table of the statistic of this name, or the numbers of the only column of this name, or `default`.

        >>> made.get("people").names, made.get("income") is None
        (['people', 'people_low', 'people_high', 'people_informative'], True)
        """
        if not isinstance(name, str):
            return default
        if name in self._tables:
            return self._tables[name]
        if name in self._sets:
            return self._sets[name]
        columns: list[Numbers] = [table[name] for table in self._tables.values() if name in table.columns]
        return columns[0] if len(columns) == 1 else default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def _ipython_key_completions_(self) -> list[str]:
        columns = [column for table in self._tables.values() for column in table.columns]
        return [*self._tables, *self._sets, *(one for one in columns if columns.count(one) == 1 and one not in self._tables)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def keys(self) -> list[str]:
        """The names of the statistics.

        >>> made.keys()
        ['people']
        """
        return list(self._tables)

    def values(self) -> list[ReleasedTable]:
        """The tables.

        >>> [len(table) for table in made.values()]
        [1]
        """
        return list(self._tables.values())

    def items(self) -> list[tuple[str, ReleasedTable]]:
        """Names and tables.

        >>> [(name, table.columns) for name, table in made.items()]
        [('people', ['people'])]
        """
        return list(self._tables.items())

    def __eq__(self, other: object) -> bool:
        return self.record == other.record if isinstance(other, Release) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.record)

    id: str = stated("""The release's own name in the ledger.

        >>> made.id == vn.Ledger(catalog).history().entries[1]["release"]
        True
        """, "release")

    assumptions: list[str] = stated("""What has to be believed for the guarantee and the intervals to hold.

        >>> made.assumptions[0]
        'Each row is a unit of its own: a person with several rows is protected for each of them, not for all.'
        """)

    certificate: dict[str, Any] = stated("""Everything from which `vernier.verify` computes the release again.

        >>> list(made.certificate)[:4]
        ['version', 'alpha', 'budget', 'unit_column']
        """)

    @property
    def charge(self) -> dict[str, Any]:
        """What the ledger took, for each `unit`: an epsilon and a delta, in which manner, and under `opening` what of it was
        paid once for the conversion, with the studies that there is room for with and without it.

        >>> round(made.charge["epsilon"], 6), made.charge["manner"], made.charge["unit"], made.charge["opening"]
        (0.5, 'total', 'row', None)
        """
        return charge_of(self._stated)

    @property
    def record(self) -> bytes:
        """release.json, byte by byte as it was signed.

        >>> bool(vn.verify(made.record)), bool(vn.verify(made.record.replace(b"people", b"papers")))
        (True, False)
        """
        return self._documents[RECORD]

    @property
    def documents(self) -> dict[str, bytes]:
        """The files that were made, by their names: release.json, and CSV, charts as SVG, results.parquet and report.html as
        far as `documents` of `vernier.release` asked for them.

        >>> sorted(made.documents)
        ['people.csv', 'people.svg', 'release.json', 'report.html', 'report.txt', 'results.parquet']
        """
        return dict(self._documents)

    @property
    def report_html(self) -> str | None:
        """A page for everybody, with charts; None where it was not asked for, or only the record was read.

        >>> made.report_html[:15]
        '<!DOCTYPE html>'
        """
        page = self._documents.get("report.html")
        return None if page is None else page.decode()

    def to_dict(self) -> dict[str, Any]:
        """The record, by the words of release.json.

        >>> made.to_dict()["study"]
        'study'
        """
        return json.loads(self.record)

    def to_pandas(self) -> pandas.DataFrame:
        """All numbers in one frame: a row for every number, with its statistic, its groups as a text, and its interval.

        >>> list(made.to_pandas().columns)
        ['statistic', 'group', 'column', 'value', 'low', 'high', 'confidence', 'informative']
        """
        rows = [{"statistic": table.name, "group": ", ".join("NULL" if row[key] is None else str(row[key]) for key in table.keys),
                 "column": column, "value": float(row[column]), "low": float(row[column].low), "high": float(row[column].high),
                 "confidence": row[column].confidence, "informative": row[column].informative}
                for table in self._tables.values() for row in table for column in table.columns]
        return frame_of_rows(rows)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes all files into a new or empty folder, which appears whole at the end or not at all.

        >>> made.save("published")
        >>> made.save("published")
        Traceback (most recent call last):
        vernier.InvalidError: 'published' exists already, and a release is never written over anything; name a new folder
        """
        _core.save_release(path_bytes("the folder", folder), list(self._documents.items()))

    def plot(self, ax: Axes | None = None) -> Axes | list[Axes]:
        """The released numbers with their intervals: one picture for every statistic and column, below each other.

        >>> made.plot().get_ylabel()
        'people'
        """
        charts = [(table, column) for table in self._tables.values() for column in table.columns]
        if ax is not None or len(charts) == 1:
            table, column = charts[0]
            return table.plot(ax, column=column)
        figure, every = need_matplotlib().subplots(len(charts), layout="constrained", figsize=(6.4, 3.2 * len(charts)))
        return [table.plot(one, column=column) for one, (table, column) in zip(every, charts)]

    def __repr__(self) -> str:
        return "\n\n".join([*(repr(table) for table in self._tables.values()), *(repr(one) for one in self._sets.values()),
                            self._guarantee()])

    def _repr_html_(self) -> str:
        return "".join([*(one._repr_html_() for one in self._tables.values()), *(one._repr_html_() for one in self._sets.values()),
                        f"<p>{self._guarantee()}</p>"])

    def _guarantee(self) -> str:
        confidences = sorted({f"{100 * one:g} %" for table in self._tables.values() for one in table.confidences})
        holds = f"every interval holds with probability {' or '.join(confidences)}; " if confidences else ""
        limits = "".join(f"{seen(sentence)}; " for sentence in self._limits())
        return (f"{holds}{limits}epsilon {at_most(self.epsilon)}, delta {at_most(self.delta)} for the whole release; "
                f"{self._spent()}")

    def _limits(self) -> list[str]:
        """What counted of each unit, in the statistics that have numbers of rows."""
        unit = self._stated["unit"]
        counted = [] if unit == "row" else [_limit_text(unit, one, bool(table.keys)) for one, table in
                                            zip(self._stated["certificate"]["statistics"], self._tables.values())]
        return list(dict.fromkeys(counted))

    def _spent(self) -> str:
        """What it took, whether it is a repeat, and what is left."""
        took = took_text(self.charge)
        if self.repeated:
            took = "this is the stored answer to the same question, and nothing was taken now; the first time " + took
        return took if self.left is None else (f"{took}; there is epsilon {at_least(self.left['epsilon'])} and delta "
                                               f"{at_least(self.left['delta'])} left")

    def __reduce__(self) -> tuple[Any, ...]:
        return _released, (list(self._documents.items()), self.repeated, self.left)


def _limit_text(unit: str, certified: Mapping[str, Any], has_groups: bool) -> str:
    rows, groups = certified["max_rows"], certified["max_groups"]
    where = "" if not has_groups else " in 1 group" if groups == 1 else f" in each of {groups} groups"
    counts = "counts" if rows == 1 and (groups == 1 or not has_groups) else "count"
    return f"of each {unit} at most {rows} row{'' if rows == 1 else 's'}{where} {counts}"


def _released(documents: list[tuple[str, bytes]], is_repeated: bool, left: dict[str, float] | None) -> Release:
    files = dict(documents)
    content = _parsed(files[RECORD])
    certified = content["certificate"]["statistics"]
    tables = {one["name"]: released_table(one, also) for one, also in zip(content["statistics"], certified)}
    published = made(Release, content, documents=files, tables=tables, sets=released_tables(content, files))
    published.repeated, published.left = is_repeated, left
    return published


def answer_of(told: tuple[list[tuple[str, bytes]], bool, tuple[float, float]]) -> Release:
    """What the core gave, as a release."""
    documents, is_repeated, (epsilon, delta) = told
    return _released(documents, is_repeated, {"epsilon": epsilon, "delta": delta})


def _parsed(record: bytes) -> dict[str, Any]:
    try:
        stated = json.loads(record)
        if all(key in stated for key in ("release", "statistics", "certificate", "guarantee")) and vouched(stated):
            return stated
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    raise InvalidError("this is no record of a release; give the release.json that was published, or its folder")


def release(study: Study | str | os.PathLike[str], *, data: Mapping[str, Any] | None = None,
            out: str | os.PathLike[str] | None = None, analyst: str | None = None, request: str | None = None,
            again: bool = False, documents: bool | Sequence[DocumentKind] | None = None, engine: Any = None,
            progress: bool = True) -> Release:
    """Runs a study and publishes it: numbers with noise and intervals, and a record that anybody can check.

    The price is reserved in the catalog's ledger before data is read, and stays spent whatever happens then. `data` are the
    rows of tables that are declared without a file, by their names; `out` is a new folder into which everything is written,
    too. `documents` are the files that are made beside the record: True for all of them, which is usual with `out`, False for
    none, which is usual without, or some of "csv", "charts", "page", "parquet" and "text". The record vouches for them, so that
    none can be added later. `engine` is a session of Spark of your own, for a catalog whose `[engine]` has `kind = "spark"`: the
    rows stay there, and only sums of groups come back. `analyst` is whose share of the budget pays. The same study over the same
    rows gets the answer that was stored the first time, and nothing is charged: a cell may be run again. `again=True` pays
    for new noise. `request` is an id of your own: asked again with it, the same answer is given, whatever the rows are by
    then. Ctrl-C stops it.

    >>> import tempfile
    >>> import vernier as vn
    >>> people = vn.Table({"age": vn.Column("integer", bounds=(0, 100)), "sex": vn.Column("string", keys=["f", "m"])},
    ...                   unit="row", data={"age": [31, 47, 58, 22], "sex": ["f", "m", "f", "f"]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": people}, folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("sexes", "SELECT sex, COUNT(*) AS people FROM people GROUP BY sex")],
    ...                  epsilon=1)
    >>> released = vn.release(study)
    >>> released["sexes"].names
    ['sex', 'people', 'people_low', 'people_high', 'people_informative']
    >>> [row["sex"] for row in released["sexes"].rows], round(float(released.epsilon), 6)
    (['f', 'm'], 1.0)
    >>> bool(vn.verify(released))
    True
    >>> round(float(vn.Ledger(catalog).left["epsilon"]), 6)
    1.0
    >>> once_more = vn.release(study)
    >>> once_more == released, once_more.repeated, round(float(once_more.left["epsilon"]), 6)
    (True, True, 1.0)
    """
    asked = study_of(study)
    tell_assumed_limits(asked, "of the vn.Statistic" if asked.path is None else "below the statistic")
    return released(asked, data=data, out=out, analyst=analyst, request=request, again=again, documents=documents, engine=engine,
                    progress=progress)


def tell_assumed_limits(study: Study, place: str) -> None:
    """Before anything is paid: what counts of each unit where nobody has said how many rows may. For the function that a user calls."""
    table = "of the vn.Table" if study.catalog.path is None else "below the table in the catalog"
    for sentence, name in study._bound.assumed_limits:
        warnings.warn(f"{seen(sentence)}, since nothing says how many may; write max_rows and max_groups {place}, or {table}. "
                      f"vn.limits(catalog, \"{seen(name)}\", epsilon=...) finds privately how many there are", stacklevel=3)


def released(asked: Study, *, data: Mapping[str, Any] | None, out: str | os.PathLike[str] | None, analyst: str | None,
             request: str | None, again: bool, documents: bool | Sequence[DocumentKind] | None, engine: Any = None,
             progress: bool) -> Release:
    """Runs it, whatever was said of it before."""
    kinds = _kinds(out is not None if documents is None else documents)
    arguments = (asked._bound, _frames(asked, data), optional_text("analyst", analyst), *request_of(request, again), kinds,
                 None if out is None else path_bytes("out", out), None if engine is None else session_of(engine))
    with paying(lambda: _shortage(asked, analyst)), bar("running", progress) as show:
        published = answer_of(_core.release(*arguments, show))
    _tell_what_is_missing(published, kinds)
    return published


def request_of(request: Any, again: Any) -> tuple[str, bool]:
    """The id of a request, and whether one is made from the plan and the rows where there is none."""
    if not isinstance(again, bool):
        raise InvalidError(f"again is {kind_of(again)}; write True to pay for new noise, or leave it out")
    if request is None:
        return "", not again
    if again:
        raise InvalidError("request and again are both given: the answer of a request is stored, and again=True asks for another; "
                           "leave one of them out")
    asked = text("request", request)
    if asked == "":
        raise InvalidError('request is an empty text, which is no id; write one such as "2026-1", or leave it out')
    return asked, False


def bar(label: str, progress: Any) -> Any:
    """A bar for long work, or none."""
    if not isinstance(progress, bool):
        raise InvalidError(f"progress is {kind_of(progress)}; write True or False")
    return shown_progress(label) if progress else nullcontext()


@contextmanager
def paying(shortage: Callable[[], dict[str, dict[str, float]]]) -> Iterator[None]:
    """Around what spends: an exhausted budget raises an error with its numbers."""
    try:
        yield
    except ExhaustedError as error:
        for name, amounts in shortage().items():
            setattr(error, name, amounts)
        raise
    except KeyboardInterrupt as stopped:
        left = shortage().get("left")
        if left and hasattr(stopped, "add_note"):
            stopped.add_note("of the budget there is left " + ", ".join(f"{name} {at_least(one)}" for name, one in left.items()))
        raise


def _shortage(study: Study, analyst: Any) -> dict[str, dict[str, float]]:
    """What a study asks of the ledger, and what is left; nothing where that cannot be told either."""
    try:
        content, _ = _core.plan(study._bound, optional_text("analyst", analyst), [])
    except Error:
        return {}
    amounts = json.loads(content)["ledger"]["amounts"]
    return {"asked": {one["name"]: one["price"] for one in amounts}, "left": {one["name"]: one["left"] for one in amounts}}


_ENDINGS = {"csv": ".csv", "charts": ".svg", "page": ".html", "parquet": ".parquet", "text": ".txt"}


def _tell_what_is_missing(published: Release, kinds: list[str]) -> None:
    """A stored answer has the documents that were made then, and its record vouches for no others."""
    made_then = tuple(os.path.splitext(name)[1] for name in published._documents)
    missing = [kind for kind in kinds if _ENDINGS[kind] not in made_then]
    if published.repeated and missing:
        warnings.warn(f"this is the stored answer to the same question, which was made without {', '.join(missing)}; "
                      "again=True pays for a new release that has it", stacklevel=4)


def _kinds(documents: Any) -> list[str]:
    """The kinds of documents that are to be made."""
    if isinstance(documents, bool):
        return list(_DOCUMENTS) if documents else []
    return [text("documents", one) for one in listed("documents", documents, len(_DOCUMENTS), '["csv", "charts"]')]


def _frames(study: Study, data: Any) -> dict[str, Any]:
    frames = frames_for(study.catalog, data)
    given = {name.casefold() for name in frames}
    for table in study._bound.tables_in_memory:
        if table.casefold() not in given:
            raise InvalidError(f"no rows are given for the table '{table}'; give them as vn.release(study, data="
                               f'{{"{table}": frame}}), or as data= of the vn.Table')
    return frames
