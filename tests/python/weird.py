"""Values that nobody should pass: the fuzzer and the tests of refusals draw from them."""
import datetime
import decimal
import fractions
import math

import numpy as np


class Spite(Exception):
    """Raised by values that are asked for something."""


class Spiteful:
    """Fails whatever is asked of it."""

    def _refuse(self, *_):
        raise Spite

    __float__ = __int__ = __index__ = __str__ = __len__ = __iter__ = __bool__ = __hash__ = __eq__ = _refuse
    __array__ = __arrow_c_stream__ = __fspath__ = __getitem__ = keys = _refuse

    def __repr__(self):
        raise Spite


class Liar:
    """Answers with what nobody expects."""

    def __float__(self):
        return "five"

    def __index__(self):
        return 2.5

    def __len__(self):
        return -1

    def __arrow_c_stream__(self, *_):
        return "no capsule"


class OddFloat(float):
    def __repr__(self):
        return "a number\x00 or not\x1b[2J"


def weird_values():
    return [
        None, True, False, 0, 1, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.0, -0.0, 1.0, 0.5, 0.05, -0.5, 1e-320, 5e-324, 1e308,
        math.inf, -math.inf, math.nan, 1j, "", "1", "0.1", "1e-400", "1e400", "nan", "inf", "-1", "0x10", "1_000", " 1", "1\x00", "é" * 50,
        "\udc80", "gaussian", "geometric", "laplace", "discrete-gaussian", "GAUSSIAN", "a" * 100_000, b"1", bytearray(b"gaussian"), memoryview(b"x"),
        [], [1], [0.1, 0.2], [math.nan], [[1], [2, 3]], ["1", None], (), (0, 1), {}, {"epsilon": 1}, set(), frozenset({1}), range(3), range(10**12),
        iter([1]), (i for i in [1]), object(), object, int, len, lambda: 1, Ellipsis, NotImplemented, Spiteful(), Liar(), OddFloat(0.5),
        decimal.Decimal("0.1"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), decimal.Decimal("1e999999"), fractions.Fraction(1, 3), datetime.date(2020, 1, 1),
        datetime.datetime.now(datetime.timezone.utc), np.float64(0.5), np.float32(0.1), np.float16(0.5), np.longdouble(0.1), np.int8(1), np.uint64(2**64 - 1), np.bool_(True),
        np.datetime64("2020-01-01"), np.str_("gaussian"), np.array(0.5), np.array([]), np.array([0.1, 1.0]), np.array([1, 2]), np.array([math.nan, math.inf]),
        np.array([1.0, 2.0])[::-1], np.ones((2, 3)), np.ones(6).reshape(2, 3).T, np.array(["a"]), np.array([None, 1], dtype=object), np.array([1 + 2j]),
        np.zeros(3, dtype=">f8"), np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]), np.ma.array([1.0, 2.0], mask=[0, 1]), np.frombuffer(b"12345678", dtype=np.float64),
    ]
