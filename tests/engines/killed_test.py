"""A server of Trino that is killed while a statement runs, or has too little memory for it: one sentence, and the ledger exact.

Usage: killed_test.py PROGRAM"""
import json
import subprocess
import sys
import threading
import time
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "e2e"))
import trino  # noqa: E402

if trino.installed() is None or trino.java() is None:
    print(trino.HOW_TO_INSTALL, file=sys.stderr)
    sys.exit(trino.absent())

from program import ENVIRONMENT, PROGRAM, FolderTest, run  # noqa: E402

CATALOG = """
[budget]
epsilon = 3

[engine]
kind = "trino"
address = "{address}"

[tables.orders]
source = {{ table = "tpch.sf100.orders" }}
unit = "custkey"

[tables.orders.columns]
custkey = {{ type = "integer" }}
totalprice = {{ type = "real", lower = 0, upper = 1000, granularity = 1 }}
"""
STUDY = """
catalog = "catalog.toml"
budget = { epsilon = 1 }

[[statistic]]
name = "orders"
max_rows = 3
sql = "SELECT COUNT(*) AS n, SUM(totalprice) AS price FROM orders"
"""


def running(server):
    """Whether a statement of ours runs there, and no question about one."""
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/v1/query", headers={"X-Trino-User": "reader"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return any(one["state"] == "RUNNING" and one["query"].startswith("WITH ") for one in json.load(answer))


class Killed(FolderTest):
    def test_a_server_that_dies_in_the_midst_costs_one_release_and_one_sentence(self):
        server = trino.Server()
        self.addCleanup(server.remove)
        self.file("catalog.toml", CATALOG.format(address=server.address))
        self.file("study.toml", STUDY)
        with subprocess.Popen([PROGRAM, "release", "study.toml", "--out", "published"], stdin=subprocess.DEVNULL, env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            killer = threading.Thread(target=self.kill_when_running, args=(server, process), daemon=True)
            killer.start()
            output, errors = process.communicate(timeout=600)
        killer.join()
        self.assertTrue(self.was_killed)
        self.expect_one_sentence(process.returncode, output, errors)

    def test_a_server_without_memory_for_a_statement_costs_one_release_and_one_sentence(self):
        server = trino.Server(query_memory="20MB")
        self.addCleanup(server.remove)
        self.file("catalog.toml", CATALOG.format(address=server.address).replace("sf100", "sf1"))
        self.file("study.toml", STUDY)
        done = run("release", "study.toml", "--out", "published")
        self.expect_one_sentence(done.returncode, done.stdout, done.stderr)

    def expect_one_sentence(self, code, output, errors):
        self.assertEqual((code, output), (1, ""), errors)
        self.assertRegex(errors, r"\Avernier: the engine could not finish the statement; the budget stays spent[^\n]*\n\Z")
        self.assertIn("is closed until the steward reopens it: see that its server runs", errors)
        shown = self.json("ledger", "show", "catalog.toml")
        self.assertAlmostEqual(shown["spent"]["epsilon"], 1, places=9)

    was_killed = False

    def kill_when_running(self, server, process):
        while process.poll() is None:
            if running(server):
                server.kill()
                self.was_killed = True
                return
            time.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
