#include "vernier/engine/arrow/column.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"

namespace vernier::engine {
namespace {

using testing::arrow_dictionary;
using testing::arrow_integers;
using testing::arrow_numbers;
using testing::arrow_table;
using testing::arrow_texts;
using testing::arrow_views;
using testing::ArrowColumnData;
using testing::ArrowStream;
using testing::Cells;

// All values of a table of one column, batch by batch, by what `read` makes of an array, its kind and the positions.
template <class Value, class Read>
Cells<Value> read_all(const ArrowTable& table, const Read& read) {
  const Result<ArrowColumn> column = ArrowColumn::of(table, 0);
  EXPECT_TRUE(column);
  Cells<Value> cells;
  for (std::size_t batch = 0; column && batch < table.batches().size(); ++batch) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(table.batches()[batch].length));
    column->find(batch, 0, positions);
    const auto values = std::make_unique<Value[]>(positions.size());
    read(column->values(batch), column->kind(), Positions(positions), values.get());
    for (std::size_t i = 0; i < positions.size(); ++i)
      cells.push_back(positions[i] == no_value ? std::nullopt : std::optional(values[i]));
  }
  return cells;
}

Cells<std::int64_t> integers(const ArrowColumnData& data) {
  return read_all<std::int64_t>(*arrow_table({{data}}), read_integers);
}
Cells<double> reals(const ArrowColumnData& data) { return read_all<double>(*arrow_table({{data}}), read_reals); }
Cells<std::int32_t> days(const ArrowColumnData& data) {
  return read_all<std::int32_t>(*arrow_table({{data}}), read_days);
}
Cells<bool> booleans(const ArrowColumnData& data) { return read_all<bool>(*arrow_table({{data}}), read_booleans); }
Cells<std::string> texts(const ArrowColumnData& data) {
  return read_all<std::string>(*arrow_table({{data}}), read_texts);
}

template <class Value>
void expect_extremes(Value /*of the type*/, const std::string& format) {
  const auto least = std::numeric_limits<Value>::lowest(), most = std::numeric_limits<Value>::max();
  const auto column = arrow_numbers<Value>("x", format, {least, {}, most, Value{1}});
  const bool fits = std::in_range<std::int64_t>(most);
  EXPECT_EQ(integers(column), (Cells<std::int64_t>{static_cast<std::int64_t>(least), std::nullopt,
                                                   fits ? std::optional<std::int64_t>(most) : std::nullopt, 1}))
      << format;
  EXPECT_EQ(reals(column), (Cells<double>{static_cast<double>(least), std::nullopt, static_cast<double>(most), 1.0}));
}

TEST(ArrowColumn, ReadsIntegersOfEveryWidth) {
  expect_extremes(std::int8_t{}, "c");
  expect_extremes(std::uint8_t{}, "C");
  expect_extremes(std::int16_t{}, "s");
  expect_extremes(std::uint16_t{}, "S");
  expect_extremes(std::int32_t{}, "i");
  expect_extremes(std::uint32_t{}, "I");
  expect_extremes(std::int64_t{}, "l");
  expect_extremes(std::uint64_t{}, "L");  // of which the greatest has no place among 64-bit integers
}

TEST(ArrowColumn, ReadsReals) {
  EXPECT_EQ(reals(arrow_numbers<double>("x", "g", {0.1, {}, -1e300})), (Cells<double>{0.1, {}, -1e300}));
  EXPECT_EQ(reals(arrow_numbers<float>("x", "f", {0.5F, {}, -3.25F})), (Cells<double>{0.5, {}, -3.25}));
}

// 1, -2, 65504 (the greatest), 2^-24 (the least), 1/3 rounded, infinity, -0.
TEST(ArrowColumn, ReadsHalfFloats) {
  const auto column =
      arrow_numbers<std::uint16_t>("x", "e", {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x3555, 0x7C00, 0x8000, 0x7E00});
  Cells<double> read = reals(column);
  ASSERT_EQ(read.size(), 8U);
  EXPECT_TRUE(std::isnan(*read.back()));
  read.pop_back();
  EXPECT_EQ(read, (Cells<double>{1.0, -2.0, 65504.0, std::ldexp(1, -24), 0.333251953125, HUGE_VAL, -0.0}));
}

