#include "vernier/release/record/json_in.hpp"

#include <gtest/gtest.h>

// One description, both ways.
namespace vernier::release {
namespace {

enum class Colour : std::uint8_t { red, dark_blue };
constexpr Colour last_of(Colour) { return Colour::dark_blue; }
constexpr std::string_view name_of(Colour colour) { return colour == Colour::red ? "red" : "dark-blue"; }

struct Part {
  std::int64_t steps = 0;
  std::vector<std::int64_t> numbers = {};
  friend bool operator==(const Part&, const Part&) = default;
};

struct Thing {
  std::string name = {};
  Colour colour = Colour::red;
  bool is_public = false;
  bool is_marked = false;
  double share = 0;
  numeric::Rational weight = numeric::Rational::of(1);
  Alpha alpha = *Alpha::of(0.5);
  std::optional<std::string> unit = {};
  std::optional<numeric::Rational> target = {};
  std::array<double, 2> ends = {0, 0};
  std::vector<std::string> keys = {};
  std::optional<Part> rule = {};
  std::vector<Part> parts = {};
};

constexpr Rule above_zero{[](const numeric::Rational& value) { return value > numeric::Rational::of(0); },
                          "must be above 0"};

template <class V>
void describe(V& v, Of<V, Part>& part) {
  v("steps", part.steps, Whole{0, 9});
}

template <class V>
void describe(V& v, Of<V, Thing>& thing) {
  v("name", thing.name);
  v("colour", thing.colour);
  v("public", thing.is_public);
  v.flag("marked", thing.is_marked);
  v("share", thing.share);
  v("weight", thing.weight, above_zero);
  v("alpha", thing.alpha);
  v("unit", thing.unit);
  v.maybe("target", thing.target);
  v("ends", thing.ends);
  v("keys", thing.keys, AtMost{2});
  v.same("length", static_cast<std::int64_t>(thing.name.size()));
  if (v.has_or_null("rule", thing.rule.has_value())) {
    if constexpr (V::reads) thing.rule.emplace();
    v.object("rule", [&](V& rule) { describe(rule, *thing.rule); });
  }
  const auto grow = [&] {
    if constexpr (V::reads) thing.parts.emplace_back();
  };
  v.objects("parts", thing.parts.size(), 3, grow, [&](V& one, std::size_t i) { describe(one, thing.parts[i]); });
  v.exactly("again", thing.parts.size(), [&](V& one, std::size_t i) { one.same("steps", thing.parts[i].steps); });
  const auto at = [&](std::size_t i) -> auto& { return thing.parts[i].numbers; };
  v.lists(
      "numbers", thing.parts.size(), 3, [] {}, at);
}

Thing a_thing() {
  return {.name = "a \"b\"",
          .colour = Colour::dark_blue,
          .is_public = true,
          .is_marked = true,
          .share = 0.1,
          .weight = *numeric::Rational::of_fraction("1/20"),
          .alpha = *Alpha::of(0.25),
          .unit = "id",
          .target = numeric::Rational::of(40),
          .ends = {-1, std::numeric_limits<double>::infinity()},
          .keys = {"k"},
          .rule = Part{7},
          .parts = {{1, {2, std::numeric_limits<std::int64_t>::min()}}, {3, {}}}};
}

std::string text_of(const Thing& thing) {
  return json_of([&](JsonOut& out) { describe(out, thing); });
}

Result<Thing> read(const std::string& text) {
  VERNIER_TRY(const Json json, parse_strictly(text, 5));
  Reading reading;
  Thing thing;
  JsonIn in(reading, json);
  describe(in, thing);
  in.done();
  if (reading.problem()) return invalid(*reading.problem());
  return thing;
}

std::string refusal(const std::string& old, const std::string& by) {
  std::string text = text_of(a_thing());
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  const Result<Thing> thing = read(text.replace(place, old.size(), by));
  return thing ? "" : thing.error().sentence();
}

TEST(Description, WritesEveryKindOfField) {
  EXPECT_EQ(text_of(a_thing()),
            R"({"name":"a \"b\"","colour":"dark-blue","public":true,"marked":true,"share":0.10000000000000001,)"
            R"("weight":"1/20","alpha":0.25,"unit":"id","target":"40","ends":[-1,"inf"],"keys":["k"],"length":5,)"
            R"("rule":{"steps":7},"parts":[{"steps":1},{"steps":3}],"again":[{"steps":1},{"steps":3}],)"
            R"("numbers":[[2,-9223372036854775808],[]]})");
  EXPECT_EQ(text_of(Thing{}), R"({"name":"","colour":"red","public":false,"share":0,"weight":"1","alpha":0.5,)"
                              R"("unit":null,"ends":[0,0],"keys":[],"length":0,"rule":null,"parts":[],"again":[],)"
                              R"("numbers":[]})");
}

TEST(Description, IsReadBackToTheSameText) {
  for (const Thing& thing : {a_thing(), Thing{}}) {
    const Result<Thing> found = read(text_of(thing));
    ASSERT_TRUE(found) << found.error().sentence();
    EXPECT_EQ(text_of(*found), text_of(thing));
    EXPECT_EQ(found->parts, thing.parts);
  }
}

TEST(Description, RefusesWhatItDoesNotNameWithItsPlace) {
  EXPECT_EQ(refusal("\"share\":", "\"stuff\":"), "share is missing");
  EXPECT_EQ(refusal("\"share\":", "\"more\":1,\"share\":"), "more is unknown");
  EXPECT_EQ(refusal("{\"steps\":3}", "{\"steps\":3,\"more\":1}"), "parts[1].more is unknown");
  EXPECT_EQ(refusal("dark-blue", "blue"), "colour is a word that releases do not have");
  EXPECT_EQ(refusal("\"public\":true", "\"public\":1"), "public must be true or false");
  EXPECT_EQ(refusal("\"marked\":true", "\"marked\":false"), "marked false should be true");
  EXPECT_EQ(refusal("\"1/20\"", "\"2/40\""), "weight must be an exact number such as 3 or 1/20");
  EXPECT_EQ(refusal("\"1/20\"", "\"-1/20\""), "weight must be above 0");
  EXPECT_EQ(refusal("\"alpha\":0.25", "\"alpha\":2"), "alpha is outside of what can be");
  EXPECT_EQ(refusal("[-1,\"inf\"]", "[-1]"), "ends must be a list of 2");
  EXPECT_EQ(refusal("[\"k\"]", "[\"k\",\"l\",\"m\"]"), "keys must be a list of at most 2");
  EXPECT_EQ(refusal("[\"k\"]", "[1]"), "keys must be a text");
  EXPECT_EQ(refusal("\"length\":5", "\"length\":6"), "length 6 should be 5");
  EXPECT_EQ(refusal("{\"steps\":7}", "{\"steps\":10}"), "rule.steps must be a whole number from 0 to 9");
  EXPECT_EQ(refusal("{\"steps\":7}", "7"), "rule must be an object");
  EXPECT_EQ(refusal("\"again\":[{\"steps\":1},", "\"again\":["), "again must be 2, as many as the certificate has");
  EXPECT_EQ(refusal("\"again\":[{\"steps\":1}", "\"again\":[{\"steps\":2}"), "again[0].steps 2 should be 1");
}

}  // namespace
}  // namespace vernier::release
