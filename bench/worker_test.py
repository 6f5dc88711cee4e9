"""The worker, tried as a contender: `python3 -m unittest bench.worker_test`."""

import sys
import unittest
from unittest import mock

from bench.contender import Contender, Refused
from bench.worker import SLOW, Stopwatch, call_seconds, rate

SERVER = """
from bench.worker import NotMeasured, serve

def prepare(case, size):
    if case != "sum":
        raise NotMeasured(f"there is no case {case}")
    return lambda: sum(range(size))

serve(prepare)
"""


CALLS = """
from bench.worker import NotMeasured, serve_calls

def prepare(case):
    if case == "unknown":
        raise NotMeasured("there is no such case")
    return [lambda: 1 / float(case), lambda: sum(range(1000))]

serve_calls(prepare)
"""


FIGURES = """
from bench.worker import NotMeasured, serve_figures

def figure(case):
    if case == "unknown":
        raise NotMeasured("there is no such case")
    return 1 / float(case)

serve_figures(figure)
"""


ENDS = """
from bench.worker import NotMeasured, serve_calls

def busy():
    while True:
        pass

def prepare(case):
    if case == "unknown":
        raise NotMeasured("there is no such case")
    if case == "endless":
        return [busy]
    return [lambda: (1 / float(case), 2.5)] if case != "upper" else [lambda: (None, 2.5)]

serve_calls(prepare)
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

    def test_it_answers_times_and_values(self):
        contender = Contender("worker", [sys.executable, "-c", CALLS, "0.01"])
        self.addCleanup(contender.stop)
        contender.start()
        self.assertGreater(contender.ask("4"), 1)  # microseconds of the slower call
        self.assertEqual(contender.answer("value 4"), "0.25")
        self.assertRegex(contender.answer("value 0"), "^refuses ZeroDivisionError")
        self.assertIsNone(contender.ask("unknown"))


    def test_it_answers_figures_that_are_no_times(self):
        contender = Contender("worker", [sys.executable, "-c", FIGURES])
        self.addCleanup(contender.stop)
        contender.start()
        self.assertEqual(contender.ask("4"), 0.25)
        self.assertIsNone(contender.ask("unknown"))
        with self.assertRaisesRegex(Refused, "ZeroDivisionError"):
            contender.ask("0")


class Intervals(unittest.TestCase):
    def setUp(self):
        self.contender = Contender("worker", [sys.executable, "-c", ENDS, "0.001", "0.2"])
        self.addCleanup(self.contender.stop)
        self.contender.start()

    def test_both_ends_are_those_of_the_timed_call(self):
        self.assertEqual(self.contender.answer("bounds 4"), "none the case has not been timed")
        self.assertGreater(self.contender.ask("4"), 0)
        self.assertEqual(self.contender.answer("bounds 4"), "0.25 2.5")

    def test_a_lower_end_that_is_missing_is_a_dash(self):
        self.contender.ask("upper")
        self.assertEqual(self.contender.answer("bounds upper"), "- 2.5")

    def test_a_call_over_the_limit_is_given_up_and_the_next_is_answered(self):
        with self.assertRaisesRegex(Refused, "more than 0.2 seconds of CPU time"):
            self.contender.ask("endless")
        self.assertGreater(self.contender.ask("4"), 0)

    def test_what_a_peer_raises_is_a_refusal(self):
        with self.assertRaisesRegex(Refused, "ZeroDivisionError"):
            self.contender.ask("0")
        self.assertIsNone(self.contender.ask("unknown"))


class Times(unittest.TestCase):
    def test_calls_are_doubled_until_half_of_the_time_is_full(self):
        calls = []
        with mock.patch("time.thread_time", side_effect=[0, 1, 10, 12, 20, 24]):
            figure = call_seconds(lambda: calls.append("call"), seconds=8)
        self.assertEqual((figure, len(calls)), (1, 7))  # 1, 2 and 4 calls; the last in 4 seconds

    def test_the_slowest_call_counts_each_by_its_best_round(self):
        stopwatch = Stopwatch(["a", "b"])
        times = {"a": [3, 1, 2], "b": [2, 4, 1]}
        with mock.patch("bench.worker.call_seconds", side_effect=lambda call, _: SLOW / 10 * times[call].pop(0)):
            figures = [stopwatch.round(1) for _ in range(3)]
        self.assertEqual(figures, [SLOW / 10 * value for value in (3, 2, 1)])

    def test_a_slow_call_is_timed_once(self):
        with mock.patch("bench.worker.call_seconds", side_effect=[2 * SLOW]):
            stopwatch = Stopwatch(["slow"])
            self.assertEqual([stopwatch.round(1), stopwatch.round(1)], [2 * SLOW, 2 * SLOW])


if __name__ == "__main__":
    unittest.main()
