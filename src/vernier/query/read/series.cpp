#include "vernier/query/series.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/read/budget.hpp"
#include "vernier/query/read/parts.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

std::string called(const TomlTable& table) {
  for (const TomlEntry& entry : table) {
    const auto* const name = std::get_if<std::string>(&entry.node.content);
    if (entry.key == "name" && name != nullptr) return "the series " + in_quotes(*name);
  }
  return "this series";
}

bool is_part_of_sql(const std::string& text) {
  constexpr std::string_view blanks = " \t\r\n";
  return text.find_first_not_of(blanks) != std::string::npos && text.find('\0') == std::string::npos &&
         text.find(';') == std::string::npos && text.find("--") == std::string::npos &&
         text.find("/*") == std::string::npos;
}

// Needed where there is an example.
std::optional<std::string> sql_part(TableReader& reader, std::string_view key, std::string_view example, bool needed) {
  if (needed) reader.require(key, std::string(key) + " = \"" + std::string(example) + "\"");
  const auto text = reader.text(key, example);
  if (text && !is_part_of_sql(*text)) {
    reader.refuse(reader.find(key)->place, reader.subject(key), "must be a part of SQL such as " + in_quotes(example),
                  "write it without semicolons and comments");
  }
  return text;
}

std::string series_name(TableReader& reader) {
  const TomlNode* const node = reader.require("name", toml("name = \"cases\""));
  const auto name = reader.text("name", "cases");
  if (!name) return {};
  if (const auto fault = fault_of_name(*name))
    reader.refuse(node->place, "a series cannot have this name, since " + *fault, "choose another");
  return *name;
}

std::vector<std::string> series_columns(TableReader& reader) {
  const TomlNode* const node = reader.find("columns");
  std::vector<std::string> columns;
  if (node == nullptr) return columns;
  const auto* const list = std::get_if<TomlArray>(&node->content);
  bool is_good = list != nullptr && list->size() <= 20;
  for (std::size_t i = 0; is_good && i < list->size(); ++i) {
    const auto* const text = std::get_if<std::string>(&(*list)[i].content);
    is_good = text != nullptr && is_part_of_sql(*text);
    if (is_good) columns.push_back(*text);
  }
  if (!is_good) {
    reader.refuse(node->place, reader.subject("columns"), "must be a list of at most 20 columns with public keys",
                  "write " + toml("columns = [\"region\"]") + ", or leave it out");
  }
  return columns;
}

std::optional<Day> day_at(TableReader& reader, std::string_view key, std::string_view example) {
  const TomlNode* const node = reader.require(key, toml(std::string(key) + " = " + std::string(example)));
  if (node == nullptr) return std::nullopt;
  if (const auto* const day = std::get_if<Day>(&node->content)) return *day;
  reader.refuse(
      node->place, reader.subject(key),
      "must be a date" + term(Term::without_quotes) + " such as " + toml(example) + ", but it is " + described(*node),
      {});
  return std::nullopt;
}

Calendar read_calendar(TableReader& reader) {
  Calendar calendar;
  reader.require("step", toml("step = \"day\""));
  const auto word = reader.word("step", {"day", "week", "month"});
  if (word) calendar.length = *word == "day" ? StepLength::day : *word == "week" ? StepLength::week : StepLength::month;
  const auto start = day_at(reader, "start", "2027-01-01"), end = day_at(reader, "end", "2027-12-31");
  if (!start || !end || !word) return calendar;
  calendar.start = *start;
  calendar.end = *end;
  if (*end < *start) {
    reader.refuse(reader.find("end")->place, reader.subject("end"), "lies before start",
                  "write the last day of the series");
  } else if (calendar.length == StepLength::month && !text_of(*start).ends_with("-01")) {
    reader.refuse(reader.find("start")->place, reader.subject("start"), "must be the first day of a month",
                  "months are those of the calendar");
  } else if (calendar.steps() > most_series_steps) {
    reader.refuse(reader.find("end")->place, reader.subject("end"),
                  "makes " + std::to_string(calendar.steps()) + " steps, and 4096 are the most", "take longer steps");
  }
  return calendar;
}

