#include "vernier/plan/bind/derived.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using query::Denoise;

Result<void> check_denoise(const BoundStatistic& statistic) {
  if (statistic.inference.denoise == Denoise::none) return {};
  if (statistic.inference.of_population) {
    return invalid(
        "cannot be denoised and cover the population, since what is taken away is noise and not sampling error; leave "
        "out denoise or covers");
  }
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (statistic.measurements[i].aggregation && has_plain_noise(statistic, i)) return {};
  }
  if (!statistic.keys.are_public) {
    return invalid(
        "has no column that can be denoised: its groups were chosen by their number of units, and other columns are "
        "no counts and sums; declare the keys in the catalog, or leave out denoise");
  }
  return invalid(
      "has no column that can be denoised: only counts and sums with noise of their own can; ask for one in a "
      "statistic without means of the same values, or leave out denoise");
}

bool is_ranked(const Measurement& one) { return one.aggregation && is_in_ranks(one.figure); }

std::vector<std::string> group_names(const Keys& keys) {
  std::vector<std::string> names;
  for (const auto& cell : keys.cells) names.push_back(query::text_of(cell.front()));
  return names;
}

Result<void> check_group(const std::vector<std::string>& names, const std::string& group) {
  if (std::find(names.begin(), names.end(), group) != names.end()) return {};
  if (names.empty()) return invalid("has no groups, so that they have no differences; leave out differences");
  return invalid("has no group '" + group + "'" + suggestion(group, names) +
                 "; differences are of groups that the catalog declares, such as '" + names.front() + "'");
}

Result<void> check_differences(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  if (asked.differences.empty()) return {};
  if (statistic.query.keys.size() != 1) {
    return invalid("has " + std::to_string(statistic.query.keys.size()) +
                   " keys, but differences are of groups of one key; group by one, or leave out differences");
  }
  if (asked.is_simultaneous) {
    return invalid(
        "cannot have differences and simultaneous intervals, since those hold at once for its groups and not for their "
        "differences; leave out one of both, or make two statistics of it");
  }
  const auto& columns = statistic.query.aggregations;
  if (std::any_of(columns.begin(), columns.end(), [](const auto& one) { return one.name == "groups"; })) {
    return invalid("calls a column 'groups', as differences call their two groups; give it another name behind AS");
  }
  const auto& all = statistic.measurements;
  if (std::any_of(all.begin(), all.end(), is_ranked)) {
    return invalid(
        "has quantiles, whose ends are chosen for one confidence, so that their differences have none; ask for them in "
        "a statistic of their own");
  }
  if (!statistic.keys.are_public) return {};
  const std::vector<std::string> names = group_names(statistic.keys);
  for (const query::Difference& pair : asked.differences) {
    for (const std::string& group : pair) {
      if (const Result<void> found = check_group(names, group); !found) return found;
    }
  }
  return {};
}

}  // namespace

std::size_t measured_place(const BoundStatistic& statistic, std::size_t measurement) {
  return statistic.measurements[measurement].source.value_or(measurement);
}

bool has_plain_noise(const BoundStatistic& statistic, std::size_t measurement) {
  const std::size_t place = measured_place(statistic, measurement);
  return is_one_integer(measured_at(statistic, place)) && !is_key_count(measured_at(statistic, place));
}

Result<void> check_derived(const BoundStatistic& statistic) {
  return check_denoise(statistic).and_then([&] { return check_differences(statistic); });
}

// 1.46 and 1.28 are the most that a search over columns of two counts found, four cells each (denoise.md).
std::string denoise_warning(const BoundStatistic& statistic) {
  const Denoise asked = statistic.inference.denoise;
  if (asked == Denoise::none || asked == Denoise::consistent) return "";
  if (asked != Denoise::james_stein) {
    return std::string(
               "Denoised values are not proven to be nearer than the published ones, on average over the "
               "groups: they mostly are, but up to ") +
           (asked == Denoise::soft_threshold ? "1.5" : "1.3") +
           " times the squared error has been seen; james-stein is the safer choice.";
  }
  return "Denoised values are nearer than the published ones, on average over the groups, by a theorem of Stein: it is "
         "about Gaussian noise, and about values before they are moved into their intervals.";
}

