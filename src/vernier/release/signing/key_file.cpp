#include "vernier/release/signing/key_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/random/wipe.hpp"

namespace vernier::release {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_key_bytes = 16384;
constexpr ::mode_t others = 077;

// A text that is wiped when it goes.
struct Secret {
  std::string text;
  Secret() = default;
  explicit Secret(std::string secret) : text(std::move(secret)) {}
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { random::wipe(std::as_writable_bytes(std::span(text))); }
};

struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

Failure cannot(const char* what, const fs::path& path) {
  return fail(ErrorKind::system, std::string("the signing key '") + path.string() + "' cannot be " + what + " (" +
                                     std::strerror(errno) +
                                     "); set XDG_CONFIG_HOME to a folder in which you may read and write");
}

Failure refused(const fs::path& path, const std::string& why) {
  return invalid("the signing key '" + path.string() + "' " + why);
}

std::optional<fs::path> folder_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || !fs::path(value).is_absolute()) return std::nullopt;
  return fs::path(value);
}

// At most one byte more than a key has.
bool read_all(int file, std::string& text) {
  text.resize(most_key_bytes + 1);  // once, so that it never moves and leaves a copy behind
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t more = ::read(file, text.data() + size, text.size() - size);
    if (more == 0) break;
    if (more < 0 && errno != EINTR) return false;
    size += static_cast<std::size_t>(more < 0 ? 0 : more);
  }
  text.resize(size);
  return true;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    text.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
  }
  return ::fsync(file) == 0;
}

// What is above it as usual, itself for its owner alone; errno tells why not.
bool make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  errno = error.value();
  return !error && (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

Result<void> check_private(const fs::path& path, int file) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return cannot("read", path);
  if (!S_ISREG(found.st_mode)) return refused(path, "is no file; move it away, and a new key is made");
  if ((found.st_mode & others) != 0) {
    return refused(path,
                   "may be read by others than its owner; make it private with 'chmod 600', and a new one if "
                   "somebody may have copied it");
  }
  return {};
}

Result<SigningKey> read_key(const fs::path& path, int file) {
  VERNIER_TRY(check_private(path, file));
  Secret secret;
  if (!read_all(file, secret.text)) return cannot("read", path);
  Result<SigningKey> key = SigningKey::of_pem(secret.text);
  if (!key) {
    Error error = about("the signing key '" + path.string() + "'", key.error());
    error.advice = "move it away, and a new key is made";
    return invalid(std::move(error));
  }
  return key;
}

// A new file that is whole on disk, under a name of this process.
Result<fs::path> written_beside(const fs::path& path, std::string_view text, ::mode_t mode) {
  std::string pattern = path.string() + ".XXXXXX";
  const Descriptor file(::mkostemp(pattern.data(), O_CLOEXEC));
  if (file.number < 0) return cannot("written", path);
  if (::fchmod(file.number, mode) == 0 && write_all(file.number, text)) return fs::path(pattern);
  const Failure failure = cannot("written", path);
  ::unlink(pattern.c_str());
  return failure;
}

void sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number >= 0) ::fsync(opened.number);
}

// Puts a new key into its place, unless another process was first.
Result<void> make_key(const fs::path& path) {
  VERNIER_TRY(const SigningKey key, SigningKey::generate());
  VERNIER_TRY(std::string pem, key.pem());
  const Secret secret(std::move(pem));
  VERNIER_TRY(const fs::path temporary, written_beside(path, secret.text, 0600));
  const bool is_made = ::link(temporary.c_str(), path.c_str()) == 0 || errno == EEXIST;
  const Failure failure = cannot("written", path);
  ::unlink(temporary.c_str());
  if (!is_made) return failure;
  sync_folder(path.parent_path());
  return {};
}

// For people to copy. Nothing rests on it, so that a folder where it cannot be written does not matter.
void keep_public_copy(const fs::path& folder, const PublicKey& key) {
  std::error_code ignored;
  const fs::path path = folder / public_key_name;
  if (fs::exists(path, ignored)) return;
  const Result<std::string> pem = key.pem();
  if (!pem) return;
  const Result<fs::path> temporary = written_beside(path, *pem, 0644);
  if (temporary && ::rename(temporary->c_str(), path.c_str()) != 0) ::unlink(temporary->c_str());
}

}  // namespace

Result<fs::path> key_folder() {
  if (const auto config = folder_in("XDG_CONFIG_HOME")) return *config / "vernier";
  if (const auto home = folder_in("HOME")) return *home / ".config" / "vernier";
  return fail(ErrorKind::system,
              "there is no place for the signing key; set HOME or XDG_CONFIG_HOME to the absolute path of a folder");
}

Result<SigningKey> open_signing_key(const fs::path& folder) {
  const fs::path path = folder / signing_key_name;
  if (!make_folder(folder)) return cannot("written", path);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0 && errno == ENOENT) {
    VERNIER_TRY(make_key(path));
    file.number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  }
  if (file.number < 0) return cannot("read", path);
  Result<SigningKey> key = read_key(path, file.number);
  if (key) keep_public_copy(folder, key->public_key());
  return key;
}

Result<SigningKey> installation_key() { return key_folder().and_then(open_signing_key); }

}  // namespace vernier::release
