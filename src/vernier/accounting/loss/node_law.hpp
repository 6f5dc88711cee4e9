#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "vernier/accounting/loss/damped_nodes.hpp"
#include "vernier/accounting/loss/nodes.hpp"

namespace vernier::accounting {

inline constexpr double nodes_per_closed_form = 16;         // in time
inline constexpr double nodes_built_per_closed_form = 1;    // likewise
inline constexpr std::size_t damped_nodes_in_nodes = 5;     // to build
inline constexpr double damped_nodes_per_closed_form = 12;  // likewise

// abs(phi(t)) <= floor + slope / t for every t > 0.
struct Decay {
  double floor;
  double slope;
};

// A loss law that is given by nodes. Source makes them:
//     Tilt tilt(double theta) const;     for every real theta
//     double greatest() const;     the greatest loss, rounded up
// and Tilt has
//     const Anchor& anchor() const;
//     Nodes nodes(double reach) const;     that serve the frequencies from 0 to reach
//     double first_reach() const;     a reach that costs little; infinite where the nodes are all there is
//     double spread(const Nodes&, double centre, double log_total) const;     from nodes about the centre
//     Decay decay(double log_total) const;     log_total is at most K(theta)
// and perhaps
//     std::optional<DampedNodes> damped(double centre) const;     nodes that serve every frequency
template <class Tilt>
class TiltedNodes {
 public:
  // here = K and the like at the tilt's theta.
  TiltedNodes(Tilt tilt, const Cumulants& here, double centre)
      : tilt_(std::move(tilt)),
        decay_(tilt_.decay(here.value - here.error)),
        centre_(centre),
        reach_(tilt_.first_reach()),
        nodes_(tilt_.nodes(reach_)) {
    nodes_.recentre(tilt_.anchor(), centre_);
    spread_ = tilt_.spread(nodes_, centre_, here.value - here.error);
  }

  double centre() const { return centre_; }
  double spread() const { return spread_; }
  Frequency at(double t) {
    cost_ = 1;
    if (t > reach_ && t < hopeless_from_) reach_to(t);
    if (t > reach_ && damped_) {
      cost_ += static_cast<double>(damped_->count(t)) / damped_nodes_per_closed_form;
      return damped_->at(t);
    }
    if (t > reach_) return {0, 1};
    cost_ += static_cast<double>(nodes_.count()) / nodes_per_closed_form;
    return nodes_.at(t);
  }
  double cost() const { return cost_; }
  double beyond(double t) const {
    const double bound = (decay_.floor + decay_.slope / t) * (1 + 1e-12);
    const double by_variation = bound < 1 ? bound : 1;  // 1 for NaN too
    return damped_ ? std::min(by_variation, damped_->beyond(t)) : by_variation;
  }

 private:
  // Prepares for t, or for all that is beyond the reach, by damped nodes where they are there and not more than the
  // others would be.
  void reach_to(double t) {
    if constexpr (requires { tilt_.damped(centre_); }) {
      if (!asked_for_damped_) ask_for_damped();
      const double wanted = static_cast<double>(nodes_.count()) * std::max(1.5, t / reach_);
      if (damped_ && wanted > 1.3 * static_cast<double>(damped_->count())) return forgo(t);
    }
    if (!extend_to(std::max(1.5 * reach_, t)) && !extend_to(t)) forgo(t);
  }

  // They are not taken where they are much less exact.
  void ask_for_damped() {
    asked_for_damped_ = true;
    damped_ = tilt_.damped(centre_);
    if (!damped_) return;
    charge(damped_nodes_in_nodes * damped_->count());
    if (damped_->at(reach_).error > 20 * nodes_.at(reach_).error) damped_.reset();
  }

  void forgo(double t) { hopeless_from_ = t; }
  void charge(std::size_t built) { cost_ += static_cast<double>(built) / nodes_built_per_closed_form; }

  // Whether that could be done; if not, the nodes stay as they are.
  bool extend_to(double reach) {
    Nodes nodes = tilt_.nodes(reach);
    charge(nodes.count());
    if (!(nodes.relative_error() < 1)) return false;
    nodes_ = std::move(nodes);
    nodes_.recentre(tilt_.anchor(), centre_);
    reach_ = reach;
    return true;
  }

  Tilt tilt_;
  Decay decay_;
  double centre_;
  double spread_ = 0;
  double reach_;
  Nodes nodes_;
  double hopeless_from_ = std::numeric_limits<double>::infinity();  // frequencies that would need too many nodes
  std::optional<DampedNodes> damped_;
  bool asked_for_damped_ = false;
  double cost_ = 1;  // of the last `at`, and of what was prepared for it
};

template <class Source>
class NodeLaw {
 public:
  explicit NodeLaw(Source source) : source_(std::move(source)) {}

  Cumulants cumulants(double theta) const {
    const auto tilt = source_.tilt(theta);
    return cumulants_of(tilt.anchor(), tilt.nodes(0));
  }

  auto tilted(double theta) const {
    auto tilt = source_.tilt(theta);
    const Cumulants here = cumulants_of(tilt.anchor(), tilt.nodes(0));
    const double centre = std::isfinite(here.slope) ? here.slope : 0;
    return TiltedNodes(std::move(tilt), here, centre);
  }

  double greatest() const { return source_.greatest(); }

 private:
  Source source_;
};

}  // namespace vernier::accounting
