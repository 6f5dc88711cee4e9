"""A table in PostgreSQL by the program: catalog new and check, engine probe, plan, release, verify. Usage: engine_test.py PROGRAM"""
import json
import re
import unittest

import postgresql
from program import FolderTest, run

SERVER = None
READER = "password-of-the-reader"


def setUpModule():
    global SERVER  # pylint: disable=global-statement
    if not postgresql.is_installed():
        raise unittest.SkipTest(postgresql.HOW_TO_INSTALL)
    SERVER = postgresql.Server()
    SERVER.sql(f"CREATE ROLE reader LOGIN PASSWORD '{READER}'; CREATE TABLE people AS SELECT CAST(i AS BIGINT) AS id, "
               "CASE WHEN i < 700 THEN 'north' ELSE 'south' END AS region, CAST(i % 90 AS INTEGER) AS age, now() AS seen "
               "FROM generate_series(1, 1000) AS g(i); GRANT SELECT ON people TO reader")


def tearDownModule():
    SERVER.remove()


class Engine(FolderTest):
    def setUp(self):
        super().setUp()
        self.address = f"postgresql://reader@127.0.0.1:{SERVER.port}/postgres"

    def done(self, *words, code=0, password=READER):
        """What a run prints, which never has the password in it."""
        done = run(*words, PGPASSWORD=password)
        self.assertEqual(done.returncode, code, done)
        self.assertNotIn(READER, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def begin(self):
        """The catalog that `new` writes, filled in."""
        self.done("catalog", "new", "public.people", "--engine", self.address)
        text = self.content("catalog.toml")
        self.assertIn('id = { type = "integer" }', text)
        self.assertIn("# seen: no type of a catalog holds it", text)
        text = text.replace("# epsilon = 1.0", "epsilon = 1.0").replace('# unit = "person_id"', 'unit = "id"')
        text = text.replace('region = { type = "string" }', 'region = { type = "string", keys = ["north", "south"] }')
        self.file("catalog.toml", text)
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 0.5 }\n[[statistic]]\nname = "people"\n'
                                'sql = "SELECT region, COUNT(*) AS n FROM people GROUP BY region"\n')

    def test_from_the_schema_to_numbers_that_a_stranger_verifies(self):
        self.begin()
        self.done("catalog", "check", "catalog.toml")
        self.done("plan", "study.toml", password=None)  # which does not connect
        self.done("release", "study.toml", "--out", "published")
        record = json.loads(self.content("published/release.json"))
        self.assertTrue(record["versions"]["engine"].startswith("PostgreSQL 15."))
        self.assertEqual(record["versions"]["snapshot"], "study")
        self.assertNotIn("127.0.0.1", json.dumps(record))
        north, south = (row["n"]["value"] for row in record["statistics"][0]["rows"])
        self.assertLess(abs(north - 699) + abs(south - 301), 200)
        self.assertTrue(self.done("verify", "published"))

    def test_what_is_wrong_costs_nothing(self):
        self.begin()
        wrong = {"public.people": "public.persons", 'id = { type = "integer" }': 'id = { type = "date" }',
                 "region = ": "regions = ", self.address: self.address.replace("reader", "nobody")}
        catalog = self.content("catalog.toml")
        for old, new in wrong.items():
            with self.subTest(new):
                self.file("catalog.toml", catalog.replace(old, new))
                self.assertRegex(self.done("catalog", "check", "catalog.toml", code=1 if "nobody" in new else 2), r"\S")
                self.done("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--epsilon", "0.5",
                          code=1 if "nobody" in new else 2)
        self.file("catalog.toml", catalog)
        self.done("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--epsilon", "1")

    def test_a_password_in_the_catalog_is_refused(self):
        self.begin()
        open_address = self.address.replace("reader@", f"reader:{READER}@")
        self.file("catalog.toml", self.content("catalog.toml").replace(self.address, open_address))
        printed = run("catalog", "check", "catalog.toml")
        self.assertEqual(printed.returncode, 2)
        self.assertIn("has a password in it", printed.stdout)
        self.assertNotIn(READER, printed.stdout + printed.stderr)

    def test_a_server_is_probed(self):
        printed = self.done("engine", "probe", self.address)
        self.assertRegex(printed, r"PostgreSQL 15\.\d+ answers (\d+) of \1 questions as its dialect does")
        found = json.loads(self.done("engine", "probe", self.address, "--json"))
        self.assertEqual((found["engine"], all(one["as_expected"] for one in found["probes"])), ("postgresql", True))
        self.assertIn("asks for a password", self.done("engine", "probe", self.address, code=1, password=None))
        self.assertIn("must begin with", self.done("engine", "probe", "db", code=2))

    def test_files_and_tables_go_with_their_engines(self):
        self.begin()
        catalog = self.content("catalog.toml")
        self.file("catalog.toml", re.sub(r"\[engine\].*?\n\n", "", catalog, flags=re.DOTALL))
        self.assertIn("the catalog names none", run("catalog", "check", "catalog.toml").stdout)
        self.file("catalog.toml", catalog.replace('{ table = "public.people" }', '"people.csv"'))
        self.assertIn("must be a table of the engine postgresql", run("catalog", "check", "catalog.toml").stdout)


if __name__ == "__main__":
    unittest.main()
