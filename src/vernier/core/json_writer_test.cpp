#include "vernier/core/json_writer.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace vernier {
namespace {

// What `write` leaves in a text.
template <class Write>
std::string written(Write write) {
  std::string text;
  JsonWriter json(text);
  write(json);
  return text;
}

std::string value(const std::variant<std::int64_t, double>& number) {
  return written([&](JsonWriter& json) { json.value(number); });
}

TEST(Json, WritesSeventeenSignificantDigits) {
  EXPECT_EQ(value(0.1), "0.10000000000000001");
  EXPECT_EQ(value(20.0), "20");
  EXPECT_EQ(value(std::numeric_limits<double>::denorm_min()), "4.9406564584124654e-324");
}

TEST(Json, WritesInfinitiesAsStrings) {
  EXPECT_EQ(value(std::numeric_limits<double>::infinity()), "\"inf\"");
  EXPECT_EQ(value(-std::numeric_limits<double>::infinity()), "\"-inf\"");
}

TEST(Json, WritesIntegersThatNoDoubleHoldsAsStrings) {
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  EXPECT_EQ(value(limit), "9007199254740992");
  EXPECT_EQ(value(limit + 1), "\"9007199254740993\"");
  EXPECT_EQ(value(-limit - 1), "\"-9007199254740993\"");
  EXPECT_EQ(value(std::numeric_limits<std::int64_t>::max()), "\"9223372036854775807\"");
  EXPECT_EQ(value(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(Json, WritesZeroWithoutASign) { EXPECT_EQ(value(-0.0), "0"); }

TEST(Json, EscapesWhatCannotBeSeenSoThatItReadsBack) {
  const auto text = [](std::string_view content) { return written([&](JsonWriter& json) { json.value(content); }); };
  EXPECT_EQ(text("a\x1b\n\u009b\u202e"), "\"a\\u001b\\u000a\\u009b\\u202e\"");
  EXPECT_EQ(text("\U000E0001"), "\"\\udb40\\udc01\"");
  EXPECT_EQ(text("\xff"), "\"\\ufffd\"");
  EXPECT_EQ(text("Zürich 北 \U0001F600"), "\"Zürich 北 \U0001F600\"");
}

TEST(Json, SeparatesMembersAndElementsWhereverTheyNest) {
  const std::string text = written([](JsonWriter& json) {
    json.begin_object();
    json.member("a", 1.5);
    json.key("b");
    json.begin_array();
    json.value(std::int64_t{1});
    json.begin_array();
    json.end_array();
    json.value(std::int64_t{2});
    json.end_array();
    json.member("c", std::string_view("d"));
    json.end_object();
  });
  EXPECT_EQ(text, R"({"a":1.5,"b":[1,[],2],"c":"d"})");
}

TEST(Json, WritesNullWhereThereIsNoValue) {
  const std::string text = written([](JsonWriter& json) {
    json.begin_array();
    json.value(std::optional<double>());
    json.value(std::optional<double>(0.5));
    json.value(std::optional<std::string_view>());
    json.value(std::optional<std::string_view>("a"));
    json.end_array();
  });
  EXPECT_EQ(text, R"([null,0.5,null,"a"])");
}

TEST(Json, EscapesStrings) {
  const std::string text = written([](JsonWriter& json) { json.value(std::string_view("a\"b\\c\nd\x01")); });
  EXPECT_EQ(text, R"("a\"b\\c\u000ad\u0001")");
}

}  // namespace
}  // namespace vernier
