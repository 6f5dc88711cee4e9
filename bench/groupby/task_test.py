"""The group-by task, without measuring anything: `python3 -m unittest bench.groupby.task_test`."""

import json
import os
import sys
import tempfile
import time
import unittest
from unittest import mock

from bench import harness
from bench.groupby import cases, data, task, watch
from bench.groupby.peer import totals
from bench.groupby.runner import Runner, Wrong, check, read
from bench.groupby.watch import GaveUp, watched
from bench.main import measured

WORK = cases.Work(cases.ONE_REGION, 1_000_000)
RIGHT = {"seconds": 0.5, "groups": 50, "rows": 120_200.0, "sum": 120_200.0 * cases.MEAN, "mean": cases.MEAN}


def report(**figures):
    """A report where a million rows take us 0.1 s and other sizes in proportion, unless `figures` say otherwise."""
    groupby = task.groupby(quick=False)
    ours = {}
    for case in groupby.cases:
        *_, rows = case.line.split()
        ours[case.name] = 100.0 if case.unit == "MB" else 0.1 * int(rows) / 1e6
    ours |= figures.pop("ours", {})
    theirs = {"duckdb": 0.8, "duckdb_bounded": 1.0, "group_by_unit": 0.7, "opendp": 10.0} | figures
    known = {("vernier", name): value for name, value in ours.items()}
    known |= {(one, case.name): value for one, value in theirs.items() for case in groupby.cases}
    return harness.report(groupby, known)


class GroupBy(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, BIN="/no/such/folder", CACHE="/no/such/folder"):
            found = measured(task.groupby(quick=True), sentences.append)
        self.assertEqual((found["results"], found["targets_met"]), ([], False))
        self.assertEqual([target["value"] for target in found["targets"]], [None] * 5)
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 8)

    def test_the_goals_are_those_that_were_set(self):
        goals = [target.goal for target in task.groupby(quick=False).targets]
        self.assertEqual(goals, [1.3, 1.0, 1.5, 10.0, 2000.0, 6.5, 13.0])

    def test_goals_are_judged_at_ten_million_rows(self):
        judged = [case for target in task.targets(task.MIDDLE) for case in target.cases]
        self.assertTrue(all("10 million" in case for case in judged))

    def test_known_figures_meet_the_targets_or_not(self):
        self.assertTrue(report()["targets_met"])
        for broken, index in (
            ({"duckdb": 0.76}, 0),
            ({"duckdb_bounded": 0.99}, 1),
            ({"group_by_unit": 0.66}, 2),
            ({"opendp": 9.9}, 3),
            ({"ours": {"5 regions a user, 10 million: memory": 2001.0}}, 4),
            ({"ours": {"5 regions a user, 50 million": 6.6}}, 5),
            ({"ours": {"each row, 1 million": 0.07}}, 6),
        ):
            with self.subTest(str(broken)):
                met = [target["met"] for target in report(**broken)["targets"]]
                self.assertEqual([i for i in range(len(met)) if not met[i]], [index])

    def test_the_greatest_peak_and_the_shortest_time_count(self):
        time, memory = task.both(cases.EACH_ROW, task.SMALL)
        self.assertEqual((time.better(1.0, 2.0), memory.better(1.0, 2.0)), (1.0, 2.0))

    def test_every_line_names_the_work_of_its_case(self):
        for case in task.groupby(quick=False).cases:
            quantity, _, line = case.line.partition(" ")
            work = cases.parse(line)
            self.assertEqual(work.line, line)
            size = next(size for size, rows in cases.SIZES.items() if rows == work.rows)
            self.assertEqual(case.name, cases.name(work.job, size, task.MEMORY if quantity == "memory" else ""))

    def test_every_statement_of_the_task_is_there(self):
        for sql in ("plain", "by_unit", "bounded_1", "bounded_5"):
            self.assertTrue(os.path.exists(os.path.join(task.SQL, f"{sql}.sql")))


class Answers(unittest.TestCase):
    def test_totals_that_add_up_are_taken(self):
        self.assertIsNone(check(RIGHT, WORK))
        self.assertIsNone(check(RIGHT | {"rows": 150_000.0, "sum": 150_000.0 * cases.MEAN}, WORK, share=0.15))

    def test_totals_that_do_not_add_up_are_refused(self):
        nan = float("nan")
        for wrong in ({"rows": 1e6}, {"rows": 0.0}, {"sum": 1.06 * RIGHT["sum"]}, {"mean": 0.94 * cases.MEAN}, {"mean": nan}):
            with self.subTest(str(wrong)), self.assertRaises(Wrong):
                check(RIGHT | wrong, WORK)

    def test_the_last_line_speaks(self):
        self.assertEqual(read("a library says hello\n" + json.dumps(RIGHT) + "\n"), RIGHT)
        for silent, sentence in (("refuses no budget\n", "no budget"), ("", "the program said nothing")):
            with self.assertRaisesRegex(Wrong, sentence):
                read(silent)

    def test_a_peer_adds_its_groups_up(self):
        found = totals([("a", 10, 50.0, 5.0), ("b", 30, 60.0, 2.0), ("c", -1, 7.0, 1e9)])
        self.assertEqual(found, {"groups": 3, "rows": 39.0, "sum": 117.0, "mean": 2.0})
        self.assertEqual(totals([("a", 10, 50.0, 5.0), ("b", 30, 60.0, 2.0), ("c", 1, 7.0, 1e9), ("d", -1, 0.0, 1e9)])["mean"], 2.75)


