#include "vernier/engine/arrow/table.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"

namespace vernier::engine {
namespace {

using testing::arrow_integers;
using testing::ArrowBatch;
using testing::ArrowStream;

const std::vector<ArrowBatch> two_batches = {{arrow_integers("a", {1, 2, 3}), arrow_integers("b", {4, {}, 6})},
                                             {arrow_integers("a", {7}), arrow_integers("b", {8})}};

TEST(ArrowTable, HoldsTheBatchesOfAStream) {
  ArrowStream stream(two_batches);
  const auto table = stream.take();
  ASSERT_TRUE(table);
  EXPECT_EQ((*table)->rows(), 4);
  EXPECT_EQ((*table)->batches().size(), 2U);
  EXPECT_EQ((*table)->names(), (std::vector<std::string>{"a", "b"}));
}

TEST(ArrowTable, IsEmptyWhereThereAreNoBatchesOrNoRows) {
  ArrowStream none(two_batches.front(), {});
  EXPECT_EQ((*none.take())->rows(), 0);
  ArrowStream empty({{arrow_integers("a", {})}});
  const auto table = empty.take();
  ASSERT_TRUE(table);
  EXPECT_EQ((*table)->rows(), 0);
  EXPECT_EQ((*table)->batches().size(), 1U);
  ArrowStream bare(ArrowBatch{}, {});
  EXPECT_TRUE((*bare.take())->names().empty());
}

// The stream goes at once, the schema and the batches with the last who holds them.
TEST(ArrowTable, ReleasesEverythingOnce) {
  ArrowStream stream(two_batches);
  const auto alive = stream.alive();
  auto table = *stream.take();
  EXPECT_EQ(stream.get()->release, nullptr);
  EXPECT_EQ(*alive, 3);
  auto other = table;
  table.reset();
  EXPECT_EQ(*alive, 3);
  other.reset();
  EXPECT_EQ(*alive, 0);
}

TEST(ArrowTable, ReleasesInAThreadOfAnother) {
  ArrowStream stream(two_batches);
  const auto alive = stream.alive();
  auto table = *stream.take();
  std::thread([held = std::move(table)]() mutable { held.reset(); }).join();
  EXPECT_EQ(*alive, 0);
}

std::string said(ArrowStream& stream) {
  const auto alive = stream.alive();
  const auto table = stream.take();
  EXPECT_FALSE(table);
  EXPECT_EQ(*alive, 0) << "something was not released";
  return table ? "" : table.error().sentence();
}

TEST(ArrowTable, IsTakenOnce) {
  ArrowStream stream(two_batches);
  EXPECT_TRUE(stream.take());
  const std::string sentence = stream.take().error().sentence();
  EXPECT_NE(sentence.find("were taken before"), std::string::npos) << sentence;
  EXPECT_FALSE(ArrowTable::take(nullptr));
}

TEST(ArrowTable, TellsNothingOfAStreamThatFails) {
  for (const std::size_t batch : {0, 1, 2}) {
    ArrowStream stream(two_batches);
    const std::string sentence = said(stream.fail_at(batch));
    EXPECT_NE(sentence.find("failed to hand them over"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("secret"), std::string::npos) << sentence;
  }
}

TEST(ArrowTable, RefusesSchemasThatAreNone) {
  const auto with = [](const std::function<void(ArrowSchema&)>& spoil) {
    ArrowStream stream(two_batches);
    return said(stream.spoil_schema(spoil));
  };
  EXPECT_NE(with([](ArrowSchema& schema) { schema.format = nullptr; }).find("schema is missing"), std::string::npos);
  EXPECT_NE(with([](ArrowSchema& schema) { schema.format = "l"; }).find("give a table or a frame"), std::string::npos);
  const std::string column = "a column of its schema is missing";
  EXPECT_NE(with([](ArrowSchema& schema) { schema.n_children = -1; }).find(column), std::string::npos);
  EXPECT_NE(with([](ArrowSchema& schema) { schema.n_children = INT64_MAX; }).find(column), std::string::npos);
  EXPECT_NE(with([](ArrowSchema& schema) { schema.children = nullptr; }).find(column), std::string::npos);
  EXPECT_NE(with([](ArrowSchema& schema) { schema.children[1] = nullptr; }).find(column), std::string::npos);
  EXPECT_NE(with([](ArrowSchema& schema) { schema.children[1]->format = nullptr; }).find(column), std::string::npos);
  EXPECT_NE(with([](ArrowSchema& schema) { schema.children[1]->release = nullptr; }).find(column), std::string::npos);
}

TEST(ArrowTable, RefusesStreamsWithoutFunctions) {
  ArrowStream one(two_batches), other(two_batches);
  one.get()->get_schema = nullptr;
  EXPECT_NE(said(one).find("has no functions"), std::string::npos);
  other.get()->get_next = nullptr;
  EXPECT_NE(said(other).find("has no functions"), std::string::npos);
}

struct Spoilt {
  std::function<void(ArrowArray&)> spoil;
  std::string sentence;
};

TEST(ArrowTable, RefusesBatchesThatAreNone) {
  const std::vector<Spoilt> all = {
      {[](ArrowArray& batch) { batch.length = -1; }, "length of a batch is out of range"},
      {[](ArrowArray& batch) { batch.length = INT64_MAX; }, "length of a batch is out of range"},
      {[](ArrowArray& batch) { batch.offset = -1; }, "length of a batch is out of range"},
      {[](ArrowArray& batch) { batch.offset = 1; }, "fewer rows than the batch"},
      {[](ArrowArray& batch) { batch.n_children = 1; }, "other columns than its schema"},
      {[](ArrowArray& batch) { batch.n_children = 3; }, "other columns than its schema"},
      {[](ArrowArray& batch) { batch.children = nullptr; }, "other columns than its schema"},
      {[](ArrowArray& batch) { batch.n_buffers = 7; }, "values beside its columns"},
      {[](ArrowArray& batch) { batch.null_count = 1; }, "does not say which of its rows are NULL"},
      {[](ArrowArray& batch) { batch.children[0] = nullptr; }, "a column of a batch is missing"},
      {[](ArrowArray& batch) { batch.children[0]->release = nullptr; }, "a column of a batch is missing"},
      {[](ArrowArray& batch) { --batch.children[1]->length; }, "fewer rows than the batch"},
      {[](ArrowArray& batch) { batch.children[1]->length = -1; }, "fewer rows than the batch"},
      {[](ArrowArray& batch) { batch.children[1]->offset = -5; }, "fewer rows than the batch"},
      {[](ArrowArray& batch) { batch.children[1]->offset = INT64_MAX; }, "fewer rows than the batch"}};
  for (const Spoilt& one : all) {
    ArrowStream stream(two_batches);
    const std::string sentence = said(stream.spoil_batch(one.spoil));
    EXPECT_NE(sentence.find(one.sentence), std::string::npos) << sentence;
  }
}

TEST(ArrowTable, TakesBatchesThatSayThatNoRowIsNull) {
  static const unsigned char all = 0xFF;
  static const void* bitmap = &all;
  ArrowStream stream(two_batches);
  EXPECT_TRUE(stream.spoil_batch([](ArrowArray& batch) { batch.null_count = -1, batch.buffers = &bitmap; }).take());
}

}  // namespace
}  // namespace vernier::engine
