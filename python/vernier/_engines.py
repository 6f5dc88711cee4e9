"""Sessions of engines that a program has opened for itself: Spark, classic and Connect.

The core writes the statements and takes their rows back as Arrow. Nothing of what the engine says in an error is shown or
kept, since it may be a value of a row.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from vernier._errors import InvalidError
from vernier._words import kind_of

# What statements mean, whatever the session that is given says: docs/theory/engines.md.
_SETTINGS = {"spark.sql.ansi.enabled": "true", "spark.sql.session.timeZone": "UTC", "spark.sql.caseSensitive": "true",
             "spark.sql.parser.escapedStringLiterals": "false", "spark.sql.groupByOrdinal": "true"}
_TO_ANSWER = 30  # seconds
_NEEDED = ("sql", "newSession", "version", "addTag", "interruptTag", "conf")


def session_of(engine: Any) -> SparkSession:
    """What the core asks, for a session of Spark."""
    if not all(hasattr(engine, name) for name in _NEEDED):
        raise InvalidError(f"engine is {kind_of(engine)}; give a session of Spark 4 or later, or leave it out")
    return SparkSession(engine)


class SparkSession:
    """A session of its own beside the one that is given, on the same cluster: settings of the other are not touched."""

    kind = "spark"

    def __init__(self, spark: Any) -> None:
        self.version = f"Spark {spark.version}"
        self.is_lost = False
        self._given = spark
        self._open()

    def renew(self) -> None:
        """Another session in place of one that was lost. An error where there is none."""
        with _quiet():
            self._open()
        self.is_lost = False

    def _open(self) -> None:
        self._session = self._given.newSession()
        for name, value in _SETTINGS.items():
            self._session.conf.set(name, value)
            if self._session.conf.get(name) != value:
                raise InvalidError(f"the session of Spark keeps another {name} than {value}; nothing was spent")

    def columns(self, table: list[str]) -> tuple[str, list[tuple[str, str]]]:
        """What is wrong with the table, or the names and types of its columns."""
        name = ".".join("`" + part.replace("`", "``") + "`" for part in table)
        if len(table) < 2:
            return "must be named with its schema; write for example default.people", []
        try:
            with _quiet():
                rows = self._session.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
        except Exception:  # pylint: disable=broad-except
            return "is not there, or this session may not read it; check catalog, schema and name, to the letter", []
        told = [(row[0], row[1]) for row in rows]
        end = next((i for i, (column, _) in enumerate(told) if column in ("", None) or column.startswith("# ")), len(told))
        kinds = {stored for column, stored in told[end:] if column == "Type"}
        if not kinds or any("VIEW" in kind for kind in kinds):
            return "is a view, and what runs behind it is not known; name a table", []
        return "", told[:end]

    def read(self, sql: str, seconds: int) -> Any:
        """The rows, as a capsule of Arrow. Ctrl-C ends the statement on the cluster, and so does its time."""
        tag = f"vernier-{uuid.uuid4().hex}"
        answers: list[Any] = []
        worker = threading.Thread(target=self._ask, args=(sql, tag, answers), daemon=True)
        end = time.monotonic() + seconds
        with _quiet():
            worker.start()
            try:
                while worker.is_alive() and time.monotonic() < end:
                    worker.join(0.05)
            finally:
                if worker.is_alive():
                    with suppress(Exception):
                        self._session.interruptTag(tag)
        if not answers:
            self.is_lost = time.monotonic() < end and not self._answers()
            raise RuntimeError("the statement was not answered")
        return answers[0].__arrow_c_stream__()

    def _answers(self) -> bool:
        """Whether the session still answers anything, so that it was the statement that failed."""
        answers: list[Any] = []
        worker = threading.Thread(target=self._ask, args=("SELECT 1", f"vernier-{uuid.uuid4().hex}", answers), daemon=True)
        with _quiet():
            worker.start()
            worker.join(_TO_ANSWER)
        return bool(answers)

    def _ask(self, sql: str, tag: str, answers: list[Any]) -> None:
        with suppress(Exception):
            self._session.addTag(tag)
            answers.append(self._session.sql(sql).toArrow())


@contextmanager
def _quiet() -> Iterator[None]:
    """pyspark writes the errors of statements, with values of rows, to loggers of its own."""
    from pyspark.logger import PySparkLogger  # pylint: disable=import-outside-toplevel

    loggers = [PySparkLogger.getLogger(f"{of}QueryContextLogger") for of in ("SQL", "DataFrame")]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before):
            logger.disabled = was
