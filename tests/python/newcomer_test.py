"""What somebody meets who uses the package for the first time: names that are offered, and sentences with words of Python."""
import unittest
import warnings

import survey

import vernier as vn


class Newcomer(unittest.TestCase):
    def test_tab_completion_offers_what_is_public(self):
        self.assertEqual(sorted(dir(vn)), sorted(vn.__all__))
        self.assertIn("release", dir(vn))
        self.assertNotIn("releases", dir(vn))

    def test_the_names_of_opendp_are_there_without_another_import(self):
        self.assertEqual(vn.compat.opendp.discrete_gaussian_scale_to_accuracy(1.0, 0.05), 3.0)

    def test_sentences_say_what_to_write_in_python(self):
        empty, full = survey.study(data=None), survey.study(epsilon=1)
        ledger = vn.Ledger(full.catalog)
        for call, sentence in (
                (lambda: vn.release(empty, progress=False), 'give them as vn.release(study, data={"people": frame}), or as data= of the vn.Table'),
                (lambda: vn.release(full, out=".", progress=False), "'.' exists already, and a release is never written over anything; name a new folder"),
                (lambda: vn.compose([], delta=0), 'there is no event; give one, for example "laplace,scale=20"'),
                (lambda: vn.Catalog(vn.Budget(epsilon=1), {}), 'the catalog has no tables; write for example {"people": vn.Table(...)}'),
                (lambda: vn.Column(int), 'the type of a column is a type; write "integer"'),
                (lambda: ledger.history(last=0), "last must be at least 1")):
            with self.subTest(sentence), self.assertRaises(vn.InvalidError) as caught:
                call()
            self.assertIn(sentence, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))

    def test_what_counts_of_each_person_is_said_before_anything_is_paid_and_with_the_answer(self):
        warned = "of each id at most 1 row counts, since nothing says how many may; write max_rows and max_groups of the vn.Statistic, or of the vn.Table"
        study = survey.study(epsilon=1)
        with self.assertWarnsRegex(UserWarning, warned) as caught:
            released = vn.release(study, progress=False)
        self.assertEqual(caught.filename, __file__)
        self.assertIn("; of each id at most 1 row counts; epsilon 1, ", repr(released))
        with self.assertWarnsRegex(UserWarning, warned.replace("the vn.Statistic", "vn.query")) as caught:
            vn.query(study.catalog, "SELECT COUNT(*) AS n FROM people", epsilon=0.1, progress=False)
        self.assertEqual(caught.filename, __file__)
        found = 'how many rows they have is found privately by: vn.limits(catalog, "people", epsilon=0.1)'
        self.assertIn("people: " + found, repr(vn.plan(study)))
        self.assertIn("of each id at most 1 row counts; nothing says", vn.plan(study)._repr_html_())
        self.assertNotIn("vernier bounds", repr(vn.plan(study)))
        self.assertRegex(repr(vn.plan(study)), "^study +made by a program\ncatalog +made by a program\n")
        said = survey.study(epsilon=1, max_rows=1, max_groups=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            vn.release(said, progress=False)
        self.assertNotIn("found privately", repr(vn.plan(said)))

    def test_a_name_that_is_not_there_is_answered_by_all_that_are(self):
        released = vn.release(survey.study(epsilon=1, statistics=[survey.BY_REGION]), progress=False)
        with self.assertRaisesRegex(KeyError, "it has 'regions', 'people', 'age'$"):
            released["peple"]

    def test_what_is_no_axes_is_said_so(self):
        pyplot = survey.need(self, "matplotlib.pyplot").pyplot
        for made in (vn.law("geometric", 2), vn.calibrate("laplace", epsilon=1), vn.plan(survey.study(epsilon=1))):
            with self.assertRaisesRegex(vn.InvalidError, "^ax is a str; give axes of matplotlib, or leave it out$"):
                made.plot("here")
            with self.assertRaisesRegex(vn.InvalidError, "^ax is a Figure; give axes"):
                made.plot(pyplot.figure())
        pyplot.close("all")


if __name__ == "__main__":
    unittest.main()
