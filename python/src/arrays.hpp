#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

// Numbers in rows: what numpy, pandas, polars and lists hold.
namespace vernier::python {

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