class Running(unittest.TestCase):
    def runner(self, code, takes=(WORK.line,)):
        code = code.replace("{", "{{").replace("}", "}}")  # in a word of the command, braces are places
        words = [sys.executable, "-c", code, "{file}", "{unit}", "{groups}"]
        return Runner(takes, None, words, lambda rows: f"people-{rows}")

    def test_a_call_is_told_its_work_and_gives_time_and_peak(self):
        told = "import sys; assert sys.argv[1:] == ['people-1000000', 'user_id', '1']"
        code = f"{told}; x = bytearray(200_000_000); print({json.dumps(RIGHT)!r})"
        runner = self.runner(code)
        self.assertEqual(runner.answer(f"memory {WORK.line}"), "refuses the work has not been timed")
        self.assertEqual(runner.answer(f"seconds {WORK.line}"), "0.5")
        self.assertTrue(200 < float(runner.answer(f"memory {WORK.line}")) < 300)

    def test_a_slow_call_is_made_once(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = json.dumps(RIGHT | {"seconds": 31.0})
            runner = self.runner(f"import tempfile; tempfile.mkstemp(dir={folder!r}); print({answer!r})")
            self.assertEqual([runner.answer(f"seconds {WORK.line}") for _ in range(3)], ["31.0"] * 3)
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_a_quick_call_is_made_in_every_round(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = self.runner(f"import tempfile; tempfile.mkstemp(dir={folder!r}); print({json.dumps(RIGHT)!r})")
            self.assertEqual([runner.answer(f"seconds {WORK.line}") for _ in range(2)], ["0.5"] * 2)
            self.assertEqual(len(os.listdir(folder)), 2)

    def test_what_goes_wrong_is_one_sentence(self):
        for code, sentence in (
            ("raise SystemExit('no such column')", "refuses the program ended with status 1 and the words 'no such column'"),
            ("print('refuses no budget'); raise SystemExit(1)", "refuses no budget"),
            (f"print({json.dumps(RIGHT | {'rows': 1.0})!r})", "refuses its rows, over all 1, should be about 120200"),
        ):
            self.assertEqual(self.runner(code).answer(f"seconds {WORK.line}"), sentence)

    def test_it_says_where_it_takes_no_part(self):
        self.assertEqual(self.runner("").answer("seconds row 0 1000000"), "none it takes no part in this")


class Watching(unittest.TestCase):
    def test_the_memory_of_children_counts(self):
        child = "x = bytearray(150_000_000); import time; time.sleep(0.5)"
        code = f"import subprocess, sys; x = bytearray(100_000_000); subprocess.run([sys.executable, '-c', {child!r}])"
        _, peak = watched([sys.executable, "-c", code], 30.0)
        self.assertTrue(250e6 < peak < 350e6)

    def test_a_peak_between_two_looks_counts(self):
        with mock.patch.object(watch, "BETWEEN_LOOKS", 2.0):
            _, peak = watched([sys.executable, "-c", "x = bytearray(100_000_000)"], 30.0)
        self.assertTrue(100e6 < peak < 200e6)

    def test_who_takes_too_long_is_ended(self):
        start = time.monotonic()
        with self.assertRaisesRegex(GaveUp, "more than 0.2 seconds"):
            watched([sys.executable, "-c", "import time; time.sleep(60)"], 0.2)
        self.assertLess(time.monotonic() - start, 30)


class Data(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.tables = os.path.join(self.folder, "bench-groupby")

    def table(self, writer):
        """What comes of asking for a table, from a writer that is a script of the shell."""
        path = os.path.join(self.folder, "writer")
        with open(path, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o700)) as script:
            script.write(f"#!/bin/sh\n{writer}\n")
        with mock.patch.multiple(data, CACHE=self.folder, WRITER=path):
            return data.data_file(1000)

    def test_a_table_is_written_once(self):
        path = self.table('echo "$1 $3" >"$2"')
        self.assertEqual(self.table("exit 1"), path)
        with open(path, encoding="ascii") as written:
            self.assertEqual(written.read(), "data 1000\n")

    def test_half_a_table_is_none(self):
        with self.assertRaisesRegex(data.Missing, "the table of 1,000 rows cannot be written"):
            self.table('echo half >"$2"; exit 1')
        self.assertEqual(os.listdir(self.tables), [])


if __name__ == "__main__":
    unittest.main()
