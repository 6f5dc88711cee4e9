"""Whatever is passed to whatever is public: an answer, a vernier.Error, or what the value itself raised. 100,000 calls, in
processes that are allowed to die, on several threads, with pickling between them."""
import os
import subprocess
import sys
import tempfile
import unittest

CALLS = int(os.environ.get("VERNIER_FUZZ_CALLS", "100000"))
HERE = os.path.dirname(os.path.abspath(__file__))


def fuzz(seed, calls):
    """A process that makes so many calls; it prints what broke."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "PYTHONFAULTHANDLER": "1"}
        return subprocess.run([sys.executable, os.path.join(HERE, "fuzzer.py"), str(seed), str(calls)], text=True, cwd=home,
                              capture_output=True, timeout=500, check=False, env=environment)


class FuzzTest(unittest.TestCase):
    def test_finds_no_crash_and_no_foreign_error(self):
        seed = int.from_bytes(os.urandom(4), "big")
        done = fuzz(seed, CALLS)
        self.assertEqual((done.returncode, done.stdout[-3000:], done.stderr[-3000:]), (0, f"{CALLS} calls\n", ""),
                         f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
