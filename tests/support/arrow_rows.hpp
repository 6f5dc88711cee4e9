#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vernier/engine/arrow/file.hpp"
#include "vernier/engine/arrow/table.hpp"

// Rows as other programs hand them over: structures of the Arrow C data interface, made by hand.
namespace vernier::testing {

// A column of a batch, as it will lie in memory; a buffer that is none is a null pointer.
struct ArrowColumnData {
  std::string name;
  std::string format;
  std::int64_t length = 0;
  std::int64_t nulls = 0;
  std::int64_t offset = 0;
  std::vector<std::optional<std::string>> buffers = {};
  std::vector<ArrowColumnData> dictionary = {};  // one or none

  // Its rows from `first` on as another library cuts them: the buffers stay, offset and length move.
  ArrowColumnData slice(std::int64_t first, std::int64_t count) const;
};
using ArrowBatch = std::vector<ArrowColumnData>;

template <class Value>
using Cells = std::vector<std::optional<Value>>;

ArrowColumnData arrow_booleans(const std::string& name, const Cells<bool>& cells);
ArrowColumnData arrow_texts(const std::string& name, const Cells<std::string>& cells);
ArrowColumnData arrow_large_texts(const std::string& name, const Cells<std::string>& cells);
ArrowColumnData arrow_views(const std::string& name, const Cells<std::string>& cells);
ArrowColumnData arrow_dictionary(const std::string& name, const Cells<std::int8_t>& indices, ArrowColumnData values);

std::optional<std::string> validity_buffer(const std::vector<bool>& is_there);  // none where all are

// Of a type of fixed width.
template <class Value>
ArrowColumnData arrow_numbers(const std::string& name, const std::string& format, const Cells<Value>& cells) {
  std::vector<bool> is_there;
  std::string data;
  std::int64_t nulls = 0;
  for (const std::optional<Value>& cell : cells) {
    const Value value = cell.value_or(Value{});
    is_there.push_back(cell.has_value());
    nulls += cell ? 0 : 1;
    data.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return {name, format, static_cast<std::int64_t>(cells.size()), nulls, 0, {validity_buffer(is_there), data}};
}
inline ArrowColumnData arrow_integers(const std::string& name, const Cells<std::int64_t>& cells) {
  return arrow_numbers(name, "l", cells);
}
inline ArrowColumnData arrow_reals(const std::string& name, const Cells<double>& cells) {
  return arrow_numbers(name, "g", cells);
}
inline ArrowColumnData arrow_days(const std::string& name, const Cells<std::int32_t>& cells) {
  return arrow_numbers(name, "tdD", cells);
}

// A stream of batches, whose columns are those of the first one or of `columns`. It counts what is alive of it, and
// may be spoilt: what is wrong with its structures, or when it fails.
class ArrowStream {
 public:
  explicit ArrowStream(std::vector<ArrowBatch> batches);
  ArrowStream(const ArrowBatch& columns, std::vector<ArrowBatch> batches);
  ArrowStream(const ArrowStream&) = delete;
  ArrowStream& operator=(const ArrowStream&) = delete;
  ~ArrowStream();

  ArrowStream& spoil_schema(std::function<void(ArrowSchema&)> spoil);
  ArrowStream& spoil_batch(std::function<void(ArrowArray&)> spoil);
  ArrowStream& fail_at(std::size_t batch);

  ArrowArrayStream* get() { return &stream_; }
  std::shared_ptr<std::atomic<int>> alive() const;  // schemas, batches and the stream itself

  Result<std::shared_ptr<const engine::ArrowTable>> take() { return engine::ArrowTable::take(&stream_); }
  Result<std::shared_ptr<const engine::ArrowTable>> take_to_file(const std::vector<std::string>& names) {
    return engine::take_to_file(&stream_, names);
  }

 private:
  ArrowArrayStream stream_;
};

// The rows of batches that nothing is wrong with.
std::shared_ptr<const engine::ArrowTable> arrow_table(std::vector<ArrowBatch> batches);

}  // namespace vernier::testing
