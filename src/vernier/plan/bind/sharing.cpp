#include "vernier/plan/bind/sharing.hpp"

#include <algorithm>
#include <map>

#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

// What statistics with the same rows agree in, as a text by which they are found; has_same_rows decides.
std::string rows_text(const BoundStatistic& statistic) {
  std::string text = statistic.query.table + "\n" + std::to_string(statistic.contribution.max_groups) + " " +
                     std::to_string(statistic.contribution.max_rows) + "\n";
  for (const query::Join& join : statistic.query.joins) text += join.table + "\n";
  if (statistic.query.filter) text += query::canonical(*statistic.query.filter);
  for (const query::Key& key : statistic.query.keys) text += "\n" + query::canonical(key.expression);
  return text;
}

bool has_same_keys(const query::Query& a, const query::Query& b) {
  return std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                    [](const query::Key& x, const query::Key& y) { return x.expression == y.expression; });
}

// The same rows of the same units in the same groups: everything that decides it is a function of these.
bool has_same_rows(const BoundStatistic& a, const BoundStatistic& b) {
  return a.query.table == b.query.table && a.query.filter == b.query.filter && a.query.joins == b.query.joins &&
         a.query.made == b.query.made && a.query.per_unit == b.query.per_unit && has_same_keys(a.query, b.query) &&
         a.keys.are_public == b.keys.are_public && a.contribution.max_groups == b.contribution.max_groups &&
         a.contribution.max_rows == b.contribution.max_rows && a.weighted.has_value() == b.weighted.has_value();
}

bool is_same(const Argument& a, const Argument& b) {
  return a.is_number == b.is_number && a.is_value == b.is_value && a.granularity == b.granularity &&
         a.origin == b.origin && a.steps.lower == b.steps.lower && a.steps.upper == b.steps.upper &&
         a.square == b.square && a.weight == b.weight && a.expression == b.expression;
}

bool is_same_tally(const BoundStatistic& a, std::size_t i, const BoundStatistic& b, std::size_t j) {
  const Tally &left = a.tallies[i], &right = b.tallies[j];
  if (left.kind != right.kind) return false;
  if (left.kind == TallyKind::units || left.kind == TallyKind::rows) return true;
  if (left.kind == TallyKind::sum && halvings_of(a, left.argument) < halvings_of(b, right.argument)) return false;
  return is_same(a.arguments[left.argument], b.arguments[right.argument]);
}

bool is_same_histogram(const BoundStatistic& a, std::size_t i, const BoundStatistic& b, std::size_t j) {
  const Histogram &left = a.histograms[i], &right = b.histograms[j];
  return left.halvings == right.halvings && !left.weight && !right.weight &&
         is_same(a.arguments[left.argument], b.arguments[right.argument]);
}

// COUNT(*), or COUNT(DISTINCT unit).
bool counts_rows_or_units(const PlaceOf& at) {
  if (at.one().kind == Units::kind) return true;
  if (at.one().kind != Count::kind || at.statistic.weighted) return false;
  const std::vector<std::size_t>& tallies = at.one().tallies;
  return tallies.size() == 1 && tallies[0] < at.statistic.tallies.size() &&
         at.statistic.tallies[tallies[0]].kind == TallyKind::rows;
}

// Of a unit one row counts, so that rows are units.
bool counts_the_same(const PlaceOf& a, const PlaceOf& b) {
  const bool has_one_row = a.statistic.table.unit && a.statistic.contribution.max_rows == 1;
  return has_one_row && counts_rows_or_units(a) && counts_rows_or_units(b);
}

// What the engine brings for them: of sums, those of `a` are as fine as `b` needs them.
bool is_brought_the_same(const PlaceOf& a, const PlaceOf& b) {
  if (a.one().kind != b.one().kind) return counts_the_same(a, b);
  if (a.one().tallies.size() != b.one().tallies.size()) return false;
  const auto is_equal = has_histogram(a.one().kind) ? is_same_histogram : is_same_tally;
  for (std::size_t i = 0; i < a.one().tallies.size(); ++i) {
    if (!is_equal(a.statistic, a.one().tallies[i], b.statistic, b.one().tallies[i])) return false;
  }
  return true;
}

// Columns that are made to add up are taken to have noise of their own.
bool may_be_copied(const Measurement& one) { return !one.source && !one.family; }

