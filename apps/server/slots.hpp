#pragma once

#include <chrono>
#include <functional>

#include "vernier/core/result.hpp"

// When it may be told that a release has ended, whose run takes as long as its data has it: at the first slot after its
// begin, or at twice, four times ... as much. Slots depend on settings and on no row (slots.md).
namespace vernier::server {

using std::chrono::milliseconds;

struct Slots {
  milliseconds first{0};    // 0: none are kept, and everything is told at once
  milliseconds longest{0};  // that a run may take; it may go on until the slot then

  bool are_kept() const { return first.count() > 0; }
  milliseconds after(milliseconds taken) const;  // the slot that comes next, counted from the begin
  milliseconds last() const { return after(longest); }
};

// What a slot leaves for writing to the ledger, before whatever still runs is ended.
inline constexpr milliseconds settling_time{10'000};

// A run that is held until its slot, between its last look at data and the first word about it.
class Hold {
 public:
  using Now = std::function<milliseconds()>;        // since any moment
  using Pause = std::function<bool(milliseconds)>;  // false where it was cut short: the server closes
  Hold(Slots slots, Now now, Pause pause);          // the run begins here

  // Returns once the slot has come, and from then on at once. A run that has taken too long is not told any more: it
  // waits until it is ended.
  Result<void> wait();

 private:
  Slots slots_;
  Now now_;
  Pause pause_;
  milliseconds begun_;
  bool is_over_ = false;
};

}  // namespace vernier::server
