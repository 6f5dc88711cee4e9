"""The harness, tried on contenders whose figures are known: `python3 -m unittest bench.harness_test`."""

import json
import sys
import tempfile
import unittest

from bench import harness
from bench.contender import Contender, Lost
from bench.harness import Case, Task
from bench.table import number, table
from bench.targets import LimitTarget, RatioTarget

SPEED, DELAY = Case("speed", "samples/s"), Case("delay", "ns", less_is_better=True)

ANSWERS = """
import sys
print("ready", flush=True)
answers = {answers!r}
for line in sys.stdin:
    print(answers[line.strip()].pop(0), flush=True)
"""


def program(name, code, **options):
    return Contender(name, [sys.executable, "-c", code], **options)


def answering(name, note="", **answers):
    """A contender that gives these answers to each case, one after the other, and ends when it has none left."""
    return program(name, ANSWERS.format(answers=answers), note=note)


def measured(*contenders, cases=(SPEED,), targets=(), rounds=1):
    sentences = []
    task = Task("trial", tuple(cases), contenders, tuple(targets), rounds)
    return task, harness.report(task, harness.run(task, sentences.append)), sentences


class Figures(unittest.TestCase):
    def test_the_best_round_counts(self):
        ours = answering("ours", speed=["2", "5", "3"], delay=["2", "5", "1.5"])
        _, report, _ = measured(ours, cases=(SPEED, DELAY), rounds=3)
        self.assertEqual([result["value"] for result in report["results"]], [5, 1.5])

    def test_contenders_take_turns_within_a_round(self):
        with tempfile.NamedTemporaryFile("r") as log:
            diary = "import sys\nprint('ready', flush=True)\nfor line in sys.stdin:\n"
            diary += f"    print(NAME, line.strip(), file=open({log.name!r}, 'a'))\n    print(1, flush=True)\n"
            contenders = [program(name, diary.replace("NAME", repr(name))) for name in ("a", "b")]
            measured(*contenders, cases=(SPEED, DELAY), rounds=2)
            self.assertEqual(log.read().splitlines(), ["a speed", "b speed", "a delay", "b delay"] * 2)

    def test_a_case_may_be_asked_by_another_line_than_its_name(self):
        case = Case("worst speed", "samples/s", line="speed")
        _, report, _ = measured(answering("ours", speed=["6"]), cases=(case,))
        self.assertEqual([(result["case"], result["value"]) for result in report["results"]], [("worst speed", 6)])

    def test_a_ratio_above_one_means_that_ours_is_better(self):
        ours, peer = answering("ours", speed=["6"], delay=["4"]), answering("peer", speed=["2"], delay=["10"])
        _, report, _ = measured(ours, peer, cases=(SPEED, DELAY))
        self.assertEqual(report["ratios"], {"speed": {"peer": 3}, "delay": {"peer": 2.5}})

    def test_a_case_that_a_contender_does_not_take_is_left_out_in_silence(self):
        peer = answering("peer", speed=["none it has no such law"], delay=["8"])
        _, report, sentences = measured(answering("ours", speed=["6"], delay=["4"]), peer, cases=(SPEED, DELAY))
        self.assertEqual(report["ratios"], {"speed": {}, "delay": {"peer": 2}})
        self.assertEqual(sentences, ["round 1 of 1"])


class Losses(unittest.TestCase):
    def expect_left_out(self, peer, reason):
        _, report, sentences = measured(answering("ours", speed=["6"]), peer)
        self.assertEqual([result["contender"] for result in report["results"]], ["ours"])
        self.assertRegex("\n".join(sentences), f"peer is left out.*{reason}")

    def test_one_that_is_not_set_up(self):
        self.expect_left_out(Contender("peer", ["peer"], needs="/no/such/file"), "not set up .*/no/such/file")

    def test_one_that_is_no_program(self):
        self.expect_left_out(Contender("peer", ["/no/such/program"]), "does not start")

    def test_one_that_fails_to_import(self):
        self.expect_left_out(program("peer", "import no_such_module"), "status 1 .*No module named 'no_such_module'")

    def test_one_that_greets_wrongly(self):
        self.expect_left_out(program("peer", "print('hello')"), "'hello' where 'ready'")

    def test_one_that_ends_when_asked(self):
        self.expect_left_out(program("peer", "print('ready', flush=True); input(); exit(3)"), "status 3")

    def test_one_that_ended_before_it_was_asked(self):
        peer = program("peer", "print('ready')")
        peer.start()
        peer._process.wait()
        with self.assertRaisesRegex(Lost, "status 0"):
            peer.ask("speed")
        peer.stop()

    def test_one_that_is_silent(self):
        peer = program("peer", "print('ready', flush=True); import time; time.sleep(60)", patience=0.3)
        self.expect_left_out(peer, "no answer within 0.3 seconds")

    def test_one_that_gives_no_number(self):
        for answer in ("fast", "nan", "inf", "0", "-1"):
            with self.subTest(answer):
                self.expect_left_out(answering("peer", speed=[answer]), f"answered '?{answer}")

    def test_one_that_is_lost_keeps_what_it_had(self):
        ours, peer = answering("ours", speed=["6", "6"]), answering("peer", speed=["2"])
        _, report, sentences = measured(ours, peer, rounds=2)
        self.assertEqual(report["ratios"], {"speed": {"peer": 3}})
        self.assertRegex("\n".join(sentences), "peer is left out from speed on")


    def test_one_that_refuses_a_case_is_left_out_of_it_alone(self):
        peer = answering("peer", speed=["refuses it took too long"], delay=["8", "7"])
        ours = answering("ours", speed=["6", "6"], delay=["4", "4"])
        _, report, sentences = measured(ours, peer, cases=(SPEED, DELAY), rounds=2)
        self.assertEqual(report["ratios"], {"speed": {}, "delay": {"peer": 1.75}})
        expected = ["round 1 of 2", "peer is left out of speed: it took too long", "round 2 of 2"]
        self.assertEqual(sentences, expected)  # and it is not asked again


