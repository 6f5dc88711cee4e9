#include "vernier/study/edit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/series.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"
#include "vernier/study/toml_places.hpp"

namespace vernier::study {
namespace {

using query::TomlEntry;
using query::TomlNode;
using query::TomlTable;

Failure cannot_be_edited(std::string_view what) {
  return invalid(fmt::format("{} is written so that it cannot be changed in place", what),
                 "change it in the text of the study");
}

Failure no_row(std::string_view name) {
  return invalid(fmt::format("the study has no statistic, table or series {}", query::in_quotes(name)),
                 "name one of its own");
}

const TomlEntry* entry_named(const TomlTable& table, std::string_view key) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const TomlEntry& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}

const TomlTable* table_in(const TomlNode* node) {
  return node == nullptr ? nullptr : std::get_if<TomlTable>(&node->content);
}

std::optional<std::string> text_in(const TomlTable& table, std::string_view key) {
  const TomlEntry* const entry = entry_named(table, key);
  const std::string* const text = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->node.content);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

// What a study has of rows: [[statistic]], [[table]] and [[series]].
constexpr std::array<std::string_view, 3> kinds = {"statistic", "table", "series"};

struct Row {
  std::string_view kind;
  const TomlTable* table;

  bool is_statistic() const { return kind == kinds[0]; }
  bool is_table() const { return kind == kinds[1]; }
  // The key behind which another one is written.
  const TomlEntry* anchor() const { return entry_named(*table, is_statistic() ? "sql" : "from"); }
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A text with its tree, and changes to it.
class Editor {
 public:
  static Result<Editor> of(const Text& study) {
    auto tree = query::parse_toml(study.text);
    if (!tree) return Failure(query::located(study.path, tree.error()));
    return Editor(study.text, *std::move(tree));
  }

  const TomlTable& tree() const { return tree_; }
  const std::string& text() const { return text_; }

  Result<Row> row(std::string_view name) const {
    for (const std::string_view kind : kinds) {
      const TomlEntry* const list = entry_named(tree_, kind);
      const auto* const all = list == nullptr ? nullptr : std::get_if<query::TomlArray>(&list->node.content);
      for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
        const TomlTable* const table = table_in(&(*all)[i]);
        if (table != nullptr && text_in(*table, "name") == name) return Row{kind, table};
      }
    }
    return no_row(name);
  }

  bool is_inline(const TomlNode& node) const {
    const std::size_t at = offset_of(text_, node.place);
    return at < text_.size() && text_[at] == '{';
  }

  std::string replaced(const TomlNode& node, std::string_view value) const {
    const std::size_t from = offset_of(text_, node.place);
    return text_.substr(0, from) + std::string(value) + text_.substr(end_of_value(text_, from));
  }

  // A line behind that of another key.
  std::string inserted_behind(const TomlEntry& anchor, const std::string& line) const {
    const std::size_t end = line_end(text_, end_of_value(text_, offset_of(text_, anchor.node.place)));
    const bool ends_line = end > 0 && text_[end - 1] == '\n';
    return text_.substr(0, end) + (ends_line ? "" : "\n") + line + "\n" + text_.substr(end);
  }

  // Without the lines of a key, which has them for itself.
  std::string without(const TomlEntry& entry) const {
    const std::size_t from = line_begin(text_, offset_of(text_, entry.place));
    const std::size_t end = line_end(text_, end_of_value(text_, offset_of(text_, entry.node.place)));
    return text_.substr(0, from) + text_.substr(end);
  }

  // From the line with its [[header]] to its last key, with the empty lines behind that; what is told of the next one
  // in comments stays.
  Result<std::string> without_block(const Row& row) const {
    std::size_t first = text_.size(), last = 0;
    for (const TomlEntry& entry : *row.table) {
      first = std::min(first, offset_of(text_, entry.place));
      last = std::max(last, end_of(entry));
    }
    std::size_t from = line_begin(text_, first);
    while (from > 0 && !is_header(from, row.kind)) from = line_begin(text_, from - 1);
    if (!is_header(from, row.kind)) return cannot_be_edited(fmt::format("the {}", row.kind));
    std::size_t end = line_end(text_, last);
    while (end < text_.size() && is_empty_line(end)) end = line_end(text_, end);
    return text_.substr(0, from) + text_.substr(end);
  }

