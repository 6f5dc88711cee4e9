"""Whatever is passed to whatever is public: an answer, a vernier.Error, or what the value itself raised; never an exact total.
100,000 calls, in processes that are allowed to die, on several threads and in children by fork and spawn, with pickling between."""
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import fuzz_processes
import numpy
import survey  # noqa: F401  (a home of its own)
from fuzzer import TOTAL

CALLS = int(os.environ.get("VERNIER_FUZZ_CALLS", "100000"))
HERE = os.path.dirname(os.path.abspath(__file__))


def fuzz(seed, calls):
    """A process that makes so many calls; it prints what broke."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "PYTHONFAULTHANDLER": "1"}
        return subprocess.run([sys.executable, os.path.join(HERE, "fuzz.py"), str(seed), str(calls)], text=True, cwd=home,
                              capture_output=True, timeout=1000, check=False, env=environment)


class FuzzTest(unittest.TestCase):
    maxDiff = None

    def test_finds_no_crash_and_no_foreign_error(self):
        seed = int.from_bytes(os.urandom(4), "big")
        done = fuzz(seed, CALLS)
        self.assertEqual((done.returncode, done.stdout[-3000:], done.stderr[-3000:]), (0, f"{CALLS} calls\n", ""),
                         f"seed {seed}")

    def test_an_exact_total_would_be_found(self):
        for told in (TOTAL, float(TOTAL), str(TOTAL), f"about {TOTAL}.0", numpy.array([TOTAL]), numpy.array([TOTAL], "float64"), b"%d" % TOTAL):
            self.assertTrue(fuzz_processes.leaks(pickle.dumps({"deep": [told]})), told)
        self.assertFalse(fuzz_processes.leaks(pickle.dumps([TOTAL + 1, float(TOTAL - 1)])))

    def test_noise_that_comes_twice_would_be_found(self):
        self.assertEqual(fuzz_processes.repeated([("law", 1, 2), ("law", 3, 4), ("law", 1, 2)]), ["the noise ('law', 1, 2) was drawn 2 times"])


if __name__ == "__main__":
    unittest.main()
