#include "server/slots.hpp"

#include <utility>

namespace vernier::server {
namespace {

constexpr std::chrono::hours long_time{1};

Failure took_too_long() {
  return fail(ErrorKind::stopped, "the run took longer than this server allows", "the budget stays spent");
}

}  // namespace

milliseconds Slots::after(milliseconds taken) const {
  milliseconds slot = first;
  while (slot < taken) slot *= 2;
  return slot;
}

Hold::Hold(Slots slots, Now now, Pause pause)
    : slots_(slots), now_(std::move(now)), pause_(std::move(pause)), begun_(now_()) {}

Result<void> Hold::wait() {
  if (is_over_ || !slots_.are_kept()) return {};
  is_over_ = true;
  const milliseconds taken = now_() - begun_;
  if (taken <= slots_.last()) {
    pause_(slots_.after(taken) - taken);
    return {};
  }
  while (pause_(long_time)) {
  }
  return took_too_long();
}

}  // namespace vernier::server
