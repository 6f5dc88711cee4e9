#!/bin/bash
# Proves that no shipped source names a random number generator other than src/vernier/random: what the compiler inlines
# leaves no symbol for check_symbols.sh.
#   check_sources.sh FOLDER...    says every forbidden line; exit code 1 if there is one, 2 if there is no source
set -u -o pipefail

forbidden='#include *[<"](random|stdlib\.h|boost/random[^>"]*|support/[^>"]*)[>"]|mt19937|random_device|\b(std|boost::random)::[a-z_]+_distribution\b|\b(s?rand|[delnmj]rand48|srandom)\('

mapfile -d '' sources < <(find "$@" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.c' \) ! -name '*_test.cpp' -print0)
[ ${#sources[@]} -gt 0 ] || { echo "check_sources.sh: no sources in $*" >&2; exit 2; }
if grep -H -n -E "$forbidden" "${sources[@]}"; then exit 1; fi
