"""Statistics about people, with a differential-privacy guarantee and an honest margin of error.

Without data: `calibrate` and `accuracy` tell what a budget buys, `law` what noise looks like, `compose` what many releases cost
together, `coverage` whether intervals hold. With data: a `Catalog` of `Table`s has a `Budget`, a `Study` of `Statistic`s,
`Tables`, `Regression`s and `Components` asks something of it, `plan` tells what that costs, `release` publishes it, `query` a single statement; `bounds` finds bounds of a column,
`limits` how many rows of a unit may count.
`Ledger`, `verify`, `key` and `audit` are for whoever checks; `serve` opens the page on which studies are budgeted by accuracy.
`compat.opendp` has the conversions of OpenDP under their names. Whatever is refused is an `Error` that says what to do.

>>> import vernier as vn
>>> vn.calibrate("geometric", epsilon=0.1).accuracy
30
"""

from vernier import compat
from vernier._core import __version__  # type: ignore[attr-defined]
from vernier._cells import ReleasedCells, ReleasedTables
from vernier._errors import (
    EntropyError,
    Error,
    ExhaustedError,
    FailedError,
    FileError,
    InvalidError,
    MissingError,
    MissingFileError,
    NotOneError,
)
from vernier._number import Number, Numbers
from vernier.audits import Audit, audit
from vernier.boundaries import Bounds, bounds
from vernier.calibration import Calibration, Calibrations, accuracy, calibrate
from vernier.catalogs import Budget, Catalog, Column, Table
from vernier.composition import Composition, Ends, Event, compose
from vernier.coverages import Coverage, Denoising, coverage
from vernier.engines import probe
from vernier.keys import Key, key
from vernier.laws import Law, law
from vernier.ledgers import Balance, History, Ledger
from vernier.limits import Limits, limits
from vernier.plans import Plan, plan
from vernier.queries import query
from vernier.relations import Components, Regression
from vernier.releases import Release, ReleasedTable, release
from vernier.series import Series, SeriesPlan, SeriesStep, SeriesStudy
from vernier.servers import Page, serve
from vernier.studies import Statistic, Study, Tables
from vernier.verdicts import Verdict, verify

__all__ = [
    "EntropyError", "Error", "ExhaustedError", "FailedError", "FileError", "InvalidError", "MissingError", "MissingFileError", "NotOneError",
    "__version__",
    "Audit", "audit",
    "Bounds", "bounds",
    "Budget", "Catalog", "Column", "Table",
    "Key", "key", "probe",
    "Calibration", "Calibrations", "accuracy", "calibrate",
    "Composition", "Ends", "Event", "compose",
    "Coverage", "Denoising", "coverage",
    "Law", "law",
    "Limits", "limits",
    "Balance", "History", "Ledger",
    "Components", "Plan", "Regression", "Statistic", "Study", "Tables", "plan",
    "Series", "SeriesPlan", "SeriesStep", "SeriesStudy",
    "Number", "Numbers", "Release", "ReleasedCells", "ReleasedTable", "ReleasedTables", "Verdict", "query", "release", "verify",
    "Page", "serve",
    "compat",
]


def __dir__() -> list[str]:
    """What tab completion offers: what is public, and not the files it comes from."""
    return __all__
