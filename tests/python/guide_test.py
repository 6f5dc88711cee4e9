"""The Python of the guide and of the README runs, block after block, as a reader would type it."""
import contextlib
import doctest
import io
import pathlib
import re
import unittest

from own_folder import OwnFolderTest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


def run_block(block, names, page):
    """Runs it; where it has prompts its answers are compared."""
    if not block.startswith(">>>"):
        exec(compile(block, page, "exec"), names)
        return
    example = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
    runner = doctest.DebugRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, clear_globs=False)
    names.update(example.globs)


class GuideTest(OwnFolderTest):
    def run_page(self, page, least):
        found = blocks(page)
        self.assertGreaterEqual(len(found), least)
        names = {}
        for block in found:
            with self.subTest(block=block), contextlib.redirect_stdout(io.StringIO()):
                run_block(block, names, page)

    def test_the_guide_runs(self):
        self.run_page("docs/guide/python.md", 4)

    def test_the_readme_runs(self):
        self.run_page("README.md", 1)


if __name__ == "__main__":
    unittest.main()
