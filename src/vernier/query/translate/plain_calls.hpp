#pragma once

#include "vernier/query/translate/syntax.hpp"

namespace vernier::query {

// Functions that several systems have under names of their own, in the words that the translation reads: IFF(c, a, b)
// is CASE, NVL(a, b) is COALESCE, DATEADD('day', 3, d) is d + INTERVAL 3 DAY, and so on, everywhere in the tree.
void write_plain_calls(Json& node);

}  // namespace vernier::query
