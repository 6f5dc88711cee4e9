#include <cstdint>
#include <iostream>
#include <set>

#include "guide.hpp"  // the C++ of docs/guide/cpp.md: noisy(count)

// Exit code 0 when the installed library answers as it should.
int main() {
  if (Sigma::of(-1)) return 1;
  std::set<std::int64_t> drawn;
  for (int i = 0; i < 200; ++i) {
    const Result<std::int64_t> value = noisy(1000);
    if (!value || *value < 0 || *value > 2000) return 1;  // geometric noise of scale 10 beyond 1000: less than 1e-43
    drawn.insert(*value);
  }
  std::cout << "200 draws around 1000 gave " << drawn.size() << " values: " << Sigma::of(-1).error().sentence() << '\n';
  return drawn.size() > 10 ? 0
                           : 1;  // 10 values or fewer hold at most 0.4 of the law: 200 draws do so with less than 1e-50
}
