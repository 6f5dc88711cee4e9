#pragma once

#include <cstddef>
#include <map>
#include <string>

// How many connections each address has, so that one of them cannot take them all.
namespace vernier::server {

class Addresses {
 public:
  // Whether one more of this address is let in.
  bool enter(const std::string& address, std::size_t most) {
    std::size_t& count = counts_[address];
    if (count >= most) return false;
    ++count;
    return true;
  }
  void leave(const std::string& address) {
    const auto found = counts_.find(address);
    if (found != counts_.end() && --found->second == 0) counts_.erase(found);
  }
  std::size_t size() const { return counts_.size(); }

 private:
  std::map<std::string, std::size_t> counts_;
};

// By which an address is counted: itself, of IPv6 the network of 64 bits that one machine may have all of, and "" for
// this machine, from which a proxy may come for everybody.
std::string counted_as(const std::string& address);

}  // namespace vernier::server
