#include "vernier/query/deep_stack.hpp"

#include <pthread.h>

namespace vernier::query {
namespace {

constexpr std::size_t usual_stack = std::size_t{1} << 23;
constexpr std::size_t bytes_per_level = 1024;

void* run(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

bool on_deep_stack(std::size_t depth, const std::function<void()>& work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread;
  const bool started = pthread_attr_setstacksize(&attributes, usual_stack + depth * bytes_per_level) == 0 &&
                       pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  return started && pthread_join(thread, nullptr) == 0;
}

}  // namespace vernier::query
