#pragma once

#include <string>

#include "vernier/query/dialect/dialect.hpp"

// What ROUND, CAST to an integer and BUCKET give of a real: as doubles, by which spans are found, and as SQL, operation
// for operation the same (sql.md).
namespace vernier::query {

// The nearest whole number, halves up.
double nearest(double x);
std::string nearest(const std::string& x, const Dialect& in);

// The greatest k * width, each rounded once, that is not above x; x itself beyond 2^52 widths.
double bucket_start(double x, double width);
std::string bucket_start(const std::string& x, double width, const Dialect& in);

}  // namespace vernier::query
