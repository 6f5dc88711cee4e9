"""The analyst's study: what is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from vernier import _core, _toml
from vernier._errors import InvalidError
from vernier._located import STUDY, Located, file_of, in_folder, read_located
from vernier._words import kind_of, text
from vernier.catalogs import Catalog, Declaration, said_of
from vernier.relations import Components, Regression


Covers = Literal["sample", "population"]
Evenness = Literal["cells", "tables", "total"]


@dataclass(repr=False, eq=False)
class Statistic(Declaration):
    """One SELECT that a study asks. The keys are those of `[[statistic]]` in a study.

    >>> import vernier as vn
    >>> vn.Statistic("people", "SELECT COUNT(*) AS people FROM people", accuracy={"people": 50})
    Statistic(name='people', sql='SELECT COUNT(*) AS people FROM people', accuracy={'people': 50})
    """

    name: str
    sql: str
    accuracy: Mapping[str, Any] | None = None
    weight: Any = None
    max_groups: int | None = None
    max_rows: int | None = None
    typical_rows: int | None = None
    covers: Covers | None = None
    guaranteed: bool | None = None
    simultaneous: bool | None = None
    denoise: str | None = None
    differences: Sequence[tuple[Any, Any]] | None = None
    clamped_share: bool | None = None
    alpha: Any = None
    seen: Mapping[str, Any] | None = None
    at_least: bool | None = None

    def _entries(self) -> dict[str, Any]:
        return _toml.numbers_in(said_of(self), "accuracy", "weight", "max_groups", "max_rows", "typical_rows", "alpha")


@dataclass(repr=False, eq=False)
class Tables(Declaration):
    """All tables of some columns at once, which add up. The keys are those of `[[table]]` in a study; `table` is what stands
    in FROM. `accuracy` is one number for every cell, or a dictionary by the number of columns, or by the columns.

    >>> import vernier as vn
    >>> vn.Tables("people", "people", ["sex", "region"], up_to=2, accuracy={0: 20, 1: 40, 2: 80})
    Tables(name='people', table='people', columns=['sex', 'region'], up_to=2, accuracy={0: 20, 1: 40, 2: 80})
    >>> named = vn.Tables("people", "people", ["sex", "region"], tables=[["sex"], []], accuracy={("sex",): 10, (): 20})
    >>> named.tables
    [['sex'], []]
    """

    name: str
    table: str
    columns: Sequence[str]
    up_to: int | None = None
    tables: Sequence[Sequence[str]] | None = None
    accuracy: Any = None
    where: str | None = None
    even: Evenness | None = None
    weight: Any = None
    max_rows: int | None = None
    rest: str | bool | None = None
    simultaneous: bool | None = None

    def _entries(self) -> dict[str, Any]:
        said = said_of(self)
        entries = {"from" if key == "table" else key: value for key, value in said.items()}
        if isinstance(self.accuracy, Mapping) and any(isinstance(one, tuple) for one in self.accuracy):
            entries["accuracy"] = [_toml.numbers_in({"table": list(columns), "accuracy": one}, "accuracy")
                                   for columns, one in self.accuracy.items()]
        return _toml.numbers_in(entries, "accuracy", "weight", "max_rows", "up_to")


Asked = Statistic | Tables | Regression | Components
_KINDS: dict[str, type[Declaration]] = {"statistic": Statistic, "table": Tables, "regression": Regression, "components": Components}


class Study:
    """What an analyst asks of a catalog.

    `epsilon` and `delta` are the budget of the whole study; they may be left out where every statistic states an accuracy.
    Like a catalog it is written as TOML and read by the core, with all its SQL, so that what is wrong is refused here.

    >>> import tempfile
    >>> import vernier as vn
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6),
    ...                      {"people": vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row")},
    ...                      folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.5)
    >>> study
    Study('study', statistics=['people'])
    >>> vn.Study(catalog, [vn.Statistic("people", "SELECT name FROM people")], epsilon=0.5)
    Traceback (most recent call last):
        ...
    vernier.InvalidError: ...
    """

    name: str  #: in releases and in the ledger
    statistics: list[str]  #: their names
    tables: list[str]  #: the names of its sets of tables
    catalog: Catalog
    _located: Located
    _bound: _core.Study

    def __init__(self, catalog: Catalog | str | os.PathLike[str], statistics: Sequence[Asked] | Asked, *, epsilon: Any = None,
                 delta: Any = None, alpha: Any = None, name: str = "study") -> None:
        asked = catalog_of(catalog)
        located = (in_folder(os.path.dirname(os.fsdecode(asked._located[0])), STUDY),
                   _study_text(asked, statistics, epsilon, delta, alpha).encode())
        _fill(self, text("the name of a study", name), located, asked)

    @classmethod
    def read(cls, path: str | os.PathLike[str], catalog: Catalog | str | os.PathLike[str] | None = None) -> Study:
        """The study in this file, of the catalog that it names, or of this one: then it names the same file, or none.

        >>> import vernier as vn
        >>> vn.Study.read("no/such/study.toml")
        Traceback (most recent call last):
            ...
        vernier.MissingFileError: the file 'no/such/study.toml' cannot be read: No such file or directory; look whether its name is right
        """
        located = read_located(path)
        named = os.fsdecode(_core.catalog_of_study(located, catalog is None))
        asked = Catalog.read(named) if catalog is None else _only(catalog_of(catalog), named)
        made = cls.__new__(cls)
        _fill(made, Path(os.fsdecode(located[0])).stem, located, asked)
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {name: part for name, part in self.__dict__.items() if name != "_bound"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        _fill(self, state["name"], state["_located"], state["catalog"])

    @property
    def path(self) -> Path | None:
        """The file that it was read from; None where a program made it.

        >>> study.path is None
        True
        """
        return file_of(self._located)

    def to_toml(self) -> str:
        """The text of the study file that asks the same.

        >>> print(study.to_toml(), end="")
        catalog = "catalog.toml"
        budget = { epsilon = 0.5 }
        <BLANKLINE>
        [[statistic]]
        name = "people"
        sql = "SELECT COUNT(*) AS people FROM people"
        """
        return self._located[1].decode()

    def __repr__(self) -> str:
        tables = f", tables={self.tables}" if self.tables else ""
        return f"Study({self.name!r}, statistics={self.statistics}{tables})"


def _fill(study: Study, name: str, located: Located, catalog: Catalog) -> None:
    """Only with what the core has read and bound."""
    bound = _core.bind_study(name, located, catalog._located)
    study.name, study.statistics, study.catalog = name, bound.statistics, catalog
    study.tables = bound.tables
    study._located, study._bound = located, bound


def _only(catalog: Catalog, named: str) -> Catalog:
    """This catalog, where the study names no other file."""
    file = catalog.path
    if named and file is not None and not (os.path.exists(named) and os.path.samefile(named, file)):
        raise InvalidError(f"the study names the catalog '{named}', but only '{file}' counts; take that line out of the study")
    return catalog


def _study_text(catalog: Catalog, statistics: Any, epsilon: Any, delta: Any, alpha: Any) -> str:
    kinds = tuple(_KINDS.values())
    asked = [statistics] if isinstance(statistics, kinds) else statistics
    if not isinstance(asked, (list, tuple)) or not all(isinstance(one, kinds) for one in asked):
        raise InvalidError('the statistics of a study are no list of vn.Statistic, vn.Tables, vn.Regression or vn.Components; write '
                           'for example [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")]')
    budget = {key: value for key, value in (("epsilon", epsilon), ("delta", delta)) if value is not None}
    file = catalog.path
    head = {"catalog": "catalog.toml" if file is None else str(file), "alpha": alpha, "budget": budget or None}
    return _toml.document(_toml.numbers_in(head, "alpha", "budget"),
                          {name: [one._entries() for one in asked if isinstance(one, kind)] for name, kind in _KINDS.items()})


def catalog_of(catalog: Any) -> Catalog:
    """A catalog, or the path of one."""
    if isinstance(catalog, (str, os.PathLike)):
        return Catalog.read(catalog)
    if not isinstance(catalog, Catalog):
        raise InvalidError(f"the catalog is {kind_of(catalog)}; write a vn.Catalog, or the path of one")
    return catalog


def study_of(study: Any) -> Study:
    """A study, or the path of one."""
    if isinstance(study, (str, os.PathLike)):
        return Study.read(study)
    if not isinstance(study, Study):
        raise InvalidError(f"the study is {kind_of(study)}; write a vn.Study, or the path of one")
    return study


def optional_text(name: str, value: Any) -> str:
    """A text, empty where there is none."""
    return "" if value is None else text(name, value)
