#include "server/access/guesses.hpp"

#include <utility>

namespace vernier::server {

int Guesses::count_in(Minute& minute, std::int64_t now) {
  if (minute.since + guess_seconds <= now) minute = {0, now};
  return minute.count < most_guesses + most_noted ? ++minute.count : minute.count;
}

bool Guesses::has_room(const std::string& address, std::int64_t now) {
  if (by_address_.size() < most_guessing || by_address_.contains(address)) return true;
  std::erase_if(by_address_, [&](const auto& one) { return one.second.since + guess_seconds <= now; });
  return by_address_.size() < most_guessing;
}

Guesses::Count Guesses::add(const std::string& address, std::int64_t now) {
  const bool is_too_many = !has_room(address, now) || count_in(by_address_[address], now) > most_guesses;
  const bool is_noted = !is_too_many && count_in(all_, now) <= most_noted;
  if (!is_noted) ++not_noted_;
  return {is_too_many, is_noted, is_noted ? std::exchange(not_noted_, 0) : 0};
}

}  // namespace vernier::server
