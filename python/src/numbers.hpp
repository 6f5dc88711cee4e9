#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "cli/decimal.hpp"

// Numbers as users write them (docs/decisions/0008): a float means its shortest decimal, the one that repr shows; int,
// str, decimal.Decimal, fractions.Fraction and numpy's scalars mean what they say. A bool is no number. What is none is
// raised as a vernier.InvalidError whose sentence begins with `name`.
namespace vernier::python {

// A number that is not negative, and the doubles around it.
cli::Decimal decimal(std::string_view name, nanobind::handle value);
cli::Written written(std::string_view name, nanobind::handle value);

double real(std::string_view name, nanobind::handle value);         // the nearest double, of any sign
std::int64_t whole(std::string_view name, nanobind::handle value);  // 3 and 3.0, but not 3.5

// The number's decimal, as the readers of the command line take it. A fraction that is no decimal is refused.
std::string number_text(std::string_view name, nanobind::handle value);

// Text, such as the name of a mechanism; `example` is what the sentence offers instead of anything else.
std::string text(std::string_view name, nanobind::handle value, std::string_view example);

// "a list", "an ndarray", "None": what a sentence calls a value that is not what it should be.
std::string kind_of(nanobind::handle value);

// Numbers in rows, which are what numpy, pandas, polars and lists hold.

// Whether a value is a row of numbers rather than a number: a list, a tuple, an array with dimensions.
bool is_several(nanobind::handle value);

inline constexpr std::int64_t greatest_length = 100'000'000;  // of a row, or of draws at a time: 800 MB

// Raises where a row has more numbers than that.
void check_length(std::string_view name, nanobind::handle several);

// What numpy makes of a value, with the shape that it had.
struct Numbers {
  std::variant<std::vector<double>, std::vector<std::int64_t>> values;
  nanobind::tuple shape;
};

// Numbers of any shape; integers stay integers. Anything else than numbers is refused with `name` in the sentence.
Numbers numbers_of(std::string_view name, nanobind::handle several);

// The values as an array of numpy, without a copy.
template <class Value>
nanobind::object numpy_array(std::vector<Value> values) {
  auto* const kept = new std::vector<Value>(std::move(values));
  const nanobind::capsule owner(kept, [](void* all) noexcept { delete static_cast<std::vector<Value>*>(all); });
  const std::size_t size = kept->size();
  return nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<1>>(kept->data(), {size}, owner).cast();
}

}  // namespace vernier::python