// What is denoised, or tells of a population, is taken to have the noise that was planned: not that of the number by
// which private keys were chosen.
bool may_be_key_count(const PlaceOf& here) {
  const query::Inference& asked = here.statistic.inference;
  return here.measurement == 0 || (asked.denoise == query::Denoise::none && !asked.of_population);
}

// The level at which the ends of quantiles are chosen.
double level_of_ends(const PlaceOf& at, Alpha alpha) {
  const auto level = level_of(at.statistic, at.measurement, alpha, planned_groups(at.statistic));
  return level ? level->value() : 0;
}

// Of a choice, or of a tree: for the same fractions, at the same level.
bool is_same_choice(const PlaceOf& a, const PlaceOf& b, Alpha alpha) {
  const bool is_simultaneous = a.statistic.inference.is_simultaneous || b.statistic.inference.is_simultaneous;
  if (is_simultaneous || a.one().absorbs_sample != b.one().absorbs_sample) return false;
  if (level_of_ends(a, alpha) != level_of_ends(b, alpha)) return false;
  if (a.one().kind == QuantileTree::kind) {
    return tree_fractions(a.statistic, a.measurement) == tree_fractions(b.statistic, b.measurement);
  }
  return a.one().figure == b.one().figure && a.one().fraction == b.one().fraction;
}

struct Place {
  std::size_t statistic;
  std::size_t measurement;
};

PlaceOf at(const BoundStudy& study, const Place& place) {
  return {study.statistics[place.statistic], place.measurement};
}

// The first of those that were met before with the same integers.
std::optional<Place> same_before(const BoundStudy& study, const std::vector<Place>& before, const Place& here) {
  const PlaceOf mine = at(study, here);
  const auto found = std::find_if(before.begin(), before.end(), [&](const Place& other) {
    const PlaceOf theirs = at(study, other);
    return has_same_rows(theirs.statistic, mine.statistic) && is_alike(theirs, mine, study.alpha) &&
           is_brought_the_same(theirs, mine) && (!is_key_count(theirs) || may_be_key_count(mine));
  });
  return found == before.end() ? std::nullopt : std::optional(*found);
}

void bind_copies(BoundStudy& study) {
  std::map<std::string, std::vector<Place>> met;  // by their rows
  for (std::size_t i = 0; i < study.statistics.size(); ++i) {
    BoundStatistic& statistic = study.statistics[i];
    std::vector<Place>& before = met[rows_text(statistic)];
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j) {
      Measurement& one = statistic.measurements[j];
      if (!may_be_copied(one)) continue;
      if (const auto found = same_before(study, before, {i, j})) {
        const BoundStatistic& first = study.statistics[found->statistic];
        one.copied = Copied{found->statistic, found->measurement, first.name,
                            column_of(first, first.measurements[found->measurement])};
      } else {
        before.push_back({i, j});
      }
    }
  }
}

// Whether something that is published from it has a target: those of its statistic, and of what is copied from it.
bool has_target(const BoundStudy& study, const Place& place) {
  for (std::size_t i = place.statistic; i < study.statistics.size(); ++i) {
    const std::vector<Measurement>& all = study.statistics[i].measurements;
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (!all[j].target) continue;
      const Measurement& drawn = all[all[j].source.value_or(j)];
      const bool is_own = i == place.statistic && all[j].source.value_or(j) == place.measurement;
      const bool is_copy =
          drawn.copied && drawn.copied->statistic == place.statistic && drawn.copied->measurement == place.measurement;
      if (is_own || is_copy) return true;
    }
  }
  return false;
}

// Measurements of which a row is in one at most.
struct Slot {
  bool has_target;
  std::vector<Place> members;
};

bool excludes_all(const BoundStudy& study, const Slot& slot, const Place& here) {
  const BoundStatistic& mine = study.statistics[here.statistic];
  return std::all_of(slot.members.begin(), slot.members.end(), [&](const Place& other) {
    const BoundStatistic& theirs = study.statistics[other.statistic];
    return theirs.query.table == mine.query.table && theirs.query.joins == mine.query.joins &&
           theirs.query.made == mine.query.made && theirs.query.per_unit == mine.query.per_unit &&
           can_be_parallel(at(study, other), at(study, here)) && query::exclude_each_other(theirs.within, mine.within);
  });
}