// The number behind last_; none where the word is another one.
std::optional<std::int64_t> number_of_last(std::string_view word) {
  if (!word.starts_with("last_")) return std::nullopt;
  const auto number = value_of_key(word.substr(5), Type::integer);
  const auto* const count = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  return count != nullptr && *count >= 1 && *count <= most_last_steps ? std::optional(*count) : std::nullopt;
}

std::string accuracy_example() { return "write " + toml("accuracy = { cumulative = 60, last_7 = 40, each = 25 }"); }

void read_targets(TableReader& reader, Series& series) {
  const TomlTable* const table = reader.table("accuracy", toml("{ cumulative = 60, last_7 = 40, each = 25 }"));
  if (table == nullptr) return;
  if (table->empty())
    reader.refuse(reader.find("accuracy")->place, reader.subject("accuracy"), "is empty", accuracy_example());
  for (const TomlEntry& entry : *table) {
    const auto last = number_of_last(entry.key);
    auto& target = entry.key == "each" ? series.accuracy.each
                   : last              ? series.accuracy.last
                                       : series.accuracy.cumulative;
    if (entry.key != "each" && entry.key != "cumulative" && !last) {
      reader.refuse(entry.place, reader.subject("accuracy"), "has no " + in_quotes(entry.key), accuracy_example());
      continue;
    }
    if (last && series.accuracy.last) {
      reader.refuse(entry.place, reader.subject("accuracy"), "asks for two sums of last steps", "keep one of them");
      continue;
    }
    auto number = number_of(entry.node);
    if (!number || !(*number > Rational::of(0))) {
      reader.refuse(entry.node.place, reader.subject("accuracy"),
                    "must be above 0 everywhere, but it is " + described(entry.node), {});
      continue;
    }
    target = *std::move(number);
    if (last) series.last = *last;
  }
}

void read_best(TableReader& reader, Series& series) {
  const TomlNode* const node = reader.find("best");
  const auto word = reader.text("best", "cumulative");
  if (!word) return;
  const auto last = number_of_last(*word);
  if (!last && *word != "each" && *word != "cumulative") {
    return reader.refuse(node->place, reader.subject("best"),
                         "must be \"cumulative\", \"last_7\" or \"each\", but it is " + described(*node), {});
  }
  if (!series.accuracy.none()) {
    return reader.refuse(node->place, reader.subject("best"), "says what a budget is for, and accuracy says it already",
                         "keep one of them");
  }
  series.best = last ? SeriesKind::last : *word == "each" ? SeriesKind::each : SeriesKind::cumulative;
  if (last) series.last = *last;
}

void refuse_unoffered(TableReader& reader) {
  for (const std::string_view key : {"tables", "values", "weight", "simultaneous", "rest"}) {
    const TomlNode* const node = reader.find(key);
    if (node == nullptr) continue;
    reader.refuse(node->place, reader.subject(key), "is not offered for series",
                  key == "tables" ? "write up_to = 2 for all tables of two columns" : "leave it out");
  }
}

constexpr std::size_t most_tables = 100;

// All sets of so many of the columns at most, as places in their list: the smaller ones first.
std::vector<std::vector<std::size_t>> sets_up_to(std::size_t columns, std::size_t most) {
  std::vector<std::vector<std::size_t>> sets = {{}};
  for (std::size_t i = 0; i < sets.size() && sets.size() <= most_tables; ++i) {
    if (sets[i].size() == most) continue;
    for (std::size_t next = sets[i].empty() ? 0 : sets[i].back() + 1; next < columns; ++next) {
      sets.push_back(sets[i]);
      sets.back().push_back(next);
    }
  }
  return sets;
}

