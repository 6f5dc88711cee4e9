#include <iostream>

#include <gtest/gtest.h>

#include "bytes/byte_session.hpp"
#include "bytes/clauses.hpp"
#include "bytes/findings.hpp"
#include "support/recorder.hpp"
#include "twin/difference.hpp"
#include "vernier/plan/render/sql.hpp"

// The byte-level twin: whatever bytes one record holds, it is one unit's. No statement fails for it, no other row is
// read otherwise, and how many rows there are does not depend on what else is asked.
namespace vernier::bytes {
namespace {

using engine::RawAggregates;
using engine::RawGroup;
using Run = Result<RawAggregates>;

constexpr engine::Secret secret = {17, -4};

// The statements of one shape over its tables.
class Comparison {
 public:
  Comparison(ByteSession& session, const PlacedShape& placed, std::uint64_t number, Findings& findings)
      : session_(session), placed_(placed), number_(number), findings_(findings) {
    for (const std::string& mode : placed.shape.modes) findings.met(mode);
    for (const OddTable& odd : placed.shape.odd) findings.met(odd.oddity);
  }

  void run() {
    for (std::size_t i = 1; i < placed_.tables.size(); ++i) {
      if (placed_.refused[i] != placed_.refused[0])
        found(i, "the schema is taken by one and refused by the other", placed_.refused[i]);
    }
    if (!placed_.refused[0].empty()) return findings_.met("(refused)");
    for (std::size_t i = 0; i < placed_.tables.size(); ++i) {
      if (placed_.refused[i].empty() && !session_.engine().look_through(placed_.tables[i].name, nobody_watches))
        found(i, "the file cannot be looked through", "");
    }
    Draw draw(number_);
    std::vector<Clause> clauses = drawn_clauses(draw, placed_.shape, placed_.catalog);
    std::vector<Counts> counts(placed_.tables.size());
    for (Clause& clause : clauses) compare(clause, counts);
    for (std::size_t i = 0; i < counts.size(); ++i) check_counts(i, counts[i], counts[0]);
  }

 private:
  // Of one table: what its statements say of the number of its rows.
  struct Counts {
    std::vector<std::int64_t> all;
    std::int64_t in_parts = 0;
  };

  void compare(Clause& clause, std::vector<Counts>& counts) {
    const Run base = answer(clause, 0);
    if (!base) return found(0, "a statement fails without the record", clause.sql);
    count(clause, *base, counts[0]);
    for (std::size_t i = 1; i < placed_.tables.size(); ++i) {
      if (!placed_.refused[i].empty()) continue;
      const Run odd = answer(clause, i);
      if (!odd) {
        found(i, "a statement fails", clause.sql);
        continue;
      }
      count(clause, *odd, counts[i]);
      compare(clause, i, *base, *odd);
    }
  }

  Run answer(Clause& clause, std::size_t i) {
    clause.bound.table = placed_.tables[i];
    return session_.engine().run(plan::render(clause.bound, clause.form), secret, nobody_watches);
  }

  void compare(const Clause& clause, std::size_t i, const RawAggregates& base, const RawAggregates& odd) {
    if (clause.compare == Compare::equal && !are_equal(base, odd))
      found(i, "other rows are read otherwise", clause.sql);
    for (const plan::Measurement& measurement : clause.bound.measurements) {
      if (!passed(twin::difference({clause.bound, measurement, 0}, base, odd), measurement.sensitivity).empty())
        found(i, "more is moved than a record may", clause.sql);
    }
  }

  static bool are_equal(const RawAggregates& base, const RawAggregates& odd) {
    const std::vector<RawGroup> a = testing::Recorder::sorted(base), b = testing::Recorder::sorted(odd);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RawGroup& one, const RawGroup& other) {
      return one.cell == other.cell && one.keys == other.keys && one.tallies == other.tallies &&
             one.histograms == other.histograms;
    });
  }

  void count(const Clause& clause, const RawAggregates& raw, Counts& counts) const {
    std::int64_t rows = 0;
    const std::size_t tally = clause.bound.measurements.front().tallies.front();
    for (const RawGroup& group : testing::Recorder::groups(raw)) rows += group.tallies[tally];
    if (clause.compare == Compare::all_rows) counts.all.push_back(rows);
    if (clause.compare == Compare::in_part) counts.in_parts += rows;
  }

