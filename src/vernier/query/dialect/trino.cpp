#include "vernier/core/hash.hpp"
#include "vernier/query/dialect/dialect.hpp"

// Trino 476.
namespace vernier::query {
namespace {

class Trino final : public Dialect {
  std::string_view name() const override { return "trino"; }

  std::string text(std::string_view text) const override { return "from_utf8(from_hex('" + hex(text) + "'))"; }
  std::string octets(const std::string& text) const override { return "length(to_utf8(" + text + "))"; }
  // Its texts may have bytes that are no UTF-8, and NUL: such a text has no number, so that as a key it does not count.
  std::string is_text(const std::string& text) const override {
    const std::string bytes = "to_utf8(" + text + ")";
    return "to_utf8(from_utf8(" + bytes + ")) = " + bytes;
  }
  std::string bytes_of(const std::string& text) const override {
    return "(CASE WHEN " + is_text(text) + " AND strpos(" + text + ", chr(0)) = 0 THEN " + octets(text) + " END)";
  }
  // $ would match before a line feed at the end.
  std::string matches(const std::string& text, std::string_view pattern) const override {
    return "regexp_like(" + text + ", '\\A(" + std::string(pattern) + ")\\z')";
  }
  // Its LIKE looks for pieces without _ one behind the other, and goes through all characters at once where there is no
  // %. With both it builds a machine of as many states as there are sets of places in the pattern, at the first text
  // that may match: such a pattern is a chain of searches, each from the end of the one before.
  std::string like(const std::string& text, const LikePattern& pattern) const override {
    return pattern.has_any() && pattern.has_one() ? searches(text, pattern) : own_like(text, pattern);
  }

  std::string sum(const std::string& integers) const override { return "sum(CAST(" + integers + " AS DECIMAL(38,0)))"; }
  std::string day_number(const std::string& date) const override {
    return "date_diff('day', DATE '1970-01-01', " + date + ")";
  }
  std::string date_part(DatePart part, const std::string& date) const override {
    if (part == DatePart::day_of_week) return "(day_of_week(" + date + ") % 7)";
    if (part == DatePart::iso_day_of_week) return "day_of_week(" + date + ")";
    return Dialect::date_part(part, date);
  }

  std::string digest(const std::string& text) const override { return "md5(to_utf8(" + text + "))"; }
  std::string hash_of(const std::string& text) const override {
    return "from_big_endian_64(xxhash64(to_utf8(" + text + ")))";
  }

 private:
  // NULL as soon as a piece is not found.
  std::string end_of_search(const std::string& text, const LikePattern& pattern) const {
    std::string place = std::to_string(characters(pattern.first()) + 1);
    for (const std::string& piece : pattern.inner()) {
      place = "NULLIF(regexp_position(" + text + ", " + this->text("(?s)" + as_regexp(piece)) + ", " + place +
              "), -1) + " + std::to_string(characters(piece));
    }
    return place;
  }

  std::string searches(const std::string& text, const LikePattern& pattern) const {
    const std::size_t first = characters(pattern.first()), last = characters(pattern.last());
    const std::string start = "length(" + text + ") - " + std::to_string(last) + " + 1";
    std::string found = "COALESCE(" + end_of_search(text, pattern) + " <= " + start + ", FALSE)";
    if (first > 0) {
      found +=
          " AND " + own_like("substr(" + text + ", 1, " + std::to_string(first) + ")", like_pattern(pattern.first()));
    }
    if (last > 0) found += " AND " + own_like("substr(" + text + ", " + start + ")", like_pattern(pattern.last()));
    return "(CASE WHEN " + text + " IS NOT NULL THEN " + found + " END)";
  }
};

}  // namespace

const Dialect& trino_dialect() {
  static const Trino dialect;
  return dialect;
}

}  // namespace vernier::query
