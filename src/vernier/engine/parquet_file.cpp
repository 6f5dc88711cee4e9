#include "vernier/engine/parquet_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace vernier::engine {
namespace {

constexpr std::int64_t longest_footer = std::int64_t{1} << 26;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

  // As many bytes from there on as fit, all of them or none.
  bool read(std::int64_t from, char* bytes, std::size_t count) const {
    if (::lseek(number_, from, SEEK_SET) != from) return false;
    while (count > 0) {
      const ssize_t got = ::read(number_, bytes, count);
      if (got == 0 || (got < 0 && errno != EINTR)) return false;
      if (got < 0) continue;
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int number_;
};

Failure unreadable(const std::string& path, const std::string& reason) {
  return fail(ErrorKind::system, "the file '" + path + "' cannot be read: " + reason);
}

std::int64_t little_endian(const char* bytes) {
  std::int64_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

Failure damaged_footer() {
  return fail(ErrorKind::system, "the footer of the Parquet file is damaged; write the file anew");
}

std::int64_t ParquetFile::data_end() const {
  return state.size - parquet_tail - static_cast<std::int64_t>(footer.size());
}

Result<ParquetFile> ParquetFile::open(const std::string& path) {
  const Descriptor file(path);
  if (file.number() < 0) return unreadable(path, std::strerror(errno));
  const std::optional<FileState> state = state_of_file(file.number());
  if (!state) return unreadable(path, std::strerror(errno));
  std::array<char, parquet_tail> tail{};
  if (state->size < 4 + parquet_tail || !file.read(state->size - parquet_tail, tail.data(), tail.size()))
    return unreadable(path, "it is too short for Parquet");
  if (std::string_view(tail.data() + 4, 4) == "PARE") return unreadable(path, "its footer is encrypted");
  if (std::string_view(tail.data() + 4, 4) != "PAR1") return unreadable(path, "it does not end as a Parquet file does");
  const std::int64_t length = little_endian(tail.data());
  if (length > state->size - 4 - parquet_tail || length > longest_footer) return damaged_footer();
  ParquetFile found{std::string(static_cast<std::size_t>(length), '\0'), *state};
  if (!file.read(found.data_end(), found.footer.data(), found.footer.size()))
    return unreadable(path, "its footer cannot be read");
  if (state_of_file(file.number()) != state) return unreadable(path, "it changed while it was read");
  return found;
}

}  // namespace vernier::engine
