#include "vernier/engine/arrow/digest.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "vernier/core/keyed_hash.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/arrow/column.hpp"

namespace vernier::engine {
namespace {

using query::Type;

constexpr std::int64_t most_at_once = 2048;

// Two hashes of a column, so that what is hashed does not depend on where batches end: values behind each other, and a
// byte for each that says whether it is there.
struct Hashes {
  KeyedHash values;
  KeyedHash known;
};

template <class Stored, class Read>
void add_values(const ArrowArray& values, ArrowKind kind, Positions positions, KeyedHash& to, const Read& read) {
  std::array<Stored, most_at_once> out{};
  read(values, kind, positions, out.data());
  to.add({reinterpret_cast<const char*>(out.data()), positions.size() * sizeof(Stored)});
}

// Each with its length before it; what is no text, or no UTF-8, is NULL as in a statement.
void add_texts(const ArrowArray& values, ArrowKind kind, Positions positions, KeyedHash& to) {
  std::vector<std::string> written(positions.size());
  if (!is_text(kind)) read_texts(values, kind, positions, written.data());
  std::string together;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == no_value) continue;
    const std::optional<std::string_view> text =
        is_text(kind) ? text_at(values, kind, positions[i]) : std::optional<std::string_view>(written[i]);
    if (!text || !is_utf8(*text)) {
      positions[i] = no_value;
      continue;
    }
    const std::uint64_t size = text->size();
    together.append(reinterpret_cast<const char*>(&size), sizeof size).append(*text);
  }
  to.add(together);
}

void add_typed(Type type, const ArrowArray& values, ArrowKind kind, Positions positions, KeyedHash& to) {
  switch (type) {
    case Type::boolean:
      return add_values<bool>(values, kind, positions, to, read_booleans);
    case Type::integer:
      return add_values<std::int64_t>(values, kind, positions, to, read_integers);
    case Type::real:
      return add_values<double>(values, kind, positions, to, read_reals);
    case Type::string:
      return add_texts(values, kind, positions, to);
    case Type::date:
      return add_values<std::int32_t>(values, kind, positions, to, read_days);
  }
}

void add_rows(Type type, const ArrowColumn& column, std::size_t batch, std::int64_t first, Positions positions,
              Hashes& to) {
  column.find(batch, first, positions);
  add_typed(type, column.values(batch), column.kind(), positions, to.values);
  std::array<char, most_at_once> known{};
  std::transform(positions.begin(), positions.end(), known.begin(),
                 [](std::int64_t position) { return static_cast<char>(position != no_value); });
  to.known.add({known.data(), positions.size()});
}

Result<std::string> digest_of_column(Type type, const ArrowTable& rows, const ArrowColumn& column,
                                     std::string_view key) {
  VERNIER_TRY(KeyedHash values, KeyedHash::of(key));
  VERNIER_TRY(KeyedHash known, KeyedHash::of(key));
  Hashes hashes{std::move(values), std::move(known)};
  std::array<std::int64_t, most_at_once> room{};
  for (std::size_t batch = 0; batch < rows.batches().size(); ++batch) {
    const std::int64_t length = rows.batches()[batch].length;
    for (std::int64_t first = 0; first < length; first += most_at_once) {
      const auto count = static_cast<std::size_t>(std::min(most_at_once, length - first));
      add_rows(type, column, batch, first, Positions(room.data(), count), hashes);
    }
  }
  VERNIER_TRY(const std::string of_values, std::move(hashes.values).digits());
  VERNIER_TRY(const std::string of_known, std::move(hashes.known).digits());
  return of_values + of_known;
}

}  // namespace

Result<std::string> digest_of(const query::Table& table, const SourceColumns& source, std::string_view key) {
  VERNIER_TRY(KeyedHash all, KeyedHash::of(key));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    VERNIER_TRY(const ArrowColumn column, ArrowColumn::of(*source.rows, source.places[i]));
    VERNIER_TRY(const std::string digest, digest_of_column(table.columns[i].type, *source.rows, column, key));
    all.add_counted(table.columns[i].name);
    all.add_counted(digest);
  }
  return std::move(all).digits();
}

}  // namespace vernier::engine