std::vector<Slot> slots_of(const BoundStudy& study) {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < study.statistics.size(); ++i) {
    if (study.statistics[i].within.empty()) continue;
    for (std::size_t j = 0; j < study.statistics[i].measurements.size(); ++j) {
      const Measurement& one = study.statistics[i].measurements[j];
      const Place here{i, j};
      if (one.source || one.copied || !can_be_parallel(at(study, here), at(study, here))) continue;
      const bool is_fixed = has_target(study, here);
      const auto found = std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) {
        return slot.has_target == is_fixed && excludes_all(study, slot, here);
      });
      if (found == slots.end()) {
        slots.push_back({is_fixed, {here}});
      } else {
        found->members.push_back(here);
      }
    }
  }
  return slots;
}

// Only where it saves something; what nothing rests on is not kept.
void bind_parallel(BoundStudy& study) {
  for (BoundStatistic& one : study.statistics) {
    const bool is_wanted = one.query.filter && !one.table.unit && one.keys.are_public;
    one.within = is_wanted ? query::within(*one.query.filter) : std::vector<query::Within>();
  }
  std::int64_t number = 0;
  std::vector<bool> is_needed(study.statistics.size(), false);
  for (const Slot& slot : slots_of(study)) {
    if (static_cast<std::int64_t>(slot.members.size()) <= moved_at_once(study.neighbours)) continue;
    ++number;
    for (const Place& member : slot.members) {
      study.statistics[member.statistic].measurements[member.measurement].parallel = number;
      is_needed[member.statistic] = true;
    }
  }
  for (std::size_t i = 0; i < study.statistics.size(); ++i) {
    if (!is_needed[i]) study.statistics[i].within.clear();
  }
}

}  // namespace

bool is_alike(const PlaceOf& a, const PlaceOf& b, Alpha alpha) {
  const Measurement &x = a.one(), &y = b.one();
  if (x.kind != y.kind && !counts_the_same(a, b)) return false;
  if (has_histogram(x.kind) && !is_same_choice(a, b, alpha)) return false;
  return x.width == y.width && x.granularity == y.granularity && x.origin == y.origin && x.steps == y.steps &&
         x.fineness == y.fineness && x.least == y.least && x.greatest == y.greatest && x.paired == y.paired &&
         x.regressors == y.regressors && x.is_rounded == y.is_rounded && x.sensitivity.shift == y.sensitivity.shift &&
         x.sensitivity.coordinates == y.sensitivity.coordinates && may_be_copied(x) && may_be_copied(y);
}

bool can_be_parallel(const PlaceOf& a, const PlaceOf& b) {
  const auto can_be = [](const PlaceOf& one) {
    return !one.statistic.table.unit && one.statistic.keys.are_public && !has_public_count(one.one().kind) &&
           one.one().kind != Boxed::kind;
  };
  const auto chooses = [](const PlaceOf& one) { return is_choice(measured_at(one.statistic, one.measurement)); };
  return can_be(a) && can_be(b) && chooses(a) == chooses(b) && a.one().sensitivity.shift == b.one().sensitivity.shift &&
         a.one().sensitivity.coordinates == b.one().sensitivity.coordinates;
}

std::int64_t moved_at_once(privacy::Neighbours neighbours) {
  return neighbours == privacy::Neighbours::replace ? 2 : 1;
}

void bind_sharing(BoundStudy& study) {
  for (BoundStatistic& statistic : study.statistics) {
    for (Measurement& one : statistic.measurements) {
      one.copied.reset();
      one.parallel.reset();
    }
  }
  bind_copies(study);
  bind_parallel(study);
}

std::vector<std::vector<std::size_t>> items_by_place(const BoundStudy& study) {
  std::vector<std::vector<std::size_t>> items;
  std::map<std::int64_t, std::size_t> parallel;
  std::size_t next = 0;
  for (const BoundStatistic& statistic : study.statistics) {
    std::vector<std::size_t>& own = items.emplace_back();
    for (const Measurement& one : statistic.measurements) {
      if (one.source) {
        own.push_back(own[*one.source]);
      } else if (one.copied) {
        own.push_back(items[one.copied->statistic][one.copied->measurement]);
      } else if (one.parallel) {
        const auto [found, is_new] = parallel.emplace(*one.parallel, next);
        next += is_new ? 1 : 0;
        own.push_back(found->second);
      } else {
        own.push_back(next++);
      }
    }
  }
  return items;
}

}  // namespace vernier::plan
