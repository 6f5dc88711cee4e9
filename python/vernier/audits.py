"""An installation that tries to refute its own privacy."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from vernier._errors import FailedError, InvalidError
from vernier._located import path_bytes
from vernier._result import Result, copied, frame_of_rows, made, stated
from vernier._show import html_table
from vernier._show import progress as shown_progress
from vernier._words import written

_STANDING = ("stands", "not tried")

if TYPE_CHECKING:
    import pandas


class Audit(Result):
    """What `vernier audit` found of this installation. It is true where every claim stands and every trial had power.

    Made by `vernier.audit`.

    >>> import vernier as vn
    >>> found = vn.audit(minutes=0.1)
    >>> bool(found)
    True
    """

    _maker = "vernier.audit()"

    refuted: bool = stated("""Whether a claim is false, but for a chance of one in a million audits.

        >>> found.refuted
        False
        """)

    lacks_power: bool = stated("""Whether a trial was too small to see a mistake.

        >>> found.lacks_power
        False
        """)

    def __bool__(self) -> bool:
        return not self.refuted and not self.lacks_power

    @property
    def findings(self) -> list[dict[str, Any]]:
        """Every claim that was tried: its `section`, the `claim`, how often (`trials`), what was `claimed` and `found`, the
        `verdict`, and the least mistake that it `would_have_caught`.

        >>> [one["verdict"] for one in found.findings if one["claim"] == "MEDIAN(x), exponential law"]
        ['stands']
        """
        return [{"section": section["name"], **copied(one)} for section in self._stated["sections"] for one in section["findings"]]

    @property
    def reasons(self) -> list[str]:
        """What does not stand, in sentences; nothing where all does.

        >>> found.reasons
        []
        """
        return [f"{one['claim']}: {one['outcome']}" for one in self.findings if one["verdict"] not in _STANDING]

    engines: list[str] = stated("""What ran, with versions.

        >>> len(found.engines)
        1
        """)

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier audit --json`.

        >>> found.to_dict()["false_alarm"]
        1e-06
        """
        return copied(self._stated)

    def to_pandas(self) -> pandas.DataFrame:
        """Every claim that was tried, a row each.

        >>> found.to_pandas()["verdict"].isin(["stands", "not tried"]).all().item()
        True
        """
        return frame_of_rows(self.findings)

    def __repr__(self) -> str:
        said = "a claim is refuted" if self.refuted else "lacks power" if self.lacks_power else "nothing is refuted"
        return f"Audit({said}: {len(self.findings)} claims tried)"

    def _repr_html_(self) -> str:
        headings = ["section", "claim", "trials", "found", "claimed", "verdict", "would_have_caught"]
        return html_table(headings, [[one[name] for name in headings] for one in self.findings], repr(self))


def audit(minutes: Any = 10, *, out: str | os.PathLike[str] | None = None, progress: bool = True) -> Audit:
    """Attacks this installation with the program of the package, on invented tables, and says what came of it.

    `minutes` is how long it may take: more time finds smaller mistakes. `out` is a new file for a page to be filed. Your
    data, keys and ledgers are not touched, and no budget is spent. A claim that is refuted is no error: `.refuted` tells.

    >>> import vernier as vn
    >>> vn.audit(minutes=0)
    Traceback (most recent call last):
    vernier.InvalidError: minutes must be from 0.1 to 10000, such as 10, but it is 0
    """
    length = _checked(minutes)
    words: list[str | bytes] = [*command(), "audit", "--json", "--minutes", repr(length)]
    if out is not None:
        words += ["--out", path_bytes("out", out)]
    shown = shown_progress("auditing") if progress else contextlib.nullcontext(lambda done: None)
    with shown as show, subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        return _audited(running, 60 * length, show)


def _checked(minutes: Any) -> float:
    told = written("minutes", minutes)
    with contextlib.suppress(ValueError):
        if 0.1 <= float(told) <= 10_000:
            return float(told)
    raise InvalidError(f"minutes must be from 0.1 to 10000, such as 10, but it is {told}")


def command() -> list[str]:
    """The words by which this package's program is started again, with the path of modules that this process has."""
    if not sys.executable:
        raise FailedError("this process does not know its interpreter, which an audit starts again; run vernier audit instead")
    path = [os.path.abspath(place) for place in sys.path]
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}; from vernier.__main__ import main; sys.exit(main())"]


def _audited(running: subprocess.Popen[bytes], seconds: float, show: Any) -> Audit:
    begin = time.monotonic()
    while True:
        try:
            printed = running.communicate(timeout=0.5)[0]
            break
        except subprocess.TimeoutExpired:
            show(min((time.monotonic() - begin) / seconds, 0.999))
        except BaseException:
            running.terminate()
            raise
    content = json.loads(printed) if printed else {}
    if "sections" in content:
        return made(Audit, content)
    raise (InvalidError if running.returncode == 2 else FailedError)(_sentence(content))


def _sentence(content: dict[str, Any]) -> str:
    return content.get("error", {}).get("sentence", "the audit ended without a word")
