"""Catalogs from the metadata of SmartNoise SQL, as a text to fill in.

    python -m vernier.compat.smartnoise metadata.yaml > catalog.toml

What is read is what SmartNoise's own loader reads: a collection, its schemas, their tables and columns. What a catalog needs and
the metadata does not say stays open; what SmartNoise has and a catalog has not, or has otherwise, is listed with the line of the
YAML. It needs PyYAML (`pip install vernier[smartnoise]`).
"""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vernier import _core, _toml
from vernier._errors import FailedError, InvalidError

__all__ = ["Imported", "Note", "import_metadata"]

_TYPES = {"int": "integer", "float": "real", "string": "string", "boolean": "boolean", "datetime": "date"}
_TRUTHS = {word: truth for truth, words in ((True, "true yes on"), (False, "false no off")) for word in words.split()}
_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")

# What a table or a column says that a catalog has not, and what it has instead.
_OF_TABLES = {
    "rows": "is about how many rows there are; where you know that there are never more than so many, write row_limit, which is a promise",
    "rows_exact": 'makes the number of rows public; a catalog does so by neighbours = "replace" and public_count = true',
    "max_ids": "belongs to the study: write max_rows and max_groups at a statistic",
    "sample_max_ids": "is no choice here: the rows and groups of a unit are always bounded",
    "clamp_counts": "is no choice here: a count is never published below 0, and its interval stays true",
    "clamp_columns": "is no choice here: values are always clamped to lower and upper",
    "censor_dims": "is no choice here: keys that are not declared pass a threshold; declare keys = [...] where all are public",
    "use_dpsu": "is not taken: private keys are chosen by a threshold on the number of units",
    "tau": "is not taken: the threshold follows from delta",
}
_PRIVATE = "is not needed: keys are private and pass a threshold, unless keys = [...] lists them all"
_OF_COLUMNS = {
    "cardinality": _PRIVATE,
    "card": _PRIVATE,
    "nullable": "is not needed: every column may be NULL, and statistics leave NULL out",
    "missing_value": "has no place here; write COALESCE(x, value) in SQL, or name it under expressions",
    "sensitivity": "is not taken: it follows from lower and upper alone",
}


@dataclass(frozen=True)
class Note:
    """What a person has to see to, with the line of the YAML that it is about.

    >>> Note(3, "source of the table 'pums' is open")
    Note(line=3, sentence="source of the table 'pums' is open")
    """

    line: int
    sentence: str


@dataclass(frozen=True)
class Imported:
    """A catalog to fill in: its text, what is open in it, and what has no place in a catalog.

    >>> imported = import_metadata("Db: {public: {pums: {age: {type: int, lower: 0, upper: 100}, pid: {type: int, private_id: True}}}}")
    >>> imported.open
    [Note(line=1, sentence="source of the table 'pums' is open: the CSV or Parquet file of 'public.pums'")]
    >>> print(imported.text.split("[tables.pums.columns]")[1].strip())
    age = { type = "integer", lower = 0, upper = 100 }
    pid = { type = "integer" }
    """

    text: str
    open: list[Note] = field(default_factory=list)
    left_out: list[Note] = field(default_factory=list)


