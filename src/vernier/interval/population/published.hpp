#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <variant>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/population/binomial.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Totals of a population under private keys, given that the key was published: publication looked at the sample, which
// is no longer binomial then. published.md has the proofs.
namespace vernier::interval {

// A key is published where it is in the data at all, and units in the data + X reach the threshold, X a draw of the
// law.
class Publication {
 public:
  using KeyLaw = std::variant<noise::Geometric, noise::DiscreteGaussian>;
  Publication(const KeyLaw& law, std::int64_t threshold);

  Bounds chance(std::int64_t units) const;  // of being published with so many units in the data
  double scale() const;
  std::int64_t threshold() const { return threshold_; }

 private:
  KeyLaw law_;
  std::int64_t threshold_;
};

// P[noise lifts so many units to what was released, or higher], or the same of lowering; from above.
using NoiseTail = std::function<double(std::int64_t units)>;

// Whether so many members, each among the rows with the same chance, are too few for what was released: whether
// P[what was released, or more | published] <= rare is certain, however many members there are that are not counted.
// The tail falls with every unit by what a unit of `spread` can tell apart.
bool is_too_few_published(std::int64_t members, Chance sampled, const Publication& publication, const NoiseTail& lifted,
                          double spread, double rare);

// Whether they are too many, published or not.
bool is_too_many(std::int64_t members, Chance sampled, const NoiseTail& lowered, double spread, double rare);

// How many members there are. Law is Geometric or DiscreteGaussian; its noise is not that of the publication.
template <class Law>
class PublishedCountInference {
 public:
  static Result<PublishedCountInference> of(const Law& law, const Publication& publication, Alpha alpha,
                                            const Design& design);

  // Status: proven. An error where the population may exceed 2^53.
  Result<PopulationInterval> from(std::int64_t released) const;

 private:
  PublishedCountInference(const Law& law, const Publication& publication, Chance sampled, double alpha)
      : law_(law), publication_(publication), sampled_(sampled), alpha_(alpha) {}
  Law law_;
  Publication publication_;
  Chance sampled_;
  double alpha_;
};

// The sum of their values, from three noisy node sums: the number of members and their mean, at half of alpha each.
// Where values count in steps each may be `off` by so much.
template <class Law>
class PublishedSumInference {
 public:
  static Result<PublishedSumInference> of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                          const Publication& publication, Alpha alpha, Assurance assurance,
                                          const Design& design, double off = 0);

  // One released number per node, in their order. Status: that of the mean.
  Result<PopulationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PublishedSumInference(const Law& law, const PopulationMeanInference<Law>& mean, const MeanNodes& nodes,
                        const Publication& publication, Chance sampled, double alpha, double off)
      : law_(law), mean_(mean), nodes_(nodes), publication_(publication), sampled_(sampled), alpha_(alpha), off_(off) {}
  Law law_;
  PopulationMeanInference<Law> mean_;
  MeanNodes nodes_;
  Publication publication_;
  Chance sampled_;
  double alpha_;  // of the number of members
  double off_;
};

extern template class PublishedCountInference<noise::Geometric>;
extern template class PublishedCountInference<noise::DiscreteGaussian>;
extern template class PublishedSumInference<noise::Geometric>;
extern template class PublishedSumInference<noise::DiscreteGaussian>;

// Why weighted rows have no total and no mean under private keys.
Result<void> check_published_design(const Design& design);

}  // namespace vernier::interval
