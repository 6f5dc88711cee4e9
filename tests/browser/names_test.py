"""Names that try to be markup on every screen of the page of `vernier serve`. Usage: names_test.py PROGRAM MODULES PICTURES

Of files, columns, keys, labels, statistics, studies and analysts: all of them are shown as text, nothing is run, and the page's policy is not even asked."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import page_test as page  # which takes the words of the command line
import hostile
from program import ENVIRONMENT, run
from server import Server

MARKUP = '"><img src=x onerror=alert(9)>'


@unittest.skipIf(page.WHY, page.WHY)
class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        hostile.write_people(root / "people.csv")
        (root / "catalog.toml").write_text(hostile.catalog(), encoding="utf-8")
        (root / f"{MARKUP[2:].replace('/', '')}.toml").write_text(hostile.study(), encoding="utf-8")
        (root / "<b>data<img src=x onerror=alert(8)>.csv").write_text('id,"<script>alert(7)</script>","a""b\'c"\n1,2,3\n', encoding="utf-8")
        os.chmod(root, 0o700)
        for name, role in ((MARKUP, "steward"), ("<b>ben</b>", "analyst")):
            done = run("serve", "token", "--tokens", str(root / "tokens.toml"), "--name", name, "--role", role)
            assert done.returncode == 0, done.stderr
        server = Server("--root", str(root), "--tokens", str(root / "tokens.toml"), "--audit", str(root / "audit.jsonl"), "--analyst", MARKUP)
        try:
            done = subprocess.run(["node", page.HERE / "names.mjs", page.BROWSER], input=server.link, capture_output=True, text=True, timeout=500, check=False,
                                  env={**ENVIRONMENT, "VERNIER_BROWSER_MODULES": page.MODULES})
            assert done.returncode == 0, done.stderr
            cls.seen = json.loads(done.stdout)
        finally:
            server.close()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_are_text_on_every_screen(self):
        self.assertEqual(self.seen["foreignElements"], dict.fromkeys(self.seen["foreignElements"], 0))
        self.assertEqual(len(self.seen["foreignElements"]), 7)
        for screen, name in (("study", "</title><script>alert(3)</script>"), ("study", "n<b>"), ("releases", "</td><script>alert(1)</script>"[:20]), ("access", MARKUP),
                             ("access", "<b>ben</b>"), ("ledger", MARKUP), ("data", "<script>alert(7)</script>")):
            self.assertIn(name, self.seen["shown"][screen], screen)

    def test_run_nothing_and_break_no_policy(self):
        # Browsers tell every answer above 399: some epsilons of the curve are too little for this study.
        told = [one for one in self.seen["messages"] if "422" not in one]
        self.assertEqual((told, self.seen["dialogs"], self.seen["foreign"]), ([], 0, []))

    def test_are_no_wider_than_the_screen(self):
        self.assertEqual(self.seen["wide"], dict.fromkeys(self.seen["wide"], 0))


if __name__ == "__main__":
    unittest.main(verbosity=2)  # which tells why something is skipped
