#include "cli/study/asked_study.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "cli/catalog/catalog.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/problem.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

Result<plan::Origin> origin_of(std::string_view catalog_text, const query::Catalog& catalog,
                               const std::vector<query::Table>& tables) {
  VERNIER_TRY(std::string declared, sha256(catalog_text));
  return sha256(text_of(catalog, tables)).map([&](std::string sources) {
    return plan::Origin{std::move(declared), std::move(sources)};
  });
}

namespace {

using query::Query;
using query::Statistic;
using query::Study;

bool has_file(const Study& study) { return !study.path.empty(); }

// Places in a study without a file say nothing.
Error located(Error error, const Study& study, Place place) {
  return has_file(study) ? at({study.path.string(), place}, std::move(error)) : error;
}

// The statements that can be read, and what they ask; what is wrong with the others.
struct Readable {
  Study study;
  std::vector<Query> queries = {};
  std::vector<Error> errors = {};
};

Readable read_queries(const Study& study, const query::Catalog& catalog) {
  Readable readable{study};
  readable.study.statistics.clear();
  for (const Statistic& statistic : study.statistics) {
    if (Result<Query> read = query::read_query(statistic.sql, catalog)) {
      readable.study.statistics.push_back(statistic);
      readable.queries.push_back(*std::move(read));
    } else {
      readable.errors.push_back(located(std::move(read.error()), study, statistic.sql_place));
    }
  }
  return readable;
}

// Everything that is wrong with the study is told at once.
Result<plan::BoundStudy> bound(const Study& study, const query::Catalog& catalog) {
  Readable readable = read_queries(study, catalog);
  if (readable.errors.empty()) return plan::bind(study, catalog, readable.queries);
  if (!readable.queries.empty()) {
    const Result<plan::BoundStudy> rest = plan::bind(readable.study, catalog, readable.queries);
    if (!rest) readable.errors.push_back(rest.error());
  }
  return Failure(together(std::move(readable.errors)));
}

}  // namespace

Result<LocatedText> located_text(const std::filesystem::path& path) {
  return query::read_text_file(path).map([&](std::string text) { return LocatedText{path, std::move(text)}; });
}

Result<query::Catalog> catalog_in(const LocatedText& catalog) {
  query::Reading<query::Catalog> reading =
      query::with_definitions(query::examine_catalog_text(catalog.path, catalog.text));
  if (!reading.content) return Failure(query::problems_in(catalog.path, reading.problems));
  return *std::move(reading.content);
}

Result<AskedStudy> ask(const std::string& name, Study study, const LocatedText& given) {
  VERNIER_TRY(const CatalogRule rule, installed_rule());
  VERNIER_TRY(const std::filesystem::path counted, counted_catalog(given.path, rule));
  const LocatedText catalog{counted, given.text};
  VERNIER_TRY(const query::Catalog read, catalog_in(catalog));
  VERNIER_TRY(plan::BoundStudy asked, bound(study, read));
  VERNIER_TRY(plan::Origin origin, origin_of(catalog.text, asked.catalog, asked_tables(asked)));
  asked.origin = std::move(origin);
  return AskedStudy{name, std::move(study), std::move(asked)};
}

Result<AskedStudy> ask(const std::string& name, const LocatedText& study, const LocatedText& catalog) {
  query::Reading<Study> reading = query::examine_study_text(study.path, study.text, query::CatalogOf::runner);
  if (!reading.content) return Failure(query::problems_in(study.path, reading.problems));
  return ask(name, *std::move(reading.content), catalog);
}

Result<AskedStudy> ask(const std::string& name, Study study) {
  VERNIER_TRY(const LocatedText catalog, located_text(study.catalog));
  return ask(name, std::move(study), catalog);
}

Result<AskedStudy> read_asked_study(const std::filesystem::path& path, const CatalogRule& rule) {
  VERNIER_TRY(Study study, query::read_study(path, rule.only ? query::CatalogOf::runner : query::CatalogOf::study));
  VERNIER_TRY(const std::filesystem::path catalog, catalog_for(path, study.catalog, rule));
  study.catalog = catalog;
  return ask(path.stem().string(), std::move(study));
}

std::vector<query::Table> asked_tables(const plan::BoundStudy& bound) {
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

}  // namespace vernier::cli