class Targets(unittest.TestCase):
    A, B = Case("a", "samples/s"), Case("b", "samples/s")

    def judged(self, target, ours, peer):
        return measured(
            answering("ours", **ours), answering("peer", **peer), cases=(self.A, self.B), targets=(target,)
        )[1]

    def test_the_worst_case_decides_a_ratio(self):
        for goal, met in ((2.0, True), (2.1, False)):
            target = RatioTarget("twice", goal, "peer", ("a", "b"))
            report = self.judged(target, {"a": ["9"], "b": ["4"]}, {"a": ["3"], "b": ["2"]})
            expected = {"name": "twice", "goal": goal, "value": 2, "met": met, "case": "b"}
            self.assertEqual((report["targets"], report["targets_met"]), ([expected], met))

    def test_the_worst_case_decides_a_limit(self):
        for goal, met in ((9, True), (8, False)):
            report = self.judged(LimitTarget("few", goal, ("a", "b")), {"a": ["9"], "b": ["4"]}, {"a": ["3"], "b": ["2"]})
            expected = {"name": "few", "goal": goal, "value": 9, "met": met, "case": "a"}
            self.assertEqual((report["targets"], report["targets_met"]), ([expected], met))

    def test_a_target_is_not_met_where_one_case_was_not_measured(self):
        target = RatioTarget("twice", 2.0, "peer", ("a", "b"))
        report = self.judged(target, {"a": ["9"], "b": ["4"]}, {"a": ["3"], "b": ["none no such case"]})
        self.assertEqual((report["targets"][0]["value"], report["targets_met"]), (None, False))

    def test_one_target_that_is_not_met_is_enough(self):
        targets = RatioTarget("once", 1.0, "peer", ("speed",)), RatioTarget("tenfold", 10.0, "peer", ("speed",))
        _, report, _ = measured(answering("ours", speed=["6"]), answering("peer", speed=["2"]), targets=targets)
        self.assertEqual([target["met"] for target in report["targets"]], [True, False])
        self.assertFalse(report["targets_met"])


class Output(unittest.TestCase):
    def setUp(self):
        peer = answering("peer", note="vectors of 10", speed=["2000000"], delay=["none"])
        gone = Contender("gone", ["gone"], note="not to be seen", needs="/no/such/file")
        target = RatioTarget("at least peer", 1.0, "peer", ("speed",))
        ours = answering("ours", speed=["6000000"], delay=["4"])
        self.task, self.report, _ = measured(ours, peer, gone, cases=(SPEED, DELAY), targets=(target,))

    def test_the_object_has_the_shape_that_all_tasks_share(self):
        report = json.loads(json.dumps(self.report, allow_nan=False))
        self.assertEqual(list(report), ["task", "results", "ratios", "targets", "targets_met"])
        expected = {"contender": "ours", "case": "speed", "value": 6e6, "unit": "samples/s"}
        self.assertEqual(report["results"][0], expected)

    def test_the_table_is_aligned(self):
        expected = (
            "case   unit            ours       peer\n"
            "speed  samples/s  6,000,000  2,000,000\n"
            "delay  ns                 4          -\n\n"
            "ours is better by  peer\n"
            "speed                 3\n\n"
            "target         goal  value       worst case\n"
            "at least peer     1      3  met  speed\n\n"
            "peer: vectors of 10"
        )
        self.assertEqual(table(self.task, self.report), expected)

    def test_numbers_have_four_digits(self):
        shown = [number(value) for value in (None, 0.0123456, 12.3456, 999.96, 1234567.0)]
        self.assertEqual(shown, ["-", "0.01235", "12.35", "1,000", "1,235,000"])


if __name__ == "__main__":
    unittest.main()