std::string name_of_table(const Series& series, const std::vector<std::size_t>& table) {
  std::string name = series.name;
  for (std::size_t i = 0; i < table.size(); ++i)
    name += (i == 0 ? " by " : " and ") + part_of(series.columns[table[i]]).name;
  return name;
}

// With up_to = 2 the series of the whole, by each column, and by each two of them; without it the one that is asked.
std::vector<Series> with_tables(TableReader& reader, const Series& asked) {
  const auto up_to = reader.whole("up_to", 1, 20);
  if (!up_to) return {asked};
  const Place place = reader.find("up_to")->place;
  const auto refuse = [&](const std::string& problem, const std::string& advice) {
    reader.refuse(place, reader.subject("up_to"), problem, advice);
    return std::vector<Series>{asked};
  };
  if (static_cast<std::size_t>(*up_to) > asked.columns.size()) {
    return refuse("asks for tables of more columns than there are", "write the columns in " + toml("columns"));
  }
  const auto sets = sets_up_to(asked.columns.size(), static_cast<std::size_t>(*up_to));
  if (sets.size() > most_tables) return refuse("makes more than 100 tables", "take fewer columns, or a smaller up_to");
  std::vector<Series> all;
  for (const std::vector<std::size_t>& set : sets) {
    Series one = asked;
    one.together = asked.name;
    one.table = set;
    one.name = name_of_table(asked, set);
    if (const auto fault = fault_of_name(one.name)) {
      return refuse("makes a series " + in_quotes(one.name) + ", which cannot be a name, since " + *fault,
                    "write AS and a short name behind each column");
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Series> read_series(const TomlNode& node, std::vector<Problem>& problems) {
  Series series{.name = {}, .from = {}, .day = {}, .place = node.place};
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    problems.push_back({node.place, "a series must be one that begins with [[series]], but it is " + described(node)});
    return {series};
  }
  TableReader reader(*table, node.place, called(*table), problems);
  series.name = series_name(reader);
  series.from = sql_part(reader, "from", "cases", true).value_or("");
  series.where = sql_part(reader, "where", "age >= 15", false);
  series.day = sql_part(reader, "day", "reported", true).value_or("");
  series.columns = series_columns(reader);
  series.calendar = read_calendar(reader);
  series.max_steps = reader.whole("max_steps", 1, most_series_steps).value_or(1);
  series.apart = reader.whole("apart", 1, most_series_steps).value_or(1);
  read_targets(reader, series);
  read_best(reader, series);
  std::vector<Series> all = with_tables(reader, series);
  refuse_unoffered(reader);
  reader.finish();
  return all;
}

std::optional<StudyBudget> series_budget(TableReader& reader, std::vector<Problem>& problems) {
  const TomlTable* const table = reader.table("budget", toml("{ epsilon = 1.0, delta = 1e-7 }"));
  if (table == nullptr) return std::nullopt;
  TableReader budget(*table, reader.find("budget")->place, "the budget", problems);
  PrivacyBudget found = read_privacy_budget(budget);
  budget.finish();
  return StudyBudget{std::move(found.epsilon), std::move(found.delta)};
}

Rational series_alpha(TableReader& reader) {
  auto alpha = reader.number("alpha");
  if (!alpha) return Rational::of_decimal("0.05").value();
  if (*alpha < Rational::of_decimal("1e-12").value() || *alpha > Rational::of_decimal("0.5").value()) {
    reader.refuse(reader.find("alpha")->place, reader.subject("alpha"),
                  "must be between 1e-12 and 0.5, such as 0.05, but it is " + described(*reader.find("alpha")), {});
  }
  return *std::move(alpha);
}

void refuse_company(TableReader& reader) {
  for (const std::string_view key : {"statistic", "table", "regression", "components"}) {
    const TomlNode* const node = reader.find(key);
    if (node == nullptr) continue;
    reader.refuse(node->place,
                  "a study of series has no [[" + std::string(key) + "]]: series are released step by step",
                  "make two studies of it, which the ledger adds up");
  }
}

void check_series(const SeriesStudy& study, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < study.series.size(); ++i) {
    const Series& one = study.series[i];
    if (!study.budget && one.accuracy.none()) {
      problems.push_back({one.place,
                          "the series " + in_quotes(one.name) + " states no accuracy and the study no budget",
                          term(Term::budget_or_accuracy)});
    }
    if (!(one.calendar == study.series.front().calendar)) {
      problems.push_back({one.place, "the series " + in_quotes(one.name) + " has other steps than the first one",
                          "make a study of its own for it, since all series of a study are released together"});
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (fold_case(study.series[j].name) != fold_case(one.name)) continue;
      problems.push_back({one.place, "the series " + in_quotes(one.name) + " has the name of another one",
                          "give each a name of its own, since files are named so"});
    }
  }
}

std::filesystem::path series_catalog(TableReader& reader, CatalogOf named_by) {
  if (named_by == CatalogOf::study) reader.require("catalog", toml("catalog = \"catalog.toml\""));
  return reader.text("catalog", "catalog.toml").value_or("");
}

}  // namespace

