from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

from vernier._core import opendp as opendp


def calibrate(mechanism: object | None, epsilon: object | None, delta: object | None, scale: object | None, accuracy: object | None, alpha: object | None, sensitivity: object | None, cells: object | None, calibration: object | None) -> dict:
    """
    The figures of a release by name, each an array where rows of numbers are given.
    """

def calibrate_chart(releases: Sequence[dict]) -> str:
    """
    Accuracy against epsilon, mechanism by mechanism, around releases given by their figures; as JSON.
    """

def read_cells(cells: list, declared: str, plain: object) -> list:
    """
    What each of the cells is in the declared type, a day as its number since 1970; None where it is nothing there. `plain` makes a truth value, a number, a text or None of what is none of these.
    """

def column_of(cells: object, declared: str, plain: object) -> tuple:
    """
    The same of a list or an array of objects, as buffers of Arrow: values, ends of texts, bits that say which there are, and how many are not.
    """

def compose(given: Mapping[str, Sequence[str]]) -> str:
    """What `vernier compose --json` prints for these parameters."""

def compose_chart(given: Mapping[str, Sequence[str]]) -> str:
    """What `vernier compose --plot` draws for these parameters, as JSON."""

def coverage(given: Mapping[str, Sequence[str]], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, origin: str, show: object | None) -> str:
    """
    What `vernier coverage --json` prints for these parameters; values, where there are any, are in the place of a file, and show is called with the share that is done.
    """

def law_named(mechanism: object | None, scale: object | None) -> tuple:
    """
    The law of a mechanism at a scale: itself, name, scale, standard deviation, whether it is over integers.
    """

def law_figure(law: object, function: str, x: object | None, bounds: bool) -> object:
    """density, cumulative or tail at x, or the bounds between which it lies."""

def law_quantile(law: object, p: object | None) -> object:
    """The least x with P[noise <= x] >= p."""

def law_sample(law: object, size: object | None) -> object:
    """Independent draws: one where the size is None, else an array."""

def law_chart(law: object) -> str:
    """The law over draws, as JSON."""

def law_perturb(law: object, values: object | None, lower: object | None, upper: object | None) -> object:
    """
    The values with noise: clamped, put on the grid of the noise, noise added in integers, scaled last.
    """

def number_text(name: str, value: object | None) -> str:
    """
    A number as it is written, for the readers of the command line; `name` is what a sentence calls it.
    """

def kind_of(value: object | None) -> str:
    """What a sentence calls a value: a list, an int, None."""

class Frame:
    """Rows that a release may read. Nothing of them can be asked here."""

def is_unchanged(frame: Frame) -> bool:
    """Whether the columns that are watched are what they were."""

def take_frame(capsule: object | None, held: object | None = None, watched: Sequence[str] = []) -> Frame:
    """
    Takes the rows out of a capsule of Arrow's, without a copy; `held` lives as long as they do. The columns that are `watched` somebody else may write into.
    """

def stream_frame(capsule: object | None, names: Sequence[str]) -> Frame:
    """
    Reads a capsule of Arrow's batch by batch, and keeps the columns of these names in a file without a name.
    """

def read_text(path: bytes) -> bytes:
    """The text of a catalog or a study."""

def catalog_json(catalog: tuple[bytes, bytes]) -> str:
    """
    What `vernier catalog check --json` prints: the declarations, or all problems.
    """

def check_tables(catalog: tuple[bytes, bytes], session: object) -> None:
    """
    Compares the tables of a catalog with those of a session of its engine.
    """

def new_catalog(table: str, session: object) -> str:
    """The text of a catalog to fill in, of a table that a session has."""

def catalog_of_study(study: tuple[bytes, bytes], is_needed: bool) -> bytes:
    """
    The path of the catalog that a study names; empty where it names none and need not.
    """

class Study:
    """A study that was read and bound to its catalog. It holds no data."""

    @property
    def statistics(self) -> list[str]:
        """The names of its statistics."""

    @property
    def assumed_limits(self) -> list[tuple[str, str]]:
        """
        What counts of a unit where nobody has said how much may, each with its table.
        """

    @property
    def tables(self) -> list[str]:
        """The names of its sets of tables."""

    @property
    def tables_in_memory(self) -> list[str]:
        """The tables of which a program gives the rows."""

