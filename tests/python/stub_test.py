"""The types that are checked in are those of the extension."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class StubTest(unittest.TestCase):
    def test_are_what_the_extension_says(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "_core.pyi")
            subprocess.run([sys.executable, "-m", "nanobind.stubgen", "--module", "vernier._core", "--output-file", made, "--quiet"],
                           check=True)
            kept = ROOT / "python/vernier/_core.pyi"
            self.assertEqual(kept.read_text(), made.read_text(), "make it anew: tests/python/run -m nanobind.stubgen "
                             "--module vernier._core --output-file python/vernier/_core.pyi")


if __name__ == "__main__":
    unittest.main()
