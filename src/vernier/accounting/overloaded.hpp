#pragma once

namespace vernier::accounting {

// One function for each alternative of a variant: std::visit(Overloaded{...}, variant).
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace vernier::accounting