  void check_counts(std::size_t i, const Counts& counts, const Counts& base) {
    if (!placed_.refused[i].empty() || counts.all.empty()) return;
    for (const std::int64_t all : counts.all) {
      if (all != counts.all.front()) found(i, "the number of rows depends on what is read", "");
    }
    if (counts.in_parts != counts.all.front()) found(i, "rows are lost or doubled by conditions", "");
    if (placed_.shape.table.public_count && counts.all.front() != base.all.front())
      found(i, "the public number of rows depends on the record", "");
  }

  void found(std::size_t i, const std::string& what, const std::string& where) {
    const std::string oddity = i == 0 ? "no odd record" : placed_.shape.odd[i - 1].oddity;
    std::string modes;
    for (const std::string& mode : placed_.shape.modes) modes += mode + "; ";
    findings_.found(what + " (" + oddity + ")", "shape " + std::to_string(number_) + ", table " + std::to_string(i) +
                                                    ": " + where + " [" + modes + "]");
  }

  ByteSession& session_;
  const PlacedShape& placed_;
  std::uint64_t number_;
  Findings& findings_;
};

struct Source {
  const char* name;
  Shape (*shape)(std::uint64_t number);
  std::vector<std::string> (*modes)();
};

// Shapes of numbers from `first` on, a few at a time in one engine.
Findings compared(const Source& source, std::uint64_t first, std::size_t count) {
  constexpr std::size_t together = 12;
  Findings findings;
  for (std::size_t done = 0; done < count; done += together) {
    std::vector<Shape> shapes;
    for (std::size_t i = done; i < std::min(done + together, count); ++i) shapes.push_back(source.shape(first + i));
    ByteSession session(std::move(shapes));
    if (!session.failure().empty()) {
      findings.found("tables cannot be opened", std::to_string(first + done) + session.failure());
      continue;
    }
    for (std::size_t i = 0; i < session.shapes().size(); ++i)
      Comparison(session, session.shapes()[i], first + done + i, findings).run();
  }
  return findings;
}

void expect_no_finding(const Source& source, std::uint64_t part, std::size_t shapes) {
  const Findings findings = compared(source, part * shapes, shapes);
  std::cout << shapes * odd_tables << " tables of " << source.name << ": " << findings.text() << "\n";
  findings.expect_none(source.modes());
}

// Parts of a run, each of which meets all modes: with 9 odd tables of each shape there are 5,400 in the usual one.
constexpr std::size_t csv_shapes = 124, json_shapes = 42, parquet_shapes = 79, arrow_shapes = 73;

class OddBytes : public ::testing::TestWithParam<std::uint64_t> {};
using OddBytesInCsv = OddBytes;
using OddBytesInJson = OddBytes;
using OddBytesInParquet = OddBytes;
using OddBytesInArrow = OddBytes;

TEST_P(OddBytesInCsv, AreOneRecords) { expect_no_finding({"CSV", csv_shape, csv_modes}, GetParam(), csv_shapes); }
TEST_P(OddBytesInJson, AreOneRecords) { expect_no_finding({"JSON", json_shape, json_modes}, GetParam(), json_shapes); }
TEST_P(OddBytesInParquet, AreOneRecords) {
  expect_no_finding({"Parquet", parquet_shape, parquet_modes}, GetParam(), parquet_shapes);
}
TEST_P(OddBytesInArrow, AreOneRecords) {
  expect_no_finding({"Arrow", arrow_shape, arrow_modes}, GetParam(), arrow_shapes);
}

INSTANTIATE_TEST_SUITE_P(Slow, OddBytesInCsv, ::testing::Range<std::uint64_t>(0, 2));
INSTANTIATE_TEST_SUITE_P(Slow, OddBytesInJson, ::testing::Range<std::uint64_t>(0, 1));
INSTANTIATE_TEST_SUITE_P(Slow, OddBytesInParquet, ::testing::Range<std::uint64_t>(0, 3));
INSTANTIATE_TEST_SUITE_P(Slow, OddBytesInArrow, ::testing::Range<std::uint64_t>(0, 1));
INSTANTIATE_TEST_SUITE_P(Heavy, OddBytesInCsv, ::testing::Range<std::uint64_t>(2, 40));
INSTANTIATE_TEST_SUITE_P(Heavy, OddBytesInJson, ::testing::Range<std::uint64_t>(1, 40));
INSTANTIATE_TEST_SUITE_P(Heavy, OddBytesInParquet, ::testing::Range<std::uint64_t>(3, 60));
INSTANTIATE_TEST_SUITE_P(Heavy, OddBytesInArrow, ::testing::Range<std::uint64_t>(1, 20));

}  // namespace
}  // namespace vernier::bytes
