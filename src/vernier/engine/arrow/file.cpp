#include "vernier/engine/arrow/file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <sys/mman.h>

#include "vernier/core/names.hpp"
#include "vernier/engine/arrow/buffers.hpp"
#include "vernier/engine/arrow/column.hpp"
#include "vernier/engine/arrow/stream.hpp"
#include "vernier/engine/nameless_file.hpp"

namespace vernier::engine {
namespace {

constexpr std::size_t alignment = 64;  // of buffers, as Arrow recommends
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

Failure cannot_keep(const std::string& folder) { return no_room("the rows of a stream cannot be kept", folder); }

struct Mapping {
  Mapping(void* at, std::size_t length) : bytes(at), size(length) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(bytes, size); }
  void* bytes;
  std::size_t size;
};

// An array of ours: where its buffers lie in the file, and what of it the structure points to.
struct Kept {
  ArrowArray array{};
  std::vector<std::size_t> places;  // `nowhere` where there is no such buffer
  std::vector<const void*> buffers;
  std::unique_ptr<Kept> dictionary;
  std::vector<std::unique_ptr<Kept>> columns;
  std::vector<ArrowArray*> children;
  std::shared_ptr<Mapping> mapping;  // of a whole batch

  // All but where the buffers are.
  void describe(const ArrowArray& like) {
    buffers.resize(places.size());
    array.length = like.length;
    array.null_count = like.null_count;
    array.offset = like.offset;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.n_children = static_cast<std::int64_t>(children.size());
    array.children = children.data();
    array.dictionary = dictionary ? &dictionary->array : nullptr;
  }
};

// Batches whose buffers lie in the file, behind each other. It goes with the last of them.
class ArrowFile {
 public:
  explicit ArrowFile(std::vector<std::string> names);

  // Writes a batch that was checked, releases it, and puts one in its place that has the columns of these names and no
  // values of the others. It may be read after map().
  Result<void> keep(const ArrowSchema& schema, ArrowArray& batch);
  Result<void> map();

 private:
  bool is_asked(const ArrowSchema& column) const;
  Result<void> write(std::string_view bytes, Kept& to);
  Result<std::unique_ptr<Kept>> kept_array(const ArrowArray& array, ArrowKind kind);
  Result<std::unique_ptr<Kept>> kept_column(const ArrowSchema& schema, const ArrowArray& array);
  static void point(Kept& kept, const char* bytes);

