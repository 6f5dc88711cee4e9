#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/own_folder.hpp"
#include "vernier/engine/csv/file.hpp"

namespace vernier::engine {
namespace {

using Cells = std::vector<std::string>;

std::string file_of(const std::string& content) {
  const std::string path = testing::own_folder() + "csv_header_test.csv";
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(CsvHeader, SplitsTheFirstLine) {
  EXPECT_EQ(csv_header(file_of("a,b c,\"d, \"\"e\"\"\"\n1,2,3\n"), ',').value(), (Cells{"a", "b c", "d, \"e\""}));
  EXPECT_EQ(csv_header(file_of("\xEF\xBB\xBF"
                               "a;b\r\n1;2\r\n"),
                       ';')
                .value(),
            (Cells{"a", "b"}));
  EXPECT_EQ(csv_header(file_of("a\tb"), '\t').value(), (Cells{"a", "b"}));
  EXPECT_EQ(csv_header(file_of("a,,b,\n"), ',').value(), (Cells{"a", "", "b", ""}));
  EXPECT_NE(csv_header(file_of(""), ',').error().sentence().find("is empty, where the names"), std::string::npos);
}

TEST(CsvHeader, RefusesQuotesThatDoNotClose) {
  for (const char* const line : {"\"a", "a,\"b\nc\",d", "\"a\"b,c", "\"", "\"\"\""}) {
    EXPECT_FALSE(csv_header(file_of(line), ',')) << line;
  }
}

TEST(CsvHeader, RefusesWhatIsNoFileOfLines) {
  EXPECT_EQ(csv_header(testing::own_folder() + "no_such.csv", ',').error().kind, ErrorKind::system);
  EXPECT_EQ(csv_header(testing::own_folder(), ',').error().kind, ErrorKind::system);
  EXPECT_NE(csv_header(file_of(std::string((1 << 20) + 1, 'x')), ',').error().sentence().find("longer than 1 MiB"),
            std::string::npos);
}

// Where lines end with CR, the second one is data, and is not even looked at.
TEST(CsvHeader, EndsWithALineFeed) {
  EXPECT_NE(csv_header(file_of("a,b\rsecret,1\r"), ',').error().sentence().find("a carriage return (CR) that no"),
            std::string::npos);
  EXPECT_NE(csv_header(file_of("a,b\r" + std::string(2 << 20, 'x')), ',').error().sentence().find("a carriage return"),
            std::string::npos);
  EXPECT_EQ(csv_header(file_of("a,b\r"), ',').value(), (Cells{"a", "b"}));
}

// What stands behind the first line of a pipe is still in it.
TEST(CsvHeader, TakesNothingBehindTheFirstLine) {
  const std::string path = testing::own_folder() + "csv_header_pipe";
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int pipe = ::open(path.c_str(), O_RDWR);
  const std::string content = "a,b\nsecret,1\n";
  ASSERT_EQ(::write(pipe, content.data(), content.size()), static_cast<ssize_t>(content.size()));
  EXPECT_EQ(csv_header(path, ',').value(), (Cells{"a", "b"}));
  std::string left(100, '\0');
  left.resize(static_cast<std::size_t>(::read(pipe, left.data(), left.size())));
  EXPECT_EQ(left, "secret,1\n");
  ::close(pipe);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace vernier::engine
