#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Columns of numbers and of a few texts as the format Parquet writes them, without compression: the same bytes for the
// same content, whatever else is installed. https://github.com/apache/parquet-format has the encodings.
namespace vernier::study {

// Numbers of up to 64 bits, seven at a time, the least first; of a sign the least bit.
void add_varint(std::string& bytes, std::uint64_t value);
void add_zigzag(std::string& bytes, std::int64_t value);

// The least number of bits that hold all values up to this one.
int bits_of(std::uint64_t greatest);

// So many bits of each number, the first in the least bits; behind the last one zeros up to a whole byte.
void add_packed(std::string& bytes, std::span<const std::uint64_t> values, int bits);

// DELTA_BINARY_PACKED: neighbours that are near to each other take few bits. At least one number.
std::string delta_packed(std::span<const std::int64_t> values);

// The places of texts in a dictionary, as RLE runs of `stride` equal ones, or, where these are short, in packed bits:
// those of rows `from` to `to` of a column that goes through 0 ... keys - 1 and begins again.
std::string cycled(std::int64_t keys, std::int64_t stride, std::int64_t from, std::int64_t to);

// Whether values are there: all of so many rows, or none.
std::string all_there(bool are_there, std::int64_t rows);

}  // namespace vernier::study
