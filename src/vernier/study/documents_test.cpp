#include "vernier/study/documents.hpp"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vernier::study {
namespace {

TEST(Slug, IsTheNameInPlainLetters) {
  EXPECT_EQ(slugs_of({"Income by region", "a/b", "../../etc/passwd", "größe"}),
            (std::vector<std::string>{"income-by-region", "a-b", "etc-passwd", "gr-e"}));
}

TEST(Slug, IsNeverTakenTwiceNorEmpty) {
  EXPECT_EQ(slugs_of({"a b", "a-b", "a b 2", "…", "§"}),
            (std::vector<std::string>{"a-b", "a-b-2", "a-b-2-2", "statistic", "statistic-2"}));
}

RC_GTEST_PROP(Slug, IsASafeNameOfAFileWhateverTheNameIs, (const std::vector<std::string>& names)) {
  const std::vector<std::string> slugs = slugs_of(names);
  RC_ASSERT(std::set(slugs.begin(), slugs.end()).size() == names.size());
  for (const std::string& slug : slugs) {
    RC_ASSERT(!slug.empty() && slug.size() < 80 && slug.front() != '-' && slug.back() != '-');
    RC_ASSERT(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
  }
}

}  // namespace
}  // namespace vernier::study
