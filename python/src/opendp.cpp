#include <cmath>

#include "bindings.hpp"
#include "errors.hpp"
#include "numbers.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/between.hpp"

namespace nb = nanobind;

// The conversions of opendp.accuracy: one cell, and for integer noise the strict convention, P[abs(noise) >= accuracy]
// <= alpha. Numbers are rounded toward safety.
namespace vernier::python {
namespace {

using accuracy::Accuracy;
using accuracy::Alpha;
using accuracy::Cells;

Alpha alpha_of(nb::handle alpha) { return value_of(cli::rounded_down<Alpha>(decimal("alpha", alpha))); }
LaplaceScale laplace_scale(nb::handle scale) { return value_of(LaplaceScale::of(real("scale", scale))); }
Sigma sigma(nb::handle scale) { return value_of(Sigma::of(real("scale", scale))); }
Accuracy accuracy_of(nb::handle wanted) { return value_of(cli::rounded_down<Accuracy>(decimal("accuracy", wanted))); }

// A strict accuracy is a whole number from 1 on, and one more than that of P[abs(noise) > accuracy] <= alpha.
Accuracy less_one(Accuracy strict) {
  if (strict.value() >= 1) return value_of(Accuracy::of(std::floor(strict.value()) - 1));
  raise_invalid(
      "the accuracy of integer noise is at least 1 where it means P[abs(noise) >= accuracy] <= alpha, since a whole "
      "number other than 0 is at least 1; ask for 1 or more");
}

double laplacian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  return value_of(accuracy::of(noise::Laplace::of(laplace_scale(scale)), alpha_of(alpha), Cells::one())).accuracy;
}
double gaussian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  return value_of(accuracy::of(noise::Gaussian::of(sigma(scale)), alpha_of(alpha), Cells::one())).accuracy;
}
double discrete_laplacian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  return value_of(accuracy::between(value_of(noise::Geometric::of(laplace_scale(scale))), alpha_of(alpha)));
}
double discrete_gaussian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  const auto law = value_of(noise::DiscreteGaussian::of(sigma(scale)));
  return value_of(accuracy::of(law, alpha_of(alpha), Cells::one())).accuracy_strict;
}

double accuracy_to_laplacian_scale(nb::handle accuracy, nb::handle alpha) {
  return value_of(accuracy::laplace_for(accuracy_of(accuracy), alpha_of(alpha), Cells::one())).scale();
}
double accuracy_to_gaussian_scale(nb::handle accuracy, nb::handle alpha) {
  return value_of(accuracy::gaussian_for(accuracy_of(accuracy), alpha_of(alpha), Cells::one())).scale();
}
double accuracy_to_discrete_laplacian_scale(nb::handle accuracy, nb::handle alpha) {
  return value_of(accuracy::geometric_between(accuracy_of(accuracy), alpha_of(alpha))).scale();
}
double accuracy_to_discrete_gaussian_scale(nb::handle accuracy, nb::handle alpha) {
  const Accuracy wanted = less_one(accuracy_of(accuracy));
  return value_of(accuracy::discrete_gaussian_for(wanted, alpha_of(alpha), Cells::one())).scale();
}

}  // namespace

void bind_opendp(nb::module_& module) {
  nb::module_ opendp = module.def_submodule("opendp", "The conversions of vernier.compat.opendp.");
  const auto to_accuracy = [&](const char* name, double (*convert)(nb::handle, nb::handle)) {
    opendp.def(name, convert, nb::arg("scale").none(), nb::arg("alpha").none());
  };
  const auto to_scale = [&](const char* name, double (*convert)(nb::handle, nb::handle)) {
    opendp.def(name, convert, nb::arg("accuracy").none(), nb::arg("alpha").none());
  };
  to_accuracy("laplacian_scale_to_accuracy", laplacian_scale_to_accuracy);
  to_accuracy("gaussian_scale_to_accuracy", gaussian_scale_to_accuracy);
  to_accuracy("discrete_laplacian_scale_to_accuracy", discrete_laplacian_scale_to_accuracy);
  to_accuracy("discrete_gaussian_scale_to_accuracy", discrete_gaussian_scale_to_accuracy);
  to_scale("accuracy_to_laplacian_scale", accuracy_to_laplacian_scale);
  to_scale("accuracy_to_gaussian_scale", accuracy_to_gaussian_scale);
  to_scale("accuracy_to_discrete_laplacian_scale", accuracy_to_discrete_laplacian_scale);
  to_scale("accuracy_to_discrete_gaussian_scale", accuracy_to_discrete_gaussian_scale);
}

}  // namespace vernier::python
