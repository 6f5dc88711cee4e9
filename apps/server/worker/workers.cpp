#include "server/worker/workers.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <deque>
#include <list>
#include <utility>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/http/loop_parts.hpp"

namespace vernier::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Socket = asio::local::stream_protocol::socket;

using Clock = std::chrono::steady_clock;

milliseconds since(Clock::time_point begun) { return std::chrono::duration_cast<milliseconds>(Clock::now() - begun); }

constexpr int most_answers = 2000;  // of one worker, before another takes its place
constexpr int most_crowded = 4;     // so many times its processor time a question may take on a crowded machine

// The processor time that a process has used so far; more than anything may take where it is gone.
milliseconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
    return std::chrono::hours(24 * 365);
  return std::chrono::duration_cast<milliseconds>(std::chrono::seconds(used.tv_sec) +
                                                  std::chrono::nanoseconds(used.tv_nsec));
}

// The child that is started by these words, with one end of a pair of sockets as its standard input and output, and
// nothing else of ours open. A group of its own: Ctrl-C is for the front, which lets workers finish. 0: there is none.
pid_t start(const std::vector<std::string>& words, int end) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, words.front().c_str(), &actions, &attributes, argv.data(), ::environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : 0;
}

}  // namespace

struct Question {
  std::uint64_t number;
  std::string owner;
  Frame frame;
  Workers::Told told;
  Slots slots;
};

// One process, and the one question that it has.
struct Worker {
  Worker(asio::io_context& context, pid_t child) : socket(context), timer(context), process(child) {}

  Socket socket;
  asio::steady_timer timer;
  pid_t process;
  int answers = 0;
  bool was_ended = false;  // by us, at a time that depends on no row
  bool is_late = false;
  Clock::time_point begun = {};   // of the question
  milliseconds used_before = {};  // processor time, by earlier ones
  std::optional<Question> question;
  Lengths lengths = {};
  Frame answer;
};

struct Workers::Parts : std::enable_shared_from_this<Workers::Parts> {
  Parts(asio::io_context& loop, WorkerSettings given) : context(loop), settings(std::move(given)) {}

  std::shared_ptr<Worker> started() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return nullptr;
    const pid_t child = start(settings.program, ends[1]);
    ::close(ends[1]);
    if (child == 0) {
      ::close(ends[0]);
      return nullptr;
    }
    auto worker = std::make_shared<Worker>(context, child);
    worker->socket.assign(asio::local::stream_protocol(), ends[0]);
    all.push_back(worker);
    return worker;
  }

  void next() {
    while (!queue.empty()) {
      std::shared_ptr<Worker> worker = free_one();
      if (!worker) {
        if (all.empty() && resting.empty()) refuse_first();  // none could be started
        return;
      }
      const auto first = next_in_turn();
      worker->question = std::move(*first);
      queue.erase(first);
      hand_over(worker);
    }
  }

  bool is_served(const std::string& owner) const {
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& worker) { return worker->question && worker->question->owner == owner; }) ||
           std::any_of(resting.begin(), resting.end(), [&](const Question& one) { return one.owner == owner; });
  }

  std::deque<Question>::iterator next_in_turn() {
    const auto found =
        std::find_if(queue.begin(), queue.end(), [&](const Question& one) { return !is_served(one.owner); });
    return found == queue.end() ? queue.begin() : found;
  }

  std::deque<Question>::iterator waiting_as(std::uint64_t number) {
    return std::find_if(queue.begin(), queue.end(), [&](const Question& one) { return one.number == number; });
  }

  std::shared_ptr<Worker> free_one() {
    for (const auto& worker : all) {
      if (!worker->question) return worker;
    }
    return all.size() + resting.size() < settings.count ? started() : nullptr;
  }

  void refuse_first() {
    Question question = std::move(queue.front());
    queue.pop_front();
    question.told(Ending::died, {});
  }

  void hand_over(const std::shared_ptr<Worker>& worker) {
    worker->begun = Clock::now();
    worker->used_before = processor_time(worker->process);
    worker->was_ended = false;
    worker->lengths = lengths_of(worker->question->frame);
    watch(worker, left_for(*worker));
    const std::array<asio::const_buffer, 3> parts = {asio::buffer(worker->lengths),
                                                     asio::buffer(worker->question->frame.head),
                                                     asio::buffer(worker->question->frame.body)};
    asio::async_write(worker->socket, parts, [self = shared_from_this(), worker](error_code error, std::size_t) {
      error ? self->has_died(worker) : self->read_lengths(worker);
    });
  }

  // How long it may go on at the least: on slots by the clock alone, which no other work moves; else by the processor
  // time that it has used, so that a crowded machine refuses nobody, and by the clock where it only waits. None: no
  // limit.
  std::optional<milliseconds> left_for(const Worker& worker) const {
    const Slots& slots = worker.question->slots;
    const milliseconds taken = since(worker.begun), time = settings.time;
    if (slots.are_kept()) return slots.last() + settling_time - taken;
    if (time.count() == 0) return std::nullopt;
    return std::min(time - (processor_time(worker.process) - worker.used_before), most_crowded * time - taken);
  }

  void watch(const std::shared_ptr<Worker>& worker, std::optional<milliseconds> left) {
    if (!left) return;
    worker->timer.expires_after(*left);
    worker->timer.async_wait([self = shared_from_this(), worker](error_code error) {
      if (error || !worker->question) return;
      const std::optional<milliseconds> more = self->left_for(*worker);
      if (more && more->count() > 0) return self->watch(worker, more);
      worker->is_late = worker->was_ended = true;
      ::kill(worker->process, SIGKILL);
    });
  }

  void read_lengths(const std::shared_ptr<Worker>& worker) {
    asio::async_read(worker->socket, asio::buffer(worker->lengths),
                     [self = shared_from_this(), worker](error_code error, std::size_t) {
                       if (error || !is_possible(worker->lengths)) return self->has_died(worker);
                       self->read_answer(worker);
                     });
  }

  void read_answer(const std::shared_ptr<Worker>& worker) {
    worker->answer.head.resize(worker->lengths[0]);
    worker->answer.body.resize(worker->lengths[1]);
    const std::array<asio::mutable_buffer, 2> parts = {asio::buffer(worker->answer.head),
                                                       asio::buffer(worker->answer.body)};
    asio::async_read(worker->socket, parts, [self = shared_from_this(), worker](error_code error, std::size_t) {
      error ? self->has_died(worker) : self->has_answered(worker);
    });
  }

  void has_answered(const std::shared_ptr<Worker>& worker) {
    worker->timer.cancel();
    Question question = std::move(*worker->question);
    worker->question.reset();
    Frame answer = std::exchange(worker->answer, {});
    if (++worker->answers >= most_answers) end(worker);
    question.told(Ending::answered, std::move(answer));
    next();
  }

  void has_died(const std::shared_ptr<Worker>& worker) {
    worker->timer.cancel();
    std::optional<Question> question = std::exchange(worker->question, {});
    end(worker);
    if (question) has_lost(*std::move(question), *worker);
    next();
  }

  // When a process died by itself may depend on a row: then neither who has asked nor who waits learns it before its
  // slot.
  void has_lost(Question question, const Worker& worker) {
    const milliseconds taken = since(worker.begun);
    if (worker.was_ended || !question.slots.are_kept()) {
      return question.told(worker.is_late ? Ending::too_long : Ending::died, {});
    }
    auto timer = std::make_shared<asio::steady_timer>(context, question.slots.after(taken) - taken);
    resting.push_back(std::move(question));
    timer->async_wait([self = shared_from_this(), timer, place = std::prev(resting.end())](error_code error) {
      if (error) return;
      const Question lost = std::move(*place);
      self->resting.erase(place);
      lost.told(Ending::died, {});
      self->next();
    });
  }

  void end(const std::shared_ptr<Worker>& worker) {
    error_code ignored;
    worker->socket.close(ignored);
    ::kill(worker->process, SIGKILL);
    ::waitpid(worker->process, nullptr, 0);
    all.erase(std::remove(all.begin(), all.end(), worker), all.end());
  }

  asio::io_context& context;
  WorkerSettings settings;
  std::vector<std::shared_ptr<Worker>> all;
  std::deque<Question> queue;
  std::list<Question> resting;  // whose process has died before their slot
  std::uint64_t last_number = 0;
};