std::string Series::statement() const {
  std::string sql = "SELECT " + day + " AS \"day of arrival\", ", places = "1";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sql += columns[i] + ", ";
    places += ", " + std::to_string(i + 2);
  }
  sql += "COUNT(*) AS \"count of rows\" FROM " + from;
  if (where) sql += " WHERE (" + *where + ")";
  return sql + " GROUP BY " + places;
}

bool has_series(std::string_view text) {
  const auto document = parse_toml(text);
  return document && std::ranges::any_of(*document, [](const TomlEntry& one) { return one.key == "series"; });
}

Reading<SeriesStudy> examine_series_text(const std::filesystem::path& path, std::string_view text, CatalogOf named_by) {
  const auto document = parse_toml(text);
  if (!document) return {std::nullopt, {document.error()}};
  std::vector<Problem> problems;
  TableReader reader(*document, {}, "the study", problems);
  const std::filesystem::path catalog = series_catalog(reader, named_by);
  Rational alpha = series_alpha(reader);
  std::optional<StudyBudget> budget = series_budget(reader, problems);
  SeriesStudy study{path, catalog.empty() ? catalog : beside(path, catalog), std::move(alpha), std::move(budget), {}};
  const TomlNode* const node = reader.require("series", term(Term::series));
  const auto* const list = node != nullptr ? std::get_if<TomlArray>(&node->content) : nullptr;
  if (node != nullptr && (list == nullptr || list->empty()))
    reader.refuse(node->place, "a study has its series in a list", "write " + term(Term::series));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    std::ranges::move(read_series((*list)[i], problems), std::back_inserter(study.series));
  refuse_company(reader);
  check_series(study, problems);
  reader.finish();
  return settled(std::move(study), std::move(problems));
}

bool is_append_only(std::string_view catalog_text, std::string_view table) {
  const auto find = [](const TomlTable& in, std::string_view key) -> const TomlNode* {
    for (const TomlEntry& one : in) {
      if (fold_case(one.key) == fold_case(key)) return &one.node;
    }
    return nullptr;
  };
  const auto document = parse_toml(catalog_text);
  const TomlNode* const tables = document ? find(*document, "tables") : nullptr;
  const auto* const all = tables != nullptr ? std::get_if<TomlTable>(&tables->content) : nullptr;
  const TomlNode* const node = all != nullptr ? find(*all, table) : nullptr;
  const auto* const one = node != nullptr ? std::get_if<TomlTable>(&node->content) : nullptr;
  const TomlNode* const flag = one != nullptr ? find(*one, "append_only") : nullptr;
  const auto* const value = flag != nullptr ? std::get_if<bool>(&flag->content) : nullptr;
  return value != nullptr && *value;
}

}  // namespace vernier::query
