#include "vernier/plan/bind/ways.hpp"

#include <algorithm>
#include <set>

#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Aggregation;

constexpr std::size_t most_cells = 100'000;  // statistics with more groups are measured in the usual way
constexpr std::size_t most_arguments = 4;    // that are looked at one by one

// The published columns of measurements like this.
template <class IsWanted>
std::vector<std::string> columns(const BoundStatistic& statistic, const IsWanted& is_wanted) {
  std::vector<std::string> names;
  for (const Measurement& one : statistic.measurements) {
    if (one.aggregation && is_wanted(one)) names.push_back(column_of(statistic, one));
  }
  return names;
}

void add(std::vector<Way>& ways, std::vector<std::string> apart) {
  const auto is_same = [&](const Way& other) { return other.apart == apart && !other.rows_by && !other.is_boxed; };
  if (!apart.empty() && std::none_of(ways.begin(), ways.end(), is_same)) ways.push_back({std::move(apart), {}, false});
}

// Counts, sums and means that share node sums, of those that are wanted: all of a kind, or several kinds, by
// themselves.
template <class IsWanted>
void add_kinds(std::vector<Way>& ways, const BoundStatistic& statistic, const IsWanted& is_wanted) {
  const auto is_count = [&](const Measurement& one) { return is_wanted(one) && one.figure == Figure::count; };
  const auto is_sum = [&](const Measurement& one) { return is_wanted(one) && one.figure == Figure::sum; };
  const auto is_mean = [&](const Measurement& one) {
    return is_wanted(one) && one.figure == Figure::mean && one.kind == Moments::kind;
  };
  add(ways, columns(statistic, is_count));
  add(ways, columns(statistic, is_sum));
  add(ways, columns(statistic, is_mean));
  add(ways, columns(statistic, [&](const Measurement& one) { return is_count(one) || is_sum(one); }));
  add(ways, columns(statistic, [&](const Measurement& one) { return is_count(one) || is_mean(one); }));
  add(ways, columns(statistic, [&](const Measurement& one) { return is_count(one) || is_sum(one) || is_mean(one); }));
}

// Of all arguments together, and where there are a few, of each by itself.
void add_without_nodes(std::vector<Way>& ways, const BoundStatistic& statistic) {
  const auto shares = [&](const Measurement& one) {
    return has_nodes(one.kind) &&
           std::any_of(statistic.measurements.begin(), statistic.measurements.end(), [&](const Measurement& other) {
             return &other != &one && other.kind == one.kind && other.tallies == one.tallies;
           });
  };
  add_kinds(ways, statistic, shares);
  std::set<std::vector<std::size_t>> arguments;
  for (const Measurement& one : statistic.measurements) {
    if (shares(one)) arguments.insert(one.tallies);
  }
  if (arguments.size() < 2 || arguments.size() > most_arguments) return;
  for (const std::vector<std::size_t>& tallies : arguments) {
    add_kinds(ways, statistic, [&](const Measurement& one) { return shares(one) && one.tallies == tallies; });
  }
}

// What a relation would measure as well, by itself.
void add_without_pairs(std::vector<Way>& ways, const BoundStatistic& statistic) {
  add(ways, columns(statistic, [&](const Measurement& one) {
        const Aggregate asked = statistic.query.aggregations[*one.aggregation].aggregate;
        return one.kind == Pair::kind && !query::facts_of(asked).takes_pair;
      }));
}

// Quantiles by choices in place of a tree: all of them, or those that are wanted most accurately.
void add_without_trees(std::vector<Way>& ways, const BoundStatistic& statistic) {
  const auto is_of_tree = [](const Measurement& one) { return one.kind == QuantileTree::kind; };
  std::optional<numeric::Rational> least;
  for (const Measurement& one : statistic.measurements) {
    if (is_of_tree(one) && one.target && (!least || *one.target < *least)) least = one.target;
  }
  add(ways, columns(statistic, is_of_tree));
  if (!least) return;
  const numeric::Rational twice = *least * numeric::Rational::of(2);
  add(ways, columns(statistic,
                    [&](const Measurement& one) { return is_of_tree(one) && one.target && *one.target <= twice; }));
}

bool is_averaged(const Aggregation& one) {
  return one.aggregate == Aggregate::average ||
         (one.aggregate >= Aggregate::variance_sample && one.aggregate <= Aggregate::deviation_population);
}

// The number by which private keys are chosen stays what it is.
bool counts_rows_apart(const BoundStatistic& statistic) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(), [&](const Measurement& one) {
    return one.kind == Count::kind && one.aggregation &&
           statistic.query.aggregations[*one.aggregation].aggregate == Aggregate::count_rows;
  });
}

// Rows counted by the node sums of a mean that has no NULL.
void add_rows_by_nodes(std::vector<Way>& ways, const BoundStatistic& statistic) {
  if (statistic.weighted || rests_on_public_count(statistic) || !counts_rows_apart(statistic)) return;
  for (const Aggregation& one : statistic.query.aggregations) {
    if (!is_averaged(one) || !has_no_null(*one.argument, statistic.table)) continue;
    const std::string text = query::canonical(*one.argument);
    const auto is_same = [&](const Way& other) { return other.rows_by == text; };
    if (std::none_of(ways.begin(), ways.end(), is_same)) ways.push_back({{}, text, false});
  }
}

}  // namespace

bool is_apart(const BoundStatistic& statistic, std::string_view name) {
  return std::find(statistic.apart.begin(), statistic.apart.end(), name) != statistic.apart.end();
}

std::vector<Way> ways_beside(const BoundStatistic& statistic) {
  std::vector<Way> ways;
  const bool is_adding_up = statistic.inference.denoise == query::Denoise::consistent;
  if (statistic.inference.of_population || is_adding_up || statistic.keys.cells.size() > most_cells) return ways;
  add_rows_by_nodes(ways, statistic);
  add_without_nodes(ways, statistic);
  add_without_trees(ways, statistic);
  add_without_pairs(ways, statistic);
  if (!rests_on_public_count(statistic) && can_be_boxed(statistic)) ways.push_back({{}, {}, true});
  return ways;
}

}  // namespace vernier::plan
