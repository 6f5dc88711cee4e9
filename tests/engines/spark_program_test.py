"""A table in Spark by the program: catalog new and check, engine probe, release, verify. Usage: spark.py spark_program_test.py PROGRAM"""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "e2e"))
import spark  # noqa: E402
from program import FolderTest, run  # noqa: E402

ADDRESS = os.environ["VERNIER_TEST_SPARK"]
MAKE = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
spark.sql("CREATE SCHEMA census")
spark.sql("CREATE TABLE census.people USING parquet AS SELECT id, CASE WHEN id < 700 THEN 'north' ELSE 'south' END AS region, "
          "CAST(id % 90 AS INT) AS age, current_timestamp() AS seen FROM range(1000)")
spark.sql("CREATE VIEW census.shown AS SELECT * FROM census.people")
"""


def setUpModule():
    subprocess.run([spark.python(), "-c", MAKE, ADDRESS], check=True, capture_output=True)


class Spark(FolderTest):
    def done(self, *words, code=0):
        done = run(*words)
        self.assertEqual(done.returncode, code, done)
        return done.stderr if code else done.stdout

    def test_from_the_schema_to_numbers_that_a_stranger_verifies(self):
        self.done("catalog", "new", "census.people", "--engine", ADDRESS)
        text = self.content("catalog.toml")
        self.assertIn('kind = "spark"', text)
        self.assertIn('id = { type = "integer" }', text)
        self.assertIn("# seen: no type of a catalog holds it", text)
        text = text.replace("# epsilon = 1.0", "epsilon = 1.0").replace('# unit = "person_id"', 'unit = "id"')
        text = text.replace('region = { type = "string" }', 'region = { type = "string", keys = ["north", "south"] }')
        self.file("catalog.toml", text)
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 0.5 }\n[[statistic]]\nname = "people"\n'
                                'sql = "SELECT region, COUNT(*) AS n FROM people GROUP BY region"\n')
        self.done("catalog", "check", "catalog.toml")
        self.done("release", "study.toml", "--out", "published")
        record = json.loads(self.content("published/release.json"))
        self.assertTrue(record["versions"]["engine"].startswith("Spark "))
        self.assertEqual(record["versions"]["snapshot"], "statement")
        north, south = (row["n"]["value"] for row in record["statistics"][0]["rows"])
        self.assertLess(abs(north - 700) + abs(south - 300), 200)
        self.assertTrue(self.done("verify", "published"))
        self.file("catalog.toml", text.replace("census.people", "census.shown"))
        self.assertIn("is a view", self.done("catalog", "check", "catalog.toml", code=2))

    def test_a_server_is_probed(self):
        self.assertRegex(self.done("engine", "probe", ADDRESS), r"Spark 4[.\d]* answers (\d+) of \1 questions as its dialect does")
        self.assertIn("could not be reached", self.done("engine", "probe", "sc://127.0.0.1:1", code=1))
        self.assertIn("has a password in it", self.done("engine", "probe", ADDRESS + "/;token=abc", code=2))


if __name__ == "__main__":
    unittest.main()
