"""Statistics about people, with a differential-privacy guarantee and an honest margin of error.

Without data: `calibrate` and `accuracy` tell what a budget buys, `law` what noise looks like, `compose` what many releases cost
together, `coverage` whether intervals hold. With data: a `Catalog` of `Table`s has a `Budget`, a `Study` of `Statistic`s asks
something of it, `plan` tells what that costs, `release` publishes it; `Ledger` and `verify` are for whoever checks.
`compat.opendp` has the conversions of OpenDP under their names. Whatever is refused is an `Error` that says what to do.

>>> import vernier as vn
>>> vn.calibrate("geometric", epsilon=0.1).accuracy
30
"""

from vernier import compat
from vernier._core import __version__
from vernier._errors import EntropyError, Error, ExhaustedError, FailedError, InvalidError
from vernier.calibration import Calibration, Calibrations, accuracy, calibrate
from vernier.catalogs import Budget, Catalog, Column, Table
from vernier.composition import Composition, Ends, Event, compose
from vernier.coverages import Coverage, Denoising, coverage
from vernier.laws import Law, law
from vernier.ledgers import Balance, History, Ledger
from vernier.plans import Plan, plan
from vernier.releases import Release, ReleasedTable, release
from vernier.studies import Statistic, Study
from vernier.verdicts import Verdict, verify

__all__ = [
    "EntropyError", "Error", "ExhaustedError", "FailedError", "InvalidError", "__version__",
    "Budget", "Catalog", "Column", "Table",
    "Calibration", "Calibrations", "accuracy", "calibrate",
    "Composition", "Ends", "Event", "compose",
    "Coverage", "Denoising", "coverage",
    "Law", "law",
    "Balance", "History", "Ledger",
    "Plan", "Statistic", "Study", "plan",
    "Release", "ReleasedTable", "Verdict", "release", "verify",
    "compat",
]


def __dir__() -> list[str]:
    """What tab completion offers: what is public, and not the files it comes from."""
    return __all__
