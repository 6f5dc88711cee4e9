#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

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

}  // namespace vernier::python
