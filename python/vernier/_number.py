"""Released numbers by themselves: each with the ends of its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from vernier._errors import NotOneError
from vernier._result import Result, copied, made
from vernier._show import at_least, at_most, number


class Number(Result):
    """One released number, and its interval. Made by `vernier.release(study)[name][column]`, and by going through a table.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> published = vn.query(catalog, "SELECT COUNT(*) AS total FROM people", epsilon=1)
    >>> total = published["total"].number
    >>> total.low <= total.value <= total.high, float(total) == total.value
    (True, True)
    """

    _maker = "vernier.release(study)[name][column]"
    _whole: bool

    @property
    def value(self) -> int | float:
        """The number with its noise; an int where it is a count, or a sum or quantile of whole numbers.

        >>> type(total.value).__name__
        'int'
        """
        return _figure(self._stated["value"], self._whole)

    @property
    def interval(self) -> tuple[int | float, int | float]:
        """Both ends.

        >>> total.interval == (total.low, total.high)
        True
        """
        return self.low, self.high

    @property
    def low(self) -> int | float:
        """The lower end of its interval.

        >>> total.low <= total.high
        True
        """
        return _figure(self._stated["interval"][0], self._whole)

    @property
    def high(self) -> int | float:
        """The upper end of its interval.

        >>> total.high >= total.value
        True
        """
        return _figure(self._stated["interval"][1], self._whole)

    @property
    def accuracy(self) -> float:
        """The ± that the plan promised.

        >>> total.accuracy
        3
        """
        return self._stated["accuracy"]

    @property
    def confidence(self) -> float:
        """The probability with which the interval holds.

        >>> total.confidence
        0.95
        """
        return self._stated["confidence"]

    @property
    def informative(self) -> bool:
        """False where the interval is all that the bounds allow: then the number says nothing.

        >>> total.informative
        True
        """
        return self._stated.get("informative") is not False

    def to_dict(self) -> dict[str, Any]:
        """All that release.json says of it.

        >>> total.to_dict()["covers"]
        'bounded-value'
        """
        return copied(self._stated)

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __round__(self, digits: int | None = None) -> int | float:
        return round(self.value, digits) if digits is not None else round(self.value)

    def __format__(self, how: str) -> str:
        return format(self.value, how) if how else str(self)

    def __eq__(self, other: object) -> bool:
        return self._stated == other._stated if isinstance(other, Number) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.value, self.low, self.high))

    def __repr__(self) -> str:
        if not self.informative:
            return f"{number(self.value)} (no information)"
        return f"{number(self.value)} ({_end(self.low, at_least)} to {_end(self.high, at_most)})"


def number_of(stated: Mapping[str, Any], whole: bool) -> Number:
    """Of what a record says."""
    return made(Number, stated, whole=whole)


def _figure(value: Any, whole: bool) -> int | float:
    value = int(value) if isinstance(value, str) else value
    return value if whole else float(value)


def _end(value: int | float, rounded_outwards: Any) -> str:
    return str(value) if isinstance(value, int) else rounded_outwards(value)


class Numbers(Result, Sequence[Number]):
    """A column of a released table: the numbers of all groups. Where there is one group, it stands for its number.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"sex": vn.Column("string", keys=["f", "m"])}, unit="row", data={"sex": ["f", "m", "f"]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> sexes = vn.query(catalog, "SELECT sex, COUNT(*) AS people FROM people GROUP BY sex", epsilon=1)
    >>> people = sexes["people"]
    >>> len(people), all(one.low <= one.value for one in people)
    (2, True)
    >>> total = vn.query(catalog, "SELECT COUNT(*) AS total FROM people", epsilon=0.1)["total"]
    >>> float(people)
    Traceback (most recent call last):
    vernier.NotOneError: 'people' has 2 numbers; take one, as in ['people'][0], or go through them
    """

    _maker = "vernier.release(study)[name][column]"
    _name: str
    _each: list[Number]

    @property
    def number(self) -> Number:
        """The only number.

        >>> total.number.confidence
        0.95
        """
        if len(self._each) != 1:
            raise NotOneError(f"'{self._name}' has {len(self._each)} numbers; take one, as in ['{self._name}'][0], or go "
                              "through them")
        return self._each[0]

    @property
    def value(self) -> int | float:
        """The value of the only number.

        >>> total.value == float(total)
        True
        """
        return self.number.value

    @property
    def low(self) -> int | float:
        """The lower end of the only number's interval.

        >>> total.low <= total.value
        True
        """
        return self.number.low

    @property
    def high(self) -> int | float:
        """The upper end of the only number's interval.

        >>> total.high >= total.value
        True
        """
        return self.number.high

    @property
    def values(self) -> list[int | float]:
        """The values of all groups.

        >>> len(people.values)
        2
        """
        return [one.value for one in self._each]

    def __len__(self) -> int:
        return len(self._each)

    @overload
    def __getitem__(self, place: int) -> Number: ...
    @overload
    def __getitem__(self, place: slice) -> list[Number]: ...

    def __getitem__(self, place: int | slice) -> Number | list[Number]:
        return self._each[place]

    def __iter__(self) -> Iterator[Number]:
        return iter(self._each)

    def __float__(self) -> float:
        return float(self.number)

    def __int__(self) -> int:
        return int(self.number)

    def __repr__(self) -> str:
        shown = [repr(one) for one in self._each[:10]]
        more = [f"and {len(self._each) - 10} more"] if len(self._each) > 10 else []
        return f"{self._name}: {', '.join(shown + more)}"


def numbers_of(name: str, each: list[Number]) -> Numbers:
    """A column by its name."""
    return made(Numbers, {}, name=name, each=each)
