"""`vernier completion bash`, in bash. Usage: completion_test.py PROGRAM"""
import pathlib
import subprocess
import tempfile
import unittest

from program import PROGRAM, ProgramTest


class Completion(ProgramTest):
    def completed(self, *words):
        """What bash offers for the last of the words."""
        script = ('source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vernier; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, PROGRAM, "vernier", *words], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout.split()

    def test_commands_mechanisms_options_and_values(self):
        self.assertEqual(self.completed("cal"), ["calibrate"])
        self.assertEqual(set(self.completed("")), {"--help", "--version", "plan", "release", "synthetic", "check-synthetic", "engine", "query", "sql", "demo", "serve", "calibrate", "compose",
                                                  "coverage", "audit", "law", "bounds", "catalog", "ledger", "verify", "key", "completion"})
        self.assertEqual(self.completed("calibrate", "g"), ["geometric", "gaussian"])
        self.assertEqual(self.completed("law", "discrete-l"), ["discrete-laplace"])
        self.assertEqual(self.completed("calibrate", "gaussian", "--s"), ["--scale", "--sensitivity", "--sweep"])
        self.assertEqual(self.completed("calibrate", "gaussian", "--calibration", ""),
                         ["analytic", "classical", "dwork-roth"])
        self.assertEqual(self.completed("calibrate", "gaussian", "--epsilon", ""), [])
        self.assertEqual(self.completed("completion", ""), ["bash"])
        self.assertEqual(self.completed("compose", "--e"), ["--event", "--events", "--epsilon"])
        self.assertEqual(self.completed("compose", "--event", "ga"), ["gaussian"])
        self.assertEqual(self.completed("compose", "--neighbours", ""), ["add-remove", "replace"])
        self.assertEqual(self.completed("compose", "--solve", ""), ["scale"])
        self.assertEqual(self.completed("compose", ""), [])
        self.assertEqual(self.completed("coverage", "--covers", ""), ["sample", "population"])
        self.assertEqual(self.completed("coverage", "--interval", "l"), ["lecture", "lecture-analytic"])
        self.assertEqual(self.completed("catalog", ""), ["new", "check", "reopen"])
        self.assertEqual(self.completed("ledger", ""), ["show", "history", "verify", "export"])
        self.assertEqual(self.completed("ledger", "export", "c.toml", "--format", ""), ["jsonl", "registry"])

    def test_files_are_drawings_or_any(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.svg", "a.txt"):
                pathlib.Path(folder, name).touch()
            self.assertEqual(self.completed("law", "laplace", "--plot", f"{folder}/"), [f"{folder}/a.svg"])
            self.assertEqual(sorted(self.completed("catalog", "new", f"{folder}/")), [f"{folder}/a.svg", f"{folder}/a.txt"])
            self.assertEqual(sorted(self.completed("plan", f"{folder}/")), [f"{folder}/a.svg", f"{folder}/a.txt"])
            self.assertEqual(sorted(self.completed("query", "--catalog", f"{folder}/")), [f"{folder}/a.svg", f"{folder}/a.txt"])
            self.assertEqual(sorted(self.completed("release", "s.toml", "--out", f"{folder}/")), [f"{folder}/a.svg", f"{folder}/a.txt"])
            self.assertEqual(sorted(self.completed("compose", "--events", f"{folder}/a")),
                             [f"{folder}/a.svg", f"{folder}/a.txt"])

    def test_other_shells_are_refused(self):
        self.assert_refused(["completion", "fish"], saying="bash")
        self.assert_refused(["completion"], saying="vernier completion bash")
        self.assert_refused(["completion", "bash", "--json"], saying="--json")


if __name__ == "__main__":
    unittest.main()
