"""vn.Ledger and vn.verify: what was spent, and whether what was published holds."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import vernier as vn


class Ledgers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = survey.study(epsilon=1, statistics=[survey.BY_REGION])
        cls.release = vn.release(cls.study, progress=False)
        cls.ledger = vn.Ledger(cls.study.catalog)

    def test_it_says_what_the_command_line_says(self):
        folder = pathlib.Path(os.fsdecode(os.path.dirname(self.study.catalog._located[0])))
        path = folder / "catalog.toml"
        path.write_text(self.study.catalog.to_toml())
        for words, ours in ((["show", path, "--within", "50"], self.ledger.show(within=[50]).to_dict()),
                            (["history", path], self.ledger.history().to_dict())):
            done = subprocess.run([sys.executable, "-m", "vernier", "ledger", *words, "--json"], capture_output=True, text=True, check=True)
            theirs = json.loads(done.stdout)
            self.assertEqual({key: theirs[key] for key in ours if key != "ledger"}, {key: ours[key] for key in ours if key != "ledger"})

    def test_every_answer_says_what_the_ledger_took_and_for_whom(self):
        charge = self.release.charge
        self.assertEqual((charge["manner"], charge["unit"], charge["opening"]), ("total", "id", None))
        self.assertAlmostEqual(charge["epsilon"], self.ledger.spent["epsilon"])
        self.assertIn("the ledger took epsilon 1 and delta 0 for each id", repr(self.release))
        self.assertEqual([(one["table"], one["unit"]) for one in self.ledger.show().to_dict()["protects"]], [("people", "id")])

    def test_what_is_paid_once_stands_apart(self):
        table = vn.Table(survey.COLUMNS, unit="id", data=survey.ROWS)
        catalog = vn.Catalog(vn.Budget(epsilon=5, delta="1e-6"), {"people": table}, folder=survey.folder())
        counts = [vn.Statistic(f"over {age}", f"SELECT COUNT(*) AS people FROM people WHERE age > {age}") for age in range(20, 35)]
        study = vn.Study(catalog, counts, epsilon=1, delta=1e-7)
        plan = vn.plan(study)
        self.assertEqual(plan.ledger["room"], {"with_conversion": 19, "by_totals": 5})
        self.assertIn("and once", plan._repr_html_())
        opening = vn.release(study, progress=False).charge["opening"]
        self.assertEqual((opening["room_with_conversion"], opening["room_by_totals"]), (19, 5))
        self.assertAlmostEqual(opening["epsilon"], plan.ledger["amounts"][0]["once"])
        self.assertIsNone(vn.release(study, again=True, progress=False).charge["opening"])

    def test_it_adds_up(self):
        self.assertEqual(self.ledger.allowed["epsilon"], 1000)
        self.assertAlmostEqual(self.ledger.spent["epsilon"], self.release.epsilon)
        self.assertAlmostEqual(self.ledger.left["epsilon"], 1000 - self.release.epsilon)
        self.assertEqual([one["study"] for one in self.ledger.show().studies], ["study"])
        self.assertEqual(self.ledger.show(within=50).counts[0]["within"], 50)
        self.assertEqual(len(self.ledger.analysts), 1)

    def test_history_has_entries(self):
        history = self.ledger.history()
        self.assertEqual([one["kind"] for one in history], ["terms", "reserve", "settle"])
        self.assertEqual((history.entries[1]["release"], len(self.ledger.history(last=1))), (self.release.id, 1))
        self.assertIn("reserve", history._repr_html_())

    def test_verify_takes_releases_in_every_form(self):
        path = os.path.join(survey.folder(), "release")
        self.release.save(path)
        for given in ([self.release], self.release, [self.release.record], path, [os.path.join(path, "release.json"), self.release]):
            verdict = self.ledger.verify(given)
            self.assertTrue(verdict)
            self.assertEqual(verdict.reasons, [])
            self.assertGreater(verdict.to_dict()["published"], 0)

    def test_a_ledger_that_was_changed_is_an_error(self):
        study = survey.study(epsilon=1)
        vn.release(study, progress=False)
        path = pathlib.Path(os.fsdecode(os.path.dirname(study.catalog._located[0])), "catalog.ledger")
        other = survey.study(epsilon=1)
        path.write_bytes(path.read_bytes()[:4000])
        with self.assertRaises(vn.Error):
            vn.Ledger(study.catalog).verify()
        with self.assertRaises(vn.Error):
            vn.Ledger(other.catalog).verify([self.release])  # which another ledger paid for

    def test_it_is_seen(self):
        self.assertIn("epsilon", repr(self.ledger))
        self.assertIn("<table>", self.ledger._repr_html_())
        survey.need(self, "matplotlib")
        self.assertEqual(self.ledger.plot().get_xlim(), (0, 1000))

    def test_wrong_arguments_are_refused(self):
        for make in (lambda: vn.Ledger(3), lambda: self.ledger.show(within="50"), lambda: self.ledger.show(within=[0.5]),
                     lambda: self.ledger.show(within=[True]), lambda: self.ledger.show(within=[-1]), lambda: self.ledger.show(within=[2**80]),
                     lambda: self.ledger.history(analyst=3), lambda: self.ledger.history(last="x"), lambda: self.ledger.verify([3]),
                     lambda: self.ledger.verify([b"{}"])):
            with self.assertRaises(vn.Error):
                make()


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.release = vn.release(survey.study(epsilon=1), progress=False)

    def test_a_release_holds(self):
        verdict = vn.verify(self.release)
        self.assertTrue(verdict)
        self.assertEqual(verdict.reasons, [])
        self.assertEqual(verdict.checks[0]["name"], "signature")
        self.assertIn("holds", repr(verdict))
        self.assertIn("signature", verdict._repr_html_())

    def test_one_that_was_changed_does_not(self):
        value = self.release["people"].rows[0]["people"]["value"]
        changed = self.release.record.replace(f'"value":{value},'.encode(), f'"value":{value + 1},'.encode())
        self.assertNotEqual(changed, self.release.record)
        verdict = vn.verify(changed)
        self.assertFalse(verdict)
        self.assertEqual(len(verdict.reasons), 1)
        self.assertIn("does not hold", repr(verdict))

    def test_the_key_may_be_asked_for(self):
        key = pathlib.Path(os.environ["XDG_CONFIG_HOME"], "vernier", "signing.pub")
        self.assertTrue(vn.verify(self.release, public_key=key))
        self.assertTrue(vn.verify(self.release, public_key=key.read_text()))
        other = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAyXUkTnZMryEMWmM9uIxUboqmUeiYg092ifUm/FA2fGE=\n-----END PUBLIC KEY-----\n"
        self.assertFalse(vn.verify(self.release, public_key=other))
        for wrong in (3, "no such file", "-----BEGIN rubbish"):
            with self.assertRaises(vn.Error):
                vn.verify(self.release, public_key=wrong)

    def test_what_is_no_record_does_not_hold(self):
        for bytes_of in (b"", b"{}", b"\xff\xfe", b"[" * 100_000, self.release.record[:-3]):
            self.assertFalse(vn.verify(bytes_of))
        with self.assertRaises(vn.Error):
            vn.verify(None)


if __name__ == "__main__":
    unittest.main()
