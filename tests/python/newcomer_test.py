"""What somebody meets who uses the package for the first time: names that are offered, and sentences with words of Python."""
import unittest

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