 private:
  Editor(std::string text, TomlTable tree) : text_(std::move(text)), tree_(std::move(tree)) {}

  std::size_t behind_blanks(std::size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at;
  }

  // [[statistic]], with blanks wherever they may stand.
  bool is_header(std::size_t at, std::string_view kind) const {
    at = behind_blanks(at);
    if (text_.compare(at, 2, "[[") != 0) return false;
    at = behind_blanks(at + 2);
    return text_.compare(at, kind.size(), kind) == 0 && text_.compare(behind_blanks(at + kind.size()), 2, "]]") == 0;
  }

  bool is_empty_line(std::size_t at) const {
    at = behind_blanks(at);
    return at < text_.size() && (text_[at] == '\n' || text_.compare(at, 2, "\r\n") == 0);
  }

  // Behind the value of an entry; of a table with a header of its own behind its last key.
  std::size_t end_of(const TomlEntry& entry) const {
    const TomlTable* const table = table_in(&entry.node);
    if (table == nullptr || is_inline(entry.node)) return end_of_value(text_, offset_of(text_, entry.node.place));
    std::size_t last = offset_of(text_, entry.place);
    for (const TomlEntry& inner : *table) last = std::max(last, end_of(inner));
    return last;
  }

  std::string text_;
  TomlTable tree_;
};

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += std::string("\\") + c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string key_text(std::string_view key) { return is_bare(key) ? std::string(key) : quoted(key); }

// A number as it stands in a file, for an inline table.
Result<std::string> number_text(const TomlNode& node) {
  if (const std::int64_t* const whole = std::get_if<std::int64_t>(&node.content)) return std::to_string(*whole);
  if (const query::TomlReal* const real = std::get_if<query::TomlReal>(&node.content)) return real->text;
  return cannot_be_edited("the accuracy");
}

// What TOML takes for the decimal: no point at an end, no plus.
Result<std::string> checked_number(std::string_view what, std::string_view text) {
  VERNIER_TRY(const double value, read_number(what, text));
  if (value > 0 && std::isfinite(value) && text.front() != '+' && text.front() != '.' && text.back() != '.' &&
      text.find(".e") == std::string_view::npos && text.find(".E") == std::string_view::npos &&
      (text.front() != '0' || text.size() == 1 || !std::isdigit(static_cast<unsigned char>(text[1])))) {
    return std::string(text);
  }
  return invalid(std::string(what), fmt::format("must be a number above 0 such as 25 or 0.5, but it is '{}'", text),
                 "");
}

// What a text says: a study, or one of series.
struct Read : query::Study {
  std::vector<query::Series> series = {};

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const query::Statistic& one : statistics) all.push_back(one.name);
    for (const query::TableSet& one : tables) all.push_back(one.name);
    for (const query::Series& one : series) all.push_back(one.name);
    return all;
  }
};

Result<Read> read_again(const Text& study, const std::string& text) {
  if (query::has_series(text)) {
    auto reading = query::examine_series_text(study.path, text, query::CatalogOf::runner);
    if (!reading.content) return Failure(query::problems_in(study.path, reading.problems));
    query::SeriesStudy& read = *reading.content;
    return Read{{read.path, read.catalog, read.alpha, std::move(read.budget), {}}, std::move(read.series)};
  }
  query::Reading<query::Study> reading = query::examine_study_text(study.path, text, query::CatalogOf::runner);
  if (!reading.content) return Failure(query::problems_in(study.path, reading.problems));
  return Read{*std::move(reading.content)};
}

const query::Statistic* statistic_of(const query::Study& study, std::string_view name) {
  const auto found = std::find_if(study.statistics.begin(), study.statistics.end(),
                                  [&](const query::Statistic& one) { return one.name == name; });
  return found == study.statistics.end() ? nullptr : &*found;
}

// The text, once it has been read and `holds` of what it says.
template <class Holds>
Result<std::string> checked(const Text& study, std::string text, const Holds& holds) {
  VERNIER_TRY(const Read read, read_again(study, text));
  if (!holds(read)) return cannot_be_edited("the study");
  return text;
}

