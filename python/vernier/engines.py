"""Whether a server means what we mean."""

from __future__ import annotations

import json
from typing import Any

from vernier import _core
from vernier._words import text


def probe(address: str) -> dict[str, Any]:
    """Asks a database server whether it computes as the embedded engine does, by the words of `vernier engine probe --json`.
    Nothing is spent, and no row is read.

    >>> import vernier as vn
    >>> vn.probe("nowhere")
    Traceback (most recent call last):
    vernier.InvalidError: ...
    """
    return json.loads(_core.printed(["engine", "probe", text("the address", address), "--json"]))
