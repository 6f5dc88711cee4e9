#pragma once

#include <string_view>

#include "vernier/query/expression/expression.hpp"

namespace vernier::query {

// What SQL writes between two operands.
inline std::string_view sign_of(Operation operation) {
  switch (operation) {
    case Operation::add:
      return " + ";
    case Operation::subtract:
      return " - ";
    case Operation::multiply:
      return " * ";
    case Operation::divide:
      return " / ";
    case Operation::remainder:
      return " % ";
    case Operation::equal:
      return " = ";
    case Operation::not_equal:
      return " <> ";
    case Operation::less:
      return " < ";
    case Operation::less_equal:
      return " <= ";
    case Operation::greater:
      return " > ";
    case Operation::greater_equal:
      return " >= ";
    case Operation::logical_and:
      return " AND ";
    default:
      return " OR ";
  }
}

}  // namespace vernier::query
