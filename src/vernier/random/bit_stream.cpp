#include "vernier/random/bit_stream.hpp"

namespace vernier::random {

template class BasicBitStream<KernelEntropy, ForkMark>;

}  // namespace vernier::random
