import unittest

from tree import ROOT, TreeTest, run


class CheckArrows(TreeTest):
    check = "check_arrows"

    def test_accepts_what_the_arrows_reach_directly_or_by_way_of_another_room(self):
        self.write("src/vernier/noise/a.cpp", '#include "vernier/noise/a.hpp"\n#include "vernier/numeric/b.hpp"\n')
        self.write("src/vernier/noise/a_test.cpp", '#include "vernier/core/c.hpp"\n#include "statistics.hpp"\n#include "support/bits.hpp"\n')
        self.write("tests/statistics.hpp", "#pragma once\n")
        self.write("src/vernier/release/r.cpp", '#include "vernier/denoise/d.hpp"\n#include "vernier/core/c.hpp"\n')
        self.write("apps/cli/main.cpp", '#include "vernier/vernier.hpp"\n#include "vernier/noise/a.hpp"\n')
        self.expect_clean()

    def test_refuses_an_arrow_that_points_down(self):
        self.write("src/vernier/core/a.hpp", '#pragma once\n#include "vernier/noise/b.hpp"\n')
        self.expect_finding("src/vernier/core/a.hpp:2", "core may not include noise")

    def test_refuses_an_arrow_to_a_neighbour(self):
        self.write("src/vernier/numeric/a.cpp", "#include <vernier/random/b.hpp>\n")
        self.expect_finding("numeric may not include random")

    def test_refuses_a_room_that_is_not_in_the_table(self):
        self.write("src/vernier/cellar/a.hpp", "#pragma once\n")
        self.expect_finding('no room "cellar"')

    def test_refuses_an_include_of_an_unknown_room(self):
        self.write("src/vernier/core/a.hpp", '#include "vernier/cellar/b.hpp"\n')
        self.expect_finding('no room "cellar"')

    def test_refuses_parts_of_tests_in_what_ships(self):
        self.write("src/vernier/core/a.cpp", '#include "support/bits.hpp"\n')
        self.write("src/vernier/core/b.cpp", '#include "statistics.hpp"\n')
        self.write("tests/statistics.hpp", "#pragma once\n")
        self.write("apps/cli/main.cpp", '#include "../../tests/support/bits.hpp"\n')
        for name in ("src/vernier/core/a.cpp", "src/vernier/core/b.cpp", "apps/cli/main.cpp"):
            self.expect_finding(f"{name}:1: only tests and benchmarks may include")

    def test_refuses_an_app_or_a_relative_path_in_the_library(self):
        self.write("src/vernier/core/a.cpp", '#include "b.hpp"\n#include "../../../apps/cli/c.hpp"\n')
        self.expect_finding("a.cpp:1: write the path from src", "a.cpp:2: the library may not include an app")

    def test_this_project_obeys(self):
        result = run(ROOT / "tools/check_arrows")
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
