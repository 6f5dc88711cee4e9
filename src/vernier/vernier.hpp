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
//   const auto noise = noise::on_grid(noise::Gaussian::of(Sigma::of(0.5).value()));
//   noise.perturb(*source, range, values, released);                           // values + noise, on one lattice

#include "vernier/accuracy/accuracy.hpp"            // from a law to its accuracy and back
#include "vernier/accuracy/groups.hpp"              // of cells whose scales differ
#include "vernier/core/result.hpp"                  // Result, Error, ErrorKind
#include "vernier/core/types.hpp"                   // Real, Probability, LaplaceScale, Sigma, Bounds
#include "vernier/mechanism/discrete_gaussian.hpp"  // the four mechanisms: calibration, privacy curve, law
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/laplace.hpp"
#include "vernier/noise/any_law.hpp"            // a law by its name
#include "vernier/noise/discrete_gaussian.hpp"  // the four laws: mass or density, cumulative, tail, quantile, variance
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/grid_noise.hpp"       // real noise on a grid
#include "vernier/noise/integer_sampler.hpp"  // exact integer noise
#include "vernier/noise/laplace.hpp"
#include "vernier/random/source.hpp"  // bits
