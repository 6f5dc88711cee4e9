#!/bin/bash
# Proves that what ships holds no random numbers but those of src/vernier/random.
#   check_symbols.sh FILE...             archives, objects or programs: no seeded or scripted source, no generator or
#                                        distribution of the C and C++ libraries, Boost, GMP, FLINT or MPFR
#   check_symbols.sh --no-libm FILE...   besides, nothing of libm whose result differs between machines
# Says every forbidden symbol on a line "FILE: symbol"; exit code 1 if there is one, 2 if a file cannot be read.
# Code that the compiler has inlined leaves no symbol; check_sources.sh is for that.
set -u -o pipefail

seeded='(Scripted|Seeded)(Bits|Source)|(scripted|seeded)_source'
c_generators='^(s?rand|rand_r|s?random(_r)?|initstate(_r)?|setstate(_r)?|[delnmj]rand48(_r)?|s?rand48(_r)?|seed48(_r)?|lcong48(_r)?)$'
cpp_generators='mersenne_twister|mt19937|linear_congruential|subtract_with_carry|discard_block|shuffle_order|minstd_rand|ranlux|knuth_b|default_random_engine|random_device|seed_seq'
distributions='(^|[^A-Za-z0-9_])std::[a-z_]*_distribution|normal_distribution|exponential_distribution|generate_canonical|boost::random'
other_libraries='^(__)?(gmp_rand|gmp_urandom|mpz_u?random|mpz_rrandom|mpf_u?random|mpn_random|mpfr_u?random|mpfr_[ne]random|flint_rand|n_rand|arb_rand|arf_rand|fmpz_rand)'
libm='^(__)?(log|log2|log10|log1p|exp|exp2|exp10|expm1|pow|sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|erf|erfc|erfinv|[lt]gamma|cbrt|hypot)[fl]?(_finite)?$'

forbidden="$seeded|$c_generators|$cpp_generators|$distributions|$other_libraries"
if [ "${1-}" = "--no-libm" ]; then
  forbidden="$forbidden|$libm"
  shift
fi
[ $# -gt 0 ] || { echo "check_symbols.sh: no files were named" >&2; exit 2; }

# The demangled names of all symbols, defined or not, without versions such as @GLIBC_2.2.5. A program that was
# stripped still has its dynamic symbols.
symbols() {
  { nm -C "$1" && { nm -C -D "$1" 2>/dev/null || true; }; } 2>/dev/null |
    sed -n -E 's/^[0-9a-f]* +[A-Za-z?] //p' | sed -E 's/@.*$//' | sort -u
}

found=0
for file in "$@"; do
  names=$(symbols "$file") && [ -n "$names" ] || { echo "$file: no symbols could be read" >&2; exit 2; }
  if hits=$(grep -E "$forbidden" <<< "$names"); then
    sed "s|^|$file: |" <<< "$hits"
    found=1
  fi
done
exit $found
