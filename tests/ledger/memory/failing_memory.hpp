#pragma once

#include <cstdint>

// Replaces operator new, and SQLite's memory, by ones that fail once when they are told to.
namespace vernier::testing {

enum class Memory : std::uint8_t { of_cpp, of_sqlite };

// To be called before SQLite is used.
void install_failing_memory();

// The n-th allocation from now on fails, from 1 on; 0: none.
void fail_allocation(Memory memory, std::int64_t number);
bool has_allocation_failed();  // since one was told to

struct FailingAllocation {
  Memory memory;
  std::int64_t number;

  template <class Action>
  auto during(const Action& action) const {
    fail_allocation(memory, number);
    auto answer = action();
    fail_allocation(memory, 0);
    return answer;
  }
};

}  // namespace vernier::testing