Workers::Workers(Loop& loop, WorkerSettings settings)
    : parts_(std::make_shared<Parts>(loop.parts().context, std::move(settings))) {}

Workers::~Workers() { kill_all(); }

std::uint64_t Workers::ask(const std::string& owner, Frame question, Told told, Slots slots) {
  const auto of_owner = std::count_if(parts_->queue.begin(), parts_->queue.end(),
                                      [&](const Question& one) { return one.owner == owner; });
  if (parts_->queue.size() >= parts_->settings.queue ||
      static_cast<std::size_t>(of_owner) >= parts_->settings.queue_of_one) {
    told(Ending::full, {});
    return 0;
  }
  const std::uint64_t number = ++parts_->last_number;
  parts_->queue.push_back({number, owner, std::move(question), std::move(told), slots});
  parts_->next();
  return number;
}

Stage Workers::stage_of(std::uint64_t question) const {
  if (parts_->waiting_as(question) != parts_->queue.end()) return Stage::waiting;
  const auto& resting = parts_->resting;
  const bool rests =
      std::any_of(resting.begin(), resting.end(), [&](const Question& one) { return one.number == question; });
  return rests || taken(question) ? Stage::working : Stage::gone;
}

std::optional<milliseconds> Workers::taken(std::uint64_t question) const {
  for (const auto& worker : parts_->all) {
    if (worker->question && worker->question->number == question) return since(worker->begun);
  }
  return std::nullopt;
}

bool Workers::drop(std::uint64_t question) {
  const auto found = parts_->waiting_as(question);
  if (found == parts_->queue.end()) return false;
  parts_->queue.erase(found);
  return true;
}

void Workers::stop(std::uint64_t question) {
  for (const auto& worker : parts_->all) {
    if (!worker->question || worker->question->number != question) continue;
    worker->was_ended = true;
    ::kill(worker->process, SIGKILL);
  }
}

void Workers::hurry() {
  for (const auto& worker : parts_->all) ::kill(worker->process, SIGTERM);
}

std::size_t Workers::busy() const {
  return static_cast<std::size_t>(
      std::count_if(parts_->all.begin(), parts_->all.end(), [](const auto& worker) { return worker->question; }));
}

std::size_t Workers::waiting() const { return parts_->queue.size(); }

void Workers::kill_all() {
  while (!parts_->all.empty()) parts_->end(parts_->all.back());
}

}  // namespace vernier::server