TEST(ArrowColumn, ReadsBooleansAndDays) {
  const Cells<bool> cells = {true, false, {}, true, true, false, {}, false, true, true};
  EXPECT_EQ(booleans(testing::arrow_booleans("x", cells)), cells);
  // The first and the last day that a catalog can name, and those beyond.
  EXPECT_EQ(days(testing::arrow_days("x", {0, {}, -719162, -719163, 2932896, 2932897})),
            (Cells<std::int32_t>{0, {}, -719162, {}, 2932896, {}}));
}

TEST(ArrowColumn, ReadsTexts) {
  const Cells<std::string> cells = {"a", {}, "", "twelve bytes", "thirteen bytes", "żółć", std::string("\0x", 2)};
  EXPECT_EQ(texts(arrow_texts("x", cells)), cells);
  EXPECT_EQ(texts(testing::arrow_large_texts("x", cells)), cells);
  EXPECT_EQ(texts(arrow_views("x", cells)), cells);
}

TEST(ArrowColumn, ReadsDictionaries) {
  const auto words = arrow_texts("", {"north", {}, "south"});
  EXPECT_EQ(texts(arrow_dictionary("x", {2, 0, {}, 1, 2}, words)),
            (Cells<std::string>{"south", "north", {}, {}, "south"}));
  // An index that points nowhere is NULL.
  EXPECT_EQ(texts(arrow_dictionary("x", {3, -1, 0, 127}, words)), (Cells<std::string>{{}, {}, "north", {}}));
  EXPECT_EQ(integers(arrow_dictionary("x", {1, 1, 0}, arrow_integers("", {10, 20}))),
            (Cells<std::int64_t>{20, 20, 10}));
  // Memory behind the end of a dictionary is not looked at.
  EXPECT_EQ(integers(arrow_dictionary("x", {0, 1}, arrow_integers("", {10, 20}).slice(0, 1))),
            (Cells<std::int64_t>{10, {}}));
  EXPECT_EQ(texts(arrow_dictionary("x", {1, 0}, words.slice(1, 2))), (Cells<std::string>{"south", {}}));
}

TEST(ArrowColumn, ReadsSlices) {
  const Cells<std::int64_t> cells = {0, {}, 2, 3, {}, 5, 6, 7, {}, 9, 10};
  const auto whole = arrow_integers("x", cells);
  for (std::int64_t first = 0; first < 11; ++first) {
    const auto part = whole.slice(first, 11 - first);
    EXPECT_EQ(integers(part), Cells<std::int64_t>(cells.begin() + first, cells.end())) << first;
  }
  const Cells<std::string> words = {"a", "bc", {}, "a longer one than twelve"};
  for (const auto& column : {arrow_texts("x", words), testing::arrow_large_texts("x", words), arrow_views("x", words)})
    EXPECT_EQ(texts(column.slice(1, 3)), (Cells<std::string>{"bc", {}, "a longer one than twelve"})) << column.format;
  EXPECT_EQ(booleans(testing::arrow_booleans("x", {true, {}, false, true}).slice(1, 3)),
            (Cells<bool>{{}, false, true}));
  EXPECT_EQ(texts(arrow_dictionary("x", {0, {}, 1}, arrow_texts("", {"y", "z"})).slice(1, 2)),
            (Cells<std::string>{{}, "z"}));
}

// The offset of a batch comes on top of that of its columns.
TEST(ArrowColumn, ReadsSlicesOfBatches) {
  ArrowStream stream({{arrow_integers("x", {0, 1, 2, 3, 4, {}, 6}).slice(1, 6)}});
  const auto cut = [](ArrowArray& batch) { batch.offset = 2, batch.length = 3; };
  const auto table = stream.spoil_batch(cut).take();
  ASSERT_TRUE(table);
  EXPECT_EQ(read_all<std::int64_t>(**table, read_integers), (Cells<std::int64_t>{3, 4, {}}));
}

TEST(ArrowColumn, HasNoValueWhereItsTypeIsNull) {
  EXPECT_EQ(integers({"x", "n", 3, 3, 0, {}, {}}), (Cells<std::int64_t>{{}, {}, {}}));
}