def import_metadata(source: str | os.PathLike[str]) -> Imported:
    """The catalog to fill in for this metadata: a file by its `pathlib.Path`, or the YAML itself as a text.

    >>> import_metadata("Db: {public: {pums: {age: {type: money}}}}")
    Traceback (most recent call last):
        ...
    vernier.InvalidError: line 1: the type of the column 'age' must be int, float, string, boolean, datetime or unknown
    """
    text, name = (source, "a text") if isinstance(source, str) else (_content(Path(source)), Path(source).name)
    return _Reading().read(text, name)


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FailedError(f"the file '{path}' cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidError(f"the file '{path}' is not UTF-8; save it as such") from None


def _tree(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise FailedError("reading SmartNoise's metadata needs PyYAML; install it with: pip install vernier[smartnoise]") from None
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except RecursionError:
        raise InvalidError("the metadata is nested too deeply; it has a collection, schemas, tables and columns") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InvalidError(f"line {mark.line + 1 if mark else 1}: this cannot be read as YAML; check the indentation there") from None


def _refused(node: Any, sentence: str) -> InvalidError:
    return InvalidError(f"line {node.start_mark.line + 1}: {sentence}")


def _entries(node: Any, what: str, example: str) -> list[tuple[str, Any, Any]]:
    """The keys of a map with their nodes, each once."""
    pairs = getattr(node, "value", None)
    if getattr(node, "id", None) != "mapping" or not pairs:
        error = f"{what} must have {example} below it"
        raise InvalidError(f"line 1: {error}") if node is None else _refused(node, error)
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key.id != "scalar":
            raise _refused(key, f"a name below {what} must be a text")
        if key.value in seen:
            raise _refused(key, f"the key '{key.value}' stands here twice; leave one")
        seen[key.value] = key, value
    return [(name, key, value) for name, (key, value) in seen.items()]


def _truth(node: Any, what: str) -> bool:
    if node.id == "scalar" and node.style is None and node.value.lower() in _TRUTHS:
        return _TRUTHS[node.value.lower()]
    raise _refused(node, f"{what} must be True or False")


class _Reading:
    """Collects tables and notes while the tree is walked."""

    def __init__(self) -> None:
        self._tables: dict[str, str] = {}
        self._open: list[Note] = []
        self._left_out: list[Note] = []

    def read(self, text: str, file: str) -> Imported:
        for schema, _, tables in _entries(self._collection(_tree(text)), "the collection", "schemas"):
            for name, key, node in _entries(tables, f"the schema '{schema}'", "tables"):
                self._table(schema, name, key, node)
        ordered = [sorted(notes, key=lambda note: note.line) for notes in (self._open, self._left_out)]
        return Imported(self._text(file, *ordered), *ordered)

    def _collection(self, top: Any) -> Any:
        found = []
        for name, key, node in _entries(top, "the metadata", "a collection, its schemas and their tables"):
            if name == "engine" and node.id == "scalar":
                self._leave_out(key, "engine is not taken: tables are files, named by source")
            else:
                found.append((key, node))
        if len(found) > 1:
            raise _refused(found[1][0], "this is a second collection; leave one, since a file has one")
        if not found:
            raise InvalidError("line 1: there is no collection; write Database: and below it schemas and tables")
        return found[0][1]

    def _leave_out(self, node: Any, sentence: str) -> None:
        self._left_out.append(Note(node.start_mark.line + 1, sentence))

    def _leave_open(self, node: Any, sentence: str) -> None:
        self._open.append(Note(node.start_mark.line + 1, sentence))

    def _table(self, schema: str, name: str, key: Any, node: Any) -> None:
        columns, ids, by_row = {}, [], False
        for entry, entry_key, value in _entries(node, f"the table '{name}'", "its columns"):
            if entry == "row_privacy":
                by_row = _truth(value, f"row_privacy of the table '{name}'")
            elif entry in _OF_TABLES:
                self._leave_out(entry_key, f"{entry} of the table '{name}' {_OF_TABLES[entry]}")
            else:
                column, is_id = self._column(entry, entry_key, value)
                if column is not None:
                    columns[entry] = column
                    ids += [entry] if is_id else []
        if not columns:
            raise _refused(key, f"the table '{name}' has no columns that can be used")
        taken = name if name.casefold() not in map(str.casefold, self._tables) else f"{schema}.{name}"
        self._leave_open(key, f"source of the table '{taken}' is open: the CSV or Parquet file of '{schema}.{name}'")
        self._tables[taken] = _table_text(taken, self._unit(name, key, ids, by_row, columns), columns)

    def _unit(self, name: str, key: Any, ids: list[str], by_row: bool, columns: dict[str, str]) -> str | None:
        if by_row and "row" not in columns:
            self._leave_out(key, f"row_privacy of the table '{name}' protects each row by itself; a person with several rows is "
                            "protected only by unit = the column that names the person")
            return "row"
        if len(ids) == 1 and not by_row:
            return ids[0]
        found = "several columns with private_id" if ids else "neither private_id nor row_privacy"
        found = 'row_privacy and a column "row"' if by_row else found
        self._leave_open(key, f"the unit of the table '{name}' is open: SmartNoise has {found}; choose whose presence is protected")
        return None

    def _column(self, name: str, key: Any, node: Any) -> tuple[str | None, bool]:
        """The column as a catalog writes it, or None where it is left out; whether it names the unit."""
        what = f"the column '{name}'"
        entries = {entry: (entry_key, value) for entry, entry_key, value in _entries(node, what, "its type and bounds")}
        if "type" not in entries:
            raise _refused(key, f"{what} has no type; write for example type: int")
        told = entries["type"][1]
        if told.id != "scalar" or told.value not in (*_TYPES, "unknown"):
            raise _refused(told, f"the type of {what} must be int, float, string, boolean, datetime or unknown")
        for entry, (entry_key, _) in entries.items():
            if entry not in ("type", "lower", "upper", "private_id"):
                self._leave_out(entry_key, f"{entry} of {what} {_OF_COLUMNS.get(entry, 'is not a key of SmartNoise and is left out')}")
        is_id = "private_id" in entries and _truth(entries["private_id"][1], f"private_id of {what}")
        if told.value == "unknown":
            self._leave_out(key, f"{what} is of type unknown and is left out, as SmartNoise does")
            return None, False
        if told.value == "datetime":
            self._leave_out(key, f"{what} is a datetime, and a catalog has days: cells must be written as 2026-01-31")
        if is_id and told.value == "float":
            self._leave_open(key, f"{what} names the unit and is a float, which is no identity; choose integer or string")
            return "{}", True
        return _column_text(_TYPES[told.value], self._bounds(what, _TYPES[told.value], entries)), is_id

    def _bounds(self, what: str, kind: str, entries: dict[str, Any]) -> str:
        given = {entry: entries[entry] for entry in ("lower", "upper") if entry in entries}
        if not given:
            return ""
        key = next(iter(given.values()))[0]
        if kind not in ("integer", "real") or len(given) == 1:
            why = "a catalog needs both" if len(given) == 1 else f"a {kind} has none in SmartNoise"
            self._leave_open(key, f"bounds of {what} are left open, since {why}")
            return ""
        bounds = "".join(f", {entry} = {_number(node, entry, what, kind)}" for entry, (_, node) in given.items())
        fault = _fault(kind, bounds)
        if fault:
            self._leave_open(key, f"bounds of {what} are left open, since{bounds[1:]} is not taken: {fault}")
        return "" if fault else bounds

    def _text(self, file: str, still_open: list[Note], left_out: list[Note]) -> str:
        remarks = lambda notes: "".join(f"#   line {note.line}: {_one_line(note.sentence)}\n" for note in notes)
        return (f"# Written from SmartNoise's metadata in {_one_line(file)}.\n"
                "# Open, to be filled in; then run: vernier catalog check FILE\n"
                "#   epsilon, which SmartNoise takes from each program, is the total of this catalog for ever\n"
                f"{remarks(still_open)}# What SmartNoise has and a catalog has not, or has otherwise:\n{remarks(left_out)}"
                "# Bounds and keys are public: they must not come from a look at the data.\n\n"
                "[budget]\n# epsilon = 1.0         # open: the total; a smaller one protects more\n"
                "# delta = 1e-6          # private keys need one\n" + "".join(self._tables.values()))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _column_text(kind: str, bounds: str) -> str:
    return f'{{ type = "{kind}"{bounds} }}'


def _table_text(name: str, unit: str | None, columns: dict[str, str]) -> str:
    heading = _toml.key_text(name)
    owner = f"unit = {_toml.value_text('unit', unit)}" if unit else '# unit = "..."        # open: the column that says whose row it is, or "row"'
    rows = "".join(f"{_toml.key_text(column)} = {text}\n" for column, text in columns.items())
    return f'\n[tables.{heading}]\n# source = "..."      # open: the file that holds it\n{owner}\n\n[tables.{heading}.columns]\n{rows}'


def _number(node: Any, key: str, what: str, kind: str) -> str:
    if node.id != "scalar" or node.style is not None or not _NUMBER.fullmatch(node.value):
        raise _refused(node, f"{key} of {what} must be a number such as 0 or 100.5")
    whole, _, fraction = node.value.partition(".")
    return whole if kind == "integer" and fraction and not fraction.strip("0") else node.value


def _fault(kind: str, bounds: str) -> str:
    """What a catalog says against these bounds; empty where it takes them."""
    text = f'[budget]\nepsilon = 1\n[tables.t]\nsource = "t.csv"\nunit = "row"\n[tables.t.columns]\nx = {_column_text(kind, bounds)}\n'
    problems = json.loads(_core.catalog_json((b"catalog.toml", text.encode())))["problems"]
    return problems[0]["sentence"].replace("the column 'x'", "it") if problems else ""


def _main(words: list[str]) -> int:
    if len(words) != 1 or words[0].startswith("-"):
        print("usage: python -m vernier.compat.smartnoise METADATA.yaml > catalog.toml", file=sys.stderr)
        return 2
    try:
        print(import_metadata(Path(words[0])).text, end="")
    except (InvalidError, FailedError) as error:
        print(f"vernier: {error}", file=sys.stderr)
        return 2 if isinstance(error, InvalidError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
