"""For tests that run what pages and docstrings say: in a folder of their own, which is also their home."""
import os
import tempfile
import unittest


class OwnFolderTest(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        os.environ.update({"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder, "MPLBACKEND": "agg"})
