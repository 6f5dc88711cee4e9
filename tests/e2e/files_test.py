"""What commands write, and what they leave alone. Usage: files_test.py PROGRAM"""
import os
import resource
import signal
import subprocess
import time
import unittest

from program import ENVIRONMENT, PROGRAM, run
from studies import StudyTest

WRITERS = {
    "plan": ["plan", "study.toml", "--plot"],
    "law": ["law", "geometric", "--scale", "10", "--plot"],
    "calibrate": ["calibrate", "geometric", "--accuracy", "50", "--plot"],
    "compose": ["compose", "--event", "laplace,scale=20,times=10", "--delta", "1e-6", "--plot"],
    "coverage": ["coverage", "--distribution", "normal", "--size", "50", "--epsilon", "0.5,1", "--simulations", "20", "--plot"],
    "denoise": ["coverage", "--denoise", "--epsilon", "0.5", "--simulations", "20", "--plot"],
    "export": ["ledger", "export", "catalog.toml", "--out"],
    "registry": ["ledger", "export", "catalog.toml", "--format", "registry", "--out"],
    "new": ["catalog", "new", "people.csv", "--out"],
    "audit": ["audit", "--minutes", "0.1", "--out"],
    "release": ["release", "study.toml", "--out"],
    "bounds": ["bounds", "catalog.toml", "people.income", "--epsilon", "0.1", "--out"],
    "demo": ["demo", "--out"],
}


class NothingIsWrittenOver(StudyTest):
    def setUp(self):
        super().setUp()
        self.text("query", "SELECT COUNT(*) AS n FROM people", "--catalog", "catalog.toml", "--epsilon", "0.1")

    def assert_left_alone(self, words, place):
        before = self.files()
        done = run(*words, place)
        self.assertEqual((done.returncode, done.stdout), (2, ""), (words, place, done))
        self.assertRegex(done.stderr, r"\Avernier: '[^\n]*' exists already, and [^\n]*\n\Z")
        self.assertEqual(self.files(), before, (words, place))

    def test_no_command_writes_over_a_file_a_folder_or_a_link(self):
        os.mkdir("folder")
        self.file("folder/kept", "kept")
        self.file("kept.svg", "kept")
        for place in ("link.svg", "dangling.svg", "ledger.svg", "folder.svg"):
            target = {"link.svg": "kept.svg", "ledger.svg": "catalog.ledger", "folder.svg": "folder"}.get(place, "nothing")
            os.symlink(target, place)
        for name, words in WRITERS.items():
            places = ["kept.svg", "link.svg", "dangling.svg", "ledger.svg"]
            if words[-1] == "--out":
                places += ["catalog.ledger", "people.csv", "catalog.toml", "folder"]
            for place in places:
                with self.subTest(command=name, place=place):
                    self.assert_left_alone(words, place)

    def test_the_second_chart_is_not_written_over_either(self):
        self.file("a-intervals.svg", "kept")
        self.assert_left_alone(WRITERS["coverage"], "a.svg")
        self.file("b-sparse.svg", "kept")
        self.assert_left_alone(WRITERS["denoise"], "b.svg")

    def test_a_new_name_is_written(self):
        for name in ("plan", "law", "calibrate", "compose", "export", "registry", "new"):
            with self.subTest(command=name):
                self.assertEqual(run(*WRITERS[name], f"{name}.svg").returncode, 0)
                self.assertGreater(os.path.getsize(f"{name}.svg"), 0)
        self.assertEqual([name for name in os.listdir(".") if name.endswith(".tmp")], [])


class Stopped(StudyTest):
    """By a signal at any moment: the folder is there, whole, or it is not, and nothing lies beside it."""

    def stopped(self, number, wait, out):
        with subprocess.Popen([PROGRAM, "release", "study.toml", "--out", out, "--request", out], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
            time.sleep(wait)
            process.send_signal(number)
            _, told = process.communicate(timeout=60)
        return process.returncode, told

    def test_no_part_of_a_folder_is_left(self):
        self.break_file("study.toml", "budget = { epsilon = 1.0, delta = 1e-7 }", "budget = { epsilon = 0.01, delta = 1e-9 }")
        self.break_file("study.toml", "accuracy = { people = 50 }\n", "")
        start = time.monotonic()
        self.text("release", "study.toml", "--out", "whole")
        longest = time.monotonic() - start
        whole, before = sorted(os.listdir("whole")), set(os.listdir("."))
        for i in range(36):
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[i % 3]
            code, told = self.stopped(number, longest * (i + 1) / 36, f"out{i}")
            if os.path.exists(f"out{i}"):
                self.assertEqual(sorted(os.listdir(f"out{i}")), whole)
                self.assertIn(code, (0, -number))
            elif code == 1:
                self.assertRegex(told, r"\Avernier: [^\n]*stopped[^\n]*\n\Z")
            else:
                self.assertEqual(code, -number)
            self.assertEqual({name for name in set(os.listdir(".")) - before if not name.startswith("out")}, set())
            self.assertEqual([name for name in os.listdir(".") if name.endswith(".tmp")], [], (i, code, told))


class LimitedFiles(StudyTest):
    """`ulimit -f`: a file that may not grow any further."""

    def limited(self, size, *words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120, check=False, env=ENVIRONMENT,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))

    def test_a_limit_on_the_size_of_files_gets_a_sentence(self):
        self.text("key")
        self.text("query", "SELECT COUNT(*) AS n FROM people", "--catalog", "catalog.toml", "--epsilon", "0.1")
        for size in (0, 512, 4096, 16384, 65536):
            done = self.limited(size, "release", "study.toml", "--out", f"out{size}")
            self.assertEqual(done.returncode, 1, (size, done))
            self.assertRegex(done.stderr, r"\Avernier: [^\n]+\n\Z", size)
            self.assertFalse(os.path.exists(f"out{size}"))
        done = self.limited(100, "law", "geometric", "--scale", "10", "--plot", "law.svg")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'law.svg' cannot be written (File too large)", done.stderr)
        self.assertEqual([name for name in os.listdir(".") if name.endswith(".tmp") or name == "law.svg"], [])


if __name__ == "__main__":
    unittest.main()
