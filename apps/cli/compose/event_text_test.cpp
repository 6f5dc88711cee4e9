#include <gtest/gtest.h>

#include "cli/compose/event.hpp"

namespace vernier::cli {
namespace {

std::string complaint(std::string_view text) {
  const Result<EventText> read = read_event_text(text);
  return read ? "" : read.error().sentence();
}

TEST(EventText, IsAKindWithValuesByKey) {
  const Result<EventText> event = read_event_text("gaussian,scale=20,times=1e3");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "gaussian");
  ASSERT_EQ(event->values.size(), 2U);
  EXPECT_EQ(event->values.find("scale")->second, "20");
  EXPECT_EQ(event->values.find("times")->second, "1e3");
}

TEST(EventText, MayBeAKindAlone) {
  const Result<EventText> event = read_event_text("laplace");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "laplace");
  EXPECT_TRUE(event->values.empty());
}

TEST(EventText, MayHaveBlanksAroundItsParts) {
  const Result<EventText> event = read_event_text(" laplace , scale = 20\r");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "laplace");
  EXPECT_EQ(event->values.find("scale")->second, "20");
}

TEST(EventText, KeepsAnEmptyValueForTheOneWhoReadsIt) {
  const Result<EventText> event = read_event_text("laplace,scale=");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->values.find("scale")->second, "");
}

TEST(EventText, ThatIsNoneIsRefusedInOneSentence) {
  for (const char* text : {"", ",", " ", ",scale=20", "scale=20"}) {
    EXPECT_EQ(complaint(text),
              "an event begins with its kind, such as laplace,scale=20, but this one is '" + std::string(text) + "'");
  }
  EXPECT_EQ(complaint("laplace,"), "each part behind the kind must be KEY=VALUE, such as scale=20, but one is ''");
  EXPECT_EQ(complaint("laplace,20"), "each part behind the kind must be KEY=VALUE, such as scale=20, but one is '20'");
  EXPECT_EQ(complaint("laplace,=20"),
            "each part behind the kind must be KEY=VALUE, such as scale=20, but one is '=20'");
  EXPECT_EQ(complaint("laplace,scale=1,,times=2"),
            "each part behind the kind must be KEY=VALUE, such as scale=20, but one is ''");
  EXPECT_EQ(complaint("laplace,scale=1,scale=1"), "the key scale is given more than once; give it once");
}

}  // namespace
}  // namespace vernier::cli
