"""The notebooks of docs/notebooks: they are those of their sources, they run, and they say what they are stored to say."""
import copy
import importlib.util
import pathlib
import tempfile
import unittest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"
MOST_BYTES = 300_000
NEEDED = ("nbclient", "ipykernel", "matplotlib", "pandas", "polars", "pyarrow")


def module_of(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = module_of(NOTEBOOKS / "build.py")


def need_libraries():
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise unittest.SkipTest(f"notebooks are not run: {', '.join(missing)} not installed")


def stored(path):
    import nbformat

    return nbformat.read(path.with_suffix(".ipynb"), as_version=4)


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_random(cell):
    return "random" in cell.metadata.get("tags", [])


def in_one(outputs):
    """What is printed may come in several pieces, which say no more than one."""
    joined = []
    for output in map(copy.copy, outputs):
        if joined and output.output_type == "stream" and (joined[-1].output_type, joined[-1].get("name")) == ("stream", output.name):
            joined[-1]["text"] += output.text
        else:
            joined.append(output)
    return joined


def said(cell):
    """What a cell shows: of pictures only that they are there, and of a random cell only of what kinds it is."""
    shown = []
    for output in in_one(cell.outputs):
        content = {"text": output["text"]} if output.output_type == "stream" else dict(output.get("data", {}))
        kinds = [output.output_type, output.get("name", ""), *sorted(content)]
        texts = [" ".join(content[key].split()) for key in sorted(content) if key.startswith("text")]  # columns are as wide as a path
        shown.append(kinds if is_random(cell) else kinds + texts)
    return shown


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        need_libraries()

    def executed(self, path):
        notebook = build.notebook_of(path)
        with tempfile.TemporaryDirectory() as folder:
            build.run(notebook, folder)
        return notebook

    def check_outputs(self, path):
        for fresh, kept in zip(code_of(self.executed(path)), code_of(stored(path)), strict=True):
            with self.subTest(cell=fresh.source):
                self.assertEqual(said(fresh), said(kept), "run docs/notebooks/build.py and look at what has changed")

    def test_the_gaussian_mechanism_says_what_is_stored(self):
        self.check_outputs(NOTEBOOKS / "1-gaussian-mechanism.py")

    def test_the_budget_by_accuracy_says_what_is_stored(self):
        self.check_outputs(NOTEBOOKS / "2-budget-by-accuracy.py")

    def test_the_release_from_pandas_says_what_is_stored(self):
        self.check_outputs(NOTEBOOKS / "3-release-from-pandas.py")

    def test_the_stored_ones_are_those_of_their_sources(self):
        self.assertEqual(len(build.sources()), 3)
        for path in build.sources():
            made = [(cell.cell_type, cell.source, cell.metadata) for cell in build.notebook_of(path).cells]
            self.assertEqual([(cell.cell_type, cell.source, cell.metadata) for cell in stored(path).cells], made, path.name)

    def test_the_stored_ones_are_small_and_were_run_without_an_error(self):
        for path in build.sources():
            with self.subTest(path.name):
                self.assertLess(path.with_suffix(".ipynb").stat().st_size, MOST_BYTES)
                cells = code_of(stored(path))
                self.assertEqual([cell.execution_count for cell in cells], list(range(1, len(cells) + 1)))
                outputs = [output for cell in cells for output in cell.outputs]
                self.assertTrue(any("image/png" in output.get("data", {}) for output in outputs))
                for output in outputs:
                    self.assertNotEqual(output.output_type, "error")
                    self.assertNotEqual(output.get("name"), "stderr")


if __name__ == "__main__":
    unittest.main()
