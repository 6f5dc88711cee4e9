#!/bin/bash
# Shows that the checks beside this file refuse what they should, and nothing else: each case is compiled for it.
#   check_symbols_test.sh COMPILER
set -eu
compiler=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect EXIT_CODE NAME CHECK... with the source on standard input, compiled to an archive
expect() {
  local wanted=$1 name=$2 got=0
  shift 2
  cat > "$work/$name.cpp"
  "$compiler" -std=c++20 -O0 -c "$work/$name.cpp" -o "$work/$name.o"
  ar rcs "$work/$name.a" "$work/$name.o"
  "$@" "$work/$name.a" > "$work/$name.out" 2>&1 || got=$?
  if [ "$got" != "$wanted" ]; then
    echo "$name: exit code $got instead of $wanted"
    cat "$work/$name.out"
    failures=1
  fi
}

symbols=("$here/check_symbols.sh")
pure=("$here/check_symbols.sh" --no-libm)

expect 0 clean "${symbols[@]}" <<< '#include <sys/random.h>
namespace vernier::random { int operand(char* p) { return (int)getrandom(p, 1, 0); } int random() { return 4; } }
double exponential(double x) { return x; } int strand() { return 1; } int randomise() { return 2; }'
expect 0 logarithm_elsewhere "${symbols[@]}" <<< '#include <cmath>
double f(double x) { return std::log(x); }'
expect 0 pure_kernel "${pure[@]}" <<< '#include <cmath>
extern "C" void arb_log(int*, int); extern "C" int mpfr_exp(int);
double catalog(double x) { int y = 0; arb_log(&y, mpfr_exp(3)); return std::sqrt(x) + y; } int log_level() { return 1; }'

expect 1 rand "${symbols[@]}" <<< '#include <cstdlib>
int f() { return std::rand(); }'
expect 1 srand "${symbols[@]}" <<< '#include <cstdlib>
void f() { std::srand(1); }'
expect 1 random "${symbols[@]}" <<< '#include <stdlib.h>
long f() { return random(); }'
expect 1 drand48 "${symbols[@]}" <<< '#include <stdlib.h>
double f() { return drand48(); }'
expect 1 twister "${symbols[@]}" <<< '#include <random>
unsigned long f() { std::mt19937_64 generator(1); return generator(); }'
expect 1 congruential "${symbols[@]}" <<< '#include <random>
unsigned long f() { std::minstd_rand generator(1); return generator(); }'
expect 1 device "${symbols[@]}" <<< '#include <random>
unsigned f() { std::random_device device; return device(); }'
expect 1 distribution "${symbols[@]}" <<< '#include <random>
struct Bits { using result_type = unsigned; static constexpr unsigned min() { return 0; }
  static constexpr unsigned max() { return ~0u; } unsigned operator()() { return 4; } };
double f() { Bits bits; return std::normal_distribution<double>()(bits) + std::exponential_distribution<double>()(bits); }'
expect 1 seeded_bits "${symbols[@]}" <<< 'namespace vernier::testing { struct SeededBits { long next(); }; }
long f(vernier::testing::SeededBits bits) { return bits.next(); }'
expect 1 scripted_bits "${symbols[@]}" <<< 'namespace vernier::testing { struct ScriptedBits { long next(); };
long ScriptedBits::next() { return 4; } }'
expect 1 gmp_state "${symbols[@]}" <<< 'extern "C" void __gmp_randinit_default(int*); void f(int* x) { __gmp_randinit_default(x); }'
for name in log exp cos sin pow; do
  expect 1 "$name" "${pure[@]}" <<< "extern \"C\" double $name(double, ...); double f(double x) { return $name(x, x); }"
done

expect 2 missing "${symbols[@]}" "$work/there_is_no_such_file.a" <<< 'int f() { return 1; }'
expect 2 empty "${symbols[@]}" <<< ''

# A program is looked at like an archive, also when it was stripped.
echo '#include <cstdlib>
int main() { return std::rand(); }' > "$work/program.cpp"
"$compiler" "$work/program.cpp" -s -o "$work/program"
if "${symbols[@]}" "$work/program" > /dev/null; then echo "a stripped program that calls rand passed"; failures=1; fi

mkdir -p "$work/good" "$work/bad" "$work/none"
echo '#include <sys/random.h>
#include "vernier/random/source.hpp"
int operand(int x) { return x; }' > "$work/good/a.cpp"
echo '#include <random>' > "$work/bad/a.hpp"
"$here/check_sources.sh" "$work/good" || { echo "check_sources.sh refused a clean source"; failures=1; }
if "$here/check_sources.sh" "$work/bad" > /dev/null; then echo "check_sources.sh passed <random>"; failures=1; fi
if "$here/check_sources.sh" "$work/none" 2> /dev/null; then echo "check_sources.sh passed no sources"; failures=1; fi
exit $failures
