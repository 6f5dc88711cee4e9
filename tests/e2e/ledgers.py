"""A ledger with the shares of two analysts, for tests to fill and to break."""
import contextlib
import hashlib
import sqlite3

from studies import StudyTest

SHARES = "delta = 1e-6\n\n[budget.shares]\nanna = 0.6\nben = 0.3\n"


def netstrings(texts):
    return b"".join(b"%d:%s," % (len(text.encode()), text.encode()) for text in texts)


class LedgerTest(StudyTest):
    """With shares for two analysts."""

    def setUp(self):
        super().setUp()
        self.break_file("catalog.toml", "delta = 1e-6\n", SHARES)

    def publish(self):
        """A study of anna's and a query of ben's: entries 3 to 6, behind the terms and the shares."""
        self.text("release", "study.toml", "--analyst", "anna", "--out", "published")
        self.text("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--accuracy", "20", "--analyst",
                  "ben", "--request", "q-1")

    @contextlib.contextmanager
    def database(self, drop=()):
        """The file itself, without the rules that were named; they are put back afterwards."""
        connection = sqlite3.connect("catalog.ledger")
        rules = [connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0] for name in drop]
        for name in drop:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for rule in rules:
            connection.execute(rule)
        connection.commit()
        connection.close()

    def pay_without_an_answer(self):
        """One more reservation, written by hand with the hash that it must have: a run that died."""
        with self.database() as ledger:
            index, head, left, rest = ledger.execute(
                "SELECT idx, hash, left_epsilon, left_delta FROM entries ORDER BY idx DESC LIMIT 1").fetchone()
            values = [index + 1, "reserve", 1800000000, "d" * 32, "", "ben", "died", "id", "p", "total", 10**16, 0, ""]
            digest = hashlib.sha256(netstrings([head, *map(str, values)])).hexdigest()
            columns = "idx, kind, time, release, request, analyst, study, unit, plan, manner, epsilon, delta, content, hash"
            ledger.execute(f"INSERT INTO entries ({columns}, left_epsilon, left_delta) VALUES ({','.join('?' * 16)})",
                           [*values, digest, left - 10**16, rest])

    def assert_broken(self, saying, *words):
        for action in (words,) if words else (("verify",), ("show",), ("history",), ("export",)):
            self.assert_refused(["ledger", action[0], "catalog.toml", *action[1:]], code=1, saying=saying)
