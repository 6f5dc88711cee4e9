"""A server of Spark Connect that is killed while a statement runs: one sentence, and the ledger exact.

Usage: spark_killed_test.py PROGRAM
"""
import json
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "e2e"))
import spark  # noqa: E402
import trino  # noqa: E402

if spark.home() is None:
    print(spark.HOW_TO_INSTALL, file=sys.stderr)
    sys.exit(trino.absent())

from program import ENVIRONMENT, PROGRAM, FolderTest, run  # noqa: E402

CATALOG = """
[budget]
epsilon = 3

[engine]
kind = "spark"
address = "{address}"

[tables.people]
source = {{ table = "census.people" }}
unit = "id"

[tables.people.columns]
id = {{ type = "integer" }}
age = {{ type = "integer", lower = 0, upper = 99 }}
"""
STUDY = """
catalog = "catalog.toml"
budget = { epsilon = 1 }

[[statistic]]
name = "people"
max_rows = 3
sql = "SELECT COUNT(*) AS n, SUM(age) AS age FROM people"
"""
MAKE = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
spark.sql("CREATE SCHEMA census")
spark.sql("CREATE TABLE census.people USING parquet AS SELECT id % 7000000 AS id, CAST(id % 90 AS INT) AS age FROM range(30000000)")
"""


class Killed(FolderTest):
    def test_a_server_that_dies_in_the_midst_costs_one_release_and_one_sentence(self):
        server = spark.Server()
        self.addCleanup(server.remove)
        subprocess.run([spark.python(), "-c", MAKE, server.address], check=True, capture_output=True)
        self.file("catalog.toml", CATALOG.format(address=server.address))
        self.file("study.toml", STUDY)
        with subprocess.Popen([PROGRAM, "release", "study.toml", "--out", "published"], stdin=subprocess.DEVNULL, env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while process.poll() is None and not self.is_charged():
                time.sleep(0.1)
            self.assertIsNone(process.poll(), "the statement was over before the server was killed")
            server.kill()
            output, errors = process.communicate(timeout=600)
        self.assertEqual((process.returncode, output), (1, ""), errors)
        self.assertRegex(errors, r"\Avernier: the engine could not finish the statement; the budget stays spent[^\n]*\n\Z")
        self.assertTrue(self.is_charged())

    @staticmethod
    def is_charged():
        """Exactly the one release; nothing is read before that."""
        done = run("ledger", "show", "catalog.toml", "--json") if Path("catalog.ledger").exists() else None
        return done is not None and done.returncode == 0 and abs(json.loads(done.stdout)["spent"]["epsilon"] - 1) < 1e-9


if __name__ == "__main__":
    unittest.main()
