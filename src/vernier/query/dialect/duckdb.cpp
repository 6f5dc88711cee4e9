#include "vernier/query/dialect/dialect.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::query {
namespace {

constexpr char unwritten = '\1';

// Portable statements have a place that is marked by a control character (plan/render/sql.hpp), so that no text has it.
std::string marked_text(std::string_view text) {
  const std::size_t place = text.find(unwritten);
  if (place == std::string_view::npos) return quoted_text(text);
  return "(" + quoted_text(text.substr(0, place)) + " || chr(1) || " + marked_text(text.substr(place + 1)) + ")";
}

class DuckDb final : public Dialect {
  std::string_view name() const override { return "duckdb"; }
  std::string_view wide_type() const override { return "HUGEINT"; }
  std::string text(std::string_view text) const override { return marked_text(text); }

  std::string_view guarded_cast() const override { return "TRY_CAST"; }

  std::string quotient(const std::string& a, const std::string& b) const override { return "(" + a + " // " + b + ")"; }
  std::string wide_quotient(const std::string& a, const std::string& b) const override { return quotient(a, b); }

  std::string octets(const std::string& text) const override { return "strlen(" + text + ")"; }
  // As on other engines a text with NUL is no key.
  std::string bytes_of(const std::string& text) const override {
    return "(CASE WHEN position(chr(0) IN " + text + ") = 0 THEN " + octets(text) + " END)";
  }
  std::string matches(const std::string& text, std::string_view pattern) const override {
    return "regexp_full_match(" + text + ", " + quoted_text(pattern) + ")";
  }
  // Its LIKE tries every place for every %; its regular expressions are those of RE2, which take one step for each
  // byte.
  std::string like(const std::string& text, const LikePattern& pattern) const override {
    const std::vector<std::string>& pieces = pattern.pieces;
    if (pieces.size() == 2 && !pattern.has_one()) {
      if (pieces[1].empty()) return "starts_with(" + text + ", " + this->text(pieces[0]) + ")";
      if (pieces[0].empty()) return "ends_with(" + text + ", " + this->text(pieces[1]) + ")";
    }
    std::string regexp = "(?s)" + as_regexp(pattern.first());
    for (std::size_t i = 1; i < pieces.size(); ++i) regexp.append(".*").append(as_regexp(pieces[i]));
    return matches(text, regexp);
  }
  std::string day_number(const std::string& date) const override {
    return "date_diff('day', DATE '1970-01-01', " + date + ")";
  }
  std::string date_part(DatePart part, const std::string& date) const override {
    return "date_part(" + quoted_text(name_of(part)) + ", " + date + ")";
  }
  std::string hash_of(const std::string& text) const override {
    return "CAST(hash(" + text + ") % 1000000007 AS BIGINT)";
  }
  std::string_view once() const override { return " AS MATERIALIZED "; }
};

}  // namespace

const Dialect& duckdb_dialect() {
  static const DuckDb dialect;
  return dialect;
}

}  // namespace vernier::query
