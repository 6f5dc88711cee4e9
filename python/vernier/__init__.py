"""Statistics about people, with a differential-privacy guarantee and an honest margin of error."""

from vernier._balances import Balance, History
from vernier._core import __version__
from vernier._errors import EntropyError, Error, ExhaustedError, FailedError, InvalidError
from vernier.calibration import Calibration, Calibrations, accuracy, calibrate
from vernier.catalogs import Catalog
from vernier.composition import Composition, Ends, compose
from vernier.coverages import Coverage, coverage
from vernier.declarations import Budget, Column, Table
from vernier.denoising import Denoising
from vernier.events import Event
from vernier.laws import Law, law
from vernier.ledgers import Ledger
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
]
