"""A table in Spark, released from Python with a session of one's own. Usage: spark_test.py [classic | connect]

Runs in an environment that has pyspark (`tools/setup --engines`) with the package on the path.
"""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import spark as sparks
import vernier as vn

try:
    import pyspark  # noqa: F401  pylint: disable=unused-import
except ImportError:
    print(sparks.HOW_TO_INSTALL, file=sys.stderr)
    sys.exit(sparks.absent())

MODE = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1] in ("classic", "connect") else "classic"
WAREHOUSE = tempfile.TemporaryDirectory(prefix="vernier-spark-")
SPARK = None

CATALOG = """
[budget]
epsilon = 20
delta = 1e-6

[engine]
kind = "spark"

[tables.people]
source = {{ table = "{table}" }}
unit = "id"

[tables.people.columns]
id = {{ type = "integer" }}
region = {{ type = "string"{keys} }}
age = {{ type = "integer", lower = 0, upper = 99 }}
born = {{ type = "date" }}
"""
STUDY = """
catalog = "catalog.toml"
budget = { epsilon = 4, delta = 1e-7 }

[[statistic]]
name = "people"
max_groups = 2
sql = "SELECT region, COUNT(*) AS n, SUM(age) AS age FROM people GROUP BY region"
"""


def setUpModule():
    global SPARK  # pylint: disable=global-statement
    SPARK = sparks.session(WAREHOUSE.name, "local[2]" if MODE == "connect" else None)
    SPARK.sql("CREATE SCHEMA census")
    SPARK.sql("CREATE TABLE census.people USING parquet AS SELECT id, CASE WHEN id < 700 THEN 'north' ELSE 'south' END AS region, "
              "CAST(id % 90 AS INT) AS age, DATE '2000-01-01' AS born, current_timestamp() AS seen FROM range(1000)")
    # Keys that are no text, each with two hundred people: bytes that are no UTF-8, and NUL.
    SPARK.sql("CREATE TABLE census.odd USING parquet AS SELECT id, CASE id % 5 WHEN 0 THEN CAST(X'ff41' AS STRING) WHEN 1 THEN "
              "CAST(X'ff42' AS STRING) WHEN 2 THEN CAST(X'4100' AS STRING) WHEN 3 THEN CAST(X'eda080' AS STRING) ELSE 'A' END AS "
              "region, 1 AS age, DATE '2000-01-01' AS born FROM range(1000)")
    SPARK.sql("CREATE VIEW census.shown AS SELECT * FROM census.people")


def tearDownModule():
    SPARK.stop()
    WAREHOUSE.cleanup()


