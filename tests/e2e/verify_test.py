"""`vernier verify` and `vernier key` as users run them. Usage: verify_test.py PROGRAM"""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import unittest

from program import ENVIRONMENT, run
from studies import StudyTest

KEY_FOLDER = os.path.join(ENVIRONMENT["XDG_CONFIG_HOME"], "vernier")
PUBLIC_KEY = os.path.join(KEY_FOLDER, "signing.pub")


class Verify(StudyTest):
    def setUp(self):
        super().setUp()
        self.text("release", "study.toml", "--out", "out")
        self.record = self.content("out/release.json")

    def verdict(self, record, *words):
        """What is printed, what is said on standard error, and the exit code."""
        self.file("changed.json", record)
        done = run("verify", "changed.json", *words)
        return done.stdout, done.stderr, done.returncode

    def assert_does_not_hold(self, record, saying, *words):
        printed, said, code = self.verdict(record, *words)
        self.assertEqual(code, 1)
        self.assertRegex(said, r"\Avernier: 'changed.json' does not hold: [^\n]+\n\Z")
        self.assertIn(saying, said)
        self.assertNotIn("protected:", printed)

    def test_a_release_holds_without_data_catalog_and_ledger(self):
        for name in os.listdir("."):
            if name != "out":
                os.remove(name)
        text = self.text("verify", "out/release.json")
        self.assertRegex(text, r"(?m)^intervals +1[0-9] +numbers and intervals recomputed from the noisy integers$")
        self.assertRegex(text, r"protected: whether a 'id' is in the data, with epsilon (1|0\.99\d*), delta 1e-07 ")
        self.assertIn("the record itself names this key: give --public-key to know who it is", text)
        known = self.text("verify", "out/release.json", "--public-key", PUBLIC_KEY)
        self.assertIn("which is the key that was given", known)

    def test_json_tells_the_same(self):
        found = self.json("verify", "out/release.json")
        self.assertEqual((found["holds"], found["first_problem"]), (True, None))
        self.assertEqual(found["signer"], self.json("key")["fingerprint"])
        self.assertEqual([check["name"] for check in found["checks"]][:2], ["signature", "sensitivities"])
        printed, said, code = self.verdict(self.record.replace("north", "morth"), "--json")
        found = json.loads(printed)
        self.assertEqual((code, found["holds"], found["checks"], found["signer"]), (1, False, [], None))
        self.assertTrue(found["first_problem"].startswith("signature: "))
        self.assertIn(found["first_problem"], said)

    def test_an_edited_record_does_not_hold(self):
        for changed in (self.record.replace('"value":', '"value": ', 1), self.record + "\n", self.record[:-1],
                        self.record.replace('"delta":', '"Delta":', 1), self.record.upper(), "{}", "", "garbage",
                        self.record[: len(self.record) // 2]):
            self.assert_does_not_hold(changed, "signature: ")

    def test_another_key_is_told_apart(self):
        other = run("key", XDG_CONFIG_HOME=os.path.abspath("other"))
        self.assertEqual(other.returncode, 0)
        self.assert_does_not_hold(self.record, "and not by the key ", "--public-key", "other/vernier/signing.pub")

    def test_query_and_demo_are_signed_too(self):
        printed = self.text("query", "SELECT COUNT(*) AS n FROM people", "--catalog", "catalog.toml", "--epsilon", "0.1", "--json")
        self.assertEqual(self.verdict(printed)[1:], ("", 0))

    def test_a_whole_folder_is_as_it_was_published(self):
        text = self.text("verify", "out")
        self.assertRegex(text, r"(?m)^documents +10 +files beside the record are as they were published, and no others$")
        self.assertNotIn("not looked at", text)
        self.assertIn("10 files that it vouches for were not looked at: give their folder", self.text("verify", "out/release.json"))
        self.assertEqual(self.json("verify", "out")["checks"][-1]["count"], 10)
        hashes = {one["name"]: one["sha256"] for one in json.loads(self.record)["certificate"]["documents"]}
        for name in set(os.listdir("out")) - {"release.json"}:
            with open(os.path.join("out", name), "rb") as file:
                self.assertEqual(hashes.pop(name), hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(hashes, {})

    def assert_folder_does_not_hold(self, *sayings):
        done = run("verify", "copy", "--public-key", PUBLIC_KEY)
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, r"\Avernier: 'copy' does not hold: documents: [^\n]+\n\Z")
        for saying in sayings:
            self.assertIn(saying, done.stderr)
        self.assertNotIn("protected:", done.stdout)
        found = json.loads(run("verify", "copy", "--json").stdout)
        self.assertEqual((found["holds"], found["checks"][-1]["name"]), (False, "scales"))

    def test_every_file_that_is_changed_missing_or_foreign_is_named(self):
        for name in set(os.listdir("out")) - {"release.json"}:
            shutil.copytree("out", "copy")
            with open(os.path.join("copy", name), "ab") as file:
                file.write(b" ")
            self.assert_folder_does_not_hold(f"'{name}' is not as it was published")
            os.remove(os.path.join("copy", name))
            self.assert_folder_does_not_hold(f"'{name}' is missing")
            os.symlink(os.path.abspath(os.path.join("out", name)), os.path.join("copy", name))  # a link is another thing
            self.assert_folder_does_not_hold(f"'{name}' is not as it was published")
            shutil.rmtree("copy")
        shutil.copytree("out", "copy")
        os.remove("copy/all.csv")
        self.file("copy/report.html", "<p>income rose by half</p>")
        self.file("copy/notes.txt", "mine")
        os.mkdir("copy/more")
        self.assert_folder_does_not_hold("'all.csv' is missing", "'report.html' is not as it was published",
                                         "'notes.txt' is not of this release", "'more' is not of this release")

    def test_a_folder_of_bounds_is_verified_too(self):
        self.text("bounds", "catalog.toml", "people.income", "--epsilon", "0.1", "--out", "bounds")
        self.assertEqual(sorted(os.listdir("bounds")), ["bounds.json", "release.json"])
        self.text("verify", "bounds")
        self.break_file("bounds/bounds.json", "{", "{ ")
        self.assertIn("'bounds.json' is not as it was published", run("verify", "bounds").stderr)

    def signed_again(self, data):
        """By whoever has the key."""
        end = '"}}\n'
        self.file("signed", data[:-len(end) - 128] + end)
        subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", os.path.join(KEY_FOLDER, "signing.key"), "-in", "signed",
                        "-out", "signature"], check=True)
        with open("signature", "rb") as file:
            return data[:-len(end) - 128] + file.read().hex() + end

    @unittest.skipUnless(shutil.which("openssl"), "needs the program openssl")
    def test_a_record_of_another_version_says_what_to_do(self):
        data = self.record.replace('"certificate":{"version":2', '"certificate":{"version":1')
        self.assert_does_not_hold(self.signed_again(data), "certificate.version must be 2; verify this record with the version of "
                                  "vernier that it names under versions")

    @unittest.skipUnless(shutil.which("openssl"), "needs the program openssl")
    def test_an_infinity_is_close_to_no_number(self):
        self.assertEqual(self.verdict(self.signed_again(self.record))[1:], ("", 0))
        mean = re.search(r'"income":\{"value":([^,]+),"accuracy":([^,]+),"interval":\[([^,]+),([^\]]+)\]', self.record)
        share = re.search(r'"share":([^,}]+)', self.record)
        for found, group in ((mean, 1), (mean, 2), (mean, 3), (mean, 4), (share, 1)):
            start, end = found.span(group)
            for figure in ('"inf"', '"-inf"', '"nan"', "1e999", "1e308", "-0.0", "-0"):
                with self.subTest(group=group, figure=figure):
                    printed, said, code = self.verdict(self.signed_again(self.record[:start] + figure + self.record[end:]))
                    self.assertEqual(code, 1, figure)
                    self.assertNotIn("signature:", said)

    def test_wrong_usage_is_two_and_what_cannot_be_read_is_one(self):
        self.assert_refused(["verify"], saying="the release is missing")
        self.assert_refused(["verify", "out/release.json", "--key", "x"], saying="--key is unknown")
        self.assert_refused(["verify", "nothing.json"], code=1, saying="cannot be read")
        self.assert_refused(["verify", "."], code=1, saying="cannot be read")  # no record in it
        self.assert_refused(["verify", "out/release.json", "--public-key", "catalog.toml"],
                            saying="holds no Ed25519 public key")
        self.assert_refused(["verify", "out/release.json", "--public-key", "nothing.pub"], code=1, saying="cannot be read")
        with open("huge.json", "wb") as file:
            file.truncate(2 << 30)  # sparse: it takes no room
        self.assert_refused(["verify", "huge.json"], code=1, saying="cannot be read")

    @unittest.skipUnless(shutil.which("openssl"), "needs the program openssl")
    def test_a_stranger_needs_nothing_but_openssl(self):
        """What certificate.md says, in Python: cut 128 digits out, and check them over the rest."""
        data = self.record.encode()
        end = b'"}}\n'
        self.assertTrue(data.endswith(end))
        signature = data[-len(end) - 128:-len(end)]
        self.file("signed", data[:-len(end) - 128] + end, "wb")
        self.file("signature", bytes.fromhex(signature.decode()), "wb")
        words = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", PUBLIC_KEY, "-in", "signed",
                 "-sigfile", "signature"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "Signature Verified Successfully"), done.stderr)
        self.file("signed", data[:-len(end) - 128] + end + b" ", "wb")
        self.assertNotEqual(subprocess.run(words, capture_output=True, check=False).returncode, 0)


