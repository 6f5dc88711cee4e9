import sys
import unittest

from tree import ROOT, TreeTest, run

HEAD = "# Theory\n\n<!-- made by tools/list_theory --write; the titles are those of the pages -->\n"


class ListTheory(TreeTest):
    check = "list_theory"

    def setUp(self):
        super().setUp()
        self.write("src/vernier/noise/laplace.md", "# The Laplace law\n\nText.\n")
        self.write("src/vernier/accounting/loss/cells.md", "# Losses in cells\n")
        self.write("src/vernier/README.md", "# A walk\n")
        self.write("docs/theory/keys.md", "# Keys\n")
        self.write("docs/theory/README.md", HEAD)

    def write_list(self):
        return run(sys.executable, ROOT / "tools/list_theory", "--write", self.root)

    def test_lists_every_page_by_its_title_under_its_room(self):
        self.assertEqual(self.write_list().returncode, 0)
        made = (self.root / "docs/theory/README.md").read_text().removeprefix(HEAD.rstrip("\n"))
        self.assertEqual(made, """
`docs/theory`

- [Keys](keys.md)

`src/vernier/noise`

- [The Laplace law](../../src/vernier/noise/laplace.md)

`src/vernier/accounting`

- [Losses in cells](../../src/vernier/accounting/loss/cells.md)
""")
        self.expect_clean()

    def test_refuses_a_list_without_a_page(self):
        self.write_list()
        self.write("src/vernier/noise/grid.md", "# The grid\n")
        self.expect_finding("docs/theory/README.md: the list of all pages is not that of the tree")

    def test_refuses_a_list_with_a_page_that_has_gone(self):
        self.write_list()
        (self.root / "docs/theory/keys.md").unlink()
        self.expect_finding("is not that of the tree")

    def test_refuses_an_index_without_a_list(self):
        self.write("docs/theory/README.md", "# Theory\n")
        self.expect_finding("the line is missing")

    def test_the_index_of_this_project_is_complete(self):
        result = run(sys.executable, ROOT / "tools/list_theory")
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
