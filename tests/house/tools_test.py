import os
import unittest

from tree import ROOT, TreeTest, run

TOOLS = sorted(path for path in (ROOT / "tools").iterdir() if os.access(path, os.X_OK) and path.is_file())


class Tools(TreeTest):
    def test_each_has_help_with_an_example(self):
        self.assertGreater(len(TOOLS), 5)
        for tool in TOOLS:
            with self.subTest(tool.name):
                result = run(tool, "--help", cwd=self.root)  # from any folder
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"tools/{tool.name}", result.stdout)
                self.assertIn("Example:", result.stdout)

    def test_each_refuses_an_unknown_option_in_one_sentence(self):
        for tool in TOOLS:
            with self.subTest(tool.name):
                result = run(tool, "--no-such-option")
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_build_refuses_an_unknown_preset(self):
        result = run(ROOT / "tools/build", "fastest")
        self.assertEqual(result.returncode, 2)
        self.assertIn('no preset "fastest"', result.stderr)


class Setup(TreeTest):
    def setUp(self):
        super().setUp()
        self.deps = self.root / "deps"
        self.deps.mkdir()

    def check_engines(self, *options):
        result = run(ROOT / "tools/setup", "--check", *options, env={**os.environ, "VERNIER_DEPS": str(self.deps)})
        self.assertEqual(result.returncode, 1)
        return [line for line in result.stdout.splitlines() if line.startswith("missing engine: ")]

    def fetch(self, engine, path=os.environ["PATH"]):
        script = f"source tools/lib.sh; source tools/pins.sh; source tools/fetch.sh; fetch_once {engine}"
        environment = {**os.environ, "VERNIER_DEPS": str(self.deps), "PATH": path}
        return run("bash", "-c", script, cwd=ROOT, env=environment)

    def stand_in(self, name, script):
        """A program of this name that comes first on the PATH."""
        self.write(f"bin/{name}", f"#!/bin/sh\n{script}\n")
        (self.root / "bin" / name).chmod(0o755)
        return f"{self.root / 'bin'}:{os.environ['PATH']}"

    def test_check_tells_what_is_missing(self):
        self.assertEqual([line.split("-")[0] for line in self.check_engines()], ["missing engine: duckdb", "missing engine: web"])

    def test_a_browser_is_asked_for_only_where_it_is_wanted(self):
        self.assertEqual([line for line in self.check_engines() if "browser-" in line], [])
        self.assertEqual(len([line for line in self.check_engines("--browser") if "browser-" in line]), 1)
        self.assertEqual(len([line for line in self.check_engines("--all") if "browser-" in line]), 1)

    def test_a_package_that_npm_refuses_leaves_nothing(self):
        path = self.stand_in("npm", "echo integrity failed >&2; exit 1")
        result = self.fetch("browser-x", path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("integrity failed", result.stderr)
        self.assertEqual(list(self.deps.iterdir()), [])

    def test_a_wrong_hash_is_refused_and_leaves_nothing(self):
        path = self.stand_in("go", """echo '{"Sum": "h1:AAAA="}'""")
        result = self.fetch("duckdb-x", path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("does not have the pinned hash", result.stdout)
        self.assertEqual(list(self.deps.iterdir()), [])

    def test_a_failed_download_is_told_and_leaves_nothing(self):
        path = self.stand_in("go", "echo no network >&2; exit 1")
        result = self.fetch("duckdb-x", path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no network", result.stderr)
        self.assertEqual(list(self.deps.iterdir()), [])

    def test_a_half_fetched_engine_counts_as_missing(self):
        before = self.check_engines()
        for line in before:
            self.write(f"deps/{line.split()[-1]}/.pin", "something else\n")
        self.assertEqual(self.check_engines(), before)
        self.assertEqual(len(before), 2)


if __name__ == "__main__":
    unittest.main()
