#include <algorithm>
#include <system_error>

#include "vernier/core/files_say.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/engine/source_columns.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/study/series.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

Error located(Error error, const query::SeriesStudy& study, const query::Series& one) {
  error = about("the series '" + one.name + "'", std::move(error));
  return study.path.empty() ? error : at({study.path.string(), one.place}, std::move(error));
}

// Values outside of the bounds of a column are moved onto them; a day must not move into the calendar.
query::Catalog with_days_as_they_are(query::Catalog catalog, const std::string& day) {
  for (query::Table& table : catalog.tables) {
    for (query::Column& column : table.columns) {
      if (column.type == query::Type::date && fold_case(column.name) == fold_case(day)) column.range.reset();
    }
  }
  return catalog;
}

Result<plan::BoundSeries> bound_one(const query::Series& one, const query::SeriesStudy& study, const Catalog& catalog) {
  const query::Catalog content = with_days_as_they_are(catalog.content(), one.day);
  const Result<query::Query> query = query::read_query(one.statement(), content);
  if (!query) return Failure(located(query.error(), study, one));
  if (!query::is_append_only(catalog.text(), query->table)) {
    return Failure(
        located({ErrorKind::invalid,
                 "asks the table '" + query->table +
                     "', of which the catalog does not say "
                     "that rows are only ever added",
                 "",
                 "a series reads all rows anew at each step: write " + toml("append_only = true") + " into " +
                     toml("[tables." + query->table + "]") + " where that is so, and let day be that of their arrival"},
                study, one));
  }
  Result<plan::BoundSeries> bound = plan::bind_series(one, *query, content);
  if (!bound) return Failure(located(bound.error(), study, one));
  return bound;
}

std::string source_text(const query::Catalog& catalog, const query::Table& table) {
  if (!table.source.is_file()) return std::string(query::name_of(table.source.kind));
  return query::real_places(catalog.path, table.source.path);
}

template <class Texts>
void add_all(std::string& text, const Texts& all) {
  add_netstring(text, std::to_string(all.size()));
  for (const auto& one : all) {
    if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::string>) {
      add_netstring(text, one);
    } else {
      add_netstring(text, query::text_of(one));
    }
  }
}

void add_format(std::string& text, const query::CellFormat& format) {
  add_netstring(text, std::string(1, format.decimal_mark) + (format.trim ? "trim" : ""));
  add_netstring(text, format.thousands);
  add_netstring(text, format.date_format);
  for (const auto& words : {format.true_words, format.false_words, format.missing_texts}) add_all(text, words);
  add_all(text, format.missing_values);
}

void add_column(std::string& text, const query::Column& column) {
  add_netstring(text, column.name);
  add_netstring(text, query::name_of(column.type));
  add_all(text, column.keys);
  add_all(text, column.range ? std::vector{column.range->lower, column.range->upper} : std::vector<query::Value>());
  add_all(text, column.rest ? std::vector{*column.rest} : std::vector<query::Value>());
  add_netstring(text, std::to_string(column.granularity));
  add_format(text, column.format);
}

// What the catalog says of the tables that are read, and by which a row counts or does not: other changes of it do not
// end a series.
std::string declared_text(const std::vector<query::Table>& tables) {
  std::string text;
  for (const query::Table& table : tables) {
    add_netstring(text, table.name);
    add_netstring(text, table.unit.value_or(""));
    add_netstring(text, std::to_string(table.row_limit));
    add_netstring(text, std::string{table.source.delimiter, table.source.quoted ? 'q' : 'n',
                                    table.source.line_breaks ? 'b' : 'n'});
    for (const query::Column& column : table.columns) add_column(text, column);
  }
  return text;
}

// Of a public table the content as well: rows of the others are counted by it.
Result<std::string> sources_text(const query::Catalog& catalog, const std::vector<query::Table>& tables) {
  std::string text;
  for (const query::Table& table : tables) {
    add_netstring(text, table.name);
    add_netstring(text, query::name_of(table.source.kind));
    add_netstring(text, source_text(catalog, table));
    if (!table.is_public || !table.source.is_file()) continue;
    VERNIER_TRY(const engine::SourceColumns source, engine::source_columns(catalog, table));
    VERNIER_TRY(const std::string content, engine::sha256_of_files(source));
    add_netstring(text, content);
  }
  return text;
}

plan::BoundStudy limits_of(const query::SeriesStudy& question, const query::Catalog& catalog, Alpha alpha) {
  return {catalog, alpha, question.budget, privacy::Neighbours::add_remove, {}};
}

