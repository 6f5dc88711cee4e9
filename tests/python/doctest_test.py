"""Every public name has a docstring with an example, and every example runs."""
import doctest
import importlib
import inspect
import pkgutil
import unittest

from own_folder import OwnFolderTest

import vernier


def modules():
    yield vernier
    for found in pkgutil.walk_packages(vernier.__path__, "vernier."):
        if found.name not in ("vernier.__main__", "vernier._core"):
            yield importlib.import_module(found.name)


def public_objects():
    """The functions and classes that the package gives out, and the public methods of these classes."""
    for name in vernier.__all__:
        thing = getattr(vernier, name)
        if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
            yield name, thing


class DoctestTest(OwnFolderTest):
    def test_every_example_runs(self):
        tried = 0
        for module in modules():
            with self.subTest(module=module.__name__):
                result = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
                self.assertEqual(result.failed, 0)
                tried += result.attempted
        self.assertGreater(tried, 50)

    def test_every_public_name_has_an_example(self):
        for name, thing in public_objects():
            with self.subTest(name=name):
                self.assertIn(">>>", thing.__doc__ or "")

    def test_every_public_method_has_a_docstring(self):
        for name, thing in public_objects():
            for method, what in inspect.getmembers(thing) if inspect.isclass(thing) else ():
                if not method.startswith("_") and callable(what):
                    with self.subTest(name=f"{name}.{method}"):
                        self.assertTrue(what.__doc__)


if __name__ == "__main__":
    unittest.main()
