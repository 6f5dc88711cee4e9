"""A ledger in a PostgreSQL database, as steward and analyst use it. Usage: postgresql_ledger_test.py PROGRAM"""
import json
import unittest

import postgresql
from program import run
from studies import StudyTest

SERVER = None
QUERY = ("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--accuracy", "50", "--json", "--request")


def setUpModule():
    global SERVER  # pylint: disable=global-statement
    if not postgresql.is_installed():
        raise unittest.SkipTest(postgresql.HOW_TO_INSTALL)
    SERVER = postgresql.Server()


def tearDownModule():
    SERVER.remove()


class PostgresqlLedger(StudyTest):
    def setUp(self):
        super().setUp()
        self.database = SERVER.new_database()
        self.break_file("catalog.toml", "delta = 1e-6\n", f'delta = 1e-6\nledger = "{SERVER.address(self.database)}"\n')

    def done(self, *words, code=0):
        """What a run prints, which never has the password in it."""
        done = run(*words)
        self.assertEqual(done.returncode, code, done)
        self.assertNotIn(postgresql.PASSWORD, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def sql(self, statement):
        return SERVER.sql(statement, self.database)

    def test_a_release_is_paid_for_and_stands_in_the_ledger(self):
        self.done("release", "study.toml", "--out", "published")
        found = json.loads(self.done("ledger", "verify", "catalog.toml", "--release", "published/release.json", "--json"))
        self.assertEqual((found["holds"], found["entries"], found["spends"], found["published"]), (True, 3, 1, 1))
        self.done("verify", "published/release.json")
        left = self.sql("SELECT left_epsilon FROM vernier_tally").stdout
        spent = self.sql("SELECT sum(epsilon) FROM vernier_entries").stdout
        self.assertEqual(int(left) + int(spent), 3 * 10**17)

    def test_the_same_request_gets_the_same_bytes_and_is_charged_once(self):
        first = self.done(*QUERY, "q-1")
        self.assertEqual(self.done(*QUERY, "q-1"), first)
        self.assertNotEqual(self.done(*QUERY, "q-2"), first)
        self.assertEqual(self.sql("SELECT count(*) FROM vernier_entries WHERE kind = 'reserve'").stdout, "2\n")

    def test_the_budget_ends(self):
        whole = ("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--epsilon", "2")
        self.done(*whole)
        self.assertIn("the study asks for more than is left", self.done(*whole, code=1))
        self.assertEqual(self.sql("SELECT count(*) FROM vernier_entries WHERE kind = 'reserve'").stdout, "1\n")

    def test_a_changed_entry_is_noticed(self):
        self.done(*QUERY, "q-1")
        self.assertNotEqual(self.sql("UPDATE vernier_entries SET epsilon = 1 WHERE idx = 2").returncode, 0)
        changed = self.sql("ALTER TABLE vernier_entries DISABLE TRIGGER USER; UPDATE vernier_entries SET epsilon = 1 WHERE idx = 2; "
                             "ALTER TABLE vernier_entries ENABLE TRIGGER USER")
        self.assertEqual(changed.returncode, 0, changed)
        for words in (("ledger", "verify", "catalog.toml"), ("ledger", "show", "catalog.toml"), (*QUERY, "q-2")):
            self.assertIn("entry 2 was changed after it was written", self.done(*words, code=1))

    def test_functions_that_were_replaced_are_noticed(self):
        self.done(*QUERY, "q-1")
        replaced = self.sql("CREATE OR REPLACE FUNCTION vernier_tally_follows() RETURNS trigger LANGUAGE plpgsql AS "
                            "'BEGIN RETURN NEW; END'")
        self.assertEqual(replaced.returncode, 0, replaced)
        for words in (("ledger", "verify", "catalog.toml"), ("ledger", "show", "catalog.toml"), (*QUERY, "q-2")):
            self.assertIn("lacks rules that it was made with, or has others", self.done(*words, code=1))

    def test_a_clerk_cannot_set_the_tally_by_a_temporary_table(self):
        self.done(*QUERY, "q-1")
        left = self.sql("SELECT left_epsilon FROM vernier_tally").stdout
        self.sql("CREATE ROLE clerk; GRANT SELECT, INSERT ON vernier_entries, vernier_tally, vernier_documents TO clerk; "
                 "GRANT UPDATE ON vernier_tally TO clerk")
        forged = self.sql("SET ROLE clerk; CREATE TEMPORARY TABLE vernier_entries (idx BIGINT, hash TEXT, epsilon BIGINT, delta "
                          "BIGINT); INSERT INTO vernier_entries SELECT idx + 1, 'x', -1000, 0 FROM vernier_tally; UPDATE "
                          "vernier_tally SET idx = idx + 1, head = 'x', left_epsilon = left_epsilon + 1000")
        self.assertNotEqual(forged.returncode, 0, forged)
        self.assertIn("the tally follows its entry", forged.stderr)
        self.assertEqual(self.sql("SELECT left_epsilon FROM vernier_tally").stdout, left)
        self.done("ledger", "verify", "catalog.toml")

    def test_a_server_that_is_away_is_told_without_its_password(self):
        self.done(*QUERY, "q-1")
        SERVER.stop()
        try:
            for words in (("ledger", "show", "catalog.toml"), (*QUERY, "q-1")):
                told = self.done(*words, code=1)
                self.assertRegex(told, r"\Avernier: [^\n]*127\.0\.0\.1[^\n]*\n\Z")
        finally:
            SERVER.start()
        self.assertEqual(self.done(*QUERY, "q-1"), self.done(*QUERY, "q-1"))


if __name__ == "__main__":
    unittest.main()
