#include "vernier/study/study.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/statistic/units.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/source_files.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

using query::Query;

// Rows that a program has in memory have no place; where an engine is, the catalog's text says.
std::string place_of(const query::Catalog& catalog, const query::Source& source) {
  if (!source.is_file()) return source.kind == query::SourceKind::table ? source.told() : "";
  return query::real_places(catalog.path, source.path);
}

std::string text_of(const query::Catalog& catalog, const std::vector<query::Table>& tables) {
  std::string text;
  for (const query::Table& table : tables) {
    add_netstring(text, table.name);
    add_netstring(text, query::name_of(table.source.kind));
    add_netstring(text, {&table.source.delimiter, 1});
    add_netstring(text, table.source.quoted ? "quoted" : "plain");
    add_netstring(text, place_of(catalog, table.source));
  }
  return text;
}

// Which data is asked, from what is declared alone: the catalog's text, and of each table its name, its format and the
// file behind all links. No byte of a file of data is in it: whether data has changed is nobody's to learn from a hash.
Result<plan::Origin> origin_of(const Catalog& catalog, const std::vector<query::Table>& tables) {
  VERNIER_TRY(std::string declared, sha256(catalog.text()));
  VERNIER_TRY(std::string sources, sha256(text_of(catalog.content(), tables)));
  return plan::Origin{std::move(declared), std::move(sources)};
}

// Places in a study without a file say nothing.
Error located(Error error, const query::Study& study, Place place) {
  return study.path.empty() ? error : at({study.path.string(), place}, std::move(error));
}

// The statements that can be read, and what they ask; what is wrong with the others.
struct Readable {
  query::Study study;
  std::vector<Query> queries = {};
  std::vector<Query> tables = {};
  std::vector<Error> errors = {};
};

Readable read_queries(const query::Study& study, const Catalog& catalog) {
  Readable readable{study};
  readable.study.statistics.clear();
  readable.study.tables.clear();
  for (const query::Statistic& statistic : study.statistics) {
    if (Result<Query> read = catalog.parse(statistic.sql)) {
      readable.study.statistics.push_back(statistic);
      readable.queries.push_back(*std::move(read));
    } else {
      Error error = statistic.by_coefficient ? after("'" + statistic.name + "': ", std::move(read.error()))
                                             : std::move(read.error());
      readable.errors.push_back(located(std::move(error), study, statistic.sql_place));
    }
  }
  for (const query::TableSet& table : study.tables) {
    if (Result<Query> read = catalog.parse(table.statement())) {
      readable.study.tables.push_back(table);
      readable.tables.push_back(*std::move(read));
    } else {
      Error error = after("the table '" + table.name + "': ", std::move(read.error()));
      readable.errors.push_back(located(std::move(error), study, table.place));
    }
  }
  return readable;
}

// Everything that is wrong with the study is told at once.
Result<plan::BoundStudy> bound(const query::Study& study, const Catalog& catalog) {
  Readable readable = read_queries(study, catalog);
  if (readable.errors.empty()) return plan::bind(study, catalog.content(), readable.queries, readable.tables);
  if (!readable.queries.empty() || !readable.tables.empty()) {
    const Result<plan::BoundStudy> rest =
        plan::bind(readable.study, catalog.content(), readable.queries, readable.tables);
    if (!rest) readable.errors.push_back(rest.error());
  }
  return Failure(together(std::move(readable.errors)));
}

// What would change nothing is refused.
Result<void> check_limits(const query::Study& study, const plan::BoundStudy& bound) {
  for (std::size_t i = 0; i < bound.statistics.size(); ++i) {
    const query::Statistic& asked = study.statistics[i];
    const bool says_groups = asked.max_groups.value_or(1) > 1, says_rows = asked.max_rows.value_or(1) > 1;
    if (bound.statistics[i].table.unit || (!says_groups && !says_rows)) continue;
    const std::string key = says_groups ? "max_groups" : "max_rows";
    return Failure(about(
        "the statistic '" + asked.name + "'",
        Error{ErrorKind::invalid, "states " + key + ", but every row of the table '" + bound.statistics[i].table.name +
                                      "' is a unit of its own, of which one row counts in one group; "
                                      "leave it out"}));
  }
  return {};
}

// What a statement with CUBE, ROLLUP or GROUPING SETS can say of tables, of what a statistic can.
Result<query::TableSet> as_tables(const query::Statistic& asked, query::TableSet set) {
  const query::Inference plain{.is_simultaneous = asked.inference.is_simultaneous};
  if (!(asked.inference == plain) || asked.max_groups) {
    return invalid("tables of CUBE, ROLLUP and GROUPING SETS take accuracy, weight, max_rows and simultaneous alone",
                   "leave the other keys out");
  }
  if (asked.accuracy.size() > 1) return invalid("tables of counts have one number each", "state one accuracy");
  for (const query::Target& target : asked.accuracy)
    set.accuracy = {{.accuracy = target.accuracy, .place = target.place}};
  set.name = asked.name;
  set.weight = asked.weight;
  set.max_rows = asked.max_rows;
  set.is_simultaneous = asked.inference.is_simultaneous;
  set.place = asked.place;
  return set;
}

