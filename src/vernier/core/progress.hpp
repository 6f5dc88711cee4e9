#pragma once

#include <functional>

namespace vernier {

// Told how far long work is, from 0 to 1, now and then and from one thread at a time. Answers whether to go on; after a
// no the work stops soon, with an error.
using Progress = std::function<bool(double done)>;

inline bool nobody_watches(double) { return true; }

}  // namespace vernier
