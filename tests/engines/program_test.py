"""A table in Trino by the program: catalog new and check, engine probe, release, verify. Usage: trino.py program_test.py PROGRAM"""
import json
import os
import sys
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "e2e"))
from program import FolderTest, run  # noqa: E402

ADDRESS = os.environ["VERNIER_TEST_TRINO"]


def sql(text):
    server = ADDRESS.replace("reader@", "")
    request = urllib.request.Request(server + "/v1/statement", data=text.encode(), headers={"X-Trino-User": "writer"})
    while True:
        with urllib.request.urlopen(request) as opened:
            page = json.load(opened)
        if "error" in page:
            raise RuntimeError(page["error"]["message"])
        if "nextUri" not in page:
            return
        request = page["nextUri"]


def setUpModule():
    sql("CREATE SCHEMA iceberg.census")
    sql("CREATE TABLE iceberg.census.people AS SELECT i AS id, CASE WHEN i < 700 THEN 'north' ELSE 'south' END AS region, "
        "CAST(i % 90 AS INTEGER) AS age, current_timestamp AS seen FROM UNNEST(sequence(1, 1000)) AS s(i)")


class Trino(FolderTest):
    def done(self, *words, code=0):
        done = run(*words)
        self.assertEqual(done.returncode, code, done)
        return done.stderr if code else done.stdout

    def test_from_the_schema_to_numbers_that_a_stranger_verifies(self):
        self.done("catalog", "new", "iceberg.census.people", "--engine", ADDRESS)
        text = self.content("catalog.toml")
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
        self.assertTrue(record["versions"]["engine"].startswith("Trino "))
        self.assertEqual(record["versions"]["snapshot"], "study")
        north, south = (row["n"]["value"] for row in record["statistics"][0]["rows"])
        self.assertLess(abs(north - 699) + abs(south - 301), 200)
        self.assertTrue(self.done("verify", "published"))

    def test_a_server_is_probed(self):
        self.assertRegex(self.done("engine", "probe", ADDRESS), r"Trino \d+ answers (\d+) of \1 questions as its dialect does")
        self.assertIn("names no user", self.done("engine", "probe", ADDRESS.replace("reader@", ""), code=2))
        self.assertIn("could not be reached", self.done("engine", "probe", "http://reader@127.0.0.1:1", code=1))


if __name__ == "__main__":
    unittest.main()
