#include "support/signed_releases.hpp"

#include <algorithm>

#include "support/seeded_release.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/release/derived/derived.hpp"

namespace vernier::testing {

BoundStatistic sensitive(BoundStatistic statistic, Neighbours neighbours) {
  statistic.table.neighbours = neighbours;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    statistic.measurements[i].sensitivity = plan::sensitivity_of(plan::measured_at(statistic, i)).value();
  }
  return statistic;
}

BoundStatistic with_columns(BoundStatistic statistic, const std::vector<std::size_t>& columns) {
  BoundStatistic made = statistic;
  made.query.aggregations.clear();
  made.query.outputs = {{true, 0}};
  made.measurements.clear();
  if (!statistic.keys.are_public && (columns.empty() || columns.front() != 0)) {
    made.measurements.push_back(statistic.measurements.front());  // it serves the keys alone
    made.measurements.back().aggregation.reset();
  }
  for (const std::size_t column : columns) {
    made.query.outputs.push_back({false, made.query.aggregations.size()});
    made.measurements.push_back(statistic.measurements[column]);
    made.measurements.back().aggregation = made.query.aggregations.size();
    made.query.aggregations.push_back(statistic.query.aggregations[column]);
  }
  return made;
}

std::vector<RawGroup> raw_groups(const BoundStatistic& statistic) {
  const bool has_squares = statistic.measurements.back().kind == plan::Moments::kind;
  const std::vector<std::vector<std::int64_t>> tallies =
      has_squares ? std::vector<std::vector<std::int64_t>>{{500, 230'625, 118'125}, {299, 100'000, 90'000}, {0, 0, 0}}
                  : std::vector<std::vector<std::int64_t>>{
                        {400, 500, -4000, 500, 3000}, {300, 300, 2500, 299, 300}, {2, 2, 40, 0, 0}};
  const std::vector<const char*> names = {"west\n'end'", "north \"pole\"", "a"};
  std::vector<RawGroup> groups;
  const std::size_t count = statistic.keys.are_public ? statistic.keys.cells.size() : tallies.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (statistic.keys.are_public) groups.push_back({static_cast<std::int64_t>(i), {}, tallies[i]});
    if (!statistic.keys.are_public) groups.push_back({0, {Value(names[i])}, tallies[i]});
  }
  return groups;
}

namespace {

// The places of a list in the order in which they are first used, and what takes the place of each.
class FirstUses {
 public:
  void add(std::size_t place) {
    if (std::find(order_.begin(), order_.end(), place) == order_.end()) order_.push_back(place);
  }
  std::size_t operator()(std::size_t place) const {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), place) - order_.begin());
  }
  template <class List>
  List of(const List& list) const {
    List made;
    for (const std::size_t place : order_) made.push_back(list[place]);
    return made;
  }

 private:
  std::vector<std::size_t> order_;
};

}  // namespace

BoundStatistic as_bound(BoundStatistic statistic, std::vector<RawGroup>& groups) {
  FirstUses arguments, tallies, histograms;
  for (const plan::Measurement& one : statistic.measurements) {
    for (std::size_t i = 0; i < one.tallies.size(); ++i) {
      const std::size_t place = one.tallies[one.tallies.size() == 3 ? (i + 1) % 3 : i];
      if (has_histogram(one.kind)) {
        arguments.add(statistic.histograms[place].argument);
        if (statistic.histograms[place].weight) arguments.add(*statistic.histograms[place].weight);
      } else if (statistic.tallies[place].kind != TallyKind::units &&
                 statistic.tallies[place].kind != TallyKind::rows) {
        arguments.add(statistic.tallies[place].argument);
      }
    }
    for (const std::size_t place : one.tallies) (has_histogram(one.kind) ? histograms : tallies).add(place);
  }
  for (RawGroup& group : groups) {
    group.tallies = tallies.of(group.tallies);
    group.histograms = histograms.of(group.histograms);
  }
  statistic.tallies = tallies.of(statistic.tallies);
  statistic.histograms = histograms.of(statistic.histograms);
  statistic.arguments = arguments.of(statistic.arguments);
  for (plan::Tally& one : statistic.tallies) {
    const bool has_argument = one.kind != TallyKind::units && one.kind != TallyKind::rows;
    one.argument = has_argument ? arguments(one.argument) : 0;
  }
  for (plan::Histogram& one : statistic.histograms) {
    one.argument = arguments(one.argument);
    if (one.weight) one.weight = arguments(*one.weight);
  }
  for (plan::Measurement& one : statistic.measurements) {
    for (std::size_t& place : one.tallies) place = (has_histogram(one.kind) ? histograms : tallies)(place);
  }
  return statistic;
}

