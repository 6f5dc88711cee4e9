#include "report/html.hpp"

#include <gtest/gtest.h>

namespace vernier::report {
namespace {

TEST(Html, KeepsTextAndAttributesText) {
  Html html;
  html.element("td", "</td><script>alert('1')</script>", {{"title", "\"><img src=x onerror=alert(1)>"}});
  EXPECT_EQ(std::move(html).finish(),
            "<td title=\"&quot;&gt;&lt;img src=x onerror=alert(1)&gt;\">"
            "&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</td>");
}

TEST(Html, EndsTheInnermostElement) {
  Html html;
  html.begin("p");
  html.text("of ");
  html.name("a & b");
  html.end();
  EXPECT_EQ(std::move(html).finish(), "<p>of <bdi>a &amp; b</bdi></p>\n");
}

TEST(Html, SpellsOutWhatIsNoText) {
  Html html;
  html.text(std::string_view("a\0b\xFF", 4));
  EXPECT_EQ(std::move(html).finish(), "a\\x00b\\xff");
}

}  // namespace
}  // namespace vernier::report
