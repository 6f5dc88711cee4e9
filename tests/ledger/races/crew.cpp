#include "ledger/races/crew.hpp"

#include <barrier>
#include <exception>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vernier::testing {
namespace {

constexpr unsigned longest_life = 280;  // seconds of a child, so that none stays behind

// A barrier that processes share.
class SharedBarrier {
 public:
  explicit SharedBarrier(int parties) {
    void* memory =
        ::mmap(nullptr, sizeof(pthread_barrier_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory is left to share");
    barrier_ = static_cast<pthread_barrier_t*>(memory);
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(barrier_, &shared, static_cast<unsigned>(parties));
    pthread_barrierattr_destroy(&shared);
  }
  SharedBarrier(const SharedBarrier&) = delete;
  SharedBarrier& operator=(const SharedBarrier&) = delete;
  ~SharedBarrier() { ::munmap(barrier_, sizeof(pthread_barrier_t)); }

  void wait() const { pthread_barrier_wait(barrier_); }

 private:
  pthread_barrier_t* barrier_;
};

// A line is written at once, so that lines of different writers do not mix.
Say say_to(int descriptor) {
  return [descriptor](const std::string& line) {
    const std::string whole = line + "\n";
    if (::write(descriptor, whole.data(), whole.size()) < 0) ::_exit(3);
  };
}

void run_said(const Client& client, int number, const Say& say) {
  try {
    client(number, say);
  } catch (const std::exception& error) {
    say(std::string("error: ") + error.what());
  }
}

Client arrived(const std::function<Client()>& arrive, const Say& say) {
  try {
    return arrive();
  } catch (const std::exception& error) {
    say(std::string("error: ") + error.what());
    return [](int, const Say&) {};
  }
}

void work_in_threads(int first, int threads, const Client& client, const SharedBarrier& barrier, const Say& say) {
  std::vector<std::jthread> crew;
  for (int i = 0; i < threads; ++i) {
    crew.emplace_back([&, i] {
      barrier.wait();
      run_said(client, first + i, say);
    });
  }
}

std::string read_to_end(int descriptor) {
  std::string text;
  char part[4096];
  for (ssize_t size = 0; (size = ::read(descriptor, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Child start_child(const std::function<void(const Say&)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe is left");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::alarm(longest_life);
    const Say say = say_to(ends[1]);
    run_said([&](int, const Say&) { work(say); }, 0, say);
    ::_exit(0);
  }
  ::close(ends[1]);
  if (child < 0) throw std::runtime_error("no process is left");
  return {child, ends[0]};
}

void wait_for_words(const Child& child) {
  pollfd waited{child.said, POLLIN, 0};
  ::poll(&waited, 1, 10000);
}

std::vector<std::string> lines_of(const Child& child) {
  std::vector<std::string> lines = split(read_to_end(child.said));
  ::close(child.said);
  return lines;
}

int end_of(const Child& child) {
  int status = 0;
  ::waitpid(child.process, &status, 0);
  return status;
}

std::vector<std::string> run_crew(CrewSize size, const std::function<Client()>& arrive) {
  const SharedBarrier barrier(size.processes * size.threads);
  const Child all = start_child([&](const Say& say) {  // one child for the pipe that all of them share
    std::vector<pid_t> processes;
    for (int i = 0; i < size.processes; ++i) {
      const pid_t process = ::fork();
      processes.push_back(process);
      if (process != 0) continue;
      ::alarm(longest_life);
      {
        const Client client = arrived(arrive, say);
        work_in_threads(i * size.threads, size.threads, client, barrier, say);
      }
      ::_exit(0);
    }
    for (const pid_t process : processes) {
      int status = 0;
      ::waitpid(process, &status, 0);
      if (status != 0) say("error: a process ended with status " + std::to_string(status));
    }
  });
  std::vector<std::string> lines = lines_of(all);
  if (end_of(all) != 0) lines.emplace_back("error: the crew did not end in order");
  return lines;
}

std::vector<std::string> run_threads(int threads, const Client& client) {
  std::mutex mutex;
  std::vector<std::string> lines;
  const Say say = [&](const std::string& line) {
    const std::scoped_lock lock(mutex);
    lines.push_back(line);
  };
  std::barrier barrier(threads);
  std::vector<std::thread> crew;
  for (int i = 0; i < threads; ++i) {
    crew.emplace_back([&, i] {
      barrier.arrive_and_wait();
      run_said(client, i, say);
    });
  }
  for (std::thread& one : crew) one.join();
  return lines;
}

}  // namespace vernier::testing