class Spark(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = self.folder.name
        self.write()

    def write(self, table="census.people", keys=', keys = ["north", "south"]', catalog=CATALOG):
        Path(self.folder.name, "catalog.toml").write_text(catalog.format(table=table, keys=keys))
        Path(self.folder.name, "study.toml").write_text(STUDY)

    def released(self, engine=None):
        return vn.release(Path(self.folder.name, "study.toml"), engine=engine or SPARK, progress=False)

    def spent(self):
        return len(vn.Ledger(Path(self.folder.name, "catalog.toml")).history().entries)

    def test_a_table_is_released_and_verified(self):
        released = self.released()
        rows = released["people"].rows
        self.assertEqual([row["region"] for row in rows], ["north", "south"])
        self.assertLess(abs(rows[0]["n"]["value"] - 700) + abs(rows[1]["n"]["value"] - 300), 60)
        versions = json.loads(released.record)["versions"]
        self.assertEqual((versions["engine"], versions["snapshot"]), (f"Spark {SPARK.version}", "statement"))
        self.assertTrue(vn.verify(released))

    def test_the_settings_of_the_session_stay_as_they_are(self):
        SPARK.conf.set("spark.sql.caseSensitive", "false")
        SPARK.conf.set("spark.sql.ansi.enabled", "false")
        self.released()
        self.assertEqual(SPARK.conf.get("spark.sql.caseSensitive"), "false")
        self.assertEqual(SPARK.conf.get("spark.sql.ansi.enabled"), "false")

    def test_what_is_wrong_costs_nothing(self):
        wrong = {"census.persons": "is not there", "people": "must be named with its schema", "census.shown": "is a view"}
        for table, sentence in wrong.items():
            with self.subTest(table):
                self.write(table)
                with self.assertRaisesRegex(vn.InvalidError, sentence):
                    self.released()
        self.write(catalog=CATALOG.replace('"date"', '"boolean"'))
        with self.assertRaisesRegex(vn.InvalidError, "has it as date"):
            self.released()
        self.write()
        with self.assertRaisesRegex(vn.InvalidError, "give a session of Spark"):
            self.released("spark://here")
        with self.assertRaisesRegex(vn.InvalidError, "no connection to the engine spark"):
            vn.release(Path(self.folder.name, "study.toml"), progress=False)
        self.write(catalog=CATALOG.replace('kind = "spark"', 'kind = "trino"\naddress = "http://a@127.0.0.1:1"'))
        with self.assertRaisesRegex(vn.InvalidError, "but the engine of the catalog is trino"):
            self.released()
        self.assertFalse(list(Path(self.folder.name).glob("catalog.ledger*")))

    def test_keys_that_are_no_text_do_not_count(self):
        self.write("census.odd", keys="")
        self.assertEqual([row["region"] for row in self.released()["people"].rows], ["A"])

    def test_after_data_there_is_one_sentence_and_nothing_is_printed(self):
        failing = Failing(SPARK)
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            with self.assertRaises(vn.Error) as raised:
                self.released(failing)
        self.assertIn("the engine could not finish the statement; the budget stays spent", str(raised.exception))
        self.assertNotIn("secret of a row", str(raised.exception) + printed.getvalue())
        self.assertEqual(printed.getvalue(), "")
        self.assertIsNone(raised.exception.__cause__)
        self.assertGreaterEqual(self.spent(), 1)

    def test_a_session_that_is_lost_is_opened_anew_and_everything_is_read_again(self):
        lost = Lost(SPARK)
        rows = self.released(lost)["people"].rows
        self.assertLess(abs(rows[0]["n"]["value"] - 700) + abs(rows[1]["n"]["value"] - 300), 60)
        self.assertEqual(lost.opened, 2)
        self.assertEqual(self.spent(), 3)  # entries: of the terms, of the release, of its answer

    def test_a_cluster_that_stays_lost_costs_one_release_and_one_sentence(self):
        with self.assertRaisesRegex(vn.Error, "the engine could not finish the statement; the budget stays spent"):
            self.released(Lost(SPARK, times=9))
        self.assertEqual(self.spent(), 2)  # and of no answer

    def test_a_catalog_is_made_of_the_schema_and_compared_with_it(self):
        out = Path(self.folder.name, "new.toml")
        vn.Catalog.new("census.people", out=out, engine=SPARK)
        self.assertIn('kind = "spark"', out.read_text())
        self.assertIn('id = { type = "integer" }', out.read_text())
        self.assertIn("# seen: no type of a catalog holds it", out.read_text())
        vn.Catalog.read(Path(self.folder.name, "catalog.toml")).check(SPARK)
        made = vn.Catalog(vn.Budget(epsilon=20), {"people": vn.Table({"id": "integer", "age": "date"}, unit="id",
                          source={"table": "census.people"})}, engine={"kind": "spark"}, folder=self.folder.name)
        with self.assertRaisesRegex(vn.InvalidError, "has it as int"):
            made.check(SPARK)

    def test_whoever_stops_a_run_is_heard(self):
        with self.assertRaises(KeyboardInterrupt):
            self.released(Failing(SPARK, KeyboardInterrupt))
        self.assertGreaterEqual(self.spent(), 1)


class Failing:
    """A session whose statements over the table fail as Spark's do, with a value of a row in the error."""

    def __init__(self, spark, error=None):
        self._spark, self._error = spark, error
        self.version, self.conf = spark.version, spark.conf

    def newSession(self):  # pylint: disable=invalid-name
        return Failing(self._spark.newSession(), self._error)

    def sql(self, text):
        if "`people`" in text and not text.startswith(("DESCRIBE", "EXPLAIN")):
            if self._error is not None:
                signal_main(self._error)
            return self._spark.sql("SELECT CAST('secret of a row' AS BIGINT)")
        return self._spark.sql(text)

    def __getattr__(self, name):
        return getattr(self._spark, name)


class Lost:
    """A session that is lost with the first statement over the table, as often as is said; then new ones work."""

    def __init__(self, spark, times=1, parent=None):
        self._spark, self.times, self._parent = spark, times, parent
        self.version, self.conf, self.opened, self._is_lost = spark.version, spark.conf, 0, False

    def newSession(self):  # pylint: disable=invalid-name
        self.opened += 1
        return Lost(self._spark.newSession(), parent=self)

    def sql(self, text):
        if "`people`" in text and not text.startswith(("DESCRIBE", "EXPLAIN")) and self._parent.times > 0:
            self._parent.times -= 1
            self._is_lost = True
        if self._is_lost:
            raise ConnectionError("secret of a row")
        return self._spark.sql(text)

    def __getattr__(self, name):
        return getattr(self._spark, name)


def signal_main(_):
    """Ctrl-C, while the statement runs."""
    import signal  # pylint: disable=import-outside-toplevel
    import time  # pylint: disable=import-outside-toplevel

    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(2)


if __name__ == "__main__":
    unittest.main()
