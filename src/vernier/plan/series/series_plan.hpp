#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/plan.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/plan/series/bundle.hpp"
#include "vernier/query/series.hpp"
#include "vernier/series/accuracy.hpp"

// What a study of series will cost, and how accurate every number will be at every step: a function of catalog and
// study alone. series.md has the mathematics.
namespace vernier::plan {

// A column of a series with its public keys.
struct SeriesColumn {
  std::string name;
  query::Type type = query::Type::string;
  std::vector<query::Value> keys;
};

// Everything of a series that is hashed, and that follows from nothing else in it.
struct SeriesFacts {
  std::string name;
  std::string table;
  std::string statement;  // canonical
  std::int64_t row_limit = 1;
  query::Calendar calendar = {};
  std::int64_t max_steps = 1, apart = 1, last = 7;
  std::optional<double> each_target = {}, last_target = {}, cumulative_target = {};  // rounded down
  query::SeriesKind best = query::SeriesKind::cumulative;                            // where there is no target
  std::string together = {};  // of which [[series]] it is a table; empty of one alone
  std::vector<SeriesColumn> columns = {};
  std::int64_t percent = 0;  // the family of its matrix
  bool is_normalised = false;
  double scale = 0;  // of the noise
  double share = 0;  // of the plan's cost

  std::int64_t cells() const;
  double squared_contrast() const;  // by how much one row moves what is measured at its step, as a square
  bool has_targets() const { return each_target || last_target || cumulative_target; }
  series::Targets targets() const { return {each_target, last_target, cumulative_target}; }
  series::Participation participation() const { return {max_steps, apart}; }
  series::Family family() const { return {percent, is_normalised}; }
};

// A series with the noise that is drawn for it, and the spread of what is published of it.
class PlannedSeries {
 public:
  PlannedSeries(std::shared_ptr<const series::Design> design, const noise::DiscreteGaussian& law,
                const series::Spread& spread, Alpha alpha, const SeriesFacts& facts)
      : design_(std::move(design)),
        law_(law),
        spread_(spread),
        reaches_(*design_, spread, alpha, facts.row_limit),
        sensitivity_(design_->sensitivity() * std::sqrt(facts.squared_contrast())) {}

  const series::Design& design() const { return *design_; }
  const noise::DiscreteGaussian& law() const { return law_; }
  double sensitivity() const { return sensitivity_; }  // of what is measured
  double deviation(series::Kind kind, std::size_t step) const { return deviation_of(*design_, kind, step, spread_); }
  double accuracy(series::Kind kind, std::size_t step) const { return reaches_.of(kind, step); }
  double worst_accuracy(series::Kind kind) const { return reaches_.greatest(kind); }

 private:
  std::shared_ptr<const series::Design> design_;
  noise::DiscreteGaussian law_;
  series::Spread spread_;
  series::Reaches reaches_;
  double sensitivity_;
};

// What the whole plan of a study of series states.
struct SeriesPlanFacts {
  std::string catalog;  // hash of what the catalog declares of the tables
  std::string sources;  // hash of where the rows lie
  std::optional<std::string> unit = {};
  numeric::Rational alpha = numeric::Rational::of(0);
  bool has_budget = false;  // of its own; else of the catalog's
  numeric::Rational epsilon_limit = numeric::Rational::of(0), delta_limit = numeric::Rational::of(0);
  double epsilon = 0;
  privacy::Delta delta = privacy::Delta::zero();
  accounting::Method method = accounting::Method::basic;
  std::vector<SeriesFacts> series = {};
};

struct SeriesPlan {
  SeriesPlanFacts facts;
  std::vector<PlannedSeries> series;  // one for each
  std::vector<SeriesBundle> bundles;  // which of them are measured together
  std::vector<accounting::Event> events;
};

// Chooses matrices and scales within the limits, and fills what of the facts follows from that. An error where the
// targets cost more than there is.
Result<SeriesPlan> plan_series(SeriesPlanFacts facts);

// The same where matrices and scales are given: for whoever checks them.
Result<SeriesPlan> planned_as_stated(SeriesPlanFacts facts);

// Every fact of the plan in one text; its hash binds all steps.
std::string canonical(const SeriesPlanFacts& facts);

// What another target would cost by itself, at the same delta: all of the targets, and each alone.
struct SeriesPrice {
  std::string what;
  double epsilon;
};
std::vector<SeriesPrice> prices_of(const SeriesPlan& plan, std::size_t place);

// ---- binding

// Where the cell of a row has the place of its key of a column: cell / stride % keys.
struct CodedColumn {
  std::int64_t stride;
  std::int64_t keys;
};

struct BoundSeries {
  BoundStatistic counted;  // its keys are the step and the cell of a row; it measures nothing itself
  SeriesFacts facts;
  std::vector<CodedColumn> places = {};  // of its columns
};
Result<BoundSeries> bind_series(const query::Series& asked, const query::Query& query, const query::Catalog& catalog);

// One statement: how many units, or rows, count at each step up to this one in each cell. Which step and which cell of
// a unit count is decided by its rows up to that step.
Sql render_series(const BoundSeries& series, std::int64_t last_step);

}  // namespace vernier::plan
