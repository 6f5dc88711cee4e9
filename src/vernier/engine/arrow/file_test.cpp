#include "vernier/engine/arrow/file.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"
#include "vernier/engine/arrow/buffers.hpp"
#include "vernier/engine/arrow/digest.hpp"

// Rows of a stream that lie in a file are those of the stream.
namespace vernier::engine {
namespace {

using query::Type;
using testing::ArrowBatch;
using testing::ArrowStream;
using testing::Cells;

const std::vector<std::string> names = {"n", "x", "s", "l", "v", "b", "d"};
const std::vector<Type> types = {Type::integer, Type::real,    Type::string, Type::string,
                                 Type::string,  Type::boolean, Type::date};

ArrowBatch batch_of(const Cells<std::string>& texts) {
  Cells<std::int64_t> numbers;
  Cells<double> reals;
  Cells<bool> truths;
  Cells<std::int32_t> days;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    numbers.push_back(i % 3 == 0 ? std::optional<std::int64_t>() : std::optional(static_cast<std::int64_t>(i)));
    reals.push_back(i % 4 == 0 ? std::optional<double>() : std::optional(0.5 * static_cast<double>(i)));
    truths.push_back(i % 5 == 0 ? std::optional<bool>() : std::optional(i % 2 == 0));
    days.push_back(i % 6 == 0 ? std::optional<std::int32_t>() : std::optional(static_cast<std::int32_t>(i)));
  }
  return {testing::arrow_integers("n", numbers), testing::arrow_numbers("x", "g", reals),
          testing::arrow_texts("s", texts),      testing::arrow_large_texts("l", texts),
          testing::arrow_views("v", texts),      testing::arrow_booleans("b", truths),
          testing::arrow_days("d", days)};
}

std::vector<ArrowBatch> batches() {
  Cells<std::string> texts;
  for (int i = 0; i < 100; ++i)
    texts.push_back(i % 7 == 0 ? std::optional<std::string>()
                               : std::optional(std::string(static_cast<std::size_t>(i), 'a')));
  return {batch_of(texts), batch_of({}),
          batch_of({std::optional<std::string>("\xff"), std::optional<std::string>("")})};
}

query::Table declared() {
  query::Table table;
  for (std::size_t i = 0; i < names.size(); ++i) {
    query::Column column;
    column.name = names[i];
    column.type = types[i];
    table.columns.push_back(column);
  }
  return table;
}

std::string digest(const std::shared_ptr<const ArrowTable>& rows) {
  return digest_of(declared(), {.files = {}, .rows = rows, .places = {0, 1, 2, 3, 4, 5, 6}}, "key").value();
}

TEST(ArrowFile, HasTheRowsOfItsStream) {
  ArrowStream kept(batches()), held(batches());
  const auto rows = kept.take_to_file(names);
  ASSERT_TRUE(rows) << rows.error().sentence();
  EXPECT_EQ((*rows)->rows(), 102);
  EXPECT_EQ(digest(*rows), digest(*held.take()));
}

TEST(ArrowFile, LetsGoOfEveryBatchAtOnce) {
  ArrowStream stream(batches());
  const auto alive = stream.alive();
  auto rows = *stream.take_to_file(names);
  EXPECT_EQ(*alive, 1);  // the schema
  rows.reset();
  EXPECT_EQ(*alive, 0);
}

TEST(ArrowFile, HasNoValuesOfColumnsThatNobodyAsks) {
  ArrowStream stream(batches());
  const auto rows = *stream.take_to_file({"N"});
  EXPECT_EQ(rows->names(), names);
  EXPECT_EQ(rows->batches()[0].children[0]->n_buffers, 2);
  for (std::int64_t i = 1; i < 7; ++i) EXPECT_EQ(rows->batches()[0].children[i]->n_buffers, 0);
}

TEST(ArrowFile, SaysWhereThereIsNoRoom) {
  const char* const folder = std::getenv("TMPDIR");
  const std::string before = folder == nullptr ? "" : folder;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  ArrowStream stream(batches());
  const auto refused = stream.take_to_file(names);
  before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().sentence(),
            "the rows of a stream cannot be kept in '/no/such/folder': No such file or directory; make room there, or "
            "name another folder in the environment as TMPDIR");
}

// Of each column that is asked any byte counts, and of the others none.
TEST(Fingerprint, ChangesWithEveryByteOfWhatIsAsked) {
  ArrowStream stream(batches());
  const auto rows = *stream.take();
  const std::vector<std::string> asked = {"n", "s", "v", "b"};
  const std::uint64_t before = fingerprint_of(*rows, asked);
  EXPECT_EQ(fingerprint_of(*rows, asked), before);
  for (const std::int64_t place : {0, 1, 2, 4, 5}) {
    const ArrowArray& column = *rows->batches()[0].children[place];
    auto* const bytes = static_cast<char*>(const_cast<void*>(column.buffers[place == 2 ? 2 : 1]));
    for (const int at : {0, 7, 12}) {
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
      EXPECT_EQ(fingerprint_of(*rows, asked) == before, place == 1) << place << " " << at;
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
    }
  }
  EXPECT_EQ(fingerprint_of(*rows, asked), before);
}

}  // namespace
}  // namespace vernier::engine
