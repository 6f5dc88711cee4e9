#include "support/arrow_rows.hpp"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

namespace vernier::testing {
namespace {

using Alive = std::shared_ptr<std::atomic<int>>;

// All that one exported structure points to, its children with it.
struct HeldSchema {
  ArrowBatch columns;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema> dictionaries;
  std::vector<ArrowSchema*> children;
  Alive alive;
};

struct HeldArray {
  ArrowBatch columns;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray> dictionaries;
  std::vector<std::vector<const void*>> buffers;
  std::vector<ArrowArray*> children;
  const void* no_validity = nullptr;
  Alive alive;
};

struct HeldStream {
  ArrowBatch columns;
  std::vector<ArrowBatch> batches;
  std::size_t next = 0;
  std::size_t fails_at = SIZE_MAX;
  std::function<void(ArrowSchema&)> spoil_schema = [](ArrowSchema&) {};
  std::function<void(ArrowArray&)> spoil_batch = [](ArrowArray&) {};
  Alive alive = std::make_shared<std::atomic<int>>(0);
};

template <class Structure>
void release_child(Structure* child) {
  child->release = nullptr;
}

template <class Structure, class Held>
void release_whole(Structure* whole) {
  auto* const held = static_cast<Held*>(whole->private_data);
  --*held->alive;
  delete held;
  whole->release = nullptr;
}

ArrowSchema schema_of(const ArrowColumnData& column) {
  return {.format = column.format.c_str(),
          .name = column.name.c_str(),
          .metadata = nullptr,
          .flags = 2,
          .n_children = 0,
          .children = nullptr,
          .dictionary = nullptr,
          .release = release_child<ArrowSchema>,
          .private_data = nullptr};
}

ArrowArray array_of(const ArrowColumnData& column, HeldArray& held) {
  std::vector<const void*>& buffers = held.buffers.emplace_back();
  for (const auto& buffer : column.buffers) buffers.push_back(buffer ? buffer->data() : nullptr);
  return {.length = column.length,
          .null_count = column.nulls,
          .offset = column.offset,
          .n_buffers = static_cast<std::int64_t>(buffers.size()),
          .n_children = 0,
          .buffers = buffers.data(),
          .children = nullptr,
          .dictionary = nullptr,
          .release = release_child<ArrowArray>,
          .private_data = nullptr};
}

// Structures are made in full before any of them is pointed to.
template <class Structure, class Held, class Make>
void make_children(Held& held, std::vector<Structure>& made, const Make& make) {
  for (const ArrowColumnData& column : held.columns) made.push_back(make(column));
  for (const ArrowColumnData& column : held.columns) {
    if (!column.dictionary.empty()) held.dictionaries.push_back(make(column.dictionary.front()));
  }
  std::size_t dictionary = 0;
  for (std::size_t i = 0; i < held.columns.size(); ++i) {
    if (!held.columns[i].dictionary.empty()) made[i].dictionary = &held.dictionaries[dictionary++];
    held.children.push_back(&made[i]);
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  auto* const from = static_cast<HeldStream*>(stream->private_data);
  auto held = std::make_unique<HeldSchema>(HeldSchema{from->columns, {}, {}, {}, from->alive});
  make_children(*held, held->schemas, schema_of);
  ++*from->alive;
  *out = {.format = "+s",
          .name = "",
          .metadata = nullptr,
          .flags = 0,
          .n_children = static_cast<std::int64_t>(held->children.size()),
          .children = held->children.data(),
          .dictionary = nullptr,
          .release = release_whole<ArrowSchema, HeldSchema>,
          .private_data = held.get()};
  held.release();
  from->spoil_schema(*out);
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto* const from = static_cast<HeldStream*>(stream->private_data);
  if (from->next == from->fails_at) return 5;
  *out = {};
  if (from->next == from->batches.size()) return 0;
  auto held = std::make_unique<HeldArray>();
  held->columns = from->batches[from->next++];
  held->alive = from->alive;
  make_children(*held, held->arrays, [&](const ArrowColumnData& column) { return array_of(column, *held); });
  ++*from->alive;
  *out = {.length = held->columns.empty() ? 0 : held->columns.front().length,
          .null_count = 0,
          .offset = 0,
          .n_buffers = 1,
          .n_children = static_cast<std::int64_t>(held->children.size()),
          .buffers = &held->no_validity,
          .children = held->children.data(),
          .dictionary = nullptr,
          .release = release_whole<ArrowArray, HeldArray>,
          .private_data = held.get()};
  held.release();
  from->spoil_batch(*out);
  return 0;
}

const char* get_last_error(ArrowArrayStream* /*stream*/) { return "a secret of row 7"; }

HeldStream& held_by(const ArrowArrayStream& stream) { return *static_cast<HeldStream*>(stream.private_data); }

template <class Offset>
ArrowColumnData texts(const std::string& name, const std::string& format, const Cells<std::string>& cells) {
  std::vector<bool> is_there;
  std::string offsets, data;
  std::int64_t nulls = 0;
  const auto mark = [&] {
    const auto end = static_cast<Offset>(data.size());
    offsets.append(reinterpret_cast<const char*>(&end), sizeof end);
  };
  mark();
  for (const auto& cell : cells) {
    is_there.push_back(cell.has_value());
    nulls += cell ? 0 : 1;
    data += cell.value_or("");
    mark();
  }
  return {name, format, static_cast<std::int64_t>(cells.size()), nulls, 0, {validity_buffer(is_there), offsets, data}};
}

std::string view_of(const std::string& text, std::string& data) {
  const auto length = static_cast<std::int32_t>(text.size()), offset = static_cast<std::int32_t>(data.size());
  std::string view(reinterpret_cast<const char*>(&length), sizeof length);
  if (text.size() <= 12) {
    view += text;
  } else {
    view += text.substr(0, 4) + std::string(4, '\0');  // of the first buffer
    view.append(reinterpret_cast<const char*>(&offset), sizeof offset);
    data += text;
  }
  view.resize(16);
  return view;
}

}  // namespace

ArrowColumnData ArrowColumnData::slice(std::int64_t first, std::int64_t count) const {
  ArrowColumnData part = *this;
  part.offset += first;
  part.length = count;
  if (part.nulls > 0) part.nulls = -1;  // not counted
  return part;
}

std::optional<std::string> validity_buffer(const std::vector<bool>& is_there) {
  if (std::find(is_there.begin(), is_there.end(), false) == is_there.end()) return std::nullopt;
  std::string bits((is_there.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < is_there.size(); ++i) {
    if (is_there[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << i % 8);
  }
  return bits;
}

ArrowColumnData arrow_booleans(const std::string& name, const Cells<bool>& cells) {
  std::vector<bool> is_there;
  std::string data((cells.size() + 7) / 8, '\0');
  std::int64_t nulls = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    is_there.push_back(cells[i].has_value());
    nulls += cells[i] ? 0 : 1;
    if (cells[i].value_or(false)) data[i / 8] = static_cast<char>(data[i / 8] | 1 << i % 8);
  }
  return {name, "b", static_cast<std::int64_t>(cells.size()), nulls, 0, {validity_buffer(is_there), data}};
}

ArrowColumnData arrow_texts(const std::string& name, const Cells<std::string>& cells) {
  return texts<std::int32_t>(name, "u", cells);
}

ArrowColumnData arrow_large_texts(const std::string& name, const Cells<std::string>& cells) {
  return texts<std::int64_t>(name, "U", cells);
}

ArrowColumnData arrow_views(const std::string& name, const Cells<std::string>& cells) {
  std::vector<bool> is_there;
  std::string views, data;
  std::int64_t nulls = 0;
  for (const auto& cell : cells) {
    is_there.push_back(cell.has_value());
    nulls += cell ? 0 : 1;
    views += view_of(cell.value_or(""), data);
  }
  const auto size = static_cast<std::int64_t>(data.size());
  const std::string sizes(reinterpret_cast<const char*>(&size), sizeof size);
  return {name,  "vu", static_cast<std::int64_t>(cells.size()),
          nulls, 0,    {validity_buffer(is_there), views, data, sizes}};
}

ArrowColumnData arrow_dictionary(const std::string& name, const Cells<std::int8_t>& indices, ArrowColumnData values) {
  ArrowColumnData column = arrow_numbers(name, "c", indices);
  column.dictionary.push_back(std::move(values));
  return column;
}

ArrowStream::ArrowStream(std::vector<ArrowBatch> batches)
    : ArrowStream(batches.empty() ? ArrowBatch() : batches.front(), batches) {}

ArrowStream::ArrowStream(const ArrowBatch& columns, std::vector<ArrowBatch> batches)
    : stream_{.get_schema = get_schema,
              .get_next = get_next,
              .get_last_error = get_last_error,
              .release = release_whole<ArrowArrayStream, HeldStream>,
              .private_data = new HeldStream{columns, std::move(batches)}} {
  ++*held_by(stream_).alive;
}

ArrowStream::~ArrowStream() {
  if (stream_.release != nullptr) stream_.release(&stream_);
}

ArrowStream& ArrowStream::spoil_schema(std::function<void(ArrowSchema&)> spoil) {
  held_by(stream_).spoil_schema = std::move(spoil);
  return *this;
}

ArrowStream& ArrowStream::spoil_batch(std::function<void(ArrowArray&)> spoil) {
  held_by(stream_).spoil_batch = std::move(spoil);
  return *this;
}

ArrowStream& ArrowStream::fail_at(std::size_t batch) {
  held_by(stream_).fails_at = batch;
  return *this;
}

Alive ArrowStream::alive() const { return held_by(stream_).alive; }

std::shared_ptr<const engine::ArrowTable> arrow_table(std::vector<ArrowBatch> batches) {
  auto table = ArrowStream(std::move(batches)).take();
  EXPECT_TRUE(table) << (table ? "" : table.error().sentence());
  return table ? *table : nullptr;
}

}  // namespace vernier::testing
