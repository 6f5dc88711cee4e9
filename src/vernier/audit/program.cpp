#include "vernier/audit/program.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace vernier::audit {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int look_every = 1;  // milliseconds, while a run may be killed

Failure not_started(const fs::path& path, int error) {
  return fail(ErrorKind::system, "the program '" + path.string() + "' cannot be started: " + std::strerror(error));
}

// What it inherits, but for the places of the user's own files.
std::vector<std::string> environment_with(const fs::path& home) {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text(*one);
    if (text.starts_with("HOME=") || text.starts_with("XDG_") || text.starts_with("VERNIER_")) continue;
    all.emplace_back(text);
  }
  all.push_back("HOME=" + home.string());
  all.push_back("XDG_CONFIG_HOME=" + (home / "config").string());
  all.push_back("XDG_STATE_HOME=" + (home / "state").string());
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// While this lives new processes may write no file beyond so many bytes.
class FileLimit {
 public:
  explicit FileLimit(std::int64_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    if (bytes < 0) return;
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(bytes);
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

// A process with what it prints; ended and waited for when this goes.
class Running {
 public:
  explicit Running(pid_t id, int out, int err) : id_(id), pipes_{out, err} {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (id_ > 0) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
    for (const int pipe : pipes_) {
      if (pipe >= 0) ::close(pipe);
    }
  }

  // Whoever waits for the moment to kill it comes first.
  void give_way() const { ::setpriority(PRIO_PROCESS, static_cast<id_t>(id_), 5); }

  Result<Ran> wait(const Hindrance& hindrance) {
    const Clock::time_point end = Clock::now() + hindrance.longest;
    bool is_killed = hindrance.kills_when == nullptr;
    while (pipes_[0] >= 0 || pipes_[1] >= 0) {
      read_some(is_killed ? 100 : look_every);
      if (!is_killed && hindrance.kills_when()) is_killed = ::kill(id_, SIGKILL) == 0;
      if (Clock::now() > end)
        return fail(ErrorKind::system, "a run of the program did not end within " +
                                           std::to_string(hindrance.longest.count()) + " minutes");
    }
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return Ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, std::move(texts_[0]), std::move(texts_[1])};
  }

 private:
  void read_some(int milliseconds) {
    std::array<pollfd, 2> waiting{{{pipes_[0], POLLIN, 0}, {pipes_[1], POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) return;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (pipes_[i] >= 0 && waiting[i].revents != 0) read_from(i);
    }
  }
  void read_from(std::size_t i) {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(pipes_[i], buffer.data(), buffer.size());
    if (count > 0) {
      texts_[i].append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      ::close(std::exchange(pipes_[i], -1));
    }
  }

  pid_t id_;
  std::array<int, 2> pipes_;
  std::array<std::string, 2> texts_;
};

Result<std::unique_ptr<Running>> start(std::vector<std::string> words, const fs::path& home, const fs::path& folder,
                                       std::int64_t greatest_file) {
  const fs::path program = words.front();
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return not_started(program, errno);
  if (::pipe2(err, O_CLOEXEC) != 0) {
    ::close(out[0]);
    ::close(out[1]);
    return not_started(program, errno);
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  std::vector<std::string> environment = environment_with(home);
  pid_t id = -1;
  int failed = 0;
  {
    const FileLimit limit(greatest_file);
    failed =
        ::posix_spawn(&id, program.c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  auto running = std::make_unique<Running>(failed == 0 ? id : -1, out[0], err[0]);
  if (failed != 0) return not_started(program, failed);
  return running;
}

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

Result<Folder> Folder::make() {
  std::error_code failed;
  const fs::path place = fs::temp_directory_path(failed);
  std::string pattern = (place / "vernier-audit-XXXXXX").string();
  if (failed || ::mkdtemp(pattern.data()) == nullptr) {
    return fail(ErrorKind::system, "no temporary folder can be made", "set TMPDIR to a folder that can be written");
  }
  return Folder(pattern);
}

Folder::Folder(Folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<void> Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return fail(ErrorKind::system, "the file '" + (path_ / name).string() + "' cannot be written", "is the disk full?");
}

Result<Ran> Program::run(const fs::path& folder, const std::vector<std::string>& words,
                         const Hindrance& hindrance) const {
  VERNIER_TRY(const auto running, start(joined(words_, words), home_, folder, hindrance.greatest_file));
  if (hindrance.kills_when) running->give_way();
  return running->wait(hindrance);
}

Result<std::vector<Ran>> Program::run_at_once(const fs::path& folder,
                                              const std::vector<std::vector<std::string>>& runs) const {
  std::vector<std::unique_ptr<Running>> all;
  for (const std::vector<std::string>& words : runs) {
    VERNIER_TRY(auto running, start(joined(words_, words), home_, folder, -1));
    all.push_back(std::move(running));
  }
  std::vector<Ran> ran;
  for (const auto& running : all) {
    VERNIER_TRY(Ran one, running->wait({}));
    ran.push_back(std::move(one));
  }
  return ran;
}

}  // namespace vernier::audit
