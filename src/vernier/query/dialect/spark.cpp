#include "vernier/core/hash.hpp"
#include "vernier/query/dialect/dialect.hpp"

// Spark 4 with ANSI on, UTC, case-sensitive names: the Python package sets and reads them back.
namespace vernier::query {
namespace {

class Spark final : public Dialect {
  std::string_view name() const override { return "spark"; }

  std::string_view type(Type type) const override { return type == Type::string ? "STRING" : Dialect::type(type); }
  std::string identifier(std::string_view name) const override {
    std::string quoted = "`";
    for (const char c : name) quoted.append(c == '`' ? 2 : 1, c);
    return quoted + '`';
  }
  // A backslash would escape what follows it.
  std::string text(std::string_view text) const override { return "CAST(X'" + hex(text) + "' AS STRING)"; }
  // Its texts may have bytes that are no UTF-8, and NUL: such a text has no number, so that as a key it does not count.
  std::string is_text(const std::string& text) const override { return "is_valid_utf8(" + text + ")"; }
  std::string bytes_of(const std::string& text) const override {
    return "(CASE WHEN " + is_text(text) + " AND instr(" + text + ", CAST(X'00' AS STRING)) = 0 THEN " + octets(text) +
           " END)";
  }
  std::string matches(const std::string& text, std::string_view pattern) const override {
    return "(" + text + " RLIKE " + this->text("\\A(" + std::string(pattern) + ")\\z") + ")";
  }
  // Its LIKE is a regular expression of Java, which tries every place for every %. Here what was found for one % is
  // kept:
  // (?>...) gives nothing back. What comes first is always as good, since pieces have one length.
  std::string like(const std::string& text, const LikePattern& pattern) const override {
    std::string regexp = "(?s)\\A" + as_regexp(pattern.first());
    for (const std::string& piece : pattern.inner()) regexp.append("(?>.*?").append(as_regexp(piece)).append(")");
    if (pattern.has_any()) regexp += pattern.last().empty() ? "" : ".*" + as_regexp(pattern.last()) + "\\z";
    if (!pattern.has_any()) regexp += "\\z";
    return "(" + text + " RLIKE " + this->text(regexp) + ")";
  }

  std::string quotient(const std::string& a, const std::string& b) const override {
    return "(" + a + " div " + b + ")";
  }
  // A quotient of decimals keeps six digits behind the point.
  std::string wide_quotient(const std::string& a, const std::string& b) const override {
    return "CAST(" + Dialect::wide_quotient(a, b) + " AS DECIMAL(38,0))";
  }
  // Its floor is a BIGINT, which saturates.
  std::string floor(const std::string& real) const override {
    return "(CASE WHEN abs(" + real + ") < 4503599627370496D THEN CAST(floor(" + real + ") AS DOUBLE) ELSE " + real +
           " END)";
  }
  std::string sum(const std::string& integers) const override { return "sum(CAST(" + integers + " AS DECIMAL(38,0)))"; }
  std::string sum_or_null(const std::string& integers) const override { return "try_sum(" + integers + ")"; }

  std::string day_number(const std::string& date) const override { return "unix_date(" + date + ")"; }
  std::string date_part(DatePart part, const std::string& date) const override {
    if (part == DatePart::day_of_week) return "CAST(dayofweek(" + date + ") - 1 AS BIGINT)";
    if (part == DatePart::iso_day_of_week) return "CAST(weekday(" + date + ") + 1 AS BIGINT)";
    return Dialect::date_part(part, date);
  }
  std::string hash_of(const std::string& text) const override { return "xxhash64(" + text + ")"; }

  // One exchange of rows in place of two, and a third of the bytes.
  std::string by_unit(const std::string& rows) const override {
    return "(SELECT /*+ REPARTITION(u) */ * FROM " + rows + ") AS h";
  }
};

}  // namespace

const Dialect& spark_dialect() {
  static const Spark dialect;
  return dialect;
}

}  // namespace vernier::query
