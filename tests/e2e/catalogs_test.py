"""Which catalog counts, whatever a study names. Usage: catalogs_test.py PROGRAM"""
import os
import unittest

from program import run
from studies import CATALOG, STUDY, StudyTest, people

COUNT = "SELECT COUNT(*) AS n FROM people"
GENEROUS = CATALOG.replace("epsilon = 3.0", "epsilon = 10000\nledger = \"own.ledger\"").replace('"people.csv"', '"../steward/people.csv"')


class Catalogs(StudyTest):
    """The steward's folder beside the analyst's, whose study names a catalog of the analyst's own over the steward's data."""

    def setUp(self):
        super().setUp()
        os.makedirs("steward/inner")
        os.makedirs("steward-of-mine")
        os.makedirs("analyst")
        self.file("steward/people.csv", people())
        self.file("steward/catalog.toml", CATALOG)
        self.file("analyst/own.toml", GENEROUS)
        self.file("analyst/study.toml", STUDY.replace('"catalog.toml"', '"own.toml"').replace("epsilon = 1.0", "epsilon = 9000"))
        self.file("analyst/plain.toml", STUDY.replace('catalog = "catalog.toml"\n', ""))
        self.file("analyst/honest.toml", STUDY.replace('"catalog.toml"', '"../steward/catalog.toml"'))

    def commands(self, catalog):
        """Every command that plans or releases over this catalog."""
        study = self.file("analyst/asked.toml", STUDY.replace('"catalog.toml"', f'"{os.path.abspath(catalog)}"'))
        yield ["plan", study]
        yield ["release", study, "--out", "out"]
        yield ["query", COUNT, "--catalog", catalog, "--epsilon", "0.1"]
        yield ["bounds", catalog, "people.income", "--epsilon", "0.1"]

    def refused_everywhere(self, catalog, saying="is not one of this installation"):
        for words in self.commands(catalog):
            self.assert_nothing_spent([*words, "--catalogs", "steward"], 2, saying)
            done = run(*words, VERNIER_CATALOGS=os.path.abspath("steward"))
            self.assertEqual((done.returncode, done.stdout), (2, ""), done)
            self.assertIn(saying, done.stderr)
        self.assertFalse(os.path.exists("analyst/own.ledger"))

    def test_only_the_named_catalog_counts(self):
        for command in ("plan", "release"):
            self.assert_nothing_spent([command, "analyst/study.toml", "--catalog", "steward/catalog.toml"], 2,
                                      "names the catalog 'analyst/own.toml', but only 'steward/catalog.toml' counts")
        self.text("release", "analyst/plain.toml", "--catalog", "steward/catalog.toml", "--out", "plain")
        self.text("release", "analyst/honest.toml", "--catalog", "steward/catalog.toml", "--out", "honest")
        self.text("plan", "analyst/plain.toml", "--catalog", "steward/catalog.toml")
        self.assertTrue(os.path.exists("steward/catalog.ledger"))

    def test_a_study_names_a_catalog_unless_the_command_does(self):
        self.assert_refused(["release", "analyst/plain.toml"], 2, "catalog")
        self.assert_refused(["plan", "analyst/plain.toml"], 2, "catalog")

    def test_a_catalog_of_the_analyst_is_none_of_the_installation(self):
        self.refused_everywhere("analyst/own.toml")
        self.refused_everywhere("steward/../analyst/own.toml")
        self.refused_everywhere(os.path.abspath("analyst/own.toml"))

    def test_a_folder_whose_name_begins_alike_is_another(self):
        self.file("steward-of-mine/own.toml", GENEROUS)
        self.refused_everywhere("steward-of-mine/own.toml")

    def test_a_link_counts_by_where_it_leads(self):
        os.symlink("../analyst/own.toml", "steward/link.toml")
        self.refused_everywhere("steward/link.toml")
        os.symlink(os.path.abspath("analyst"), "steward/folder")
        self.refused_everywhere("steward/folder/own.toml")

    def test_beside_a_link_to_the_catalog_neither_ledger_nor_data_are_taken(self):
        os.symlink("../steward/catalog.toml", "analyst/catalog.toml")
        self.file("analyst/people.csv", "id,region,educ,income,town\n")
        for words in self.commands("analyst/catalog.toml"):
            self.assertEqual(run(*words, "--catalogs", "steward").stderr, "")
        self.assertFalse(os.path.exists("analyst/catalog.ledger"))
        self.assertTrue(os.path.exists("steward/catalog.ledger"))
        self.assertGreater(self.release("out")["statistics"][0]["rows"][0]["people"]["value"], 1000)

    def test_inside_of_the_folder_everything_works(self):
        for words in self.commands("steward/catalog.toml"):
            self.assertEqual(run(*words, "--catalogs", "steward", VERNIER_CATALOGS=os.path.abspath(".")).stderr, "")

    def test_the_option_narrows_and_never_widens(self):
        for words in self.commands("analyst/own.toml"):
            done = run(*words, "--catalogs", "/", VERNIER_CATALOGS=os.path.abspath("steward"))
            self.assertEqual(done.returncode, 2)
            self.assertIn("is not one of this installation", done.stderr)
        self.assert_refused(["release", "analyst/study.toml", "--catalogs", "steward", "--catalogs", "/"], 2, "more than once")

    def test_a_file_of_data_is_no_study_whatever_stands_in_it(self):
        """Who runs the program with the rights of a steward must not learn from its sentences how rows are written."""
        for name in ("rows.csv", "rows.tsv", "rows.CSV.gz", "rows.jsonl", "rows.ndjson.zst", "rows.parquet"):
            if os.path.lexists("study.link"):
                os.unlink("study.link")
            os.symlink(name, "study.link")
            for text in ("Canary,1\n", "Canary = 1\n", ""):
                self.file(name, text)
                for told, words in ((name, ["plan", name]), ("study.link", ["release", "study.link"]),
                                    (name, ["query", "--catalog", name, "SELECT COUNT(*) FROM t", "--epsilon", "1"])):
                    done = run(*words)
                    self.assertIn(f"the file '{told}' cannot be read: it is a file of data", done.stderr, (words, text))
                    self.assertNotEqual(done.returncode, 0)

    def test_where_catalogs_are_pinned_nothing_reads_data_without_protection(self):
        """A catalog of one's own says which of its cells lie outside of bounds, and --data counts these exactly."""
        pin = {"VERNIER_CATALOGS": os.path.abspath("steward")}
        for words in (["catalog", "check", "analyst/own.toml", "--data"], ["catalog", "check", "steward/catalog.toml", "--data"],
                      ["catalog", "new", "steward/people.csv", "--out", "new.toml"], ["catalog", "reopen", "steward/catalog.toml", "--table", "people"],
                      ["coverage", "--data", "steward/people.csv", "--column", "age", "--lower", "0", "--upper", "100", "--size", "5", "--epsilon", "1"]):
            done = run(*words, **pin)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("is for whoever keeps the catalogs, and VERNIER_CATALOGS says that others ask here; let a steward run it without", done.stderr)
        self.assertEqual(run("catalog", "check", "steward/catalog.toml", **pin).returncode, 0)
        self.assertEqual(run("catalog", "check", "steward/catalog.toml", "--data").returncode, 0)

    def test_a_pin_that_cannot_be_understood_lets_nothing_through(self):
        for words in self.commands("steward/catalog.toml"):
            done = run(*words, VERNIER_CATALOGS="steward")
            self.assertEqual(done.returncode, 2)
            self.assertIn("VERNIER_CATALOGS must be the whole path of a folder", done.stderr)
            done = run(*words, VERNIER_CATALOGS="/no/such/folder")
            self.assertEqual(done.returncode, 1)
            self.assertIn("the folder of catalogs '/no/such/folder' cannot be found", done.stderr)


if __name__ == "__main__":
    unittest.main()
