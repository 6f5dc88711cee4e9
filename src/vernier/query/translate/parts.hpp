#pragma once

#include <algorithm>

#include "vernier/query/translate/translate.hpp"

namespace vernier::query {

// The statement as it was read, before its parts have places.
struct Parts {
  std::vector<Selected> selected;
  std::vector<std::size_t> keys;  // places among those
  std::size_t written;            // of the SELECT list; keys that it does not have stand behind
  std::vector<FormulaStep> having;
  Modifiers modifiers;
  std::vector<Aggregation> statistics;  // by their places in all steps

  // Whatever has steps, in the order in which a statement is read.
  std::vector<std::vector<FormulaStep>*> all_steps() {
    std::vector<std::vector<FormulaStep>*> all;
    for (Selected& one : selected) all.push_back(&one.steps);
    all.push_back(&having);
    for (OrderTerm& one : modifiers.order) all.push_back(&one.steps);
    return all;
  }
  bool is_selected(std::size_t statistic) const {
    return std::any_of(selected.begin(), selected.end(),
                       [&](const Selected& one) { return one.statistic() == statistic; });
  }
};

// Whether each column of the SELECT list is a key, or is made of statistics.
Read<void> check_selected(const Parts& parts);

// The query that they make.
Read<Query> assembled(Parts parts, const Table& table, Query query);

}  // namespace vernier::query
