#include "vernier/plan/allocate/settle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/bind/sharing.hpp"

namespace vernier::plan {
namespace {

constexpr double a_tie = 1e-3;  // of logarithms: less is no reason to leave the usual way

// The study with these statistics alone, sharing what they can.
BoundStudy with_statistics(const BoundStudy& study, std::vector<BoundStatistic> statistics) {
  BoundStudy made{study.catalog, study.alpha, study.budget, study.neighbours, std::move(statistics), study.origin};
  for (BoundStatistic& one : made.statistics) one.ways.clear();
  bind_sharing(made);
  return made;
}

double worth_of(const Worth& worth, const BoundStudy& study) {
  const Result<double> found = worth(study);
  return found ? *found : std::numeric_limits<double>::infinity();
}

// Statistics that cost the same in each of their ways are decided once.
class Chooser {
 public:
  Chooser(const BoundStudy& study, const Worth& worth) : study_(study), worth_(worth) {}

  // Which way is best, the usual one being the place before all others; `alike` is the same for those that are decided
  // together.
  struct Chosen {
    std::size_t best;
    std::size_t alike;
  };

  // For the statistic by itself.
  Chosen best(const BoundStatistic& statistic) {
    const Costs costs = costs_of(statistic);
    const auto known = std::find(known_.begin(), known_.end(), costs);
    const auto place = static_cast<std::size_t>(known - known_.begin());
    if (known == known_.end()) {
      known_.push_back(costs);
      best_.push_back(best_way(statistic));
    }
    return {best_[place], place};
  }

 private:
  using Costs = std::vector<std::vector<NoiseItem>>;

  std::size_t best_way(const BoundStatistic& statistic) const {
    double least = worth_of(worth_, with_statistics(study_, {statistic}));
    std::size_t best = 0;
    for (std::size_t i = 0; i < statistic.ways.size(); ++i) {
      const double found = worth_of(worth_, with_statistics(study_, {statistic.ways[i]}));
      if (!(found < least - a_tie)) continue;
      least = found;
      best = i + 1;
    }
    return best;
  }

  // Of each way; nothing where one cannot be had.
  Costs costs_of(const BoundStatistic& statistic) const {
    Costs costs = {items(statistic)};
    for (const BoundStatistic& way : statistic.ways) costs.push_back(items(way));
    return costs;
  }

  std::vector<NoiseItem> items(const BoundStatistic& statistic) const {
    const BoundStudy alone = with_statistics(study_, {statistic});
    const auto delta = delta_of(alone);
    const auto found = delta ? items_of(alone, *delta) : Result<std::vector<NoiseItem>>(std::vector<NoiseItem>());
    return found.value_or(std::vector<NoiseItem>());
  }

  const BoundStudy& study_;
  const Worth& worth_;
  std::vector<Costs> known_;
  std::vector<std::size_t> best_;
};

// Which way each statistic takes: what is best for it by itself is looked at again among the others, with which it may
// share something in the usual way.
class Settling {
 public:
  Settling(const BoundStudy& study, const Worth& worth) : study_(study), worth_(worth) {}

  BoundStudy settled() {
    std::vector<BoundStatistic> chosen = offered();
    const std::vector<std::vector<std::size_t>> changed = change(chosen);
    BoundStudy usual = made(study_.statistics);
    if (changed.empty()) return usual;
    const double of_usual = worth_of(worth_, usual);
    BoundStudy best = made(chosen);
    double least = worth_of(worth_, best);
    if (changed.size() > 1 && changed.size() <= most_tried) {
      for (const std::vector<std::size_t>& alike : changed) go_back(alike, chosen, best, least);
    }
    return least < of_usual - a_tie ? best : usual;
  }

 private:
  static constexpr std::size_t most_tried = 8;

  // Many boxes beside each other cost more than Gaussian noise, and looking at each of them takes its time.
  std::vector<BoundStatistic> offered() const {
    constexpr std::ptrdiff_t most_boxes = 32;
    std::vector<BoundStatistic> all = study_.statistics;
    const numeric::Rational& delta = study_.budget ? study_.budget->delta : study_.catalog.budget.delta;
    const auto is_box = [](const BoundStatistic& way) { return way.is_boxed; };
    const auto has_box = [&](const BoundStatistic& one) {
      return std::any_of(one.ways.begin(), one.ways.end(), is_box);
    };
    if (delta == numeric::Rational::of(0) || std::count_if(all.begin(), all.end(), has_box) <= most_boxes) return all;
    for (BoundStatistic& one : all) std::erase_if(one.ways, is_box);
    return all;
  }

  // Each to its own best way; the places of those that left the usual one, with those that are like them.
  std::vector<std::vector<std::size_t>> change(std::vector<BoundStatistic>& chosen) const {
    std::map<std::size_t, std::vector<std::size_t>> changed;
    Chooser chooser(study_, worth_);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i].ways.empty()) continue;
      const Chooser::Chosen found = chooser.best(chosen[i]);
      if (found.best == 0) continue;
      const BoundStatistic way = chosen[i].ways[found.best - 1];
      chosen[i] = way;
      changed[found.alike].push_back(i);
    }
    std::vector<std::vector<std::size_t>> places;
    for (auto& [alike, some] : changed) places.push_back(std::move(some));
    return places;
  }

  BoundStudy made(const std::vector<BoundStatistic>& statistics) const {
    BoundStudy found = with_statistics(study_, statistics);
    found.tables = study_.tables;
    return found;
  }

  // To the usual way of statistics that are alike, where that is better for all.
  void go_back(const std::vector<std::size_t>& alike, std::vector<BoundStatistic>& chosen, BoundStudy& best,
               double& least) const {
    std::vector<BoundStatistic> other = chosen;
    for (const std::size_t place : alike) other[place] = study_.statistics[place];
    const BoundStudy study = made(other);
    const double found = worth_of(worth_, study);
    if (!(found < least)) return;
    chosen = std::move(other);
    best = study;
    least = found;
  }

  const BoundStudy& study_;
  const Worth& worth_;
};

}  // namespace

BoundStudy settled(BoundStudy study, const Worth& worth) {
  if (!study.is_open) return study;
  return Settling(study, worth).settled();
}

}  // namespace vernier::plan
