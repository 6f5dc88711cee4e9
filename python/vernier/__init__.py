"""Statistics about people, with a differential-privacy guarantee and an honest margin of error."""

from vernier._core import __version__
from vernier._errors import EntropyError, Error, ExhaustedError, FailedError, InvalidError

__all__ = ["EntropyError", "Error", "ExhaustedError", "FailedError", "InvalidError", "__version__"]
