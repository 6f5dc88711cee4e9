#include "plot/svg.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace vernier::plot {
namespace {

TEST(Svg, EscapesWhatWouldEndATextOrAnAttribute) {
  EXPECT_EQ(escape_xml("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escape_xml("</text><script>"), "&lt;/text&gt;&lt;script&gt;");
  EXPECT_EQ(escape_xml("σ ≤ 3"), "σ ≤ 3");
}

TEST(Svg, ReplacesCharactersThatXmlForbids) {
  EXPECT_EQ(escape_xml(std::string_view("a\0b\x1b[", 5)), "a\\x00b\\x1b[");
  EXPECT_EQ(escape_xml("tab\tand\nline"), "tab\tand\nline");
  EXPECT_EQ(escape_xml("\u009b31m \u202eabc"), "\\u{9b}31m \\u{202e}abc");  // turns colours and directions
}

TEST(Svg, ReplacesBytesThatAreNoUtf8AndKeepsAllThatAre) {
  for (const char* whole : {"ä", "€", "\U0001F600", "\xED\x9F\xBF"}) {
    EXPECT_EQ(escape_xml(whole), whole);
  }
  EXPECT_EQ(escape_xml("a\xFF"), "a\\xff");
  EXPECT_EQ(escape_xml("\xC3"), "\\xc3");
  EXPECT_EQ(escape_xml("\xC0\xBC"), "\\xc0\\xbc");                  // a long way to write <
  EXPECT_EQ(escape_xml("\xED\xA0\x80"), "\\xed\\xa0\\x80");         // half of a pair
  EXPECT_EQ(escape_xml("\xEF\xBF\xBF"), "\\u{ffff}");               // no character of XML
  EXPECT_EQ(escape_xml("\xF4\x90\x80\x80").substr(0, 4), "\\xf4");  // beyond all letters
  EXPECT_EQ(escape_xml("\xE2\x82<"), "\\xe2\\x82&lt;");
}

TEST(Svg, InsideAPageIsNamedByIdsAndHasNoStyle) {
  const std::string drawing = Svg(16, 9, {"chart-1", "a & b", "what <it> shows"}).finish();
  EXPECT_NE(drawing.find(R"(role="img" aria-labelledby="chart-1-title chart-1-desc")"), std::string::npos);
  EXPECT_NE(drawing.find(R"(<title id="chart-1-title">a &amp; b</title>)"), std::string::npos);
  EXPECT_NE(drawing.find(R"(<desc id="chart-1-desc">what &lt;it&gt; shows</desc>)"), std::string::npos);
  EXPECT_EQ(drawing.find("<style"), std::string::npos);
}

TEST(Svg, EscapesEveryWordItIsGiven) {
  Svg svg(16, 9, "<name>", "<description>", "a > b {}");
  svg.text("label", 1, 2, Anchor::middle, "<words>");
  svg.text_upwards("label", 1, 2, "<upwards>");
  const std::string drawing = std::move(svg).finish();
  for (const char* word : {"<name>", "<description>", "a > b", "<words>", "<upwards>"}) {
    EXPECT_EQ(drawing.find(word), std::string::npos) << word;
    EXPECT_NE(drawing.find(escape_xml(word)), std::string::npos) << word;
  }
}

TEST(Svg, WritesCoordinatesToAHundredth) {
  Svg svg(16, 9, "", "", "");
  svg.line("grid", 1, 2.5, 1.0 / 3, 1e-9);
  EXPECT_NE(std::move(svg).finish().find(R"(<line class="grid" x1="1.00" y1="2.50" x2="0.33" y2="0.00"/>)"),
            std::string::npos);
}

}  // namespace
}  // namespace vernier::plot
