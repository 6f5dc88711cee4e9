#pragma once

// Vernier on one page. Every function that can fail returns a Result: a value, or an Error with one sentence.
//
//   using namespace vernier;
//   random::Source* const source = random::thread_source().value();          // the operating system's randomness
//   const auto law = noise::Geometric::of(LaplaceScale::of(10).value()).value();
//   law.tail(30).upper;                                                        // P[X > 30], certified from above
//   const noise::IntegerSampler sampler(law);
//   sampler.draw(*source);                                                     // an integer of exactly that law
//
//   const auto noise = noise::on_grid(noise::Gaussian::of(Sigma::of(0.5).value()));
//   noise.perturb(*source, range, values, released);                           // values + noise, on one lattice

#include "vernier/core/result.hpp"              // Result, Error, ErrorKind
#include "vernier/core/types.hpp"               // Real, Probability, LaplaceScale, Sigma, Bounds
#include "vernier/noise/any_law.hpp"            // a law by its name
#include "vernier/noise/discrete_gaussian.hpp"  // the four laws: mass or density, cumulative, tail, quantile, variance
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/grid_noise.hpp"       // real noise on a grid
#include "vernier/noise/integer_sampler.hpp"  // exact integer noise
#include "vernier/noise/laplace.hpp"
#include "vernier/random/source.hpp"  // bits