release::Release released(std::vector<BoundStatistic> statistics, const ReleaseTerms& terms, const Answers& answer) {
  std::vector<std::vector<RawGroup>> answers;
  for (BoundStatistic& one : statistics) {
    one = sensitive(std::move(one), terms.study.neighbours);
    answers.push_back(answer(one));
    one = as_bound(std::move(one), answers.back());
  }
  const plan::Plan plan = plan::allocate(test::bound_study(std::move(statistics), terms.study)).value();
  ToldSession session(answers);
  SeededSource source = seeded_source(terms.seed);
  const std::vector<release::Prepared> prepared = release::prepare(plan, session).value();
  const query::Budget& budget = plan.study.catalog.budget;
  const ledger::Terms of_ledger{terms.accountant, budget.epsilon, budget.delta, terms.study.neighbours};
  const ledger::Rules rules = ledger::rules_of(of_ledger).value();
  const ledger::Price price = release::price_of(plan, rules).value();
  const ledger::Balance balance{rules.quanta.budget(), terms.is_open, rules.quanta.budget()};
  std::vector<release::Table> tables = release::detail::tables_of(prepared, session, source, nobody_watches).value();
  static_cast<void>(release::Derivation::of(plan).value().add_to(tables).map([] { return true; }).value());
  return {.id = std::string(32, 'a'),
          .plan = plan,
          .tables = std::move(tables),
          .receipt = {2, std::string(64, 'b')},
          .terms = of_ledger,
          .taken = ledger::offer_of(rules, balance, price).value(),
          .catalog_hash = std::string(64, 'c'),
          .plan_hash = sha256(plan::canonical(plan)).value(),
          .engine = session.version()};
}

release::Asked asked_of(const release::Release& release) {
  std::vector<std::string> sql(release.tables.size(), "SELECT \"a\\b\"\n");
  const numeric::Rational alpha = numeric::Rational::of(release.plan.study.alpha.value()).value();
  return {"a study", std::move(sql), alpha};
}

const release::SigningKey& test_key() {
  static const release::SigningKey key = release::SigningKey::generate().value();
  return key;
}

std::string record_of(const release::Release& release) {
  return release::signed_release_json(release, asked_of(release), test_key()).value();
}

namespace {

std::vector<NamedRelease> made_kinds_of_releases() {
  const BoundStatistic all = by_region(), private_ones = by_private_region();
  BoundStatistic several = private_ones;  // two rows of a unit count in each of three groups
  several.contribution = {3, 2};
  BoundStatistic targeted = with_columns(all, {0, 1});
  targeted.measurements[0].target = test::decimal("40");
  ReleaseTerms replace, catalog, pure;
  replace.study.neighbours = Neighbours::replace;
  replace.accountant = ledger::Accountant::approximate;
  catalog.study.epsilon.reset();
  catalog.is_open = true;
  pure.study.delta = "0";
  pure.study.catalog_delta = "0";
  pure.accountant = ledger::Accountant::pure;
  BoundStatistic only_targets = with_columns(all, {0});
  only_targets.measurements[0].target = test::decimal("25");
  release::Release joined = released({only_targets}, catalog);
  joined.public_files = {{"regions", std::string(64, 'd')}};
  return {{"counts", released({with_columns(all, {0})}, pure)},
          {"sums", released({targeted}, {})},
          {"means", released({with_columns(all, {2, 0})}, {})},
          {"private keys", released({private_ones}, {})},
          {"private keys, units not published", released({with_columns(several, {2, 1})}, {})},
          {"replace", released({all, private_ones}, replace)},
          {"budget of the catalog, and a public table", joined},
          {"spreads", released({spread_by_region(), with_columns(all, {0})}, {})}};
}

}  // namespace

const std::vector<NamedRelease>& kinds_of_releases() {
  static const std::vector<NamedRelease> made = made_kinds_of_releases();
  return made;
}
const release::Release& kind_of_release(const std::string& name) {
  const auto& all = kinds_of_releases();
  return std::find_if(all.begin(), all.end(), [&](const NamedRelease& one) { return one.name == name; })->release;
}

BoundStatistic one_group(BoundStatistic statistic) {
  if (statistic.keys.are_public) statistic.keys.cells.resize(1);
  return statistic;
}
std::vector<NamedRelease> small_releases() {
  const BoundStatistic all = by_region(), private_ones = by_private_region();
  ReleaseTerms replace;
  replace.study.neighbours = Neighbours::replace;
  return {{"count", released({one_group(with_columns(all, {0}))}, {})},
          {"sum", released({one_group(with_columns(all, {1}))}, {})},
          {"mean", released({one_group(with_columns(all, {2}))}, {})},
          {"deviation", released({one_group(spread_by_region())}, {})},
          {"private keys", released({with_columns(private_ones, {0})}, {})},
          {"replace", released({one_group(with_columns(all, {1}))}, replace)}};
}

}  // namespace vernier::testing
