#include "vernier/core/hash.hpp"
#include "vernier/query/dialect/dialect.hpp"

// PostgreSQL 15 with the settings of engine/postgresql/connection.cpp: standard strings, pg_catalog alone on the path.
namespace vernier::query {
namespace {

// 2^-1075, of which doubles of 4.9e-324 and of 0 are equally far.
constexpr const char* half_of_least =
    "2.47032822920623272088284396434110686182529901307162382212792841250337753635e-324";

class Postgresql final : public Dialect {
  std::string_view name() const override { return "postgresql"; }

  std::string_view type(Type type) const override {
    if (type == Type::real) return "DOUBLE PRECISION";
    return type == Type::string ? "TEXT" : Dialect::type(type);
  }
  std::string_view wide_type() const override { return "NUMERIC"; }

  // In hex, so that no character can mean something else. Every text is compared by its bytes, whatever the collation
  // of its column and of the database.
  std::string text(std::string_view text) const override {
    return bytewise("convert_from('\\x" + hex(text) + "'::bytea, 'UTF8')");
  }
  std::string bytewise(const std::string& text) const override { return "(" + text + " COLLATE \"C\")"; }
  std::string matches(const std::string& text, std::string_view pattern) const override {
    return "(" + text + " ~ '^(" + std::string(pattern) + ")$')";
  }
  // From one % to the next its LIKE goes on, and never back (MatchText, LIKE_ABORT).
  std::string like(const std::string& text, const LikePattern& pattern) const override {
    return own_like(text, pattern);
  }
  // A cast to double raises an error where nothing but 0 or infinity is left; the number is half of the least double.
  std::string real_of_text(const std::string& text) const override {
    const std::string number = "CAST(" + text + " AS NUMERIC)";
    return "(CASE WHEN abs(" + number + ") > 1e151 THEN NULL WHEN abs(" + number + ") <= " + half_of_least +
           " THEN CAST('0' AS DOUBLE PRECISION) ELSE CAST(" + number + " AS DOUBLE PRECISION) END)";
  }

  std::string wide_quotient(const std::string& a, const std::string& b) const override {
    return "div(" + a + ", " + b + ")";
  }
  std::string day_number(const std::string& date) const override { return "(" + date + " - DATE '1970-01-01')"; }

  std::string digest(const std::string& text) const override { return "(md5(" + text + ") COLLATE \"C\")"; }
  // There is no min_by: the least of digest and value in one text, of which the digest has 32 characters.
  std::string least_by(const std::string& value, Type type, const std::string& digest) const override {
    const std::string least = "substr(min(" + digest + " || CAST(" + value + " AS TEXT) COLLATE \"C\"), 33)";
    return type == Type::string ? least : "CAST(" + least + " AS " + std::string(this->type(type)) + ")";
  }

  std::string hash_of(const std::string& text) const override { return "hashtextextended(" + text + ", 0)"; }
  std::string_view once() const override { return " AS MATERIALIZED "; }
};

}  // namespace

const Dialect& postgresql_dialect() {
  static const Postgresql dialect;
  return dialect;
}

}  // namespace vernier::query
