"""`vernier query --request` killed at random moments, and asked again. Usage: kill_test.py PROGRAM

VERNIER_KILLS says how often, where it is not 25 times.
"""
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from program import ENVIRONMENT, PROGRAM, run
from studies import StudyTest

KILLS = int(os.environ.get("VERNIER_KILLS", "25"))
COUNT = ["query", "--catalog", "catalog.toml", "SELECT region, COUNT(*) AS people FROM people GROUP BY region",
         "--epsilon", "0.01", "--json", "--request"]


def killed(wait, *words):
    """What it printed until it was killed, when `wait` returned, and whether it came to its end before."""
    with subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                          env=ENVIRONMENT) as program:
        wait(program)
        program.send_signal(signal.SIGKILL)
        printed, _ = program.communicate()
    return printed.decode(), program.returncode == 0


class Kill(StudyTest):
    def rows(self, sql, *values):
        if not os.path.exists("catalog.ledger"):
            return []
        with contextlib.closing(sqlite3.connect("catalog.ledger", timeout=30)) as ledger:
            try:
                return ledger.execute(sql, values).fetchall()
            except sqlite3.OperationalError:  # killed before there was a table
                return []

    def charges(self, request):
        return len(self.rows("SELECT 1 FROM entries WHERE kind = 'reserve' AND request = ?", request))

    def wait_until_paid(self, program, request):
        with contextlib.closing(sqlite3.connect("catalog.ledger", timeout=30)) as ledger:
            while program.poll() is None:
                if ledger.execute("SELECT 1 FROM entries WHERE kind = 'reserve' AND request = ?", (request,)).fetchone():
                    return

    def wait(self, chance, longest, request):
        """One half are killed at any moment, the others within milliseconds after they have paid."""
        def at_any_moment(_):
            time.sleep(chance.uniform(0, longest))

        def after_it_is_paid(program):
            self.wait_until_paid(program, request)
            time.sleep(chance.uniform(0, 0.005))

        return chance.choice((at_any_moment, after_it_is_paid))

    def assert_released_at_most_what_was_debited(self, requests):
        """Every settlement follows its reserve, every request was charged at most once, and the sums hold."""
        reserves = self.rows("SELECT release, request, idx, epsilon FROM entries WHERE kind = 'reserve'")
        paid = {release: index for release, _, index, _ in reserves}
        for release, index in self.rows("SELECT release, idx FROM entries WHERE kind = 'settle'"):
            self.assertLess(paid[release], index)
        self.assertEqual(len({request for _, request, _, _ in reserves}), len(reserves))
        self.assertLessEqual({request for _, request, _, _ in reserves}, requests)
        last = self.rows("SELECT idx, left_epsilon FROM entries ORDER BY idx DESC LIMIT 1")
        if last:
            self.assertEqual(self.rows("SELECT count(*) FROM entries"), [(last[0][0],)])
            self.assertEqual(last[0][1] + sum(epsilon for *_, epsilon in reserves), 3 * 10**17)

    def ask_again(self, request, printed, has_ended):
        """The same bytes, or told that it was paid for and has no answer; charged once. Whether there was an answer."""
        was_paid = self.charges(request)
        again = run(*COUNT, request)
        self.assertEqual(self.charges(request), 1, again)
        if again.returncode == 0:
            self.assertTrue(again.stdout.startswith(printed), "what was printed before is the beginning of the answer")
            self.assertTrue(not has_ended or again.stdout == printed, "an answer stays as it is")
            self.assertEqual(run(*COUNT, request).stdout, again.stdout)
            return True
        self.assertEqual((was_paid, printed), (1, ""), again)
        self.assertEqual(list(json.loads(again.stdout)), ["error"], "no answer")
        self.assertRegex(again.stderr, r"\Avernier: [^\n]*paid for[^\n]*\n\Z")
        return False

    def test_killed_at_random_moments_it_answers_once_or_says_that_it_was_paid(self):
        start = time.monotonic()
        self.text(*COUNT, "first")
        longest = 1.2 * (time.monotonic() - start)
        chance = random.Random(8)
        requests, answers, ends = {"first"}, 0, 0
        for number in range(KILLS):
            request = f"request-{number}"
            requests.add(request)
            printed, has_ended = killed(self.wait(chance, longest, request), *COUNT, request)
            self.assert_released_at_most_what_was_debited(requests)
            answers += self.ask_again(request, printed, has_ended)
            ends += has_ended
        self.assert_released_at_most_what_was_debited(requests)
        self.assertGreater(answers, KILLS // 4)
        self.assertLess(answers, KILLS, "nobody was killed between debit and answer")
        self.assertLess(ends, KILLS, "nobody was killed")


if __name__ == "__main__":
    unittest.main()
