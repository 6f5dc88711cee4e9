#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/http/http.hpp"
#include "server/slots.hpp"
#include "server/worker/frame.hpp"

// Processes that do the work, so that the front holds no data, and what takes too long or dies takes nobody along.
namespace vernier::server {

enum class Ending : std::uint8_t { answered, too_long, died, full };

enum class Stage : std::uint8_t { gone, waiting, working };  // of a question

struct WorkerSettings {
  std::vector<std::string> program;  // the words by which a worker is started
  std::size_t count;                 // at most so many at once
  std::size_t queue;                 // wait at most
  std::size_t queue_of_one;          // of one owner
  std::chrono::seconds time;  // of a processor that one answer may take, and four times that by the clock; 0: no limit
};

class Workers {
 public:
  using Told = std::function<void(Ending, Frame)>;

  Workers(Loop& loop, WorkerSettings settings);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();  // ends those that are left

  // The answer of the next worker that is free; one whose owner has none at work comes first. The number names the
  // question; 0 where it was refused. With slots it may go on until the last one, and what has died keeps its place,
  // and is told, at the next.
  std::uint64_t ask(const std::string& owner, Frame question, Told told, Slots slots = {});
  Stage stage_of(std::uint64_t question) const;
  // How long a worker has it.
  std::optional<milliseconds> taken(std::uint64_t question) const;
  // Takes a question that waits out of the queue, unanswered; false where it does not wait.
  bool drop(std::uint64_t question);
  // Ends the worker that has it, which is then answered as died.
  void stop(std::uint64_t question);

  std::size_t busy() const;     // that work
  std::size_t waiting() const;  // questions in the queue
  void hurry();                 // those that only wait for their slot need not any more: the server closes
  void kill_all();

  struct Parts;

 private:
  std::shared_ptr<Parts> parts_;
};

}  // namespace vernier::server
