#pragma once

#include <optional>

#include "vernier/release/release.hpp"

namespace vernier::release {

// A statistic and its table as readers see them: the columns that the statement selects, whether they are statistics or
// made of some, are all aggregations, in the order of the statement; parts that serve others alone, and rows that the
// statement leaves out, are not there. Where nothing is different, that is the statistic and the table themselves,
// which must outlive it.
class Shown {
 public:
  Shown(const plan::BoundStatistic& statistic, const Table& table);

  const plan::BoundStatistic& statistic() const { return own_ ? own_->statistic : *statistic_; }
  const Table& table() const { return own_ ? own_->table : *table_; }

 private:
  struct Own {
    plan::BoundStatistic statistic;
    Table table;
  };
  const plan::BoundStatistic* statistic_;
  const Table* table_;
  std::optional<Own> own_ = {};
};

}  // namespace vernier::release