namespace {

using query::Expression;

// A column of a statistic.
struct Member {
  std::size_t statistic;
  std::size_t measurement;
};

const query::Aggregation& aggregation_of(const BoundStatistic& statistic, std::size_t measurement) {
  return statistic.query.aggregations[*statistic.measurements[measurement].aggregation];
}

// COUNT and SUM of rows: what is counted once in a group is counted once in the whole. Units and values that differ are
// not.
bool can_add_up(const BoundStatistic& statistic, std::size_t measurement) {
  const Measurement& one = statistic.measurements[measurement];
  const bool is_asked = statistic.inference.denoise == query::Denoise::consistent && one.aggregation && !one.source;
  return is_asked && adds_up(measured_at(statistic, measurement));
}

bool has_same_rows(const BoundStatistic& a, const BoundStatistic& b) {
  return a.query.table == b.query.table && a.query.filter == b.query.filter && a.query.joins == b.query.joins &&
         a.query.made == b.query.made && a.query.per_unit == b.query.per_unit &&
         a.contribution.max_rows == b.contribution.max_rows;
}

bool is_same_column(const BoundStatistic& a, std::size_t i, const BoundStatistic& b, std::size_t j) {
  const query::Aggregation &left = aggregation_of(a, i), &right = aggregation_of(b, j);
  return left.aggregate == right.aggregate && left.argument == right.argument;
}

// One column at most of each statistic.
std::vector<Member> members_like(const std::vector<BoundStatistic>& all, Member first) {
  const BoundStatistic& mine = all[first.statistic];
  std::vector<Member> members;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!has_same_rows(mine, all[i])) continue;
    for (std::size_t j = 0; j < all[i].measurements.size(); ++j) {
      if (!can_add_up(all[i], j) || !is_same_column(mine, first.measurement, all[i], j)) continue;
      members.push_back({i, j});
      break;
    }
  }
  return members;
}

const query::Key* key_like(const query::Query& query, const Expression& expression) {
  const auto found = std::find_if(query.keys.begin(), query.keys.end(),
                                  [&](const query::Key& key) { return key.expression == expression; });
  return found == query.keys.end() ? nullptr : &*found;
}

bool groups_by_all(const query::Query& finest, const query::Query& other) {
  return std::all_of(other.keys.begin(), other.keys.end(),
                     [&](const query::Key& key) { return key_like(finest, key.expression) != nullptr; });
}

Result<void> check_names(const query::Query& finest, const query::Query& other) {
  for (const query::Key& key : other.keys) {
    const std::string& name = key_like(finest, key.expression)->name;
    if (name == key.name) continue;
    return invalid("calls the key '" + key.name + "' what another statistic calls '" + name +
                   "', but both are to add up; give it one name in both");
  }
  return {};
}

const query::Query& query_of(const std::vector<BoundStatistic>& all, Member member) {
  return all[member.statistic].query;
}

// That one of them has all keys of the others.
Result<void> check_members(const std::vector<BoundStatistic>& all, const std::vector<Member>& members) {
  const auto by_keys = [&](Member a, Member b) { return query_of(all, a).keys.size() < query_of(all, b).keys.size(); };
  const Member finest = *std::max_element(members.begin(), members.end(), by_keys);
  std::size_t groups = 0;
  for (const Member& one : members) {
    groups += all[one.statistic].keys.cells.size();
    if (!groups_by_all(query_of(all, finest), query_of(all, one))) {
      return invalid("is to add up with '" + all[finest.statistic].name + "' and '" + all[one.statistic].name +
                     "', but none of them is grouped by the keys of all; add a statistic that is");
    }
    const Result<void> checked = check_names(query_of(all, finest), query_of(all, one));
    if (!checked) return checked;
  }
  if (groups <= most_consistent_groups) return {};
  return invalid("is to add up with others over more than " + std::to_string(most_consistent_groups) +
                 " groups, which is more than is computed; take wider buckets or fewer keys");
}

std::int64_t next_family(const std::vector<BoundStatistic>& all) {
  std::int64_t greatest = 0;
  for (const BoundStatistic& statistic : all) {
    for (const Measurement& one : statistic.measurements) greatest = std::max(greatest, one.family.value_or(0));
  }
  return greatest + 1;
}

