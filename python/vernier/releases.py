"""Releases: numbers with intervals, and the record that a stranger can check."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._errors import InvalidError
from vernier._located import content_of, listed, path_bytes
from vernier._released import ReleasedTable, released_table, vouched
from vernier._result import Guaranteed, made, stated
from vernier._show import at_most, need_matplotlib
from vernier._show import progress as shown_progress
from vernier._words import kind_of, text
from vernier.catalogs import frames_for
from vernier.studies import Study, optional_text, study_of

if TYPE_CHECKING:
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
_DOCUMENTS = ("csv", "charts", "page", "parquet", "text")


class Release(Guaranteed):
    """What was published: a table for every statistic, by its name, and the record of it all.

    Made by `vernier.release`, or read from what was published before.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.5)
    >>> made = vn.release(study, documents=True)
    >>> list(made), made["people"].names
    (['people'], ['value', 'low', 'high'])
    """

    _maker = "vernier.release(study), or vernier.Release.read(folder),"
    repeated: bool  #: whether it was stored before, for the same request, and nothing was charged
    _documents: dict[str, bytes]
    _tables: dict[str, ReleasedTable]

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
            return _released([(RECORD, _core.read_text(place))], False)
        record = _core.read_text(os.path.join(place, RECORD.encode()))
        others = [(os.fsdecode(name), content_of(os.path.join(place, name))) for name in sorted(os.listdir(place))
                  if os.path.isfile(os.path.join(place, name))]
        return _released([*others, (RECORD, record)], False)

    def __getitem__(self, statistic: str) -> ReleasedTable:
        if not isinstance(statistic, str) or statistic not in self._tables:
            names = ", ".join(f"'{name}'" for name in self._tables)
            raise InvalidError(f"the release has no statistic of this name; its statistics are {names}")
        return self._tables[statistic]

    def __contains__(self, statistic: object) -> bool:
        return statistic in self._tables

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
        return "\n\n".join([*(repr(table) for table in self._tables.values()), self._guarantee()])

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self._tables.values()) + f"<p>{self._guarantee()}</p>"

    def _guarantee(self) -> str:
        confidences = sorted({f"{100 * one:g} %" for table in self._tables.values() for one in table.confidences})
        holds = f"every interval holds with probability {' or '.join(confidences)}; " if confidences else ""
        return (f"{holds}epsilon {at_most(self.epsilon)}, delta {at_most(self.delta)} for the whole release; "
                f"{took_text(self.charge)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _released, (list(self._documents.items()), self.repeated)


def _released(documents: list[tuple[str, bytes]], is_repeated: bool) -> Release:
    files = dict(documents)
    content = _parsed(files[RECORD])
    certified = content["certificate"]["statistics"]
    tables = {one["name"]: released_table(one, also) for one, also in zip(content["statistics"], certified)}
    published = made(Release, content, documents=files, tables=tables)
    published.repeated = is_repeated
    return published


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
            documents: bool | Sequence[str] | None = None, progress: bool = True) -> Release:
    """Runs a study and publishes it: numbers with noise and intervals, and a record that anybody can check.

    The price is reserved in the catalog's ledger before data is read, and stays spent whatever happens then. `data` are the
    rows of tables that are declared without a file, by their names; `out` is a new folder into which everything is written,
    too. `documents` are the files that are made beside the record: True for all of them, which is usual with `out`, False for
    none, which is usual without, or some of "csv", "charts", "page", "parquet" and "text". The record vouches for them, so that
    none can be added later. `analyst` is whose share of the budget pays. `request` is an id of your own: asked again with it, the same answer is
    given and nothing is charged. Ctrl-C stops it.

    >>> import tempfile
    >>> import vernier as vn
    >>> people = vn.Table({"age": vn.Column("integer", bounds=(0, 100)), "sex": vn.Column("string", keys=["f", "m"])},
    ...                   unit="row", data={"age": [31, 47, 58, 22], "sex": ["f", "m", "f", "f"]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": people}, folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("sexes", "SELECT sex, COUNT(*) AS people FROM people GROUP BY sex")],
    ...                  epsilon=1)
    >>> released = vn.release(study)
    >>> released["sexes"].names
    ['sex', 'value', 'low', 'high']
    >>> [row["sex"] for row in released["sexes"].rows], round(released.epsilon, 6)
    (['f', 'm'], 1.0)
    >>> bool(vn.verify(released))
    True
    >>> round(vn.Ledger(catalog).left["epsilon"], 6)
    1.0
    """
    asked = study_of(study)
    if not isinstance(progress, bool):
        raise InvalidError(f"progress is {kind_of(progress)}; write True or False")
    arguments = (asked._bound, _frames(asked, data), optional_text("analyst", analyst), optional_text("request", request),
                 _kinds(out is not None if documents is None else documents), None if out is None else path_bytes("out", out))
    with shown_progress("running") if progress else nullcontext() as show:
        return _released(*_core.release(*arguments, show))


def _kinds(documents: Any) -> list[str]:
    """The kinds of documents that are to be made."""
    if isinstance(documents, bool):
        return list(_DOCUMENTS) if documents else []
    return [text("documents", one) for one in listed("documents", documents, len(_DOCUMENTS), '["csv", "charts"]')]


def _frames(study: Study, data: Any) -> dict[str, Any]:
    if data is not None and not isinstance(data, Mapping):
        raise InvalidError(f'data is {kind_of(data)}; write a dictionary from tables to their rows, as in {{"people": frame}}')
    frames = frames_for(study.catalog, {} if data is None else data)
    given = {name.casefold() for name in frames}
    for table in study._bound.tables_in_memory:
        if table.casefold() not in given:
            raise InvalidError(f"no rows are given for the table '{table}'; give them as vn.release(study, data="
                               f'{{"{table}": frame}}), or as data= of the vn.Table')
    return frames