def bind_study(name: str, study: tuple[bytes, bytes], catalog: tuple[bytes, bytes]) -> Study:
    """Reads a study and its catalog, each once, or raises what is wrong."""

def plan(study: Study, analyst: str, what_if: Sequence[str]) -> tuple[str, str]:
    """What `vernier plan` prints, with --json and without."""

def plan_chart(study: Study, what_if: Sequence[str]) -> str:
    """The chart of `vernier plan --plot`, as JSON."""

def release(study: Study, frames: dict, analyst: str, request: str, is_same: bool, documents: Sequence[str], folder: bytes | None, session: object | None, show: object | None) -> tuple[list[tuple[str, bytes]], bool, tuple[float, float]]:
    """
    Runs a study: the documents of the answer, whether it was given before, and what is left of epsilon and delta. Without a request of one's own, is_same makes one from the plan and the rows.
    """

def save_release(folder: bytes, documents: Sequence[tuple[str, bytes]]) -> None:
    """Writes the documents of a release into a new folder."""

def verify(record: bytes, public_key: str | None) -> str:
    """What `vernier verify --json` prints of a release.json."""

def verify_folder(folder: bytes, public_key: str | None) -> str:
    """The same of a folder, with every file in it."""

def seen_text(text: bytes) -> str:
    """UTF-8 with all that cannot be seen spelled out."""

def ledger_show(catalog: tuple[bytes, bytes], within: Sequence[int], show: object | None) -> str:
    """What `vernier ledger show --json` prints."""

def ledger_history(catalog: tuple[bytes, bytes], analyst: str | None, last: int | None, show: object | None) -> str:
    """What `vernier ledger history --json` prints."""

def ledger_verify(catalog: tuple[bytes, bytes], releases: Sequence[tuple[bytes, bytes]], show: object | None) -> str:
    """What `vernier ledger verify --json` prints."""

class SeriesStudy:
    """A study of series that was read, bound and planned."""

    @property
    def series(self) -> list[str]:
        """The names of its series."""

def has_series(study: bytes) -> bool:
    """Whether the text of a study has series."""

def catalog_of_series(study: tuple[bytes, bytes], is_needed: bool) -> bytes:
    """
    The path of the catalog that a study of series names; empty where it names none and need not.
    """

def bind_series(name: str, study: tuple[bytes, bytes], catalog: tuple[bytes, bytes]) -> SeriesStudy:
    """
    Reads a study of series and its catalog, each once, or raises what is wrong.
    """

def plan_series(study: SeriesStudy, analyst: str) -> tuple[str, str]:
    """What `vernier plan` prints, with --json and without."""

def series_chart(study: SeriesStudy) -> str:
    """The chart of `vernier plan --plot`, as JSON."""

def release_series(study: SeriesStudy, step: str | None, today: str | None, analyst: str, folder: bytes | None, show: object | None) -> list[tuple[str, list[tuple[str, bytes]], bool, bool, int]]:
    """
    Publishes the step of a day, or all that ended before today: of each its date, its documents, whether it was published before, whether all steps were paid for now, and how many skipped ones it made up for.
    """

def verify_series(places: Sequence[bytes], public_key: str | None) -> str:
    """
    What `vernier verify --json` prints of steps of series; an empty text where these are none.
    """

def verify_steps(records: Sequence[bytes], public_key: str | None) -> str:
    """The same of the bytes of their records."""

def bounds(catalog: tuple[bytes, bytes], column: str, terms: Mapping[str, str], frames: dict, analyst: str, request: str, is_same: bool, folder: bytes | None, show: object | None) -> tuple[list[tuple[str, bytes]], bool, tuple[float, float]]:
    """Finds bounds of a column: what release() gives, with bounds.json."""

def columns_of(catalog: tuple[bytes, bytes], sql: str) -> list[str]:
    """The statistics that an accuracy for all columns is about."""

def ledger_export(catalog: tuple[bytes, bytes], format: str, show: object | None) -> str:
    """What `vernier ledger export` prints."""

def printed(words: Sequence[str]) -> str:
    """What a command prints, or raises what is wrong."""

def run_program(words: Sequence[str], own: Sequence[str] = []) -> int:
    """
    The command line with these words; its exit code. `own` are the words that start this program again.
    """