Result<void> bind_family(std::vector<BoundStatistic>& all, Member first) {
  if (all[first.statistic].measurements[first.measurement].family) return {};
  const std::vector<Member> members = members_like(all, first);
  const bool is_member = std::any_of(members.begin(), members.end(), [&](const Member& one) {
    return one.statistic == first.statistic && one.measurement == first.measurement;
  });
  if (!is_member || members.size() < 2) return {};
  if (const Result<void> checked = check_members(all, members); !checked) return checked;
  const std::int64_t family = next_family(all);
  for (const Member& one : members) all[one.statistic].measurements[one.measurement].family = family;
  return {};
}

}  // namespace

Result<void> bind_families(std::vector<BoundStatistic>& statistics, std::size_t place) {
  const BoundStatistic& statistic = statistics[place];
  if (statistic.inference.denoise != query::Denoise::consistent) return {};
  if (!statistic.keys.are_public) {
    return invalid(
        "has private keys, so that groups which are not published are missing from every sum; declare the keys in the "
        "catalog, or choose " +
        toml("denoise = \"least-risk\""));
  }
  if (statistic.inference.is_simultaneous) {
    return invalid(
        "cannot have consistent values and simultaneous intervals, since those of consistent values hold one by one; "
        "leave out one of both");
  }
  if (statistic.alpha) {
    return invalid(
        "cannot have consistent values and an alpha of its own, since numbers that add up have one confidence; leave "
        "out "
        "one of both");
  }
  bool has_family = false;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!can_add_up(statistic, i)) continue;
    if (const Result<void> bound = bind_family(statistics, {place, i}); !bound) return bound;
    has_family = has_family || statistic.measurements[i].family;
  }
  if (has_family) return {};
  return invalid("has no other statistic to add up with; one with " + toml("denoise = \"consistent\"") +
                 ", the same table, WHERE and max_rows, "
                 "the same COUNT or SUM and fewer or more keys is needed");
}

namespace {

Result<void> check_population(const BoundStatistic& statistic) {
  if (statistic.table.unit && statistic.contribution.max_rows != 1) {
    return invalid("asks for " + toml("covers = \"population\"") +
                   " with several rows of a unit, which are no independent draws; write " + toml("max_rows = 1") +
                   ", so that one row of each unit counts");
  }
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation) continue;
    const std::string fault = fault_for_population(measured_at(statistic, i));
    if (fault.empty()) continue;
    return invalid("asks for " + toml("covers = \"population\"") + ", but its column '" +
                   column_of(statistic, statistic.measurements[i]) + "' " + fault);
  }
  return {};
}

// Which groups are published tells how many of the members are there that they share, and these are no random sample of
// either: what holds given that one group is published does not hold given that all of them are.
Result<void> check_shared_members(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  const bool is_of_many = asked.is_simultaneous || !asked.differences.empty();
  if (!is_of_many || !asked.of_population || statistic.keys.are_public || statistic.contribution.max_groups == 1) {
    return {};
  }
  const std::string what = !asked.differences.empty()             ? "differences"
                           : statistic.query.selects_by_numbers() ? "a choice of groups by their numbers"
                                                                  : "intervals that hold at once";
  return invalid("asks for " + what + " of a population under private keys, in up to " +
                 std::to_string(statistic.contribution.max_groups) +
                 " of whose groups one member counts; that several groups are published tells of the members that they "
                 "share, so that no such interval is known; write max_groups = 1, or declare the keys in the catalog");
}

// How many groups there will be is not known before.
Result<void> check_simultaneous(const BoundStatistic& statistic) {
  if (statistic.keys.are_public) return {};
  for (const Measurement& one : statistic.measurements) {
    const bool has_quantile = has_histogram(one.kind);
    if (!has_quantile && !one.target) continue;
    return invalid(
        "asks for simultaneous intervals of private keys, of which nobody knows how many there will be: its "
        "column '" +
        column_of(statistic, one) + "' " +
        (has_quantile ? "is a quantile, whose ends are chosen for a known number of groups"
                      : "cannot be promised an accuracy") +
        "; declare the keys in the catalog, or leave simultaneous out");
  }
  return {};
}

}  // namespace

Result<void> check_inference(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  if (asked.of_population) {
    if (const Result<void> checked = check_population(statistic); !checked) return checked;
  }
  if (asked.is_simultaneous) {
    if (const Result<void> checked = check_simultaneous(statistic); !checked) return checked;
  }
  if (const Result<void> checked = check_shared_members(statistic); !checked) return checked;
  return check_derived(statistic);
}

}  // namespace vernier::plan
