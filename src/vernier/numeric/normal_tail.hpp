#pragma once

#include "vernier/numeric/ball.hpp"

namespace vernier::numeric {

// The integral of exp(-t^2 / 2) over t > z: the upper tail of the standard normal law times sqrt(2 pi). Relatively as
// tight as the precision of z, less about 2 log2(z) bits, for z of any size; normal_tail.md has the proof.
Ball normal_tail_integral(const Ball& z);

// The same divided by exp(-z^2 / 2): the Mills ratio, which neither underflows nor overflows far out on the right.
Ball mills_ratio(const Ball& z);

}  // namespace vernier::numeric