// Statistics whose statements ask for several tables at once become these tables.
Result<query::Study> with_tables_of_sql(query::Study study, const Catalog& catalog) {
  std::vector<query::Statistic> statistics;
  for (query::Statistic& one : study.statistics) {
    Result<std::optional<query::TableSet>> set = catalog.tables_of(one.sql);
    if (!set) return Failure(located(std::move(set.error()), study, one.sql_place));
    if (!*set) {
      statistics.push_back(std::move(one));
      continue;
    }
    Result<query::TableSet> made = as_tables(one, **std::move(set));
    if (!made) return Failure(located(after("the table '" + one.name + "': ", made.error()), study, one.place));
    study.tables.push_back(*std::move(made));
  }
  study.statistics = std::move(statistics);
  return study;
}

Result<Study> with_origin(Study study, const Catalog& catalog) {
  VERNIER_TRY(check_limits(study.question, study.bound));
  VERNIER_TRY(study.bound.origin, origin_of(catalog, study.tables()));
  return study;
}

query::Study study_of(const Question& question, const Catalog& catalog) {
  const query::Statistic statistic{.name = question.name,
                                   .sql = question.sql,
                                   .accuracy = question.accuracy,
                                   .weight = numeric::Rational::of(1),
                                   .max_groups = question.max_groups,
                                   .max_rows = question.max_rows,
                                   .typical_rows = question.typical_rows,
                                   .place = {},
                                   .sql_place = {}};
  const numeric::Rational alpha = question.alpha.value_or(*numeric::Rational::of_decimal("0.05"));
  return {{}, catalog.content().path, alpha, question.budget, {statistic}};
}

// A confidence is easily written where a chance to miss is asked.
Result<void> check_alpha(const Question& question) {
  if (!question.alpha || *question.alpha <= *numeric::Rational::of_decimal("0.5")) return {};
  return invalid(parameter("alpha") + " is the chance that an interval misses, and " +
                     query::plain(nearest(*question.alpha)) + " is more than one in two",
                 "give " + parameter("alpha", "0.05") + " for a confidence of 95 %");
}

}  // namespace

Result<Study> Study::of(const std::string& name, query::Study asked_for, const Catalog& catalog) {
  VERNIER_TRY(query::Study study, with_tables_of_sql(std::move(asked_for), catalog));
  VERNIER_TRY(plan::BoundStudy asked, study::bound(study, catalog));
  return with_origin({name, std::move(study), std::move(asked)}, catalog);
}

Result<Study> Study::of(const std::string& name, const Text& study, const Catalog& catalog) {
  query::Reading<query::Study> reading = query::examine_study_text(study.path, study.text, query::CatalogOf::runner);
  if (!reading.content) return Failure(query::problems_in(study.path, reading.problems));
  return of(name, *std::move(reading.content), catalog);
}

Result<Study> Study::of(const std::string& name, const Question& question, const Catalog& catalog) {
  VERNIER_TRY(check_alpha(question));
  query::Study study = study_of(question, catalog);
  VERNIER_TRY(plan::BoundStudy asked, plan::bind(study, catalog.content(), {question.query}));
  return with_origin({name, std::move(study), std::move(asked)}, catalog);
}

Result<Study> Study::read(const fs::path& path, const CatalogRule& rule) {
  VERNIER_TRY(query::Study study,
              query::read_study(path, rule.only ? query::CatalogOf::runner : query::CatalogOf::study));
  VERNIER_TRY(const fs::path named, catalog_of(path, study.catalog, rule));
  VERNIER_TRY(const Catalog catalog, Catalog::read(named, rule));
  study.catalog = catalog.content().path;
  return of(path.stem().string(), std::move(study), catalog);
}

std::vector<query::Table> Study::tables() const {
  std::vector<query::Table> tables;
  const auto add = [&](const query::Table& table) {
    const auto is_same = [&](const query::Table& one) { return one.name == table.name; };
    if (std::none_of(tables.begin(), tables.end(), is_same)) tables.push_back(table);
  };
  const auto add_all = [&](const plan::BoundStatistic& statistic) {
    for (const query::Table& one : plan::protected_tables(statistic)) {
      const query::Table* const declared = bound.catalog.table(one.name);
      add(declared != nullptr ? *declared : one);
    }
    for (const plan::BoundJoin& join : plan::all_joins(statistic)) {
      if (join.table.is_public) add(join.table);
    }
  };
  for (const plan::BoundStatistic& statistic : bound.statistics) add_all(statistic);
  for (const plan::BoundTables& table : bound.tables) add_all(table.counted);
  return tables;
}

namespace {

// Whether there is something to cut off of a unit that has many rows.
bool is_limited(const plan::BoundStatistic& statistic) {
  if (!statistic.table.unit) return false;
  const auto& all = statistic.measurements;
  return !statistic.query.keys.empty() || std::any_of(all.begin(), all.end(), [](const plan::Measurement& one) {
    return one.kind != plan::Units::kind;
  });
}

}  // namespace

std::vector<plan::BoundStatistic> Study::with_assumed_limits() const {
  std::vector<plan::BoundStatistic> found;
  for (std::size_t i = 0; i < bound.statistics.size(); ++i) {
    const query::Statistic& asked = question.statistics[i];
    const query::Table& table = bound.statistics[i].table;
    const bool is_said = asked.max_rows || asked.max_groups || table.max_rows || table.max_groups;
    if (!is_said && is_limited(bound.statistics[i])) found.push_back(bound.statistics[i]);
  }
  for (std::size_t i = 0; i < bound.tables.size(); ++i) {
    const plan::BoundStatistic& counted = bound.tables[i].counted;
    if (!question.tables[i].max_rows && is_limited(counted)) found.push_back(counted);
  }
  return found;
}

}  // namespace vernier::study
