#include <algorithm>
#include <tuple>

#include "vernier/core/hash.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/verify/examination.hpp"

// Whether the plan whose hash the ledger has is the one that the record states: its text is made from the record by the
// description that made it; and whether the engine was asked for what the columns are made from. Which expression an
// argument is of, only the statement says.
namespace vernier::release {
namespace {

using plan::Argument;
using plan::BoundStatistic;
using plan::Measurement;

// What an argument makes of a row, without the expression.
bool has_same_grid(const Argument& a, const Argument& b) {
  const auto times = [](const Argument& one) { return one.weight ? std::optional(one.weight->total) : std::nullopt; };
  return a.granularity == b.granularity && a.origin == b.origin && a.steps.lower == b.steps.lower &&
         a.steps.upper == b.steps.upper && a.is_number == b.is_number && a.is_value == b.is_value &&
         a.square == b.square && times(a) == times(b);
}

// Goes through the measurements as bind does, which numbers everything at its first use: whether the engine is asked
// for exactly what they are made from.
class EngineWalk {
 public:
  explicit EngineWalk(const BoundStatistic& statistic) : statistic_(statistic) {}

  bool takes(std::size_t place) {
    const Measurement& one = statistic_.measurements[place];
    const plan::Brought brought = plan::brought_by(plan::measured_at(statistic_, place));
    std::vector<std::optional<std::size_t>> places(brought.arguments.size());
    const bool is_told = plan::has_histogram(one.kind) ? has_histogram(one, places) : has_tallies(one, brought, places);
    return is_told && has_arguments(brought, places) && has_numbers(one);
  }

  bool has_seen_all() const {
    return tallies_ == statistic_.tallies.size() && histograms_ == statistic_.histograms.size() &&
           arguments_ == statistic_.arguments.size();
  }

 private:
  using Places = std::vector<std::optional<std::size_t>>;

  // The same argument wherever it is needed.
  static bool is_place(std::optional<std::size_t>& place, std::size_t stated) {
    return *(place = place.value_or(stated)) == stated;
  }

  bool has_tallies(const Measurement& one, const plan::Brought& brought, Places& places) const {
    if (one.tallies.size() != brought.tallies.size()) return false;
    for (std::size_t i = 0; i < one.tallies.size(); ++i) {
      if (one.tallies[i] >= statistic_.tallies.size()) return false;
      const plan::Tally& stated = statistic_.tallies[one.tallies[i]];
      const auto& [kind, argument] = brought.tallies[i];
      if (stated.kind != kind) return false;
      if (argument ? !is_place(places[*argument], stated.argument) : stated.argument != 0) return false;
    }
    return true;
  }

  bool has_histogram(const Measurement& one, Places& places) const {
    if (one.tallies.size() != 1 || one.tallies[0] >= statistic_.histograms.size()) return false;
    const plan::Histogram& stated = statistic_.histograms[one.tallies[0]];
    const auto grid = plan::rank_grid(one);
    if (!grid || stated.halvings != grid->halvings() || stated.weight.has_value() != (places.size() == 2)) return false;
    places[0] = stated.argument;
    if (stated.weight) places[1] = stated.weight;
    return true;
  }

  bool has_arguments(const plan::Brought& brought, const Places& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i] || !is_next(arguments_, *places[i], statistic_.arguments.size())) return false;
      if (!has_same_grid(statistic_.arguments[*places[i]], brought.arguments[i])) return false;
    }
    return true;
  }

  bool has_numbers(const Measurement& one) {
    const bool is_ranked = plan::has_histogram(one.kind);
    std::size_t& seen = is_ranked ? histograms_ : tallies_;
    const std::size_t size = is_ranked ? statistic_.histograms.size() : statistic_.tallies.size();
    return std::all_of(one.tallies.begin(), one.tallies.end(), [&](std::size_t i) { return is_next(seen, i, size); });
  }

  // One that was there before, or the next one.
  static bool is_next(std::size_t& seen, std::size_t place, std::size_t size) {
    if (place > seen || place >= size) return false;
    seen += place == seen ? 1 : 0;
    return true;
  }

  const BoundStatistic& statistic_;
  std::size_t arguments_ = 0, tallies_ = 0, histograms_ = 0;
};

template <class List, class Same>
bool has_none_twice(const List& list, const Same& same) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same(i, j)) return false;
    }
  }
  return true;
}

bool has_nothing_twice(const BoundStatistic& statistic, const plan::EngineTexts& texts) {
  const auto& [arguments, tallies, histograms] = std::tie(statistic.arguments, statistic.tallies, statistic.histograms);
  return has_none_twice(tallies, [&](auto i, auto j) { return tallies[i] == tallies[j]; }) &&
         has_none_twice(histograms, [&](auto i, auto j) { return histograms[i] == histograms[j]; }) &&
         has_none_twice(arguments, [&](auto i, auto j) {
           return texts.arguments[i] == texts.arguments[j] && has_same_grid(arguments[i], arguments[j]);
         });
}

Result<void> check_engine(const BoundStatistic& statistic, const plan::EngineTexts& texts) {
  EngineWalk walk(statistic);
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!walk.takes(i)) {
      return differs(place_of(statistic, statistic.measurements[i]), "tallies and grid", "of its values",
                     "those that the engine is asked for");
    }
  }
  if (walk.has_seen_all() && has_nothing_twice(statistic, texts)) return {};
  return differs(place_of(statistic), "what the engine is asked for", "as it is stated",
                 "what its columns are made from, each once");
}

}  // namespace

Finding check_plan(Examination& all) {
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    VERNIER_TRY(check_engine(all.study.statistics[i], all.record.texts[i]));
  }
  VERNIER_TRY(const std::string hash, sha256(plan::canonical(all.record.plan, all.record.texts)));
  if (hash != all.record.plan_hash) return differs("plan", "hash", all.record.plan_hash, hash);
  return 1;
}

}  // namespace vernier::release
