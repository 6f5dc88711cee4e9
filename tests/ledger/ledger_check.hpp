#pragma once

#include <string>

#include "ledger/ledger_client.hpp"

namespace vernier::testing {

// What of a ledger, as it is found on the disk, contradicts what was acknowledged to the client; empty where nothing
// does. In order: it opens and its chain holds; every acknowledged grant and answer is there, byte for byte; beyond
// them there is at most the one thing in flight; what is left is the budget less all entries; who asks again is not
// charged; and it can be used. The client learns what became of what was in doubt.
std::string contradiction(const SimulatedDisk& disk, LedgerClient& client);

}  // namespace vernier::testing
