#include "support/random_compositions.hpp"

#include <algorithm>
#include <cmath>

#include "support/events.hpp"
#include "support/exact_lattice.hpp"
#include "support/lattice_bracket.hpp"

namespace vernier::test {
namespace {

using accounting::Event;
using accounting::Release;

long whole(Parameters& any, double first, double last) { return std::lround(any.log_uniform(first, last)); }
bool chance(Parameters& any, double of) { return any.uniform(0, 1) < of; }

// The loss of one of k releases, such that all together have a total of ordinary size: from 1e-3 to 30 deviations.
double loss_of_one(Parameters& any, double times) { return any.log_uniform(1e-3, 30) / std::sqrt(times); }

// A rate from very rare to nearly always.
double any_rate(Parameters& any) {
  if (chance(any, 0.1)) return any.uniform(0, 1) < 0.5 ? 1e-9 : 1 - 1e-9;
  return chance(any, 0.2) ? 1 - any.log_uniform(1e-6, 0.5) : any.log_uniform(1e-5, 1);
}

// delta for brackets: their windows grow with its logarithm.
double moderate_delta(Parameters& any) { return any.log_uniform(1e-15, 0.2); }

Composition bracketed(std::vector<Event> events, double delta, long reach, bool is_exact = false) {
  Reference reference = *lattice_bracket(events, delta, reach);
  return {std::move(events), std::move(reference), is_exact, delta};
}

}  // namespace

double any_delta(Parameters& any) {
  return chance(any, 0.3) ? any.log_uniform(1e-100, 1e-9) : any.log_uniform(1e-9, 0.3);
}

Composition gaussian_list(Parameters& any) {
  const long count = whole(any, 0.6, 8);
  const double mu = any.log_uniform(1e-4, 60) / std::sqrt(static_cast<double>(count));
  std::vector<Event> events;
  std::vector<GaussianTerm> terms;
  for (long i = 0; i < count; ++i) {
    const long times = whole(any, 1, 1e6);
    const double sensitivity = any.log_uniform(1e-3, 1e3);
    const double scale = sensitivity * std::sqrt(static_cast<double>(times)) / (mu * any.uniform(0.3, 1));
    events.push_back(event(gaussian(scale, sensitivity), times));
    terms.push_back({scale, sensitivity, static_cast<double>(times)});
  }
  return {std::move(events), exact_gaussians(terms), true, any_delta(any)};
}

Composition equal_responses(Parameters& any) {
  const long times = whole(any, 1, 1e6);
  const double loss = loss_of_one(any, static_cast<double>(times)), delta = any_delta(any);
  if (chance(any, 0.3)) {
    return {{event(geometric(1 / loss, 1), times)}, exact_equal_responses({1, 1 / loss}, times), true, delta};
  }
  if (chance(any, 0.4)) {
    const double failure = delta * any.log_uniform(1e-6, 1) / static_cast<double>(times);
    return {
        {event(approximate(loss, failure), times)}, exact_equal_responses({loss, 1, 1, failure}, times), true, delta};
  }
  return {{event(pure(loss), times)}, exact_equal_responses({loss, 1}, times), true, delta};
}

Composition sampled_responses(Parameters& any) {
  const long times = whole(any, 1, chance(any, 0.1) ? 1e6 : 1e4);
  const double rate = any_rate(any), size = std::max(rate, 1e-6);
  const double loss = std::min(loss_of_one(any, static_cast<double>(times)) / size, any.log_uniform(0.1, 12));
  const bool is_geometric = chance(any, 0.5);
  const Response response = is_geometric ? Response{1, 1 / loss, rate} : Response{loss, 1, rate};
  const Reference worse =
      larger(exact_equal_responses(response, times, Side::remove), exact_equal_responses(response, times, Side::add));
  return {{event(is_geometric ? geometric(1 / loss, 1) : pure(loss), times, rate)}, worse, true, any_delta(any)};
}

Composition different_responses(Parameters& any) {
  const long count = whole(any, 2, 4);
  const double delta = any_delta(any), loss = loss_of_one(any, 4.0 * static_cast<double>(count));
  std::vector<Event> events;
  std::vector<LatticeRelease> releases;
  for (long i = 0; i < count; ++i) {
    const long times = whole(any, 1, 7);
    const double each = loss * any.uniform(0.2, 1), failure = chance(any, 0.3) ? 1e-3 * delta : 0;
    events.push_back(event(failure > 0 ? approximate(each, failure) : pure(each), times));
    releases.push_back({LatticeRelease::Kind::response, 0, 1, {each, 1, 1, failure}, times});
  }
  return {std::move(events), exact_lattice(releases, 1e-30 * delta), true, delta};
}

Composition geometric_lattice(Parameters& any) {
  const double scale = any.log_uniform(0.2, 500), delta = any_delta(any);
  const long count = whole(any, 1, 3);
  std::vector<Event> events;
  std::vector<LatticeRelease> releases;
  for (long i = 0; i < count; ++i) {
    const long sensitivity = whole(any, 2, 30), times = whole(any, 1, 300.0 / static_cast<double>(sensitivity));
    events.push_back(event(geometric(scale, sensitivity), times));
    releases.push_back({LatticeRelease::Kind::geometric, scale, sensitivity, {0, 1}, times});
  }
  return {std::move(events), exact_lattice(releases, 1e-30 * delta), true, delta};
}

Composition discrete_gaussian_lattice(Parameters& any) {
  const double scale = any.log_uniform(0.6, 6), delta = any_delta(any);
  const long sensitivity = whole(any, 1, 4), times = whole(any, 1, 4);
  const std::vector<LatticeRelease> releases{
      {LatticeRelease::Kind::discrete_gaussian, scale, sensitivity, {0, 1}, times}};
  return {{event(discrete_gaussian(scale, sensitivity), times)}, exact_lattice(releases, 1e-20 * delta), true, delta};
}

Composition one_sampled_release(Parameters& any) {
  const double rate = any_rate(any), loss = any.log_uniform(1e-3, 30), scale = any.log_uniform(1e-3, 1e3);
  if (chance(any, 0.5)) {
    return {{event(gaussian(scale, loss * scale), 1, rate)},
            exact_sampled_gaussian(scale, loss * scale, rate),
            true,
            any_delta(any)};
  }
  return {{event(laplace(scale, loss * scale), 1, rate)},
          exact_sampled_laplace(scale, loss * scale, rate),
          true,
          any_delta(any)};
}

Composition one_laplace(Parameters& any) {
  const double scale = any.log_uniform(1e-3, 1e3), sensitivity = scale * any.log_uniform(1e-6, 300);
  return {{event(laplace(scale, sensitivity), 1)}, exact_sampled_laplace(scale, sensitivity, 1), true, any_delta(any)};
}

Composition long_lattice(Parameters& any) {
  const double delta = moderate_delta(any);
  if (chance(any, 0.5)) {
    const long times = whole(any, 2, 300), sensitivity = whole(any, 2, 20);
    return bracketed({event(geometric(any.log_uniform(1, 200), sensitivity), times)}, delta, 700, true);
  }
  const long times = whole(any, 2, 300), sensitivity = whole(any, 1, 20);
  const double scale = std::max(any.log_uniform(0.5, 12), 0.05 * static_cast<double>(sensitivity));
  return bracketed({event(discrete_gaussian(scale, sensitivity), times)}, delta, 1000);
}

Composition laplaces(Parameters& any) {
  const long times = whole(any, 2, 200);
  const double scale = any.log_uniform(0.01, 100), loss = loss_of_one(any, static_cast<double>(times));
  return bracketed({event(laplace(scale, std::min(loss, 5.0) * scale), times)}, moderate_delta(any), 500);
}

Composition sampled_list(Parameters& any) {
  const long times = whole(any, 2, 200);
  const double rate = std::clamp(any_rate(any), 3e-3, 1 - 1e-6), kind = any.uniform(0, 5);
  const double loss = any.log_uniform(0.05, 3), scale = any.log_uniform(0.1, 10);
  const long sensitivity = whole(any, 1, 5);
  const double whole_scale = static_cast<double>(sensitivity) / loss, delta = moderate_delta(any);
  const Release release = kind < 1   ? gaussian(scale, loss * scale)
                          : kind < 2 ? laplace(scale, loss * scale)
                          : kind < 3 ? geometric(whole_scale, sensitivity)
                          : kind < 4 ? discrete_gaussian(whole_scale, sensitivity)
                                     : approximate(loss, 1e-3 * delta / static_cast<double>(times));
  return bracketed({event(release, times, rate)}, delta, 500);
}

Composition mixed_list(Parameters& any) {
  const double delta = moderate_delta(any), loss = any.log_uniform(0.02, 2);
  const double rate = chance(any, 0.5) ? 1 : any.log_uniform(0.01, 1);
  const auto size = [&] { return loss * any.uniform(0.3, 1); };
  const auto times = [&] { return whole(any, 1, 30); };
  std::vector<Event> events{event(laplace(2, 2 * size()), times()), event(gaussian(3, 3 * size()), times(), rate)};
  if (chance(any, 0.5)) events.push_back(event(geometric(2 / size(), 2), times(), rate));
  if (chance(any, 0.5)) events.push_back(event(approximate(size(), 1e-4 * delta), times()));
  return bracketed(std::move(events), delta, 500);
}

}  // namespace vernier::test
