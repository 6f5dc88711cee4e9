#pragma once

#include <string>

#include "vernier/study/release.hpp"

namespace vernier::study {

class Plan;

// An id for a request that nobody has named: it is the same where the same plan is asked again, by the same analyst,
// over the same rows, so that the stored answer is given and nothing is charged. The rows are hashed with a key of this
// installation, so that nobody else can learn from the id what they are (repeat.md). Empty where rows lie on a server,
// of which nobody here knows whether they have changed: such a request is always a new one.
Result<std::string> id_of_same(const Plan& plan, const Request& request);

}  // namespace vernier::study
