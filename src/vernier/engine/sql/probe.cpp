#include "vernier/engine/sql/probe.hpp"

#include <algorithm>

#include "vernier/plan/render/rows.hpp"
#include "vernier/query/expression/render.hpp"

namespace vernier::engine {
namespace {

using query::Dialect;
using query::Expression;
using query::Operation;
using query::Type;
using query::Value;

// 1 where it is true, 0 where it is false, NULL where it is NULL.
std::string truth(const std::string& sql) { return "CASE WHEN " + sql + " THEN 1 WHEN NOT " + sql + " THEN 0 END"; }

std::string of_rows(const std::string& value, const std::string& rows) {
  return "(SELECT " + value + " FROM (VALUES " + rows + ") AS v(n, t))";
}

// In the order of this page: numbers, reals, texts, days, hashes, sums.
class Probes {
 public:
  explicit Probes(const Dialect& in) : in_(in) {}

  std::vector<Probe> all() {
    numbers();
    reals();
    texts();
    days();
    hashes();
    sums();
    return std::move(all_);
  }

 private:
  void add(std::string what, const std::string& sql, std::optional<std::int64_t> answer) {
    all_.push_back({std::move(what), "CAST(" + sql + " AS BIGINT)", answer});
  }

  std::string whole(std::int64_t value) const { return in_.constant(value); }
  std::string real(double value) const { return in_.constant(value); }
  std::string special(const char* name) const { return query::cast_to(in_.type(Type::real), name); }
  std::string text(std::string_view value) const { return in_.text(value); }
  std::string wide(const char* digits) const {
    return query::cast_to(in_.wide_type(), std::string("'") + digits + "'");
  }
  // A total function over a constant that the engine sees as any text.
  std::string cast(const char* from, Type type) const {
    return query::rendered(*query::cast(query::literal(std::string(from)), type), in_);
  }

  // LIKE of a text; of NULL where there is none.
  std::string like(const std::optional<std::string>& value, const char* pattern) const {
    const Expression x = value ? query::literal(*value) : query::null_of(Type::string);
    return query::rendered(*query::apply(Operation::like, {x, query::literal(std::string(pattern))}), in_);
  }

  void numbers() {
    add("-7 divided by 2 is cut toward zero", in_.quotient(whole(-7), whole(2)), -3);
    add("the remainder of -7 by 2 has the sign of -7", "(" + whole(-7) + " % " + whole(2) + ")", -1);
    add("wide integers divide toward zero", in_.wide_quotient(wide("-70000000000000000000000000"), wide("30000000")),
        -2333333333333333333);
    add("the remainder of wide integers is exact",
        "(" + wide("99999999999999999999999999") + " % " + wide("1000") + ")", 999);
    add("the least of 3 and 2 is 2", "least(" + whole(3) + ", " + whole(2) + ")", 2);
    add("a digit with a plus is a number", cast(" +5 ", Type::integer), 5);
    add("a number with a line feed behind it is none", cast("12\n", Type::integer), std::nullopt);
    add("a number with an exponent is an integer where it is whole", cast("-1.5e3", Type::integer), -1500);
    add("a number that is not whole is no integer", cast("1.5", Type::integer), std::nullopt);
    add("an integer beyond 64 bits is none", cast("9223372036854775808", Type::integer), std::nullopt);
    add("2^53 + 1 becomes the nearest real", query::cast_to(in_.type(Type::real), whole(9007199254740993)),
        9007199254740992);
  }

  void reals() {
    const std::string nan = special("'NaN'"), infinity = special("'Infinity'");
    add("the floor of -2.5 is -3", in_.floor(real(-2.5)), -3);
    add("the floor of a large real is itself", in_.floor(real(4503599627370497.0)), 4503599627370497);
    add("NaN lies between no two numbers", truth("(" + nan + " BETWEEN " + real(-1e150) + " AND " + real(1e150) + ")"),
        0);
    add("NaN is not below a number", truth("(" + nan + " < " + real(-1e150) + ")"), 0);
    add("NaN is not below infinity", truth("(" + nan + " <= " + infinity + ")"), 0);
    add("infinity is not above itself", truth("(" + infinity + " <= " + infinity + ")"), 1);
    add("NULL is neither below infinity nor above", truth("(" + special("NULL") + " <= " + infinity + ")"),
        std::nullopt);
    add("-0 is 0", truth("(" + real(-0.0) + " = " + real(0.0) + ")"), 1);
    add("the least reals have a product", truth("(" + real(1e-150) + " * " + real(1e-150) + " > " + real(0.0) + ")"),
        1);
    add("the greatest reals have a product", truth("(" + real(1e150) + " * " + real(1e150) + " < " + infinity + ")"),
        1);
    add("a tenth is the nearest real",
        truth("(" + real(0.1) + " + " + real(0.2) + " = " + real(0.30000000000000004) + ")"), 1);
    add("text becomes the nearest real", "(" + cast("1.5e1", Type::real) + " * " + real(2) + ")", 30);
    add("a real that is nearly 0 becomes 0", truth("(" + cast("-1e-400", Type::real) + " = " + real(0) + ")"), 1);
    add("a real beyond all that there are is none", cast("1e400", Type::real), std::nullopt);
  }