const query::Target* target_of(const query::Statistic& statistic, std::string_view column) {
  const auto found = std::find_if(statistic.accuracy.begin(), statistic.accuracy.end(),
                                  [&](const query::Target& one) { return fold_case(one.column) == fold_case(column); });
  return found == statistic.accuracy.end() ? nullptr : &*found;
}

// The accuracies that a statistic has, but for this column, as an inline table; the column with its own at the end.
Result<std::string> targets_text(const TomlTable& targets, std::string_view column,
                                 const std::optional<std::string>& accuracy) {
  std::string list;
  const auto add = [&](std::string_view key, const std::string& value) {
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", key_text(key), value);
  };
  for (const TomlEntry& entry : targets) {
    if (fold_case(entry.key) == fold_case(column)) continue;
    VERNIER_TRY(const std::string value, number_text(entry.node));
    add(entry.key, value);
  }
  if (accuracy) add(column, *accuracy);
  return list.empty() ? std::string() : "{ " + list + " }";
}

const TomlNode* node_of(const TomlTable& targets, std::string_view column) {
  for (const TomlEntry& entry : targets) {
    if (fold_case(entry.key) == fold_case(column)) return &entry.node;
  }
  return nullptr;
}

// Of a statistic by its columns, of a series by what it sums.
Result<std::string> targeted(const Editor& editor, const Row& row, std::string_view column,
                             const std::optional<std::string>& accuracy) {
  const TomlEntry* const entry = entry_named(*row.table, "accuracy");
  const TomlTable* const targets = entry == nullptr ? nullptr : table_in(&entry->node);
  if (targets == nullptr) {
    if (row.anchor() == nullptr || entry != nullptr) return cannot_be_edited("the accuracy");
    VERNIER_TRY(const std::string value, targets_text({}, column, accuracy));
    return editor.inserted_behind(*row.anchor(), "accuracy = " + value);
  }
  const TomlNode* const known = node_of(*targets, column);
  if (known != nullptr && accuracy) return editor.replaced(*known, *accuracy);
  if (!editor.is_inline(entry->node)) return cannot_be_edited("the accuracy");
  VERNIER_TRY(const std::string value, targets_text(*targets, column, accuracy));
  return value.empty() ? editor.without(*entry) : editor.replaced(entry->node, value);
}

// A key of a row with this value, or without the key.
Result<std::string> keyed(const Editor& editor, const Row& row, std::string_view key,
                          const std::optional<std::string>& value) {
  const TomlEntry* const known = entry_named(*row.table, key);
  if (known != nullptr && table_in(&known->node) != nullptr && !editor.is_inline(known->node))
    return cannot_be_edited(key);
  if (!value) return known == nullptr ? editor.text() : editor.without(*known);
  if (known != nullptr) return editor.replaced(known->node, *value);
  if (row.anchor() == nullptr) return cannot_be_edited("the " + std::string(row.kind));
  return editor.inserted_behind(*row.anchor(), fmt::format("{} = {}", key, *value));
}

const query::TableSet* table_of(const Read& read, std::string_view name) {
  const auto found = std::ranges::find(read.tables, name, &query::TableSet::name);
  return found == read.tables.end() ? nullptr : &*found;
}

// What the text asks of this column, of the cells of all tables, or of this sum of a series.
std::optional<numeric::Rational> asked_in(const Read& read, std::string_view name, std::string_view column) {
  if (const query::Statistic* const one = statistic_of(read, name)) {
    const query::Target* const target = target_of(*one, column);
    return target == nullptr ? std::nullopt : std::optional(target->accuracy);
  }
  if (const query::TableSet* const one = table_of(read, name)) {
    const bool is_of_all = one->accuracy.size() == 1 && !one->accuracy[0].order && !one->accuracy[0].table;
    return is_of_all ? std::optional(one->accuracy[0].accuracy) : std::nullopt;
  }
  const auto found = std::ranges::find(read.series, name, &query::Series::name);
  if (found == read.series.end()) return std::nullopt;
  const query::SeriesAccuracy& accuracy = found->accuracy;
  if (column == "each") return accuracy.each;
  if (column == "cumulative") return accuracy.cumulative;
  return column == fmt::format("last_{}", found->last) ? accuracy.last : std::nullopt;
}