  std::vector<std::string> names_;
  std::string folder_ = folder_of_temporary();
  OpenFile file_;
  std::size_t size_ = 0;
  std::vector<Kept*> batches_;  // that are to be pointed into the file
};

ArrowFile::ArrowFile(std::vector<std::string> names) : names_(std::move(names)), file_(open_nameless(folder_)) {
  for (std::string& name : names_) name = fold_case(name);
}

bool ArrowFile::is_asked(const ArrowSchema& column) const {
  return std::ranges::find(names_, fold_case(column.name == nullptr ? "" : column.name)) != names_.end();
}

Result<void> ArrowFile::write(std::string_view bytes, Kept& to) {
  static constexpr std::array<char, alignment> zeros{};
  if (bytes.data() == nullptr) {
    to.places.push_back(nowhere);
    return {};
  }
  to.places.push_back(size_);
  const std::size_t rest = (alignment - bytes.size() % alignment) % alignment;
  if (file_.get() < 0 || !write_all(file_.get(), bytes.data(), bytes.size()) ||
      !write_all(file_.get(), zeros.data(), rest))
    return cannot_keep(folder_);
  size_ += bytes.size() + rest;
  return {};
}

Result<std::unique_ptr<Kept>> ArrowFile::kept_array(const ArrowArray& array, ArrowKind kind) {
  if (!has_buffers(array, kind)) return malformed_arrow("a column has not the buffers of its type");
  auto kept = std::make_unique<Kept>();
  kept->array.release = [](ArrowArray* released) { released->release = nullptr; };
  for (const std::string_view bytes : buffers_of(array, kind)) VERNIER_TRY(write(bytes, *kept));
  kept->describe(array);
  return kept;
}

// Of what cannot be read, or is not asked for, only how many rows it has.
Result<std::unique_ptr<Kept>> ArrowFile::kept_column(const ArrowSchema& schema, const ArrowArray& array) {
  const ArrowKind values = arrow_kind(schema.dictionary == nullptr ? schema.format : schema.dictionary->format);
  if (!is_asked(schema) || values == ArrowKind::other) return kept_array(array, ArrowKind::null);
  if (schema.dictionary == nullptr) return kept_array(array, values);
  const ArrowKind index = arrow_kind(schema.format);
  if (!is_index(index) || schema.dictionary->dictionary != nullptr) return kept_array(array, ArrowKind::null);
  VERNIER_TRY(check_dictionary(array.dictionary, values));
  VERNIER_TRY(std::unique_ptr<Kept> kept, kept_array(array, index));
  VERNIER_TRY(kept->dictionary, kept_array(*array.dictionary, values));
  kept->describe(array);
  return kept;
}

Result<void> ArrowFile::keep(const ArrowSchema& schema, ArrowArray& batch) {
  auto kept = std::make_unique<Kept>();
  const bool has_bitmap = batch.n_buffers == 1 && batch.buffers != nullptr && batch.buffers[0] != nullptr;
  const auto bits = static_cast<std::size_t>((batch.offset + batch.length + 7) / 8);
  VERNIER_TRY(write(
      has_bitmap ? std::string_view(static_cast<const char*>(batch.buffers[0]), bits) : std::string_view(), *kept));
  for (std::int64_t i = 0; i < batch.n_children; ++i) {
    VERNIER_TRY(kept->columns.emplace_back(), kept_column(*schema.children[i], *batch.children[i]));
    kept->children.push_back(&kept->columns.back()->array);
  }
  kept->describe(batch);
  batch.release(&batch);
  kept->array.private_data = kept.get();
  kept->array.release = [](ArrowArray* released) {
    delete static_cast<Kept*>(std::exchange(*released, ArrowArray{}).private_data);
  };
  batch = kept->array;
  batches_.push_back(kept.release());
  return {};
}

void ArrowFile::point(Kept& kept, const char* bytes) {
  for (std::size_t i = 0; i < kept.places.size(); ++i)
    kept.buffers[i] = kept.places[i] == nowhere ? nullptr : bytes + kept.places[i];
  if (kept.dictionary) point(*kept.dictionary, bytes);
  for (const std::unique_ptr<Kept>& column : kept.columns) point(*column, bytes);
}

Result<void> ArrowFile::map() {
  void* const bytes = size_ == 0 ? nullptr : ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_.get(), 0);
  if (bytes == MAP_FAILED) return cannot_keep(folder_);
  const auto mapping = size_ == 0 ? nullptr : std::make_shared<Mapping>(bytes, size_);
  for (Kept* const batch : batches_) {
    batch->mapping = mapping;
    point(*batch, static_cast<const char*>(bytes));
  }
  return {};
}

// What was read of a stream, which gives it on.
struct TakenStream {
  ArrowSchema schema{};
  std::vector<ArrowArray> batches;
  std::size_t next = 0;

  TakenStream() = default;
  TakenStream(const TakenStream&) = delete;
  TakenStream& operator=(const TakenStream&) = delete;
  ~TakenStream() {
    for (ArrowArray& batch : batches) {
      if (batch.release != nullptr) batch.release(&batch);
    }
    if (schema.release != nullptr) schema.release(&schema);
  }
};

TakenStream& taken_of(ArrowArrayStream* stream) { return *static_cast<TakenStream*>(stream->private_data); }

ArrowArrayStream stream_of(TakenStream& taken) {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = std::exchange(taken_of(self).schema, ArrowSchema{});
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    TakenStream& held = taken_of(self);
    *out = held.next < held.batches.size() ? std::exchange(held.batches[held.next++], ArrowArray{}) : ArrowArray{};
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
  stream.private_data = &taken;
  return stream;
}

Result<void> read_all(ArrowArrayStream& stream, ArrowFile& file, TakenStream& taken) {
  if (stream.get_schema(&stream, &taken.schema) != 0) return stopped_short();
  VERNIER_TRY(check_schema(taken.schema));
  while (true) {
    ArrowArray& batch = taken.batches.emplace_back();
    if (stream.get_next(&stream, &batch) != 0) return stopped_short();
    if (batch.release == nullptr) break;
    VERNIER_TRY(check_batch(batch, taken.schema));
    VERNIER_TRY(file.keep(taken.schema, batch));
  }
  taken.batches.pop_back();
  return file.map();
}

}  // namespace

Result<std::shared_ptr<const ArrowTable>> take_to_file(ArrowArrayStream* stream,
                                                       const std::vector<std::string>& names) {
  VERNIER_TRY(check_stream(stream));
  const OpenStream open(*stream);
  ArrowFile file(names);
  TakenStream taken;
  VERNIER_TRY(read_all(*stream, file, taken));
  ArrowArrayStream again = stream_of(taken);
  return ArrowTable::take(&again);
}

}  // namespace vernier::engine