  void texts() {
    add("blanks at the end of a text count", truth("(" + text("a") + " = " + text("a ") + ")"), 0);
    add("texts are compared by their bytes", truth("(" + text("a") + " < " + text("B") + ")"), 0);
    add("a backslash is a character", in_.bytes_of(text("a\\b")), 3);
    add("a quote is a character", in_.bytes_of(text("O'x\"`")), 5);
    add("texts are UTF-8", in_.bytes_of(text("\u20ac")), 3);
    add("NULL in a text makes it NULL",
        truth("((" + text("a") + " || " + query::cast_to(in_.type(Type::string), "NULL") + ") IS NULL)"), 1);
    add("_ stands for one character and % for any", truth(like("\u20ac\nab!b.a", "%_a_!%.a")), 1);
    add("pieces of a pattern do not overlap", truth(like("aba", "%a_%_a")), 0);
    add("a text that is missing is like nothing known", truth(like(std::nullopt, "%a_%")), std::nullopt);
    add("two forms of a letter are two texts", truth("(" + text("\u00e9") + " = " + text("e\u0301") + ")"), 0);
  }

  void days() {
    const std::string leap = in_.constant(*query::Day::of(2020, 2, 29)), first = in_.constant(query::first_day);
    const std::string sunday = in_.constant(*query::Day::of(2024, 12, 29));
    add("days are counted from 1970 on", in_.day_number(leap), 18321);
    add("years begin with 0001 and have no gap", in_.day_number(first), query::first_day.number);
    add("Sunday is day 0 of the week", in_.date_part(query::DatePart::day_of_week, sunday), 0);
    add("Sunday is day 7 of the week by ISO", in_.date_part(query::DatePart::iso_day_of_week, sunday), 7);
    add("weeks are those of ISO", in_.date_part(query::DatePart::week, sunday), 52);
    add("days of a year begin with 1", in_.date_part(query::DatePart::day_of_year, sunday), 364);
    // Of a literal the front door would make the day itself.
    const auto t =
        query::column({.name = "t", .type = Type::string, .range = {}, .keys = {}, .labels = {}, .place = {}});
    add("a text that is no day is none",
        of_rows("count(" + query::rendered(*query::cast(t, Type::date), in_) + ")",
                "(1, " + text("2021-02-29") + "), (2, " + text("2020-02-29") + "), (3, " + text("x") + ")"),
        1);
  }

  void hashes() {
    const std::string rows = "(1, " + text("a") + "), (2, " + text("b") + "), (3, " + text("ab\u20ac") + "), (4, " +
                             text("c") + "), (5, CAST(NULL AS " + std::string(in_.type(Type::string)) + "))";
    add("md5 of a text is that of its bytes", of_rows(in_.least_by("n", Type::integer, in_.digest("t")), rows), 1);
    add("digests are compared by their bytes", truth("(" + in_.digest(text("c")) + " < " + in_.digest(text("b")) + ")"),
        1);
  }

  void sums() {
    const std::string most = in_.constant(INT64_MAX);
    add("sums do not overflow",
        "(SELECT CASE WHEN " + in_.sum("n") + " > " + most + " THEN 1 ELSE 0 END FROM (VALUES (" + most + "), (" +
            most + ")) AS v(n))",
        1);
    add("rows are numbered from 1 on by their digests",
        "(SELECT n FROM (SELECT n, row_number() OVER (ORDER BY " + in_.digest("t") + ") AS p FROM (VALUES (1, " +
            text("a") + "), (2, " + text("b") + "), (4, " + text("c") + ")) AS v(n, t)) AS w WHERE p = 2)",
        4);
    add("texts that differ are counted by their bytes",
        of_rows("count(DISTINCT " + in_.bytewise("t") + ")",
                "(1, " + text("a") + "), (2, " + text("A") + "), (3, " + text("a ") + "), (4, " + text("a") + ")"),
        3);
  }

  const Dialect& in_;
  std::vector<Probe> all_;
};

bool is_answered(const Probe& one, const Cell& cell) {
  if (!one.answer) return !cell;
  return cell && std::get<std::int64_t>(*cell) == *one.answer;
}

Result<std::vector<ProbeAnswer>> one_by_one(const std::vector<Probe>& all, Connection& connection) {
  std::vector<ProbeAnswer> answers;
  for (const Probe& one : all) {
    const Result<Cells> cells = connection.read("SELECT " + one.sql + " AS p", {Type::integer}, 1, nobody_watches);
    if (!cells && connection.is_lost()) {
      return fail(ErrorKind::system, "the connection to the engine was lost", "nothing was spent; try again");
    }
    answers.push_back({one.what, cells && cells->rows.size() == 1 && is_answered(one, cells->rows.front().front())});
  }
  return answers;
}

}  // namespace

std::vector<Probe> probes(const query::Dialect& dialect) { return Probes(dialect).all(); }

// All in one statement, and one by one only where that fails.
Result<std::vector<ProbeAnswer>> probe(const query::Dialect& dialect, Connection& connection) {
  const std::vector<Probe> all = probes(dialect);
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < all.size(); ++i) columns.push_back(all[i].sql + " AS " + plan::numbered("p", i));
  const Result<Cells> cells = connection.read("SELECT " + plan::joined(columns),
                                              std::vector<Type>(all.size(), Type::integer), 1, nobody_watches);
  if (!cells || cells->rows.size() != 1) return one_by_one(all, connection);
  std::vector<ProbeAnswer> answers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    answers.push_back({all[i].what, is_answered(all[i], cells->rows.front()[i])});
  }
  return answers;
}

Result<void> check_meaning(const query::Dialect& dialect, Connection& connection) {
  VERNIER_TRY(const std::vector<ProbeAnswer> answers, probe(dialect, connection));
  const auto wrong =
      std::find_if(answers.begin(), answers.end(), [](const ProbeAnswer& one) { return !one.is_as_expected; });
  if (wrong == answers.end()) return {};
  return fail(ErrorKind::system,
              "the server of the engine " + std::string(dialect.name()) + ", " + connection.version() +
                  ", does not mean what its dialect does: it was asked whether " + wrong->what,
              "nothing was spent; name a server of a version that docs/guide/engines.md lists");
}

}  // namespace vernier::engine
