"""The accuracy conversions of OpenDP under its own names: change one import, keep the rest.

>>> from vernier.compat.opendp import discrete_gaussian_scale_to_accuracy
>>> discrete_gaussian_scale_to_accuracy(1.0, 0.05)
3.0

The conventions are OpenDP's. For integer noise an accuracy a means P[abs(noise) >= a] <= alpha, which is one more than
`accuracy` elsewhere in this package; the discrete Gaussian's is a whole number as a float, and the discrete Laplacian's the
real number at which the curve through P[abs(noise) >= a] is alpha. What differs: numbers count as they are written, answers
are rounded toward safety (accuracies up, scales down), alpha lies between 1e-300 and 0.999, the scales of integer noise
between 0.001 and 1e12, ints are taken where OpenDP asks for floats, and errors are `vernier.InvalidError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vernier._core import opendp as _opendp
from vernier._errors import InvalidError

if TYPE_CHECKING:
    from vernier.calibration import Number

__all__ = [
    "accuracy_to_discrete_gaussian_scale",
    "accuracy_to_discrete_laplacian_scale",
    "accuracy_to_gaussian_scale",
    "accuracy_to_laplacian_scale",
    "discrete_gaussian_scale_to_accuracy",
    "discrete_laplacian_scale_to_accuracy",
    "gaussian_scale_to_accuracy",
    "laplacian_scale_to_accuracy",
]


def _check_type(T: Any) -> None:
    """Everything here is in doubles."""
    if T is float or isinstance(T, str) and T in ("f64", "float"):
        return
    given = repr(T) if isinstance(T, (str, type)) else f"a {type(T).__name__}"
    raise InvalidError(f"T is {given}, but conversions are in doubles; leave it out, or give float or 'f64'")


def accuracy_to_discrete_gaussian_scale(accuracy: Number, alpha: Number, T: Any = None) -> float:
    """The largest scale of discrete Gaussian noise with P[abs(noise) >= accuracy] <= alpha.

    An accuracy between two whole numbers counts as the smaller one, as it does in OpenDP.

    >>> accuracy_to_discrete_gaussian_scale(3.0, 0.05)
    1.30763...
    """
    if T is not None:
        _check_type(T)
    return _opendp.accuracy_to_discrete_gaussian_scale(accuracy, alpha)


def accuracy_to_discrete_laplacian_scale(accuracy: Number, alpha: Number, T: Any = None) -> float:
    """The largest scale of discrete Laplacian noise with P[abs(noise) >= accuracy] <= alpha.

    >>> accuracy_to_discrete_laplacian_scale(10.0, 0.05)
    3.18422...
    """
    if T is not None:
        _check_type(T)
    return _opendp.accuracy_to_discrete_laplacian_scale(accuracy, alpha)


def accuracy_to_gaussian_scale(accuracy: Number, alpha: Number, T: Any = None) -> float:
    """The largest scale of Gaussian noise with P[abs(noise) > accuracy] <= alpha.

    >>> accuracy_to_gaussian_scale(1.96, 0.05)
    1.00001...
    """
    if T is not None:
        _check_type(T)
    return _opendp.accuracy_to_gaussian_scale(accuracy, alpha)


def accuracy_to_laplacian_scale(accuracy: Number, alpha: Number, T: Any = None) -> float:
    """The largest scale of Laplacian noise with P[abs(noise) > accuracy] <= alpha.

    >>> accuracy_to_laplacian_scale(3.0, 0.05)
    1.00142...
    """
    if T is not None:
        _check_type(T)
    return _opendp.accuracy_to_laplacian_scale(accuracy, alpha)


def discrete_gaussian_scale_to_accuracy(scale: Number, alpha: Number, T: Any = None) -> float:
    """The least whole a with P[abs(noise) >= a] <= alpha, of discrete Gaussian noise.

    >>> discrete_gaussian_scale_to_accuracy(0.5, 1e-300)
    19.0
    """
    if T is not None:
        _check_type(T)
    return _opendp.discrete_gaussian_scale_to_accuracy(scale, alpha)


def discrete_laplacian_scale_to_accuracy(scale: Number, alpha: Number, T: Any = None) -> float:
    """The real a at which the curve through P[abs(noise) >= a] is alpha, of discrete Laplacian noise.

    Its floor has the same coverage: P[abs(noise) > floor(a)] <= alpha.

    >>> discrete_laplacian_scale_to_accuracy(1.0, 0.05)
    3.37561...
    """
    if T is not None:
        _check_type(T)
    return _opendp.discrete_laplacian_scale_to_accuracy(scale, alpha)


def gaussian_scale_to_accuracy(scale: Number, alpha: Number, T: Any = None) -> float:
    """The least a with P[abs(noise) > a] <= alpha, of Gaussian noise.

    >>> gaussian_scale_to_accuracy(1.0, 0.05)
    1.95996...
    """
    if T is not None:
        _check_type(T)
    return _opendp.gaussian_scale_to_accuracy(scale, alpha)


def laplacian_scale_to_accuracy(scale: Number, alpha: Number, T: Any = None) -> float:
    """The least a with P[abs(noise) > a] <= alpha, of Laplacian noise.

    >>> laplacian_scale_to_accuracy(1.0, 0.05)
    2.99573...
    """
    if T is not None:
        _check_type(T)
    return _opendp.laplacian_scale_to_accuracy(scale, alpha)
