#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/translate/syntax.hpp"

// A statement in fewer forms than people write, before it is translated: each of these changes is one that keeps what
// the statement means, and what is none of the forms stays as it is.
namespace vernier::query {

// Names of schemas left out, lists of names behind an alias written into the SELECT list, NATURAL JOIN as USING, RIGHT
// JOIN as LEFT JOIN, what every part of an OR says before it; row-by-row queries beside JOIN as their tables, and a
// query over published groups as one with HAVING.
void write_plain_queries(Json& tree, const Catalog& catalog);

}  // namespace vernier::query
