#include <gtest/gtest.h>

#include "bytes/byte_session.hpp"
#include "support/moved_contrasts.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/query/duckdb/sql.hpp"

// Tables that add up, of files and rows of which one record holds any bytes: no statement fails for it, no other row is
// read otherwise, and contrasts are apart by exactly the moves that are charged, or not at all.
namespace vernier::bytes {
namespace {

using numeric::Rational;

std::string list_of(const std::vector<std::string>& units) {
  std::string list;
  for (const std::string& unit : units) list.append(list.empty() ? "" : ", ").append(unit);
  return list;
}

// Over columns that read the odd cells; those that a binder refuses are left out.
std::vector<query::TableSet> asked_of(const Shape& shape) {
  std::vector<query::TableSet> sets;
  const std::vector<std::vector<std::string>> columns = {{"k", "BUCKET(n, 4) AS n"},
                                                         {"k", "x IS NULL AS odd"},
                                                         {"COALESCE(k, 'none') AS k", "x = y AS same"},
                                                         {"x", "k"},
                                                         {"y", "BUCKET(n, 4) AS n"}};
  for (const auto& one : columns) {
    for (const bool is_clean : {false, true}) {
      query::TableSet set{.name = "s", .from = "t", .columns = one, .up_to = 2, .weight = Rational::of(1)};
      if (is_clean) set.where = "id IN (" + list_of(shape.units) + ")";
      sets.push_back(std::move(set));
    }
  }
  return sets;
}

std::optional<plan::BoundTables> bound(const query::TableSet& set, const query::Catalog& catalog) {
  const Result<query::Query> query = query::read_query(set.statement(), catalog);
  if (!query) return std::nullopt;
  const query::Study study{"study.toml", "catalog.toml", Rational::of_decimal("0.05").value(), {}, {}, {set}};
  Result<plan::BoundStudy> made = plan::bind(study, catalog, {}, {*query});
  if (!made) return std::nullopt;
  return std::move(made->tables.front());
}

class TableComparison {
 public:
  TableComparison(ByteSession& session, const PlacedShape& placed, std::uint64_t number)
      : session_(session), placed_(placed), number_(number) {}

  int compare() {
    if (!placed_.refused[0].empty() || is_replaced(placed_.shape.table)) return 0;
    for (const query::TableSet& set : asked_of(placed_.shape)) {
      if (const auto tables = bound(set, placed_.catalog)) compare(set, *tables);
    }
    return compared_;
  }

 private:
  void compare(const query::TableSet& set, const plan::BoundTables& tables) {
    const auto base = contrasts(tables, 0);
    ASSERT_TRUE(base) << place(set, 0);
    const table::Laws laws = testing::distinct_laws(*tables.lattice);
    const testing::Moves charged = testing::charged_moves(*tables.lattice, laws);
    for (std::size_t i = 1; i < placed_.tables.size(); ++i) {
      if (!placed_.refused[i].empty()) continue;
      const auto odd = contrasts(tables, i);
      ASSERT_TRUE(odd) << place(set, i) << ": a statement fails";
      const testing::Moves found = testing::found_moves(laws, *base, *odd);
      EXPECT_TRUE(found.empty() || (found == charged && !set.where)) << place(set, i);
      ++compared_;
    }
  }

  std::optional<table::Exact> contrasts(const plan::BoundTables& tables, std::size_t i) {
    plan::BoundStatistic counted = tables.counted;
    counted.table = placed_.tables[i];
    auto raw = session_.engine().run(plan::render(counted, plan::fastest_form(counted)), {17, -4}, nobody_watches);
    if (!raw) return std::nullopt;
    return testing::contrasts_of(tables, *std::move(raw));
  }

  std::string place(const query::TableSet& set, std::size_t i) const {
    return "shape " + std::to_string(number_) + ", table " + std::to_string(i) + ": " + set.statement();
  }

  ByteSession& session_;
  const PlacedShape& placed_;
  std::uint64_t number_;
  int compared_ = 0;
};

void expect_one_record(Shape (*shape)(std::uint64_t), std::uint64_t first, std::size_t shapes, int least) {
  std::vector<Shape> drawn;
  for (std::size_t i = 0; i < shapes; ++i) drawn.push_back(shape(first + i));
  ByteSession session(std::move(drawn));
  ASSERT_EQ(session.failure(), "");
  int compared = 0;
  for (std::size_t i = 0; i < shapes; ++i)
    compared += TableComparison(session, session.shapes()[i], first + i).compare();
  EXPECT_GE(compared, least);
}

TEST(SlowOddBytesInTables, AreOneRecordOfCsv) { expect_one_record(csv_shape, 6'000'000, 24, 300); }
TEST(SlowOddBytesInTables, AreOneRecordOfParquet) { expect_one_record(parquet_shape, 6'000'000, 24, 300); }
TEST(SlowOddBytesInTables, AreOneRecordOfArrow) { expect_one_record(arrow_shape, 6'000'000, 24, 200); }
TEST(SlowOddBytesInTables, AreOneRecordOfJson) { expect_one_record(json_shape, 6'000'000, 8, 60); }

// 8,640 tables.
TEST(HeavyOddBytesInTables, AreOneRecordOfEverySource) {
  for (std::uint64_t part = 1; part <= 10; ++part) {
    for (Shape (*const shape)(std::uint64_t) : {csv_shape, parquet_shape, arrow_shape, json_shape})
      expect_one_record(shape, 6'000'000 + 24 * part, 24, 100);
  }
}

}  // namespace
}  // namespace vernier::bytes
