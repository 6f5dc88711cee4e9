"""The site as a reader opens it: as files, by day, by night and on a phone."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES, PICTURES, ENVIRONMENT = Path(sys.argv.pop(1)) / "node_modules", Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
CHROMIUM, NODE = shutil.which("chromium"), shutil.which("node")


def missing():
    if not CHROMIUM or not NODE or not MODULES.is_dir():
        return "there is no browser here, so the page is not looked at: tools/setup --browser installs one"
    if not (ENVIRONMENT / ".pin").exists():
        return "the site is not built here, so the page is not looked at: tools/setup --docs fetches what builds it"
    return None


class Site(unittest.TestCase):
    def test_keeps_no_reader_out_and_fetches_nothing(self):
        if missing():
            self.skipTest(missing())
        PICTURES.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "tools/docs", folder, "--as-set-up"], check=True, capture_output=True,
                           env={**os.environ, "VERNIER_DEPS": str(ENVIRONMENT.parent)})
            looked = subprocess.run([NODE, Path(__file__).with_name("site.mjs"), MODULES, CHROMIUM, folder, PICTURES],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(looked.returncode, 0, looked.stderr)
        self.assertEqual(json.loads(looked.stdout), [])


if __name__ == "__main__":
    unittest.main()
