"""Statistics about people, with a differential-privacy guarantee and an honest margin of error."""

from vernier._core import __version__
from vernier._errors import EntropyError, Error, ExhaustedError, FailedError, InvalidError
from vernier.composition import Composition, Ends, Event, compose
from vernier.coverages import Coverage, coverage
from vernier.denoising import Denoising

__all__ = [
    "EntropyError", "Error", "ExhaustedError", "FailedError", "InvalidError", "__version__",
    "Composition", "Ends", "Event", "compose",
    "Coverage", "Denoising", "coverage",
]