// Offsets that go back or lie before the beginning, views that point beyond their buffers.
TEST(ArrowColumn, ReadsNothingBeyondItsBuffers) {
  const auto spoilt = [](ArrowColumnData column, std::size_t buffer, std::size_t place, std::int32_t value) {
    column.buffers[buffer]->replace(place, 4, reinterpret_cast<const char*>(&value), 4);
    return texts(column);
  };
  const Cells<std::string> words = {"ab", "a longer one than twelve"}, first_alone = {"ab", {}}, none = {{}, {}};
  EXPECT_EQ(spoilt(arrow_texts("x", words), 1, 4, -1), none);
  EXPECT_EQ(spoilt(arrow_texts("x", words), 1, 8, 1), first_alone);
  EXPECT_EQ(spoilt(arrow_views("x", words), 1, 16, -1), first_alone);
  EXPECT_EQ(spoilt(arrow_views("x", words), 1, 16, 25), first_alone);
  EXPECT_EQ(spoilt(arrow_views("x", words), 1, 24, 1), first_alone);
  EXPECT_EQ(spoilt(arrow_views("x", words), 1, 24, -1), first_alone);
  EXPECT_EQ(spoilt(arrow_views("x", words), 1, 28, 1), first_alone);
  EXPECT_EQ(spoilt(arrow_views("x", words), 1, 28, -1), first_alone);
  ArrowColumnData without = arrow_texts("x", words);
  without.buffers[2] = std::nullopt;
  EXPECT_EQ(texts(without), none);
}

std::string said(ArrowColumnData column, const std::function<void(ArrowArray&)>& spoil) {
  ArrowStream stream({{std::move(column)}});
  const auto table = stream.spoil_batch([&](ArrowArray& batch) { spoil(*batch.children[0]); }).take();
  EXPECT_TRUE(table);
  const Result<ArrowColumn> made = ArrowColumn::of(**table, 0);
  return made ? "" : made.error().sentence();
}

TEST(ArrowColumn, IsRefusedWithoutTheBuffersOfItsType) {
  const std::string buffers = "has not the buffers of its type";
  const auto numbers = arrow_integers("x", {1, {}, 3});
  EXPECT_NE(said(numbers, [](ArrowArray& a) { a.n_buffers = 1; }).find(buffers), std::string::npos);
  EXPECT_NE(said(numbers, [](ArrowArray& a) { a.n_buffers = -1; }).find(buffers), std::string::npos);
  EXPECT_NE(said(numbers, [](ArrowArray& a) { a.buffers = nullptr; }).find(buffers), std::string::npos);
  EXPECT_NE(said(numbers, [](ArrowArray& a) { a.buffers[1] = nullptr; }).find(buffers), std::string::npos);
  EXPECT_NE(said(numbers, [](ArrowArray& a) { a.buffers[0] = nullptr; }).find(buffers), std::string::npos);
  EXPECT_NE(said(arrow_texts("x", {"a"}), [](ArrowArray& a) { a.n_buffers = 2; }).find(buffers), std::string::npos);
  EXPECT_NE(said(arrow_views("x", {"a"}), [](ArrowArray& a) { a.n_buffers = 2; }).find(buffers), std::string::npos);
  EXPECT_NE(said(arrow_views("x", {"a"}), [](ArrowArray& a) { a.buffers[3] = nullptr; }).find(buffers),
            std::string::npos);
  EXPECT_EQ(said(numbers, [](ArrowArray&) {}), "");
  EXPECT_EQ(said(arrow_integers("x", {}), [](ArrowArray& a) { a.buffers[1] = nullptr; }), "");
}

TEST(ArrowColumn, IsRefusedWithoutItsDictionary) {
  const auto column = arrow_dictionary("x", {0}, arrow_texts("", {"y"}));
  const auto none = [](ArrowArray& a) { a.dictionary = nullptr; };
  EXPECT_NE(said(column, none).find("a dictionary is missing"), std::string::npos);
  EXPECT_NE(said(column, [](ArrowArray& a) { a.dictionary->release = nullptr; }).find("a dictionary is missing"),
            std::string::npos);
  EXPECT_NE(said(column, [](ArrowArray& a) { a.dictionary->length = -1; }).find("out of range"), std::string::npos);
  EXPECT_NE(said(column, [](ArrowArray& a) { a.dictionary->offset = -1; }).find("out of range"), std::string::npos);
  EXPECT_NE(said(column, [](ArrowArray& a) { a.dictionary->n_buffers = 2; }).find("the buffers of its type"),
            std::string::npos);
}

