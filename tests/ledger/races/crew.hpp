#pragma once

#include <functional>
#include <string>
#include <vector>

// Clients of a ledger, in threads and in processes of their own, that all begin at the same moment.
namespace vernier::testing {

// Says one line, of at most 4,000 bytes, to whoever waits for the crew.
using Say = std::function<void(const std::string&)>;

// What a client does; `client` counts from 0 over all processes.
using Client = std::function<void(int client, const Say&)>;

struct CrewSize {
  int processes;
  int threads;  // of each process
};

// In each process `arrive` makes ready what its threads share; when all threads of all processes are there, all begin.
// Every line that was said, in some order; "error: ..." where a process could not arrive or a client threw.
std::vector<std::string> run_crew(CrewSize size, const std::function<Client()>& arrive);

// In threads of this process.
std::vector<std::string> run_threads(int threads, const Client& client);

// Runs in a child, whose exit code is 0; what it says is read until it ends.
struct Child {
  int process;
  int said;  // a descriptor
};
Child start_child(const std::function<void(const Say&)>& work);

void wait_for_words(const Child& child);                // until it says something, or ends
std::vector<std::string> lines_of(const Child& child);  // waits for the end of what it says
int end_of(const Child& child);                         // waits for its end: its status

}  // namespace vernier::testing