class Key(StudyTest):
    def key(self, folder, *words):
        return run("key", *words, XDG_CONFIG_HOME=os.path.abspath(folder))

    def test_it_is_made_once_and_shown(self):
        first, second = self.key("a", "--json"), self.key("a", "--json")
        self.assertEqual((first.returncode, first.stdout), (0, second.stdout))
        shown = json.loads(first.stdout)
        self.assertEqual(shown["path"], os.path.abspath("a/vernier/signing.key"))
        self.assertEqual(shown["pem"], self.content("a/vernier/signing.pub"))
        self.assertEqual(hashlib.sha256(bytes.fromhex(shown["public_key"])).hexdigest(), shown["fingerprint"])
        self.assertEqual(stat.S_IMODE(os.stat("a/vernier/signing.key").st_mode), 0o600)
        text = self.key("a").stdout
        self.assertIn(shown["fingerprint"], text)
        self.assertIn(shown["pem"], text)
        self.assertNotIn("PRIVATE", text)

    def test_it_lies_in_the_home_folder_unless_told(self):
        done = run("key", "--json", XDG_CONFIG_HOME=None, HOME=os.path.abspath("home"))
        self.assertEqual(json.loads(done.stdout)["path"], os.path.abspath("home/.config/vernier/signing.key"))

    def test_processes_that_begin_at_once_agree_on_one(self):
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            shown = set(pool.map(lambda _: self.key("b", "--json").stdout, range(12)))
        self.assertEqual(len(shown), 1)
        self.assertEqual(sorted(os.listdir("b/vernier")), ["signing.key", "signing.pub"])

    def test_without_a_good_key_nothing_is_spent(self):
        self.key("c")
        before = self.files()
        for changes, saying in ((dict(XDG_CONFIG_HOME=None, HOME=None), "there is no place for the signing key"),
                                (dict(XDG_CONFIG_HOME=os.path.abspath("catalog.toml")), "cannot be written")):
            done = run("release", "study.toml", "--out", "out", **changes)
            self.assertEqual(done.returncode, 1)
            self.assertIn(saying, done.stderr)
        os.chmod("c/vernier/signing.key", 0o640)
        done = run("release", "study.toml", "--out", "out", XDG_CONFIG_HOME=os.path.abspath("c"))
        self.assertIn("may be read by others than its owner", done.stderr)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
