#pragma once

#include <memory>
#include <string>

#include "vernier/core/result.hpp"
#include "vernier/engine/file_state.hpp"
#include "vernier/engine/parquet/schema.hpp"

namespace vernier::engine {

// While it is there, the embedded engine reads the end of a Parquet file as plain_footer.hpp makes it: only the cells
// are those of the file. The file itself is not touched, and nobody else sees another one. Every read of the engine
// goes through here (`pread`, which the linker turns over to this file); one of a file that is not any more what it was
// when the overlay was made fails. decision 0016 has the reasons.
class ParquetOverlay {
 public:
  // An error where the footer is none that can be read.
  static Result<std::unique_ptr<ParquetOverlay>> of(const std::string& path);
  ParquetOverlay(const ParquetOverlay&) = delete;
  ParquetOverlay& operator=(const ParquetOverlay&) = delete;
  ~ParquetOverlay();

  const std::vector<ParquetColumn>& columns() const;  // as the file itself has them
  const FileState& state() const;
  bool is_current() const;  // the path still leads to this file, in this state
  bool was_read() const;    // by the engine, in place of the file's own end

  struct Laid;

 private:
  ParquetOverlay(std::string path, std::shared_ptr<Laid> laid);
  std::string path_;
  std::shared_ptr<Laid> laid_;
};

}  // namespace vernier::engine
