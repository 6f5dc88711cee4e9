#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vernier/accounting/loss/nodes.hpp"

namespace vernier::accounting {

inline constexpr double nodes_per_closed_form = 16;  // in time

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
//     double first_reach() const;     a reach that costs little more than none; infinite where the nodes are all there
//     is double spread(const Nodes&, double centre, double log_total) const;     from nodes about the centre Decay
//     decay(double log_total) const;     log_total is at most K(theta)
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
    if (t >= hopeless_from_) return {0, 1};
    if (t > reach_ && !reach_to(std::max(1.5 * reach_, t)) && !reach_to(t)) {
      hopeless_from_ = t;
      return {0, 1};
    }
    return nodes_.at(t);
  }
  double cost() const { return 1 + static_cast<double>(nodes_.count()) / nodes_per_closed_form; }
  double beyond(double t) const {
    const double bound = (decay_.floor + decay_.slope / t) * (1 + 1e-12);
    return bound < 1 ? bound : 1;  // 1 for NaN too
  }

 private:
  // Whether that could be done; if not, the nodes stay as they are.
  bool reach_to(double reach) {
    Nodes nodes = tilt_.nodes(reach);
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
