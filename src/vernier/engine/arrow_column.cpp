#include "vernier/engine/arrow_column.hpp"

#include <algorithm>
#include <limits>

#include "vernier/engine/arrow_buffer.hpp"

namespace vernier::engine {
namespace {

bool has_buffers(const ArrowArray& array, ArrowKind kind) {
  if (kind == ArrowKind::null) return true;
  const bool is_view = kind == ArrowKind::text_view;
  const bool is_text = kind == ArrowKind::text || kind == ArrowKind::large_text;
  if (is_view ? array.n_buffers < 3 : array.n_buffers != (is_text ? 3 : 2)) return false;
  if (array.buffers == nullptr) return false;
  if (array.null_count > 0 && array.buffers[0] == nullptr) return false;
  if (is_view && array.n_buffers > 3 && array.buffers[array.n_buffers - 1] == nullptr) return false;
  return array.length == 0 || array.buffers[1] != nullptr;
}

Result<void> check_dictionary(const ArrowArray* dictionary, ArrowKind kind) {
  if (dictionary == nullptr || dictionary->release == nullptr) return malformed_arrow("a dictionary is missing");
  constexpr std::int64_t most = std::int64_t{1} << 52;
  if (dictionary->length < 0 || dictionary->length > most || dictionary->offset < 0 || dictionary->offset > most)
    return malformed_arrow("the length of a dictionary is out of range");
  return has_buffers(*dictionary, kind) ? Result<void>()
                                        : malformed_arrow("a dictionary has not the buffers of its type");
}

std::int64_t index_at(const ArrowArray& array, ArrowKind kind, std::int64_t position) {
  return with_number(kind, [&]<class Stored>(Stored) {
    const auto index = stored_at<Stored>(array, position);
    return std::in_range<std::int64_t>(index) ? static_cast<std::int64_t>(index) : no_value;
  });
}

// A row that is NULL as a whole has no value in any column.
void leave_out_null_rows(const ArrowArray& batch, std::int64_t first, Positions positions) {
  if (batch.n_buffers == 0 || batch.buffers == nullptr) return;
  const Validity validity(batch);
  if (validity.all()) return;
  std::int64_t next = batch.offset + first;
  for (std::int64_t& position : positions) {
    if (!validity.at(next++)) position = no_value;
  }
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowTable& table, std::size_t place) : table_(&table), place_(place) {
  const ArrowSchema& schema = *table.schema().children[place];
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  kind_ = values.format == nullptr || values.dictionary != nullptr ? ArrowKind::other : arrow_kind(values.format);
  if (schema.dictionary != nullptr) index_ = arrow_kind(schema.format);
}

Result<ArrowColumn> ArrowColumn::of(const ArrowTable& table, std::size_t place) {
  const ArrowColumn column(table, place);
  VERNIER_TRY(column.check());
  return column;
}

Result<void> ArrowColumn::check() const {
  if (kind_ == ArrowKind::other || (index_ && !is_index(*index_)))
    return invalid("a column of the rows is of a type that cannot be read; cast it to the declared one");
  for (std::size_t i = 0; i < table_->batches().size(); ++i) {
    const ArrowArray& rows = array(i);
    if (!has_buffers(rows, index_.value_or(kind_))) return malformed_arrow("a column has not the buffers of its type");
    if (Result<void> checked = index_ ? check_dictionary(rows.dictionary, kind_) : Result<void>(); !checked)
      return checked;
  }
  return {};
}

const ArrowArray& ArrowColumn::values(std::size_t batch) const {
  return index_ ? *array(batch).dictionary : array(batch);
}

void ArrowColumn::find(std::size_t batch, std::int64_t first, Positions positions) const {
  const ArrowArray& rows = array(batch);
  const ArrowKind kind = index_.value_or(kind_);
  std::int64_t next = rows.offset + table_->batches()[batch].offset + first;
  if (kind == ArrowKind::null) return std::fill(positions.begin(), positions.end(), no_value);
  if (const Validity validity(rows); validity.all()) {
    for (std::int64_t& position : positions) position = next++;
  } else {
    for (std::int64_t& position : positions) position = validity.at(next) ? next : no_value, ++next;
  }
  leave_out_null_rows(table_->batches()[batch], first, positions);
  if (index_) find_indexed(rows, positions);
}

void ArrowColumn::find_indexed(const ArrowArray& array, Positions positions) const {
  const ArrowArray& dictionary = *array.dictionary;
  const Validity validity(dictionary);
  for (std::int64_t& position : positions) {
    if (position == no_value) continue;
    const std::int64_t index = index_at(array, *index_, position);
    const bool is_there = index >= 0 && index < dictionary.length && kind_ != ArrowKind::null;
    position = is_there && validity.at(dictionary.offset + index) ? dictionary.offset + index : no_value;
  }
}

}  // namespace vernier::engine
