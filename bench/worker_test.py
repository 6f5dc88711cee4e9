"""The worker, tried as a contender: `python3 -m unittest bench.worker_test`."""

import sys
import unittest
from unittest import mock

from bench.contender import Contender
from bench.worker import rate

SERVER = """
from bench.worker import NotMeasured, serve

def prepare(case, size):
    if case != "sum":
        raise NotMeasured(f"there is no case {case}")
    return lambda: sum(range(size))

serve(prepare)
"""


class Worker(unittest.TestCase):
    def test_it_answers_a_figure_or_none(self):
        contender = Contender("worker", [sys.executable, "-c", SERVER, "0.01", "1000"])
        self.addCleanup(contender.stop)
        contender.start()
        self.assertGreater(contender.ask("sum"), 0)
        self.assertIsNone(contender.ask("product"))
        self.assertGreater(contender.ask("sum"), 0)

    def test_a_rate_is_samples_by_time_once_the_time_is_full(self):
        calls = []
        with mock.patch("time.thread_time", side_effect=[10, 11, 14]):
            figure = rate(lambda: calls.append("call"), size=6, seconds=2)
        self.assertEqual((figure, len(calls)), (3, 2))  # two calls of 6 samples in 4 seconds


if __name__ == "__main__":
    unittest.main()
