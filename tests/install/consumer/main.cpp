#include <iostream>

#include <vernier/core/types.hpp>
#include <vernier/numeric/ball.hpp>

// Exit code 0 when the installed library answers as it should.
int main() {
  const auto scale = vernier::Sigma::of(20);
  const auto refused = vernier::Sigma::of(-1);
  if (!scale || refused) return 1;
  const vernier::numeric::Precision precision{80};
  const auto square =
      exp(log(vernier::numeric::Ball::of(scale->value(), precision)) * vernier::numeric::Ball::of(2.0, precision));
  const vernier::Bounds bounds = square.bounds();
  std::cout << "20^2 lies in [" << bounds.lower << ", " << bounds.upper << "]; " << refused.error().sentence << '\n';
  return bounds.lower <= 400 && 400 <= bounds.upper ? 0 : 1;
}
