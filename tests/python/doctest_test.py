"""Every public function, class, method and property has an example, and every example runs.

The examples of a class go on from one another, as a reader of help() sees them: those of its methods and properties use the
names of the class's own. Public examples know `vn` and what they make; nothing else is set up for them.
"""
import doctest
import importlib
import inspect
import pkgutil
import tempfile
import unittest
import warnings

from own_folder import OwnFolderTest

import vernier
import vernier.compat.opendp
import vernier.compat.smartnoise

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules():
    yield vernier
    for found in pkgutil.walk_packages(vernier.__path__, "vernier."):
        if found.name not in ("vernier.__main__", "vernier._core"):
            yield importlib.import_module(found.name)


def public_objects():
    """The functions and classes that the package gives out, and the names that their examples know."""
    for package, names in ((vernier, {"vn": vernier}), *((one, vars(one)) for one in (vernier.compat.opendp, vernier.compat.smartnoise))):
        for name in package.__all__:
            if callable(thing := getattr(package, name)):
                yield name, thing, names


def public_members(thing):
    """Methods, properties and slots of a class with their docstrings; not what it has from classes of Python itself."""
    for name in () if not inspect.isclass(thing) else dir(thing):
        home = next(base for base in thing.__mro__ if name in vars(base))
        what = vars(home)[name]
        if not name.startswith("_") and home.__module__.startswith("vernier") and (inspect.isroutine(what) or inspect.isdatadescriptor(what)):
            yield name, inspect.getdoc(getattr(thing, name))


def private_examples():
    """Those of modules, and of functions that the package keeps to itself."""
    public = {id(thing) for _, thing, _ in public_objects()}
    for module in modules():
        for test in doctest.DocTestFinder().find(module):
            top = test.name.removeprefix(module.__name__).split(".")[1:2]
            thing = getattr(module, top[0]) if top else None
            if id(thing) not in public and not inspect.isclass(thing):
                yield test


class DoctestTest(OwnFolderTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = "."
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore", RuntimeWarning)  # of many figures open at once

    def run_examples(self, test):
        """The names that they leave."""
        report = []
        doctest.DocTestRunner(verbose=False, optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
        self.assertEqual("".join(report), "")
        return test.globs

    def run_text(self, name, text, names):
        with self.subTest(name):
            test = doctest.DocTestParser().get_doctest(text or "", names, name, None, None)
            self.assertTrue(test.examples, "there is no example in its docstring")
            return self.run_examples(test)
        return names

    def test_every_public_name_has_an_example_that_runs(self):
        tried = 0
        for name, thing, names in public_objects():
            left = self.run_text(name, thing.__doc__, names)
            for member, text in public_members(thing):
                self.run_text(f"{name}.{member}", text, left)
                tried += 1
        self.assertGreater(tried, 130)

    def test_the_other_examples_run(self):
        tried = 0
        for test in private_examples():
            with self.subTest(test.name):
                self.run_examples(test)
            tried += len(test.examples)
        self.assertGreater(tried, 15)


if __name__ == "__main__":
    unittest.main()
