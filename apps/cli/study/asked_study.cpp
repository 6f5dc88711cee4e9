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

Failure located(Error error, const Study& study, query::Place place) {
  if (has_file(study)) error.sentence = query::located(study.path, {place, std::move(error.sentence)});
  return Failure(std::move(error));
}

Result<std::vector<Query>> read_queries(const Study& study, const query::Catalog& catalog) {
  std::vector<Query> queries;
  for (const Statistic& statistic : study.statistics) {
    Result<Query> read = query::read_query(statistic.sql, catalog);
    if (!read) return located(std::move(read.error()), study, statistic.sql_place);
    queries.push_back(*std::move(read));
  }
  return queries;
}

// Places in a study without a file say nothing: ":1:1: " is taken off.
Failure without_place(Error error, const Study& study) {
  const std::string place = query::located(study.path, {{}, ""});
  if (!has_file(study) && error.sentence.starts_with(place)) error.sentence.erase(0, place.size());
  return Failure(std::move(error));
}

}  // namespace

Result<LocatedText> located_text(const std::filesystem::path& path) {
  return query::read_text_file(path).map([&](std::string text) { return LocatedText{path, std::move(text)}; });
}

Result<query::Catalog> catalog_in(const LocatedText& catalog) {
  query::Reading<query::Catalog> reading =
      query::with_definitions(query::examine_catalog_text(catalog.path, catalog.text));
  if (!reading.content) return Failure(query::first_of(catalog.path, reading.problems));
  return *std::move(reading.content);
}

Result<AskedStudy> ask(const std::string& name, Study study, const LocatedText& given) {
  VERNIER_TRY(const CatalogRule rule, installed_rule());
  VERNIER_TRY(const std::filesystem::path counted, counted_catalog(given.path, rule));
  const LocatedText catalog{counted, given.text};
  VERNIER_TRY(const query::Catalog read, catalog_in(catalog));
  VERNIER_TRY(const std::vector<Query> queries, read_queries(study, read));
  Result<plan::BoundStudy> bound = plan::bind(study, read, queries);
  if (!bound) return without_place(std::move(bound.error()), study);
  VERNIER_TRY(plan::Origin origin, origin_of(catalog.text, bound->catalog, asked_tables(*bound)));
  bound->origin = std::move(origin);
  return AskedStudy{name, std::move(study), *std::move(bound)};
}

Result<AskedStudy> ask(const std::string& name, const LocatedText& study, const LocatedText& catalog) {
  query::Reading<Study> reading = query::examine_study_text(study.path, study.text, query::CatalogOf::runner);
  if (!reading.content) return Failure(query::first_of(study.path, reading.problems));
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
