#include "vernier/study/study.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/problem.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

using query::Query;

// Rows that a program has in memory have no place.
std::string place_of(const query::Catalog& catalog, const query::Source& source) {
  if (source.kind == query::SourceKind::arrow) return "";
  const fs::path path = query::beside(catalog.path, source.path);
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? path : real).string();
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
  std::vector<Error> errors = {};
};

Readable read_queries(const query::Study& study, const Catalog& catalog) {
  Readable readable{study};
  readable.study.statistics.clear();
  for (const query::Statistic& statistic : study.statistics) {
    if (Result<Query> read = catalog.parse(statistic.sql)) {
      readable.study.statistics.push_back(statistic);
      readable.queries.push_back(*std::move(read));
    } else {
      readable.errors.push_back(located(std::move(read.error()), study, statistic.sql_place));
    }
  }
  return readable;
}

// Everything that is wrong with the study is told at once.
Result<plan::BoundStudy> bound(const query::Study& study, const Catalog& catalog) {
  Readable readable = read_queries(study, catalog);
  if (readable.errors.empty()) return plan::bind(study, catalog.content(), readable.queries);
  if (!readable.queries.empty()) {
    const Result<plan::BoundStudy> rest = plan::bind(readable.study, catalog.content(), readable.queries);
    if (!rest) readable.errors.push_back(rest.error());
  }
  return Failure(together(std::move(readable.errors)));
}

Result<Study> with_origin(Study study, const Catalog& catalog) {
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

}  // namespace

Result<Study> Study::of(const std::string& name, query::Study study, const Catalog& catalog) {
  VERNIER_TRY(plan::BoundStudy asked, study::bound(study, catalog));
  return with_origin({name, std::move(study), std::move(asked)}, catalog);
}

Result<Study> Study::of(const std::string& name, const Text& study, const Catalog& catalog) {
  query::Reading<query::Study> reading = query::examine_study_text(study.path, study.text, query::CatalogOf::runner);
  if (!reading.content) return Failure(query::problems_in(study.path, reading.problems));
  return of(name, *std::move(reading.content), catalog);
}

Result<Study> Study::of(const std::string& name, const Question& question, const Catalog& catalog) {
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
  for (const plan::BoundStatistic& statistic : bound.statistics) {
    const query::Table* const declared = bound.catalog.table(statistic.table.name);
    add(declared != nullptr ? *declared : statistic.table);
    for (const plan::BoundJoin& join : statistic.joins) add(join.table);
  }
  return tables;
}

}  // namespace vernier::study