Result<void> check_units(const std::vector<plan::BoundSeries>& bound) {
  const auto unit = [](const plan::BoundSeries& one) { return one.counted.table.unit.value_or("row"); };
  for (const plan::BoundSeries& one : bound) {
    if (unit(one) == unit(bound.front())) continue;
    return invalid("the series '" + one.facts.name + "' has the unit " + unit(one) + " and the first one " +
                       unit(bound.front()) + ", but a study gives one guarantee",
                   "make two studies of it");
  }
  return {};
}

Result<plan::SeriesPlanFacts> facts_of(const SeriesStudy& study) {
  VERNIER_TRY(const Alpha alpha, Alpha::of(study.question.alpha.round_down()));
  const plan::BoundStudy limits = limits_of(study.question, study.catalog, alpha);
  VERNIER_TRY(plan::check_budget(limits));
  VERNIER_TRY(const privacy::Delta delta, plan::delta_of(limits));
  const std::vector<query::Table> tables = study.tables();
  VERNIER_TRY(std::string declared, sha256(declared_text(tables)));
  VERNIER_TRY(const std::string places, sources_text(study.catalog, tables));
  VERNIER_TRY(std::string sources, sha256(places));
  const query::Budget& whole = study.catalog.budget;
  const auto& own = study.question.budget;
  plan::SeriesPlanFacts facts{.catalog = std::move(declared),
                              .sources = std::move(sources),
                              .unit = study.bound.front().counted.table.unit,
                              .alpha = study.question.alpha,
                              .has_budget = own.has_value(),
                              .epsilon_limit = own ? own->epsilon : whole.epsilon,
                              .delta_limit = own ? own->delta : whole.delta,
                              .delta = delta};
  for (const plan::BoundSeries& one : study.bound) facts.series.push_back(one.facts);
  return facts;
}

}  // namespace

Result<SeriesStudy> SeriesStudy::of(const std::string& name, const Text& text, const Catalog& catalog) {
  query::Reading<query::SeriesStudy> reading =
      query::examine_series_text(text.path, text.text, query::CatalogOf::runner);
  if (!reading.content) return Failure(query::problems_in(text.path, reading.problems));
  SeriesStudy study{name, *std::move(reading.content), catalog.content(), {}, {}, {}};
  std::vector<Error> errors;
  for (const query::Series& one : study.question.series) {
    Result<plan::BoundSeries> bound = bound_one(one, study.question, catalog);
    bound ? study.bound.push_back(*std::move(bound)) : errors.push_back(std::move(bound.error()));
  }
  if (!errors.empty()) return Failure(together(std::move(errors)));
  VERNIER_TRY(check_units(study.bound));
  VERNIER_TRY(plan::SeriesPlanFacts facts, facts_of(study));
  VERNIER_TRY(study.plan, plan::plan_series(std::move(facts)));
  VERNIER_TRY(study.plan_hash, sha256(plan::canonical(study.plan.facts)));
  return study;
}

Result<SeriesStudy> SeriesStudy::read(const fs::path& path, const CatalogRule& rule) {
  VERNIER_TRY(const Text text, read_text(path));
  const auto named_by = rule.only ? query::CatalogOf::runner : query::CatalogOf::study;
  const query::Reading<query::SeriesStudy> reading = query::examine_series_text(path, text.text, named_by);
  if (!reading.content) return Failure(query::problems_in(path, reading.problems));
  VERNIER_TRY(const fs::path named, catalog_of(path, reading.content->catalog, rule));
  VERNIER_TRY(const Catalog catalog, Catalog::read(named, rule));
  return of(path.stem().string(), text, catalog);
}

Result<bool> is_series_study(const fs::path& path) {
  return read_text(path).map([](const Text& text) { return query::has_series(text.text); });
}

std::vector<query::Table> SeriesStudy::tables() const {
  std::vector<query::Table> all;
  const auto add = [&](const query::Table& table) {
    if (std::ranges::none_of(all, [&](const query::Table& one) { return one.name == table.name; }))
      all.push_back(table);
  };
  for (const plan::BoundSeries& one : bound) {
    const query::Table* const declared = catalog.table(one.counted.table.name);
    add(declared != nullptr ? *declared : one.counted.table);
    for (const plan::BoundJoin& join : one.counted.joins) add(join.table);
  }
  return all;
}

plan::Plan SeriesStudy::charge() const {
  plan::BoundStudy whole = limits_of(question, catalog, *Alpha::of(question.alpha.round_down()));
  plan::Plan made{std::move(whole), {}, plan.events, plan.facts.delta, plan.facts.epsilon, plan.facts.method};
  for (const plan::BoundSeries& one : bound) {
    made.study.statistics.push_back(one.counted);
    made.statistics.emplace_back();
  }
  return made;
}

}  // namespace vernier::study
