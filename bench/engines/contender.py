"""An engine by its own statement, or by Vernier's release of the same table: what the server takes for it.

Usage: contender.py (plain | vernier) PROGRAM
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time

from bench.engines import cases, servers
from bench.worker import serve_figures

MANNER, PROGRAM = sys.argv[1], sys.argv[2]


class Asked:
    """One server at a time, with its tables. A run has several figures, each of which is told once."""

    def __init__(self, stack):
        self._stack = stack
        self._server = None
        self._told = {}
        self._folder = stack.enter_context(tempfile.TemporaryDirectory())

    def __call__(self, line):
        question = cases.Question.of(line)
        run = question.run()
        if question.measure not in self._told.get(run, {}):
            self._told[run] = self._figures(run)
        return self._told[run].pop(question.measure)

    def _figures(self, run):
        server = self._server_of(run)
        table = server.table_of(run.shape, run.rows)
        before, sent, start = server.cpu_seconds(), server.bytes_sent(), time.monotonic()
        self._ask(run, server, table)
        clock = time.monotonic() - start
        return {"cpu": server.cpu_seconds() - before, "clock": clock, "sent": (server.bytes_sent() - sent) / run.rows, "peak": server.peak_memory()}

    def _server_of(self, run):
        kind = servers.KINDS[run.engine]
        if not isinstance(self._server, kind):
            if self._server is not None:
                self._server.remove()
            self._server = None
            self._server = kind()
            self._stack.callback(self._server.remove)
        return self._server

    def _ask(self, run, server, table):
        if MANNER == "plain":
            return server.run(cases.PLAIN[run.unit].format(table=table))
        catalog = os.path.join(self._folder, f"{run.engine}-{run.unit}-{run.shape}-{run.passes}.toml")
        with open(catalog, "w", encoding="utf-8") as file:
            file.write(cases.catalog(server.engine, run, table))
        home = {"XDG_STATE_HOME": self._folder, "XDG_CONFIG_HOME": self._folder}
        ran = subprocess.run([PROGRAM, "query", "--catalog", catalog, cases.STATEMENT, "--epsilon", "1", "--json"],
                             env={**os.environ, **home, **server.environment}, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise RuntimeError(ran.stderr.strip() or ran.stdout)
        return None


def main():
    with contextlib.ExitStack() as stack:
        serve_figures(Asked(stack))


if __name__ == "__main__":
    main()
