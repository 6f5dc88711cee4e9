"""Whether what was published holds, computed again from its record."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from vernier import _core
from vernier._located import path_bytes
from vernier._result import Result, copied, frame_of_rows, made, stated
from vernier._show import html_table, number
from vernier._words import text
from vernier.releases import RECORD, Release
from vernier.series import SeriesStep

if TYPE_CHECKING:
    import pandas


class Verdict(Result):
    """Whether a record holds. It is true where it does; `reasons` says why it does not.

    Made by `vernier.verify`, and by `Ledger.verify`.

    >>> import tempfile
    >>> import vernier as vn
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=tempfile.mkdtemp())
    >>> count = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")
    >>> made = vn.release(vn.Study(catalog, [count], epsilon=0.5))
    >>> verdict, forged = vn.verify(made), vn.verify(made.record.replace(b"people", b"papers"))
    >>> bool(verdict), bool(forged)
    (True, False)
    """

    _maker = "vernier.verify(release)"

    holds: bool = stated("""Whether all of it does.

        >>> verdict.holds, forged.holds
        (True, False)
        """, read=bool)

    def __bool__(self) -> bool:
        return self.holds

    @property
    def reasons(self) -> list[str]:
        """What does not hold; nothing where all does. What comes after the first problem is not looked at.

        >>> verdict.reasons, len(forged.reasons)
        ([], 1)
        """
        problem = self._stated.get("first_problem")
        return [] if problem is None else [problem]

    signer: str | None = stated("""The fingerprint of the key that signed.

        >>> len(verdict.signer)
        64
        """, otherwise=None)

    checks: list[dict[str, Any]] = stated("""What was looked at and holds, and how many figures of each kind.

        >>> verdict.checks[0]
        {'name': 'signature', 'what': 'signature of the whole text', 'count': 1}
        """, otherwise=[])

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier verify --json`.

        >>> list(verdict.to_dict())
        ['holds', 'first_problem', 'signer', 'checks']
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """What was looked at and holds, a row each.

        >>> list(verdict.to_pandas().columns)
        ['name', 'what', 'count']
        """
        return frame_of_rows(self.checks)

    def __repr__(self) -> str:
        if self.holds:
            counted = sum(one["count"] for one in self.checks)
            return f"Verdict(holds: {number(counted)} figures checked)" if self.checks else "Verdict(holds)"
        return f"Verdict(does not hold: {self.reasons[0]})"

    def _repr_html_(self) -> str:
        rows = [[one["what"], one["count"]] for one in self.checks] + [[reason, "wrong"] for reason in self.reasons]
        return html_table(["checked", "count"], rows, "holds" if self.holds else "does not hold")


def verify(release: Release | SeriesStep | bytes | str | os.PathLike[str] | list[Any], public_key: str | None = None) -> Verdict:
    """Whether a release is what its record says, computed again from the record alone.

    `release` is a release, its folder, in which every file is looked at, its release.json, or the bytes of one. Of steps of
    series it may be a list, or the folder around their folders. `public_key` is the publisher's, as PEM text or
    the file that holds it; without one any key that the record names will do.

    >>> import vernier as vn
    >>> verdict = vn.verify(b"{}")
    >>> bool(verdict)
    False
    """
    steps = _verdict_of_steps(release, _pem(public_key))
    if steps:
        return made(Verdict, json.loads(steps))
    if isinstance(release, (str, os.PathLike)) and os.path.isdir(path_bytes("the release", release)):
        return made(Verdict, json.loads(_core.verify_folder(path_bytes("the release", release), _pem(public_key))))
    return made(Verdict, json.loads(_core.verify(record_of(release), _pem(public_key))))


def _verdict_of_steps(release: Any, key: str | None) -> str:
    """Of steps of series, one or a list of them; an empty text where it is something else."""
    steps = list(release) if isinstance(release, (list, tuple)) else [release]
    if steps and all(isinstance(one, (SeriesStep, bytes, bytearray, memoryview)) for one in steps):
        return _core.verify_steps([one.record if isinstance(one, SeriesStep) else bytes(one) for one in steps], key)
    if steps and all(isinstance(one, (str, os.PathLike)) for one in steps):
        places = [path_bytes("the release", one) for one in steps]
        return _core.verify_series(places, key) if all(os.path.exists(place) for place in places) else ""
    return ""


def record_of(release: Any) -> bytes:
    """The bytes of a record."""
    if isinstance(release, Release):
        return release.record
    if isinstance(release, (bytes, bytearray, memoryview)):
        return bytes(release)
    place = path_bytes("the release", release)
    return _core.read_text(os.path.join(place, RECORD.encode()) if os.path.isdir(place) else place)


def _pem(public_key: Any) -> str | None:
    if public_key is None:
        return None
    if isinstance(public_key, str) and "-----BEGIN" in public_key:
        return text("public_key", public_key)
    return _core.read_text(path_bytes("public_key", public_key)).decode("utf-8", "replace")
