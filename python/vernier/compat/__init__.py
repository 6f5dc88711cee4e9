"""The names that users of other libraries know."""

from vernier.compat import opendp

__all__ = ["opendp"]
