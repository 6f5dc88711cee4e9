#include "vernier/engine/spark/protobuf.hpp"

#include <gtest/gtest.h>

namespace vernier::engine {
namespace {

// The examples of the specification: field 1 is 150, field 2 "testing", and field 3 a message of the first.
TEST(Protobuf, IsWrittenAsTheSpecificationShows) {
  const ProtobufMessage number = ProtobufMessage().number(1, 150);
  EXPECT_EQ(number.bytes(), "\x08\x96\x01");
  EXPECT_EQ(ProtobufMessage().text(2, "testing").bytes(), "\x12\x07testing");
  EXPECT_EQ(ProtobufMessage().message(3, number).bytes(), "\x1a\x03\x08\x96\x01");
}

TEST(Protobuf, IsReadAsItWasWritten) {
  const std::string long_text(300, 'x');
  const ProtobufMessage message =
      ProtobufMessage().number(1, UINT64_MAX).text(17, long_text).number(2, 0).text(17, "last");
  const auto fields = protobuf_fields(message.bytes());
  ASSERT_TRUE(fields);
  ASSERT_EQ(fields->size(), 4U);
  EXPECT_EQ((*fields)[0].number, UINT64_MAX);
  EXPECT_EQ((*fields)[1].bytes, long_text);
  EXPECT_EQ(bytes_at(*fields, 17), "last");
  EXPECT_EQ(bytes_at(*fields, 3), "");
}

// Of kinds that we do not read, the ones behind are.
TEST(Protobuf, PassesOverFixedNumbers) {
  const auto fields =
      protobuf_fields(std::string_view("\x09"
                                       "12345678"
                                       "\x15"
                                       "1234"
                                       "\x1a\x01z",
                                       17));
  ASSERT_TRUE(fields);
  EXPECT_EQ(bytes_at(*fields, 3), "z");
}

TEST(Protobuf, ThatIsBrokenOffIsNone) {
  const std::string whole = ProtobufMessage().number(1, 300).text(2, "testing").bytes();
  for (const std::size_t size : {1U, 2U, 4U, 5U, 11U}) {
    EXPECT_FALSE(protobuf_fields(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_TRUE(protobuf_fields(whole));
  EXPECT_FALSE(protobuf_fields(std::string(11, '\xff')));                     // a number without an end
  EXPECT_FALSE(protobuf_fields(std::string_view("\x00\x01", 2)));             // field 0
  EXPECT_FALSE(protobuf_fields(std::string_view("\x0b\x01", 2)));             // a group
  EXPECT_FALSE(protobuf_fields("\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f"));  // more bytes than there are
}

}  // namespace
}  // namespace vernier::engine
