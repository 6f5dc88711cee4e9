#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/dialect/like.hpp"
#include "vernier/query/expression/expression.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {

// What engines write differently, as text: no state and no connection. Everything that is not here is the same text for
// all of them (docs/theory/engines.md). One object for each engine, in a file of its own beside this one.
class Dialect {
 public:
  Dialect() = default;
  Dialect(const Dialect&) = delete;
  Dialect& operator=(const Dialect&) = delete;
  virtual ~Dialect() = default;

  virtual std::string_view name() const = 0;  // "postgresql"

  // Of columns, and of integers that 64 bits do not hold: exact, with 38 digits at least.
  virtual std::string_view type(Type type) const;
  virtual std::string_view wide_type() const { return "DECIMAL(38,0)"; }

  // What stands in quotes cannot end them. A name has no NUL and is not empty.
  virtual std::string identifier(std::string_view name) const;
  virtual std::string text(std::string_view text) const = 0;  // equal to another where the bytes are
  std::string constant(const Value& value) const;             // of exactly its type

  // A cast under a condition that admits only what it takes; NULL rather than an error, where the engine has such a
  // cast, should a condition ever be evaluated behind it.
  virtual std::string_view guarded_cast() const { return "CAST"; }

  // Toward zero; the divisor is not 0, and the quotient has 64 bits, or as many as the wide type.
  virtual std::string quotient(const std::string& a, const std::string& b) const;
  virtual std::string wide_quotient(const std::string& a, const std::string& b) const;

  virtual std::string floor(const std::string& real) const;            // a real again
  virtual std::string sum(const std::string& integers) const;          // of BIGINTs; raises for no rows whatever
  virtual std::string sum_or_null(const std::string& integers) const;  // the same where it has 64 bits
  virtual std::string bytewise(const std::string& text) const;         // compared by its bytes
  virtual std::string bytes_of(const std::string& text) const;         // of a key; NULL where it can be none
  virtual std::string matches(const std::string& text, std::string_view pattern) const = 0;  // all of the text
  virtual std::string day_number(const std::string& date) const = 0;                         // from 1970-01-01 on
  virtual std::string date_part(DatePart part, const std::string& date) const;               // a BIGINT

  // A hash of a text, of 128 bits: md5. Digests are compared by their bytes.
  virtual std::string digest(const std::string& text) const;
  // Among rows the value (not NULL) of least digest; rows whose digest is NULL do not count.
  virtual std::string least_by(const std::string& value, Type type, const std::string& digest) const;

  // A BIGINT of a text, by which units are parted: any that depends on it alone.
  virtual std::string hash_of(const std::string& text) const = 0;

  // What a table of a WITH is called, where it is read twice and must be made once.
  virtual std::string_view once() const { return " AS "; }
  // SELECT what FROM rows, of which those of one unit (u) lie on one machine: for what is then grouped by units.
  virtual std::string by_unit(const std::string& rows) const { return rows; }

  virtual std::string octets(const std::string& text) const;   // how many bytes it has
  virtual std::string is_text(const std::string& text) const;  // a condition; "" where whatever is stored is UTF-8
  // Whether it is like the pattern, in a time that grows with the product of their lengths at most (like.md).
  virtual std::string like(const std::string& text, const LikePattern& pattern) const = 0;
  // The nearest double, of a number in decimals of 200 characters at most; anything where it is beyond 1e151.
  virtual std::string real_of_text(const std::string& text) const;

 protected:
  // LIKE of the engine itself, with an escape of our own.
  std::string own_like(const std::string& text, const LikePattern& pattern) const;
};

// By its name, "postgresql"; null where there is none. The list is in dialect.cpp.
const Dialect* dialect_named(std::string_view name);
std::vector<std::string> dialect_names();

const Dialect& duckdb_dialect();
const Dialect& postgresql_dialect();
const Dialect& trino_dialect();
const Dialect& spark_dialect();

}  // namespace vernier::query
