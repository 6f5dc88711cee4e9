#include "cli/program_error.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/output.hpp"

namespace vernier::cli {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_day(std::string_view word) {
  return word.size() == 10 && word[4] == '-' && word[7] == '-' && word.find_first_not_of("0123456789-") == word.npos;
}

// Goes through a piece of TOML once, from left to right.
class Translator {
 public:
  Translator(std::string_view piece, const Tongue& tongue) : left_(piece), tongue_(tongue) {}

  std::string all() {
    std::string out = is_assignment() ? assignment() : value();
    while (skip(", ")) out += ", " + (is_assignment() ? assignment() : value());
    return out.append(left_);
  }

 private:
  bool skip(std::string_view text) {
    if (!left_.starts_with(text)) return false;
    left_.remove_prefix(text.size());
    return true;
  }
  std::string_view taken(std::size_t count) {
    const std::string_view text = left_.substr(0, count);
    left_.remove_prefix(text.size());
    return text;
  }

  // Of a key, bare or in quotes.
  std::size_t length_of_key() const {
    if (left_.starts_with('"')) return length_of_text();
    std::size_t length = 0;
    while (length < left_.size() && is_bare(left_[length])) ++length;
    return length;
  }
  std::size_t length_of_text() const {
    std::size_t end = 1;
    while (end < left_.size() && left_[end] != '"') end += left_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, left_.size());
  }
  bool is_assignment() const {
    const std::size_t length = length_of_key();
    return length > 0 && left_.substr(length).starts_with(" = ");
  }

  std::string assignment() {
    const std::string name(taken(length_of_key()));
    skip(" = ");
    return name + std::string(tongue_.assigned) + value();
  }

  std::string value() {
    if (left_.starts_with('"')) return std::string(taken(length_of_text()));
    if (left_.starts_with("[tables.")) return head();
    if (skip("[")) return list();
    if (skip("{ ")) return table();
    return word();
  }

  std::string word() {
    const std::string_view word = taken(std::min(left_.find_first_of(",]} "), left_.size()));
    if (word == "true") return std::string(tongue_.true_word);
    if (word == "false") return std::string(tongue_.false_word);
    return is_day(word) ? tongue_.day(word) : std::string(word);
  }

  // The head of a table, [tables.people], or of its columns.
  std::string head() {
    skip("[tables.");
    std::string_view name = taken(std::min(left_.rfind(']'), left_.size()));
    skip("]");
    const bool is_of_columns = name.ends_with(".columns");
    if (is_of_columns) name.remove_suffix(std::string_view(".columns").size());
    return (is_of_columns ? "columns of " : "") + tongue_.table_named(name);
  }

  std::string list() {
    std::string inner;
    const bool is_nested = left_.starts_with('[');
    while (!left_.empty() && !skip("]")) {
      const std::size_t before = left_.size();
      inner += value();
      if (left_.size() == before) inner += taken(1);
      if (skip(", ")) inner += ", ";
    }
    return tongue_.list(inner, is_nested);
  }

  std::string table() {
    std::string inner;
    while (is_assignment()) {
      std::string_view name = taken(length_of_key());
      if (name.starts_with('"')) name = name.substr(1, name.size() - 2);
      skip(" = ");
      inner += tongue_.member(name) + value();
      if (skip(", ")) inner += ", ";
    }
    skip(" }");
    return tongue_.table(inner);
  }

  std::string_view left_;
  const Tongue& tongue_;
};

}  // namespace

std::string translated(std::string_view piece, const Tongue& tongue) { return Translator(piece, tongue).all(); }

std::string spelled_in(const Tongue& tongue, std::string_view name, std::string_view value) {
  if (name == name_of_toml) return translated(value, tongue);
  if (name == name_of_line) return "";
  if (name != name_of_term) return keyword_spelling(name, value);
  const std::size_t number = number_of_term(value);
  return std::string(number < term_count ? tongue.terms[number] : "");
}

bool is_of_program(const std::string& file) {
  const std::filesystem::path name = std::filesystem::path(file).filename();
  return name == "<catalog>" || name == "<study>";
}

std::string place_text(const std::filesystem::path& file) {
  return is_of_program(file.string()) ? "made by a program" : one_line(file.string());
}

bool is_of_program(const Error& error) { return error.place && is_of_program(error.place->file); }

Error without_invented_places(Error error) {
  if (is_of_program(error)) error.place.reset();
  for (Error& other : error.others) other = without_invented_places(std::move(other));
  return error;
}

std::string program_text(const Error& error, const Spelling& spelling) {
  std::string text = error_text(error, spelling);
  for (const Error& other : error.others) text.append("\n").append(error_text(other, spelling));
  return text;
}

}  // namespace vernier::cli
