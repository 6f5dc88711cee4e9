"""Texts of catalogs, studies and records, and where they lie or would lie: pairs of bytes, a path and a text.

A path need not be UTF-8, and what is hashed is the text as it lies there.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vernier import _core
from vernier._errors import InvalidError, file_error
from vernier._words import kind_of

Located = tuple[bytes, bytes]

CATALOG, STUDY = b"<catalog>", b"<study>"  # what stands in no file


def file_of(located: Located) -> Path | None:
    """The file; None of what a program made."""
    return None if os.path.basename(located[0]) in (CATALOG, STUDY) else Path(os.fsdecode(located[0]))


def place_of(located: Located, problem: Mapping[str, Any]) -> str:
    """Before a sentence: file, line and column, where there is a file."""
    file = file_of(located)
    return "" if file is None else f"{file}:{problem['line']}:{problem['column']}: "


def path_bytes(name: str, path: Any) -> bytes:
    """A path for the core.

    >>> path_bytes("the path", "study.toml")
    b'study.toml'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidError(f"{name} is {kind_of(path)}; write a path such as \"study.toml\"")
    try:
        encoded = os.fsencode(path)
    except (UnicodeEncodeError, TypeError):
        raise InvalidError(f"{name} is no path that can be read; write one such as \"study.toml\"") from None
    if b"\0" in encoded or not encoded:
        raise InvalidError(f"{name} is no path: it is empty or has a zero byte in it")
    return encoded


def in_folder(folder: Any, name: bytes) -> bytes:
    """Where a text of a program would lie. The folder is found from where the program is now."""
    return os.path.join(os.getcwdb(), path_bytes("the folder", folder), name)


def read_located(path: Any) -> Located:
    """A file. It stays the same one where the program goes to another folder, and so does the ledger beside it."""
    place = path_bytes("the path", path)
    text = _core.read_text(place)
    return os.path.join(os.getcwdb(), place), text


def content_of(path: bytes) -> bytes:
    """The bytes of any file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise file_error(f"'{os.fsdecode(path)}' cannot be read: {error.strerror}") from None


def listed(name: str, values: Any, most: int, example: str) -> list[Any]:
    """What is in a list, an array or anything else that has things in it.

    >>> listed("within", range(3), 10, "[50]")
    [0, 1, 2]
    """
    try:
        made = list(itertools.islice(iter(values), most + 1)) if not isinstance(values, (str, bytes)) else None
    except TypeError:
        made = None
    if made is None:
        raise InvalidError(f"{name} is {kind_of(values)}; write a list, for example {example}")
    if len(made) > most:
        raise InvalidError(f"{name} has more than {most} in it; give fewer")
    return made
