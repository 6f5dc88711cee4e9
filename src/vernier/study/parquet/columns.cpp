#include "vernier/study/parquet/columns.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace vernier::study {
namespace {

constexpr std::size_t block_values = 128, part_values = 32;  // of a block and of each of its four parts

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

// Modulo 2^64, as readers add them up.
std::int64_t delta(std::int64_t from, std::int64_t to) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

// What each delta has more than the least one, in parts of 32; a part that holds none takes no room.
void add_block(std::string& bytes, std::span<const std::int64_t> deltas) {
  const std::int64_t least = *std::ranges::min_element(deltas);
  std::array<std::uint64_t, block_values> more{};
  for (std::size_t i = 0; i < deltas.size(); ++i) more[i] = static_cast<std::uint64_t>(delta(least, deltas[i]));
  add_zigzag(bytes, least);
  std::array<int, block_values / part_values> bits{};
  for (std::size_t part = 0; part < bits.size(); ++part) {
    const auto values = std::span(more).subspan(part * part_values, part_values);
    bits[part] = bits_of(*std::ranges::max_element(values));
    bytes += static_cast<char>(bits[part]);
  }
  for (std::size_t part = 0; part * part_values < deltas.size(); ++part)
    add_packed(bytes, std::span(more).subspan(part * part_values, part_values), bits[part]);
}

}  // namespace

void add_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  bytes += static_cast<char>(value);
}

void add_zigzag(std::string& bytes, std::int64_t value) { add_varint(bytes, zigzag(value)); }

int bits_of(std::uint64_t greatest) { return static_cast<int>(std::bit_width(greatest)); }

void add_packed(std::string& bytes, std::span<const std::uint64_t> values, int bits) {
  __extension__ using Bits = unsigned __int128;
  Bits held = 0;
  int count = 0;
  for (const std::uint64_t value : values) {
    held |= Bits{value} << count;
    for (count += bits; count >= 8; count -= 8) {
      bytes += static_cast<char>(held & 0xFF);
      held >>= 8;
    }
  }
  if (count > 0) bytes += static_cast<char>(held & 0xFF);
}

std::string delta_packed(std::span<const std::int64_t> values) {
  std::string bytes;
  add_varint(bytes, block_values);
  add_varint(bytes, block_values / part_values);
  add_varint(bytes, values.size());
  add_zigzag(bytes, values.front());
  std::vector<std::int64_t> deltas;
  for (std::size_t first = 1; first < values.size(); first += block_values) {
    const std::size_t end = std::min(first + block_values, values.size());
    deltas.clear();
    for (std::size_t i = first; i < end; ++i) deltas.push_back(delta(values[i - 1], values[i]));
    add_block(bytes, deltas);
  }
  return bytes;
}

std::string cycled(std::int64_t keys, std::int64_t stride, std::int64_t from, std::int64_t to) {
  constexpr std::int64_t least_run = 8;
  const int bits = std::max(bits_of(static_cast<std::uint64_t>(keys - 1)), 1);
  std::string bytes(1, static_cast<char>(bits));
  if (stride >= least_run) {
    for (std::int64_t at = from; at < to;) {
      const std::int64_t end = std::min((at / stride + 1) * stride, to);
      const auto key = static_cast<std::uint64_t>(at / stride % keys);
      add_varint(bytes, static_cast<std::uint64_t>(end - at) << 1);
      for (int bit = 0; bit < bits; bit += 8) bytes += static_cast<char>(key >> bit & 0xFF);
      at = end;
    }
    return bytes;
  }
  const std::int64_t groups = (to - from + 7) / 8;
  add_varint(bytes, static_cast<std::uint64_t>(groups) << 1 | 1);
  std::vector<std::uint64_t> places(static_cast<std::size_t>(8 * groups), 0);
  for (std::int64_t at = from; at < to; ++at)
    places[static_cast<std::size_t>(at - from)] = static_cast<std::uint64_t>(at / stride % keys);
  add_packed(bytes, places, bits);
  return bytes;
}

std::string all_there(bool are_there, std::int64_t rows) {
  std::string run;
  add_varint(run, static_cast<std::uint64_t>(rows) << 1);
  run += static_cast<char>(are_there ? 1 : 0);
  std::string bytes;
  for (int bit = 0; bit < 32; bit += 8) bytes += static_cast<char>(run.size() >> bit & 0xFF);
  return bytes + run;
}

}  // namespace vernier::study
