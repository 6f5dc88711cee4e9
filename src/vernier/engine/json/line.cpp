#include "vernier/engine/json/line.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "vernier/core/names.hpp"

namespace vernier::engine {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_figure(char c) { return c >= '0' && c <= '9'; }

// The value of a hexadecimal digit; none of anything else.
std::optional<unsigned> digit_of(char c) {
  if (is_figure(c)) return static_cast<unsigned>(c - '0');
  const char small = static_cast<char>(c | 0x20);
  if (small >= 'a' && small <= 'f') return static_cast<unsigned>(small - 'a' + 10);
  return std::nullopt;
}

std::optional<unsigned> unit_at(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  unsigned unit = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::optional<unsigned> digit = digit_of(text[i]);
    if (!digit) return std::nullopt;
    unit = unit << 4U | *digit;
  }
  return unit;
}

// Whether a number is written as RFC 8259 has it.
bool is_json_number(std::string_view text) {
  const auto take_figures = [&] {
    const auto end = std::find_if_not(text.begin(), text.end(), is_figure);
    const auto count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool begins_with_zero = text.starts_with('0');
  const std::size_t whole = take_figures();
  if (whole == 0 || (begins_with_zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (take_figures() == 0) return false;
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return take_figures() > 0 && text.empty();
}

// NaN and infinities are what some libraries write for numbers that are none.
bool is_word(std::string_view text) {
  constexpr std::array<std::string_view, 5> words = {"true", "false", "NaN", "Infinity", "-Infinity"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

class Scanner {
 public:
  Scanner(std::string_view line, std::string& open) : rest_(line), open_(open) {
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  // Whether the whole line is an object; its members are told one by one, also those before a fault.
  template <class OnMember>
  bool object(const OnMember& on_member) {
    if (!take('{')) return false;
    if (take('}')) return is_at_end();
    do {
      JsonCell name, value;
      if (!member_name(name) || !member_value(value)) return false;
      on_member(name, value);
    } while (take(','));
    return take('}') && is_at_end();
  }

 private:
  void pass_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
  }

  bool is_at_end() {
    pass_blanks();
    return rest_.empty();
  }

  // Behind blanks.
  bool take(char c) {
    pass_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool member_name(JsonCell& name) { return take('"') && text(name) && take(':'); }

  bool member_value(JsonCell& value) {
    pass_blanks();
    if (!rest_.starts_with('{') && !rest_.starts_with('[')) return scalar(value);
    value.kind = JsonCell::Kind::nested;
    return nested();
  }

  bool scalar(JsonCell& value) { return take('"') ? text(value) : bare(value); }

  // Up to the quote that closes it.
  bool text(JsonCell& value) {
    value.kind = JsonCell::Kind::text;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        value.text = rest_.substr(0, i);
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] != '\\') continue;
      value.is_escaped = true;
      if (!is_escape(rest_.substr(++i))) return false;
    }
    return false;
  }

  static bool is_escape(std::string_view behind) {
    if (behind.empty()) return false;
    if (behind.front() == 'u') return unit_at(behind.substr(1)).has_value();
    return std::string_view("\"\\/bfnrt").find(behind.front()) != std::string_view::npos;
  }

  bool bare(JsonCell& value) {
    const std::size_t found = rest_.find_first_of(",}] \t\r");
    value.text = rest_.substr(0, found);
    rest_.remove_prefix(value.text.size());
    if (value.text == "null") return true;
    value.kind = JsonCell::Kind::bare;
    return is_json_number(value.text) || is_word(value.text);
  }

  // A list or an object with all that is in it, however deep.
  bool nested() {
    open_.clear();
    while (true) {
      JsonCell passed;
      if (take('{') || take('[')) {
        if (!begin_nested()) return false;
        if (is_value_next_) continue;
      } else if (!scalar(passed)) {
        return false;
      }
      if (!end_value()) return false;
      if (open_.empty()) return true;
    }
  }

  // Behind the bracket that was taken: whether a value follows, or it closed at once.
  bool begin_nested() {
    const bool is_object = *(rest_.data() - 1) == '{';
    is_value_next_ = false;
    if (take(is_object ? '}' : ']')) return true;
    open_ += is_object ? '{' : '[';
    is_value_next_ = true;
    JsonCell name;
    return !is_object || member_name(name);
  }

  // Behind a value: closes what ends here, or goes on to the next value.
  bool end_value() {
    while (!open_.empty()) {
      const bool is_object = open_.back() == '{';
      JsonCell name;
      if (take(',')) return !is_object || member_name(name);
      if (!take(is_object ? '}' : ']')) return false;
      open_.pop_back();
    }
    return true;
  }

  std::string_view rest_;
  std::string& open_;
  bool is_value_next_ = false;
};

// In UTF-8; also half of a surrogate pair, which is none.
void append_unit(char32_t c, std::string& text) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(0xC0 | c >> 6U), byte(0x80 | (c & 0x3F));
  if (c < 0x10000) return byte(0xE0 | c >> 12U), byte(0x80 | (c >> 6U & 0x3F)), byte(0x80 | (c & 0x3F));
  byte(0xF0 | c >> 18U), byte(0x80 | (c >> 12U & 0x3F)), byte(0x80 | (c >> 6U & 0x3F)), byte(0x80 | (c & 0x3F));
}

bool is_first_half(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_second_half(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

// \u and four digits at the beginning, and the other half behind it; how many bytes that took.
std::size_t append_units(std::string_view escaped, std::string& text) {
  const unsigned unit = unit_at(escaped.substr(2)).value_or(0xFFFD);
  const std::string_view behind = escaped.substr(std::min<std::size_t>(6, escaped.size()));
  const std::optional<unsigned> second = behind.starts_with("\\u") ? unit_at(behind.substr(2)) : std::nullopt;
  if (!is_first_half(unit) || !second || !is_second_half(*second)) {
    append_unit(unit, text);
    return 6;
  }
  append_unit(0x10000 + ((unit - 0xD800) << 10U) + (*second - 0xDC00), text);
  return 12;
}

char control_of(char c) {
  constexpr std::string_view letters = "bfnrt", controls = "\b\f\n\r\t";
  const std::size_t place = letters.find(c);
  return place == std::string_view::npos ? c : controls[place];
}

}  // namespace

query::CellFormat bare_format(query::CellFormat format) {
  format.decimal_mark = '.';
  format.thousands.clear();
  format.true_words.clear();
  format.false_words.clear();
  return format;
}

void append_unescaped(std::string_view escaped, std::string& text) {
  while (!escaped.empty()) {
    const std::size_t plain = std::min(escaped.find('\\'), escaped.size());
    text.append(escaped.substr(0, plain));
    escaped.remove_prefix(plain);
    if (escaped.size() < 2) return;
    const std::size_t taken = escaped[1] == 'u' ? append_units(escaped, text) : 2;
    if (escaped[1] != 'u') text += control_of(escaped[1]);
    escaped.remove_prefix(std::min(taken, escaped.size()));
  }
}

JsonLine::JsonLine(const std::vector<std::string>& names) : cells_(names.size()) {
  for (const std::string& name : names) names_.push_back(fold_case(name));
}

bool JsonLine::read(std::string_view line) {
  std::fill(cells_.begin(), cells_.end(), JsonCell());
  std::size_t member = 0;
  const bool is_object = Scanner(line, open_).object([&](const JsonCell& name, const JsonCell& value) {
    const std::size_t column = column_of(member++, name.text, name.is_escaped);
    if (column != not_asked) cells_[column] = value;
  });
  if (!is_object) std::fill(cells_.begin(), cells_.end(), JsonCell());
  return is_object;
}

std::size_t JsonLine::column_of(std::size_t member, std::string_view name, bool is_escaped) {
  constexpr std::size_t most_kept = 4096, longest_kept = 256;  // bytes of names that no line can make many
  if (member < members_.size() && members_[member].name == name) return members_[member].column;
  const std::size_t column = look_up(name, is_escaped);
  if (member >= most_kept || member > members_.size() || name.size() > longest_kept) return column;
  if (member == members_.size()) members_.emplace_back();
  members_[member] = {std::string(name), column};
  return column;
}

std::size_t JsonLine::look_up(std::string_view name, bool is_escaped) const {
  std::string plain;
  is_escaped ? append_unescaped(name, plain) : void(plain.assign(name));
  const auto found = std::find(names_.begin(), names_.end(), fold_case(plain));
  return found == names_.end() ? not_asked : static_cast<std::size_t>(found - names_.begin());
}

std::vector<JsonMember> json_members(std::string_view line) {
  std::vector<JsonMember> members;
  std::string open;
  const bool is_object = Scanner(line, open).object([&](const JsonCell& name, const JsonCell& value) {
    std::string plain;
    name.is_escaped ? append_unescaped(name.text, plain) : void(plain.assign(name.text));
    members.push_back({std::move(plain), value.kind});
  });
  return is_object ? members : std::vector<JsonMember>();
}

}  // namespace vernier::engine
