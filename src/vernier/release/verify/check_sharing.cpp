#include <algorithm>
#include <map>

#include "vernier/plan/bind/sharing.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/derived/derived.hpp"
#include "vernier/release/verify/examination.hpp"

// What is paid for once though it is published twice: integers that are copied, and measurements of rows that exclude
// each other. Which expressions and rows a statement names, only the statement says.
namespace vernier::release {
namespace {

using plan::BoundStatistic;
using plan::Measurement;
using plan::PlaceOf;

struct At {
  std::size_t statistic;
  std::size_t measurement;
};

PlaceOf place(const Examination& all, const At& at) { return {all.study.statistics[at.statistic], at.measurement}; }

const plan::Law& law(const Examination& all, const At& at) {
  return all.record.plan.statistics[at.statistic].noise[at.measurement].law;
}

bool has_same_law(const Examination& all, const At& a, const At& b) {
  return plan::name_of(law(all, a)) == plan::name_of(law(all, b)) &&
         plan::scale_of(law(all, a)) == plan::scale_of(law(all, b));
}

// It was drawn before, by itself.
bool is_drawn_before(const Examination& all, const plan::Copied& from, const At& here) {
  const bool is_before =
      from.statistic < here.statistic || (from.statistic == here.statistic && from.measurement < here.measurement);
  if (!is_before || from.measurement >= all.study.statistics[from.statistic].measurements.size()) return false;
  const Measurement& drawn = all.study.statistics[from.statistic].measurements[from.measurement];
  return !drawn.source && !drawn.copied;
}

bool has_same_limits(const BoundStatistic& a, const BoundStatistic& b) {
  return a.table.name == b.table.name && a.keys.are_public == b.keys.are_public &&
         a.contribution.max_groups == b.contribution.max_groups && a.contribution.max_rows == b.contribution.max_rows &&
         a.query.keys.size() == b.query.keys.size();
}

bool is_named_so(const Examination& all, const plan::Copied& from) {
  const BoundStatistic& statistic = all.study.statistics[from.statistic];
  return from.name == statistic.name &&
         from.column == plan::column_of(statistic, statistic.measurements[from.measurement]);
}

// Row by row, by their keys.
bool has_same_integers(const Examination& all, const At& a, const At& b) {
  const std::vector<Row>&mine = all.record.tables[b.statistic].rows, &theirs = all.record.tables[a.statistic].rows;
  const NoisyColumn from = noisy_column(all.study.statistics[a.statistic], a.measurement);
  const NoisyColumn own = noisy_column(all.study.statistics[b.statistic], b.measurement);
  std::map<std::vector<query::Value>, const Row*> by_key;
  for (const Row& row : theirs) by_key.emplace(row.keys, &row);
  if (mine.size() != by_key.size()) return false;
  return std::all_of(mine.begin(), mine.end(), [&](const Row& row) {
    const auto found = by_key.find(row.keys);
    if (found == by_key.end()) return false;
    const auto x = from.of(*found->second), y = own.of(row);
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  });
}

Result<void> check_copy(const Examination& all, const At& here) {
  const PlaceOf mine = place(all, here);
  const plan::Copied& from = *mine.one().copied;
  const std::string where = place_of(mine.statistic, mine.one());
  if (!is_drawn_before(all, from, here)) return differs(where, "what it is copied from", "given", "drawn before it");
  const At there{from.statistic, from.measurement};
  const PlaceOf theirs = place(all, there);
  if (!is_named_so(all, from)) return differs(where, "name of what it is copied from", from.name, "that of the record");
  if (!has_same_limits(theirs.statistic, mine.statistic) || !plan::is_alike(theirs, mine, all.study.alpha) ||
      !has_same_law(all, there, here)) {
    return differs(where, "what it is copied from", "given", "a measurement like it");
  }
  if (!has_same_integers(all, there, here)) {
    return differs(where, "noisy integers", "of its own", "those that it is copied from");
  }
  return {};
}

// No row is in two of them, and they are alike in all that is charged.
Result<void> check_pair(const Examination& all, const At& a, const At& b) {
  const PlaceOf first = place(all, a), second = place(all, b);
  const std::string where = place_of(second.statistic, second.one());
  const bool is_alike = first.statistic.table.name == second.statistic.table.name &&
                        plan::can_be_parallel(first, second) && has_same_law(all, a, b);
  if (!is_alike) return differs(where, "what it is charged with", "given", "a measurement like it");
  if (query::exclude_each_other(first.statistic.within, second.statistic.within)) return {};
  return differs(where, "rows that exclude those of '" + first.statistic.name + "'", "stated",
                 "proved by what both are within");
}

Result<void> check_parallel(const Examination& all, const std::vector<At>& members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const PlaceOf one = place(all, members[i]);
    if (one.one().source || one.one().copied) {
      return differs(place_of(one.statistic, one.one()), "what it is charged with", "given", "none of what is shared");
    }
    for (std::size_t j = 0; j < i; ++j) {
      VERNIER_TRY(check_pair(all, members[j], members[i]));
    }
  }
  return {};
}

}  // namespace

Finding check_sharing(Examination& all) {
  std::int64_t count = 0;
  std::map<std::int64_t, std::vector<At>> parallel;
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    for (std::size_t j = 0; j < all.study.statistics[i].measurements.size(); ++j) {
      const Measurement& one = all.study.statistics[i].measurements[j];
      if (one.parallel) parallel[*one.parallel].push_back({i, j});
      if (!one.copied) continue;
      if (one.source) return differs(place_of(all.study.statistics[i], one), "copy", "given", "left out");
      VERNIER_TRY(check_copy(all, {i, j}));
      ++count;
    }
  }
  for (const auto& [number, members] : parallel) {
    VERNIER_TRY(check_parallel(all, members));
    count += static_cast<std::int64_t>(members.size());
  }
  return count;
}

}  // namespace vernier::release
