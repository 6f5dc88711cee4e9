#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vernier/engine/arrow/column.hpp"

namespace vernier::engine {

// What is made of each entry of a dictionary, once and not for every row that points to it: where a dictionary has no
// more entries than rows are to be read.
template <class Made>
class Entries {
 public:
  // Whether it holds what is made of the entries of these values now. `make` gets the positions of all entries, and
  // makes of each one thing, or marks it as no value.
  template <class Make>
  bool hold(const ArrowColumn& column, const ArrowArray& values, std::int64_t rows, const Make& make) {
    if (!column.is_indexed() || values.length > rows) return false;
    if (of_ == &values) return true;
    of_ = &values;
    first_ = values.offset;
    positions_.resize(static_cast<std::size_t>(values.length));
    made_.resize(positions_.size());
    const Validity validity(values);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const std::int64_t position = first_ + static_cast<std::int64_t>(i);
      positions_[i] = validity.at(position) ? position : no_value;
    }
    make(Positions(positions_), made_.data());
    return true;
  }

  // That of a position; none where the entry is no value.
  const Made* at(std::int64_t position) const {
    const auto entry = static_cast<std::size_t>(position - first_);
    return positions_[entry] == no_value ? nullptr : &made_[entry];
  }

 private:
  const ArrowArray* of_ = nullptr;
  std::int64_t first_ = 0;
  std::vector<std::int64_t> positions_;
  std::vector<Made> made_;
};

}  // namespace vernier::engine
