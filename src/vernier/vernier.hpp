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
//   const auto mechanism = mechanism::GeometricMechanism::calibrate(epsilon, delta, sensitivity).value();
//   mechanism.curve().delta(epsilon).upper;                                    // the delta at epsilon, from above
//   accuracy::of(mechanism.law(), alpha, accuracy::Cells::one())->accuracy;    // within +- this, exactly
//
//   const auto on_grid = mechanism::calibrate_on_grid(epsilon, delta, privacy::L2Sensitivity::of(0.5).value()).value();
//   on_grid.noise().perturb(*source, range, values, released);                 // values + noise, on one lattice
//
//   const accuracy::Family family = accuracy::GeometricFamily{privacy::IntegerSensitivity::of(1).value()};
//   const accuracy::Target within_50{accuracy::Accuracy::of(50).value(), privacy::Delta::zero()};
//   accuracy::calibrate(family, within_50, accuracy::Alpha::of(0.05).value(), accuracy::Cells::one());  // epsilon, ...
//
//   const auto event = accounting::Event::of(mechanism, privacy::Neighbours::add_remove,
//   accounting::Times::of(20).value()); const auto accountant = accounting::Accountant::of({event.value()}).value();
//   accountant.epsilon(delta)->bounds;                                         // of all 20 together, from both sides

#include "vernier/accounting/accountant.hpp"        // many releases, one guarantee
#include "vernier/accounting/adaptive.hpp"          // budgets for adaptively chosen releases
#include "vernier/accuracy/accuracy.hpp"            // the accuracy of a law at alpha, and the law for an accuracy
#include "vernier/accuracy/calibration.hpp"         // state budget, scale or accuracy, get the rest
#include "vernier/core/result.hpp"                  // Result, Error, ErrorKind
#include "vernier/core/types.hpp"                   // Real, Probability, LaplaceScale, Sigma, Bounds
#include "vernier/denoise/consistent.hpp"           // cells and totals that add up, with their intervals
#include "vernier/denoise/denoise.hpp"              // better values of a column, by its own noise
#include "vernier/interval/rows/additive.hpp"       // intervals of counts and sums
#include "vernier/interval/rows/mean.hpp"           // a mean from node sums, with its interval
#include "vernier/mechanism/discrete_gaussian.hpp"  // the four mechanisms: calibration and privacy curve
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/grid_mechanism.hpp"  // noise for real numbers, with what it costs on its grid
#include "vernier/mechanism/laplace.hpp"
#include "vernier/noise/any_law.hpp"            // a law by its name
#include "vernier/noise/discrete_gaussian.hpp"  // the four laws: mass or density, cumulative, tail, quantile, variance
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/grid_noise.hpp"       // real noise on a grid
#include "vernier/noise/integer_sampler.hpp"  // exact integer noise
#include "vernier/noise/laplace.hpp"
#include "vernier/plan/plan.hpp"        // what a study will cost, and how accurate it will be
#include "vernier/query/catalog.hpp"    // what a steward declares
#include "vernier/query/study.hpp"      // what an analyst asks
#include "vernier/random/source.hpp"    // bits
#include "vernier/release/release.hpp"  // exact numbers meet noise: reserve, run, publish
