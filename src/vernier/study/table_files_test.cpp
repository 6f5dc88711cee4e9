#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include <duckdb.h>

#include "support/table_studies.hpp"
#include "vernier/study/parquet/columns.hpp"
#include "vernier/study/parquet/file.hpp"

// The cells of tables in the format Parquet: what another program reads is what the CSV files say.
namespace vernier::study {
namespace {

namespace fs = std::filesystem;

using testing::replaced;

// ---- columns, taken apart by what the format says

class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int bit = 0;; bit += 7) {
      const std::uint64_t one = byte();
      value |= (one & 0x7F) << bit;
      if (one < 0x80) return value;
    }
  }
  std::uint64_t zigzag() {
    const std::uint64_t value = varint();
    return (value >> 1) ^ (~(value & 1) + 1);
  }
  std::vector<std::uint64_t> packed(std::size_t count, int bits) {
    std::vector<std::uint64_t> values(count, 0);
    std::size_t bit = 0;
    for (std::uint64_t& value : values) {
      for (int i = 0; i < bits; ++i, ++bit) {
        const auto one = static_cast<unsigned char>(bytes_.at(at_ + bit / 8));
        value |= std::uint64_t{(one >> bit % 8) & 1U} << i;
      }
    }
    at_ += (bit + 7) / 8;
    return values;
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

std::vector<std::int64_t> unpacked(const std::string& bytes) {
  Bytes in(bytes);
  EXPECT_EQ(in.varint(), 128U);
  EXPECT_EQ(in.varint(), 4U);
  const std::uint64_t count = in.varint();
  std::vector<std::int64_t> values{static_cast<std::int64_t>(in.zigzag())};
  while (values.size() < count) {
    const std::uint64_t least = in.zigzag();
    std::array<int, 4> bits{};
    for (int& one : bits) one = static_cast<int>(in.byte());
    for (std::size_t part = 0; part < 4 && values.size() < count; ++part) {
      for (const std::uint64_t more : in.packed(32, bits[part])) {
        if (values.size() < count)
          values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(values.back()) + least + more));
      }
    }
  }
  EXPECT_TRUE(in.is_at_end());
  return values;
}

TEST(ParquetColumns, OfWholeNumbersComeBackWhateverTheyAre) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {1, 2, 32, 33, 128, 129, 130, 1000}) {
    for (const int shift : {0, 1, 30, 50, 60, 63}) {
      std::vector<std::int64_t> values;
      for (std::size_t i = 0; i < count; ++i) values.push_back(std::bit_cast<std::int64_t>(random()) >> shift);
      EXPECT_EQ(unpacked(delta_packed(values)), values) << count << " " << shift;
    }
  }
}

TEST(ParquetColumns, OfKeysGoRoundFromAnyRowToAnyOther) {
  for (const std::int64_t keys : {1, 2, 5, 300}) {
    for (const std::int64_t stride : {1, 3, 7, 8, 100}) {
      const std::int64_t from = 11, to = 2 * keys * stride + 30;
      Bytes in(cycled(keys, stride, from, to));
      const int bits = static_cast<int>(in.byte());
      std::vector<std::int64_t> found;
      while (!in.is_at_end()) {
        const std::uint64_t head = in.varint();
        if ((head & 1) != 0) {
          for (const std::uint64_t one : in.packed(8 * (head >> 1), bits))
            found.push_back(static_cast<std::int64_t>(one));
        } else {
          std::uint64_t key = in.byte();
          if (bits > 8) key |= in.byte() << 8;
          found.insert(found.end(), head >> 1, static_cast<std::int64_t>(key));
        }
      }
      ASSERT_GE(found.size(), static_cast<std::size_t>(to - from));
      for (std::int64_t at = from; at < to; ++at)
        ASSERT_EQ(found[static_cast<std::size_t>(at - from)], at / stride % keys) << keys << " " << stride;
    }
  }
}

// ---- files, read by another program

class SlowTableFiles : public testing::TableStudies {
 protected:
  // One text of all rows; columns are divided by bars.
  std::string read_back(const std::string& file, const std::string& columns) const {
    duckdb_database database = nullptr;
    duckdb_connection connection = nullptr;
    duckdb_open(nullptr, &database);
    duckdb_connect(database, &connection);
    const std::string sql =
        "SELECT string_agg(" + columns + ", chr(10)) FROM '" + path("published/" + file).string() + "'";
    duckdb_result result;
    std::string found = "an error";
    if (duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess) {
      char* const text = duckdb_value_varchar(&result, 0, 0);
      found = text == nullptr ? "" : text;
      duckdb_free(text);
    } else {
      found = duckdb_result_error(&result);
    }
    duckdb_destroy_result(&result);
    duckdb_disconnect(&connection);
    duckdb_close(&database);
    return found;
  }
};

TEST_F(SlowTableFiles, HaveTheSameCellsInParquetAndInCsv) {
  ASSERT_TRUE(released());
  for (const char* const order : {"0", "1", "2"}) {
    const std::string name = std::string("people.order-") + order;
    const testing::TableCells cells = testing::table_cells(path("published/" + name + ".csv"), 3);
    const std::string text =
        read_back(name + ".parquet",
                  "concat(coalesce(sex, ''), ',', coalesce(region, ''), ',', coalesce(age, ''), ',|', "
                  "estimate::DECIMAL(38, 15), '|', value, '|', low, '|', high)");
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      const std::string keys = line.substr(0, line.find('|'));
      ASSERT_TRUE(cells.contains(keys)) << line;
      std::istringstream numbers(line.substr(line.find('|') + 1));
      char bar = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        double number = 0;
        numbers >> number >> bar;
        EXPECT_NEAR(number, cells.at(keys)[i], 1e-12 * std::abs(number)) << line;
      }
    }
    EXPECT_EQ(count, cells.size());
  }
}

const char* const many_cells = R"(columns = ["BUCKET(age, 1) AS a", "BUCKET(99 - age, 1) AS b", "sex"]
tables = [["sex"], ["a", "b", "sex"]]
)";

TEST_F(SlowTableFiles, OfManyCellsAreInParquetAlone) {
  const std::string study = testing::tables_study.substr(0, testing::tables_study.find("columns")) + many_cells;
  const Result<Answer> answer = released(study);
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_TRUE(fs::exists(path("published/people.order-1.csv")));
  EXPECT_TRUE(fs::exists(path("published/people.order-1.parquet")));
  EXPECT_FALSE(fs::exists(path("published/people.order-3.csv")));
  const std::string file = "published/people.order-3.parquet";
  const std::string cells = read_back("people.order-3.parquet", "concat(a, ',', b, ',', sex)");
  EXPECT_EQ(cells.substr(0, 25), "0,0,f\n0,0,m\n0,0,other\n0,1");
  EXPECT_EQ(std::ranges::count(cells, '\n') + 1, 101 * 101 * 3);
  EXPECT_TRUE(verdict().holds()) << verdict().first_problem.value_or("");
  std::string other = read(file);
  other[other.size() / 2] = static_cast<char>(other[other.size() / 2] ^ 1);
  write(file, other);
  EXPECT_FALSE(verdict().holds());
}

}  // namespace
}  // namespace vernier::study
