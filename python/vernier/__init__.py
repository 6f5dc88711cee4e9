"""Statistics about people, with a differential-privacy guarantee and an honest margin of error."""

from vernier._core import __version__
from vernier._errors import EntropyError, Error, ExhaustedError, FailedError, InvalidError
from vernier.calibration import Calibration, Calibrations, accuracy, calibrate

__all__ = [
    "Calibration",
    "Calibrations",
    "EntropyError",
    "Error",
    "ExhaustedError",
    "FailedError",
    "InvalidError",
    "__version__",
    "accuracy",
    "calibrate",
]