TEST(ArrowColumn, IsRefusedWhereNoCatalogHasItsType) {
  for (const char* format : {"z", "tsu:UTC", "+l", "d:19,10", "?", ""}) {
    ArrowColumnData column = arrow_integers("x", {1});
    column.format = format;
    EXPECT_NE(said(column, [](ArrowArray&) {}).find("of a type that cannot be read"), std::string::npos) << format;
  }
  ArrowColumnData indexed_by_reals = arrow_dictionary("x", {0}, arrow_texts("", {"y"}));
  indexed_by_reals.format = "g";
  EXPECT_NE(said(indexed_by_reals, [](ArrowArray&) {}).find("of a type that cannot be read"), std::string::npos);
}

// One value that is missing makes reals of whole numbers, one that is none makes texts of them: what is meant is read.
TEST(ArrowColumn, ReadsEveryKindAsTheTypeThatIsAskedFor) {
  const auto real = arrow_numbers<double>("x", "g", {3.0, -0.0, 2.5, NAN, HUGE_VAL, 0x1p63, -0x1p63, 1.0, {}});
  const auto text = arrow_texts("x", {" 7 ", "2.5", "true", "2020-02-29", "", "\xFF", {}});
  const auto day = testing::arrow_days("x", {0, INT32_MAX, {}});
  const auto truth = testing::arrow_booleans("x", {true, false, {}});
  EXPECT_EQ(integers(real), (Cells<std::int64_t>{3, 0, {}, {}, {}, {}, INT64_MIN, 1, {}}));
  EXPECT_EQ(integers(text), (Cells<std::int64_t>{7, {}, {}, {}, {}, {}, {}}));
  EXPECT_EQ(integers(day), (Cells<std::int64_t>{{}, {}, {}}));
  EXPECT_EQ(integers(truth), (Cells<std::int64_t>{1, 0, {}}));
  EXPECT_EQ(reals(text), (Cells<double>{7.0, 2.5, {}, {}, {}, {}, {}}));
  EXPECT_EQ(reals(day), (Cells<double>{{}, {}, {}}));
  EXPECT_EQ(reals(truth), (Cells<double>{1.0, 0.0, {}}));
  EXPECT_EQ(booleans(real), (Cells<bool>{{}, false, {}, {}, {}, {}, {}, true, {}}));
  EXPECT_EQ(booleans(text), (Cells<bool>{{}, {}, true, {}, {}, {}, {}}));
  EXPECT_EQ(booleans(day), (Cells<bool>{{}, {}, {}}));
  EXPECT_EQ(days(real), (Cells<std::int32_t>(9)));
  EXPECT_EQ(days(text), (Cells<std::int32_t>{{}, {}, {}, 18321, {}, {}, {}}));
  EXPECT_EQ(days(truth), (Cells<std::int32_t>(3)));
  EXPECT_EQ(texts(real),
            (Cells<std::string>{"3", "0", "2.5", {}, {}, "9223372036854775808", "-9223372036854775808", "1", {}}));
  EXPECT_EQ(texts(day), (Cells<std::string>{"1970-01-01", {}, {}}));
  EXPECT_EQ(texts(truth), (Cells<std::string>{"true", "false", {}}));
  EXPECT_EQ(texts(arrow_integers("x", {-12, INT64_MIN})), (Cells<std::string>{"-12", "-9223372036854775808"}));
}

TEST(ArrowColumn, HasNoValueInRowsThatAreNullAsAWhole) {
  static const unsigned char second_row_is_null = 0xFD;
  static const void* bitmap = &second_row_is_null;
  ArrowStream stream({{arrow_integers("x", {1, 2, 3})}});
  stream.spoil_batch([](ArrowArray& batch) { batch.null_count = -1, batch.n_buffers = 1, batch.buffers = &bitmap; });
  EXPECT_EQ(read_all<std::int64_t>(**stream.take(), read_integers), (Cells<std::int64_t>{1, {}, 3}));
}

}  // namespace
}  // namespace vernier::engine
