#include "vernier/engine/csv_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/engine/csv_header.hpp"

namespace vernier::engine {

Result<std::shared_ptr<const CsvFile>> CsvFile::open(const std::filesystem::path& path, const CsvFormat& format) {
  const auto unreadable = [&] { return unreadable_file(path.string(), std::strerror(errno)); };
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return unreadable();
  const std::shared_ptr<CsvFile> file(new CsvFile(opened, format));
  struct stat status = {};
  if (::fstat(opened, &status) != 0) return unreadable();
  VERNIER_TRY(std::vector<std::string> names, header_of(opened, path.string(), format.delimiter, format.quoted));
  file->names_ = std::move(names);
  file->identity_ = identity_of(status);
  file->first_row_ = ::lseek(opened, 0, SEEK_CUR);
  if (file->first_row_ < 0) return unreadable();
  file->end_ = std::max<std::int64_t>(file->first_row_, status.st_size);
  return file;
}

CsvFile::~CsvFile() { ::close(file_); }

bool CsvFile::read(std::int64_t from, char* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(file_, to, count, from);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    from += got;
    to += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace vernier::engine
