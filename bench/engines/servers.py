"""Servers of the benchmark's own on the loopback: each makes tables, runs plain statements, and tells the CPU seconds it has used."""

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

from bench.contender import ROOT
from bench.engines import cases
from bench.worker import NotMeasured

for folder in ("tests/e2e", "tests/engines"):
    sys.path.insert(0, os.path.join(ROOT, folder))

TICKS = os.sysconf("SC_CLK_TCK")


def stat(process):
    """The fields of /proc/PID/stat behind the name: utime, stime, cutime and cstime are the 11th to the 14th."""
    return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def own_seconds(process):
    return sum(map(int, stat(process)[11:13])) / TICKS


def children_of(process):
    return [int(number) for task in Path(f"/proc/{process}/task").iterdir() for number in (task / "children").read_text().split()]


def all_below(process):
    """With the ones that have ended meanwhile left out: a reader must not fail of them."""
    yield process
    for child in children_of(process):
        yield from all_below(child)


class Server:
    """What servers have in common."""

    environment = {}

    def __init__(self):
        self._tables = {}

    def table_of(self, shape, rows):
        if (shape, rows) not in self._tables:
            self._tables[shape, rows] = self.make(f"people_{shape}_{rows}", shape, rows)
        return self._tables[shape, rows]

    def bytes_sent(self):
        return 0

    def peak_memory(self):
        return 0


class Postgresql(Server):
    """Its work is done by children of the server, which is told what the ended ones took."""

    environment = {"PGPASSWORD": "reader"}

    def __init__(self):
        import postgresql  # pylint: disable=import-outside-toplevel

        if not postgresql.is_installed():
            raise NotMeasured(postgresql.HOW_TO_INSTALL)
        super().__init__()
        self.server = postgresql.Server()
        self.run("CREATE ROLE reader LOGIN PASSWORD 'reader'")
        self.engine = f'kind = "postgresql"\naddress = "postgresql://reader@127.0.0.1:{self.server.port}/postgres"'

    def make(self, name, shape, rows):
        made = cases.rows_of(shape, "i / 10", f"generate_series(CAST(0 AS BIGINT), {rows - 1}) AS g(i)", "DOUBLE PRECISION", "'r' || {}")
        self.run(f"CREATE TABLE {name} AS {made}; VACUUM ANALYZE {name}; GRANT SELECT ON {name} TO reader")
        return f"public.{name}"

    def run(self, sql):
        for statement in sql.split("; "):  # VACUUM stands by itself
            ran = self.server.sql(_counted(statement))
            if ran.returncode:
                raise RuntimeError(ran.stderr)

    def cpu_seconds(self):
        process = self.server.process.pid
        return sum(map(own_seconds, children_of(process))) + sum(map(int, stat(process)[11:15])) / TICKS

    def remove(self):
        self.server.remove()


class Trino(Server):
    """With memory of 900 MB for a query where it is run in passes, and else for all of it."""

    HEAP, QUERY = "5g", "3500MB"

    def __init__(self):
        import trino  # pylint: disable=import-outside-toplevel

        if trino.installed() is None or trino.java() is None:
            raise NotMeasured(trino.HOW_TO_INSTALL)
        super().__init__()
        self.server = trino.Server(memory=self.HEAP, query_memory=self.QUERY)
        self.run("CREATE SCHEMA iceberg.census")
        self.engine = f'kind = "trino"\naddress = "{self.server.address}"'

    def make(self, name, shape, rows):
        step = min(rows, 10_000)  # a list of Trino has at most 10,000 values
        series = (f"(SELECT a * {step} + b AS i FROM UNNEST(sequence(BIGINT '0', {rows // step - 1})) AS s(a) "
                  f"CROSS JOIN UNNEST(sequence(BIGINT '0', {step - 1})) AS t(b)) AS g")
        self.run(f"CREATE TABLE iceberg.census.{name} AS " + cases.rows_of(shape, "i / 10", series, "DOUBLE", "'r' || CAST({} AS VARCHAR)"))
        return f"iceberg.census.{name}"

    def run(self, sql):
        """Rows are thrown away on the way, as little as that takes."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}/v1/statement", data=_counted(sql).encode(), headers={"X-Trino-User": "writer"})
        while request:
            with urllib.request.urlopen(request) as opened:
                page = json.load(opened)
            if "error" in page:
                raise RuntimeError(page["error"]["message"])
            request = page.get("nextUri")

    def cpu_seconds(self):
        return own_seconds(self.server.process.pid)

    def peak_memory(self):
        """Of the greatest of the last statements that read a table, in MB."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}/v1/query", headers={"X-Trino-User": "reader"})
        with urllib.request.urlopen(request) as opened:
            queries = sorted((one for one in json.load(opened) if one["query"].startswith("WITH ")), key=lambda one: one["queryId"])
        return max((_megabytes(one["queryStats"]["peakTotalMemoryReservation"]) for one in queries[-cases.PASSES:]), default=0)

    def remove(self):
        self.server.remove()


def _counted(sql):
    """All pairs would be told as text, which takes longer than finding them."""
    return f"SELECT count(*), sum(c3), sum(c4) FROM ({sql}) AS pairs(c1, c2, c3, c4)" if "GROUP BY person" in sql else sql


def _megabytes(text):
    """Of "12.5MB" or "1048576B"."""
    units = {"B": 1e-6, "kB": 1.024e-3, "MB": 1.048576, "GB": 1073.741824, "TB": 1099511.627776}
    digits = text.rstrip("BkMGT")
    return float(digits) * units[text[len(digits):]]


class Spark(Server):
    """A cluster of two workers behind Spark Connect. Plain statements are asked by a program of Spark's own Python."""

    WORKERS = 2

    def __init__(self):
        import spark  # pylint: disable=import-outside-toplevel

        if spark.home() is None:
            raise NotMeasured(spark.HOW_TO_INSTALL)
        super().__init__()
        log = {"spark.eventLog.enabled": "true", "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false"}
        self.server = spark.Server(self.WORKERS, log)
        asking = Path(__file__).with_name("ask_spark.py")
        self.asking = subprocess.Popen([spark.python(), asking, self.server.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                       stderr=subprocess.DEVNULL)
        self.run("CREATE SCHEMA census")
        self.engine = f'kind = "spark"\naddress = "{self.server.address}"'

    def make(self, name, shape, rows):
        made = cases.rows_of(shape, "(i - i % 10) DIV 10", f"(SELECT id AS i FROM range({rows})) AS g", "DOUBLE", "'r' || {}")
        self.run(f"CREATE TABLE census.{name} USING parquet AS {made}")
        return f"census.{name}"

    def run(self, sql):
        self.asking.stdin.write(sql + "\n")
        self.asking.stdin.flush()
        if self.asking.stdout.readline() != "done\n":
            raise RuntimeError("Spark did not answer")

    def cpu_seconds(self):
        return sum(own_seconds(process) for one in (self.server.process, *self.server.others) for process in all_below(one.pid))

    def bytes_sent(self):
        """What tasks have written for those of other stages, by the log of events."""
        total = 0
        for log in (self.server.folder / "events").iterdir():
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith('{"Event":"SparkListenerTaskEnd"'):
                    total += json.loads(line).get("Task Metrics", {}).get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
        return total

    def remove(self):
        self.asking.kill()
        self.server.remove()


KINDS = {"postgresql": Postgresql, "trino": Trino, "spark": Spark}
