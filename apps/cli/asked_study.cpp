#include "cli/asked_study.hpp"

#include <algorithm>
#include <utility>

#include "cli/catalog_report.hpp"
#include "vernier/query/duckdb_catalog.hpp"
#include "vernier/query/duckdb_query.hpp"

namespace vernier::cli {
namespace {

using query::Query;
using query::Statistic;
using query::Study;

struct ReadCatalog {
  std::string text;
  query::Catalog catalog;
};

Result<ReadCatalog> read_catalog_and_text(const std::filesystem::path& path) {
  Result<std::string> text = query::read_text_file(path);
  if (!text) return Failure(text.error());
  query::Reading<query::Catalog> reading = query::with_definitions(query::examine_catalog_text(path, *text));
  if (!reading.content) return Failure(query::first_of(path, reading.problems));
  return ReadCatalog{*std::move(text), *std::move(reading.content)};
}

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

Result<AskedStudy> ask(const std::string& name, Study study) {
  Result<ReadCatalog> read = read_catalog_and_text(study.catalog);
  if (!read) return Failure(read.error());
  const Result<std::vector<Query>> queries = read_queries(study, read->catalog);
  if (!queries) return Failure(queries.error());
  Result<plan::BoundStudy> bound = plan::bind(study, read->catalog, *queries);
  if (!bound) return without_place(std::move(bound.error()), study);
  return AskedStudy{name, std::move(study), std::move(read->text), *std::move(bound)};
}

Result<AskedStudy> read_asked_study(const std::filesystem::path& path) {
  Result<Study> study = query::read_study(path);
  if (!study) return Failure(study.error());
  return ask(path.stem().string(), *std::move(study));
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
