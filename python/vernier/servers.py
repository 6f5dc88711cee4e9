"""The page on which studies are budgeted by accuracy, opened from a program."""

from __future__ import annotations

import contextlib
import html
import json
import os
import subprocess
import webbrowser
from typing import Any

from vernier._errors import FailedError, InvalidError
from vernier._located import path_bytes
from vernier._words import kind_of, text, written
from vernier.audits import command
from vernier.catalogs import Catalog

_PATIENCE = 20  # seconds for what runs in it to come to its end


class Page:
    """A server of `vernier serve` that runs until it is closed, and the link that opens its page. Made by `vernier.serve`.

    Whoever has the link may do all that you may; only this machine can reach it. In a `with` it is closed at the end.

    >>> import vernier as vn
    >>> with vn.serve(demo=True, open=False) as page:
    ...     page.link.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, running: subprocess.Popen[bytes], link: str) -> None:
        self._running = running
        self._link = link

    @property
    def link(self) -> str:
        """What a browser on this machine opens; its token is good as long as the server runs.

        >>> "#t=vrn_" in page.link
        True
        """
        return self._link

    @property
    def is_running(self) -> bool:
        """Whether it still serves.

        >>> page.is_running
        False
        """
        return self._running.poll() is None

    def close(self) -> None:
        """Ends the server, once releases that run are answered.

        >>> page.close()
        """
        if self.is_running:
            self._running.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._running.wait(_PATIENCE)
        if self.is_running:
            self._running.kill()
            self._running.wait()
        if self._running.stdout is not None:
            self._running.stdout.close()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __repr__(self) -> str:
        return f"Page({self._link.split('#')[0]!r}, {'running' if self.is_running else 'closed'})"

    def _repr_html_(self) -> str:
        if not self.is_running:
            return "<p>This page is closed.</p>"
        return f'<p><a href="{html.escape(self._link)}" target="_blank" rel="noopener">Open the page</a>; it runs until <code>close()</code>.</p>'


def serve(catalog: Catalog | str | os.PathLike[str] | None = None, *, demo: bool = False, port: int = 0, analyst: str = "",
          open: bool = True) -> Page:  # noqa: A002
    """Starts `vernier serve` over the folder of a catalog, and opens its page in a browser.

    `catalog` is a catalog's file or the folder below which catalogs lie; `demo=True` takes invented people instead. `analyst` is
    whose share pays. A catalog whose rows are in memory cannot be served, since the server is a program of its own.

    >>> import vernier as vn
    >>> vn.serve("no/such/folder")
    Traceback (most recent call last):
    vernier.InvalidError: there is no file and no folder 'no/such/folder'; name a catalog, or the folder below which catalogs lie
    """
    for name, value in (("demo", demo), ("open", open)):
        if not isinstance(value, bool):
            raise InvalidError(f"{name} is {kind_of(value)}; write True or False")
    words: list[str | bytes] = [*command(), "serve", "--json", "--port", written("port", port)]
    words += ["--demo"] if demo else ["--root", _root_of(catalog)]
    if text("analyst", analyst):
        words += ["--analyst", analyst]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert running.stdout is not None  # noqa: S101
    told = json.loads(running.stdout.readline() or b"{}")
    if "link" not in told:
        code = running.wait()
        running.stdout.close()
        sentence = told.get("error", {}).get("sentence", "the server ended without a word")
        raise (InvalidError if code == 2 else FailedError)(sentence)
    page = Page(running, told["link"])
    if open:
        webbrowser.open(page.link)
    return page


def _root_of(catalog: Any) -> bytes:
    if catalog is None:
        return b"."
    if isinstance(catalog, Catalog):
        if catalog.path is None:
            raise InvalidError("this catalog lies in no file, so that a server of its own cannot read it; write it with to_toml() beside data in files")
        catalog = catalog.path
    place = path_bytes("the catalog", catalog)
    if os.path.isdir(place):
        return place
    if os.path.isfile(place):
        return os.path.dirname(os.path.abspath(place))
    raise InvalidError(f"there is no file and no folder '{os.fsdecode(place)}'; name a catalog, or the folder below which catalogs lie")