Failure no_such_cells(std::string_view name, std::string_view column) {
  return invalid(fmt::format("the table {} has no column {}", query::in_quotes(name), query::in_quotes(column)),
                 fmt::format("all its cells have one accuracy, named {}", all_cells));
}

// The text with this target, or without it.
Result<std::string> with_or_without(const Editor& editor, const Row& row, std::string_view name,
                                    std::string_view column, const std::optional<std::string>& accuracy) {
  if (!row.is_table()) return targeted(editor, row, column, accuracy);
  if (column != all_cells) return no_such_cells(name, column);
  return keyed(editor, row, "accuracy", accuracy);
}

}  // namespace

Result<std::string> with_target(const Text& study, std::string_view name, std::string_view column,
                                std::string_view accuracy) {
  VERNIER_TRY(const std::string number, checked_number("the accuracy", accuracy));
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const Row row, editor.row(name));
  VERNIER_TRY(std::string text, with_or_without(editor, row, name, column, number));
  VERNIER_TRY(const numeric::Rational meant, numeric::Rational::of_decimal(number));
  return checked(study, std::move(text), [&](const Read& read) { return asked_in(read, name, column) == meant; });
}

Result<std::string> without_target(const Text& study, std::string_view name, std::string_view column) {
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const Row row, editor.row(name));
  if (entry_named(*row.table, "accuracy") == nullptr) return study.text;
  VERNIER_TRY(std::string text, with_or_without(editor, row, name, column, std::nullopt));
  return checked(study, std::move(text), [&](const Read& read) { return !asked_in(read, name, column); });
}

Result<std::string> with_weight(const Text& study, std::string_view name, std::string_view weight) {
  VERNIER_TRY(const std::string number, checked_number("the weight", weight));
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const Row row, editor.row(name));
  VERNIER_TRY(std::string text, keyed(editor, row, "weight", number));
  VERNIER_TRY(const numeric::Rational meant, numeric::Rational::of_decimal(number));
  return checked(study, std::move(text), [&](const Read& read) {
    const query::Statistic* const one = statistic_of(read, name);
    const query::TableSet* const table = table_of(read, name);
    return (one != nullptr && one->weight == meant) || (table != nullptr && table->weight == meant);
  });
}

namespace {

enum class Written : std::uint8_t { word, whole, flag };
struct Choice {
  std::string_view key;
  Written written;
};
constexpr std::array<Choice, 8> choices = {{{"covers", Written::word},
                                            {"denoise", Written::word},
                                            {"simultaneous", Written::flag},
                                            {"guaranteed", Written::flag},
                                            {"clamped_share", Written::flag},
                                            {"max_groups", Written::whole},
                                            {"max_rows", Written::whole},
                                            {"typical_rows", Written::whole}}};

Failure no_choice(std::string_view key, std::string_view value) {
  return invalid(std::string(key), fmt::format("cannot be {}", query::in_quotes(value)), "");
}

// The value as TOML has it; what it means is for the reader to say.
Result<std::string> written_choice(std::string_view key, std::string_view value) {
  const auto choice = std::ranges::find(choices, key, &Choice::key);
  if (choice == choices.end()) return invalid(std::string(key), "is nothing that can be chosen of a statistic", "");
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (choice->written == Written::word) return quoted(value);
  if (choice->written == Written::flag)
    return value == "true" || value == "false" ? Result<std::string>(std::string(value)) : no_choice(key, value);
  const bool is_whole = !value.empty() && value.size() < 16 && value[0] != '0' && std::ranges::all_of(value, is_digit);
  return is_whole ? Result<std::string>(std::string(value)) : no_choice(key, value);
}

}  // namespace

Result<std::string> with_choice(const Text& study, std::string_view name, std::string_view key,
                                std::string_view value) {
  std::optional<std::string> written;
  if (!value.empty()) {
    VERNIER_TRY(written, written_choice(key, value));
  } else if (std::ranges::find(choices, key, &Choice::key) == choices.end()) {
    return written_choice(key, value);
  }
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const Row row, editor.row(name));
  VERNIER_TRY(std::string text, keyed(editor, row, key, written));
  return checked(study, std::move(text), [](const Read&) { return true; });
}

