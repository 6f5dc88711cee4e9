#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/cell_format.hpp"

// How a line of a file of JSON lines becomes cells: json.md has the rule. Every function is total.
namespace vernier::engine {

// What a member of the object is: nothing where it is null or not there, a number or word that stands without quotes, a
// text, or a list or an object.
struct JsonCell {
  enum class Kind : std::uint8_t { none, bare, text, nested };
  Kind kind = Kind::none;
  std::string_view text = {};  // without the quotes around it
  bool is_escaped = false;     // there is a backslash in it
};

// How numbers and words without quotes are written, whatever is declared of texts: only what means that nothing is
// known, and how days are written, holds for them too.
query::CellFormat bare_format(query::CellFormat format);

// Adds the text that is written with escapes. Half of a surrogate pair becomes bytes that are no UTF-8.
void append_unescaped(std::string_view escaped, std::string& text);

// Reads lines as cells of the columns of these names, whatever their case.
class JsonLine {
 public:
  explicit JsonLine(const std::vector<std::string>& names);

  // False where the line is no object of JSON: then all cells are `none`. They are valid as long as the line is.
  bool read(std::string_view line);
  std::span<const JsonCell> cells() const { return cells_; }

 private:
  static constexpr std::size_t not_asked = static_cast<std::size_t>(-1);
  struct Member {
    std::string name;  // as the line writes it
    std::size_t column = not_asked;
  };

  std::size_t column_of(std::size_t member, std::string_view name, bool is_escaped);
  std::size_t look_up(std::string_view name, bool is_escaped) const;

  std::vector<std::string> names_;  // with small letters
  std::vector<JsonCell> cells_;
  std::vector<Member> members_;  // of the line before, since most lines have the same
  std::string open_;             // lists and objects that are not closed yet
};

// The members of an object, in the order of the line; empty where the line is none.
struct JsonMember {
  std::string name;
  JsonCell::Kind kind;
};
std::vector<JsonMember> json_members(std::string_view line);

}  // namespace vernier::engine
