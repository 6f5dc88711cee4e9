#include "vernier/core/names.hpp"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(Names, MayBeAnyTextThatCanBeSeen) {
  for (const char* const name : {"a", "income", "Einkommen (EUR)", "select", "a\"b", "a'; DROP TABLE x; --", "größe",
                                 "收入", "доход", "1", "a.b", "$1", "naïve 🙂", "\\", "a/*b"}) {
    EXPECT_FALSE(fault_of_name(name)) << name;
  }
  EXPECT_FALSE(fault_of_name(std::string(longest_name, 'x')));
}

TEST(Names, MayNotDeceive) {
  EXPECT_EQ(fault_of_name(""), "it is empty");
  EXPECT_EQ(fault_of_name(" a"), "it begins or ends with a blank");
  EXPECT_EQ(fault_of_name("a "), "it begins or ends with a blank");
  EXPECT_EQ(fault_of_name(std::string(longest_name + 1, 'x')), "it is longer than 255 bytes");
  for (const std::string& name :
       {std::string("a\0b", 3), std::string("a\nb"), std::string("\x1b[2J"), std::string("a\x7f"),
        std::string("a\xC2\x85"), std::string("a\xE2\x80\x8B"), std::string("a\xE2\x80\xAEz"),
        std::string("\xEF\xBB\xBFz"), std::string("a\xEF\xBF\xBD"), std::string("a\xF3\xA0\x80\x81")}) {
    EXPECT_EQ(fault_of_name(name), "it has a control character or one that cannot be seen") << name;
  }
  // A stray byte, an overlong slash, a surrogate, beyond Unicode, cut short, and another overlong one.
  for (const char* const name :
       {"a\xff", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xE2\x82", "\x80", "\xE0\x80\xAF"}) {
    EXPECT_EQ(fault_of_name(name), "it is not UTF-8");
  }
}

TEST(Names, MayNotDeceiveAtAnyPlace) {
  for (std::size_t place = 0; place < 20; ++place) {
    std::string name(20, 'x');
    for (const char plain : {'!', '~'}) {
      name[place] = plain;
      EXPECT_FALSE(fault_of_name(name)) << name;
    }
    for (const char wrong : {'\0', '\n', '\x1f', '\x7f', '\x80', '\xff'}) {
      name[place] = wrong;
      EXPECT_TRUE(fault_of_name(name)) << place << " " << int{wrong};
    }
  }
}

TEST(Names, AreOneWhenTheyDifferByCaseAlone) {
  EXPECT_EQ(fold_case("Income_2 (EUR)"), "income_2 (eur)");
  EXPECT_EQ(fold_case("ÄÖÜß ČŽŁ ΑΩΪ ЖЁЏ ẤỸ"), "äöüß čžł αωϊ жёџ ấỹ");
  EXPECT_EQ(fold_case("×÷ 收入 🙂"), "×÷ 收入 🙂");
  EXPECT_EQ(fold_case("A\xffZ\xE2"), "a\xffz\xE2");
}

}  // namespace
}  // namespace vernier