namespace {

// A key of the whole study, replaced or put at its head.
std::string with_head(const Editor& editor, const Text& study, std::string_view key, const std::string& value) {
  if (const TomlEntry* const known = entry_named(editor.tree(), key)) return editor.replaced(known->node, value);
  return fmt::format("{} = {}\n", key, value) + study.text;
}

Result<std::string> amount_in(const TomlTable* budget, std::string_view key, std::string_view usual) {
  const TomlEntry* const entry = budget == nullptr ? nullptr : entry_named(*budget, key);
  return entry == nullptr ? std::string(usual) : number_text(entry->node);
}

bool is_zero(std::string_view text) { return !text.empty() && text.find_first_not_of("0.") == std::string_view::npos; }

}  // namespace

Result<std::string> with_budget(const Text& study, const std::optional<std::string>& epsilon,
                                const std::optional<std::string>& delta) {
  VERNIER_TRY(const Editor editor, Editor::of(study));
  const TomlEntry* const known = entry_named(editor.tree(), "budget");
  const TomlTable* const budget = known == nullptr ? nullptr : table_in(&known->node);
  if (known != nullptr && !editor.is_inline(known->node)) return cannot_be_edited("the budget");
  VERNIER_TRY(const std::string first,
              epsilon ? checked_number("epsilon", *epsilon) : amount_in(budget, "epsilon", "1"));
  VERNIER_TRY(const std::string second, !delta            ? amount_in(budget, "delta", "0")
                                        : is_zero(*delta) ? Result<std::string>("0")
                                                          : checked_number("delta", *delta));
  const std::string value = is_zero(second) ? fmt::format("{{ epsilon = {} }}", first)
                                            : fmt::format("{{ epsilon = {}, delta = {} }}", first, second);
  VERNIER_TRY(const numeric::Rational meant, numeric::Rational::of_decimal(first));
  return checked(study, with_head(editor, study, "budget", value),
                 [&](const Read& read) { return read.budget && read.budget->epsilon == meant; });
}

Result<std::string> with_alpha(const Text& study, std::string_view alpha) {
  VERNIER_TRY(const std::string number, checked_number("alpha", alpha));
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const numeric::Rational meant, numeric::Rational::of_decimal(number));
  return checked(study, with_head(editor, study, "alpha", number),
                 [&](const Read& read) { return read.alpha == meant; });
}

Result<std::string> with_statistic(const Text& study, std::string_view name, std::string_view sql) {
  const bool ends_line = study.text.empty() || study.text.back() == '\n';
  std::string text = fmt::format("{}{}\n[[statistic]]\nname = {}\nsql = {}\n", study.text, ends_line ? "" : "\n",
                                 quoted(name), quoted(sql));
  return checked(study, std::move(text), [&](const Read& read) {
    const query::Statistic* const one = statistic_of(read, name);
    return one != nullptr && one->sql == sql;
  });
}

Result<std::string> with_sql(const Text& study, std::string_view name, std::string_view sql) {
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const Row row, editor.row(name));
  const TomlEntry* const known = entry_named(*row.table, "sql");
  if (!row.is_statistic() || known == nullptr)
    return invalid(fmt::format("the {} {} has no statement", row.kind, query::in_quotes(name)), "change its text");
  return checked(study, editor.replaced(known->node, quoted(sql)), [&](const Read& read) {
    const query::Statistic* const one = statistic_of(read, name);
    return one != nullptr && one->sql == sql;
  });
}

Result<std::string> without_row(const Text& study, std::string_view name) {
  VERNIER_TRY(const Editor editor, Editor::of(study));
  VERNIER_TRY(const Row row, editor.row(name));
  VERNIER_TRY(const Read before, read_again(study, study.text));
  std::vector<std::string> others = before.names();
  if (others.size() == 1)
    return invalid(fmt::format("the study would have no {} left", row.kind), "add another one first");
  std::erase(others, name);
  VERNIER_TRY(std::string text, editor.without_block(row));
  return checked(study, std::move(text), [&](const Read& read) { return read.names() == others; });
}

}  // namespace vernier::study
