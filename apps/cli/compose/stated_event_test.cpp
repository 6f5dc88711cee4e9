#include <gtest/gtest.h>

#include "cli/compose/event.hpp"

namespace vernier::cli {
namespace {

using privacy::Neighbours;

StatedEvent event(std::string_view text) { return read_event(text, Neighbours::add_remove).value(); }

std::string complaint(std::string_view text) {
  const Result<StatedEvent> read = read_event(text, Neighbours::add_remove);
  return read ? "" : read.error().sentence();
}

testing::AssertionResult complains(std::string_view text, std::string_view part) {
  const std::string sentence = complaint(text);
  if (sentence.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text << " says '" << sentence << "' instead of '" << part << "'";
}

TEST(StatedEvents, AreReadWithTheirDefaults) {
  const StatedEvent laplace = event("laplace,scale=0.1");
  EXPECT_EQ(laplace.kind, EventKind::laplace);
  EXPECT_EQ(laplace.scale->nearest, 0.1);
  EXPECT_LT(laplace.scale->down, 0.1);
  EXPECT_EQ(laplace.sensitivity->nearest, 1);
  EXPECT_FALSE(laplace.sampling);
  EXPECT_EQ(laplace.times.value(), 1);
  EXPECT_EQ(laplace.neighbours, Neighbours::add_remove);
  EXPECT_FALSE(laplace.is_open());
}

TEST(StatedEvents, OfEveryKindAreUnderstood) {
  for (const char* text :
       {"laplace,scale=20,sensitivity=0.5,sampling=0.1", "geometric,scale=20,sensitivity=3", "gaussian,scale=1e-3",
        "discrete-gaussian,scale=10,sampling=1", "pure,epsilon=0.1,sampling=0.5", "approximate,epsilon=0.1,delta=1e-8",
        "approximate,epsilon=0.1,delta=0", "zcdp,rho=0.1",
        "key-selection,noise=geometric,scale=20,threshold=60,groups=3",
        "key-selection,noise=discrete-gaussian,scale=20,threshold=60,groups=3,times=2,neighbours=replace"}) {
    EXPECT_EQ(complaint(text), "") << text;
  }
  EXPECT_EQ(name_of(event("discrete-laplace,scale=2").kind), "geometric");
  EXPECT_EQ(event("key-selection,noise=discrete-laplace,scale=2,threshold=60,groups=3").noise, "geometric");
}

TEST(StatedEvents, TakeTheRelationOfAllUnlessTheyStateTheirOwn) {
  EXPECT_EQ(read_event("laplace,scale=1", Neighbours::replace)->neighbours, Neighbours::replace);
  EXPECT_EQ(read_event("laplace,scale=1,neighbours=add-remove", Neighbours::replace)->neighbours,
            Neighbours::add_remove);
}

TEST(StatedEvents, MayLeaveTheScaleOfAMechanismOpen) {
  for (const char* text : {"laplace", "geometric,times=20", "gaussian,sensitivity=2", "discrete-gaussian"}) {
    EXPECT_TRUE(event(text).is_open()) << text;
  }
  EXPECT_FALSE(event("pure,epsilon=1").is_open());
  EXPECT_TRUE(complains("key-selection,noise=geometric,threshold=60,groups=3", "the key scale is missing"));
}

TEST(StatedEvents, NameWhatTheyDoNotUnderstand) {
  EXPECT_TRUE(complains("laplas,scale=1", "the kind 'laplas' is unknown (did you mean laplace?); it must be one of"));
  EXPECT_TRUE(complains("cauchy,scale=1", "the kind 'cauchy' is unknown; it must be one of"));
  EXPECT_TRUE(complains("laplace,scael=1", "the key 'scael' is unknown (did you mean scale?); laplace takes scale, "));
  EXPECT_TRUE(complains("pure,epsilon=1,scale=3", "the key 'scale' is unknown"));
  EXPECT_TRUE(complains("pure", "the key epsilon is missing; write it as in pure,epsilon=0.1"));
  EXPECT_TRUE(complains("approximate,epsilon=1", "the key delta is missing"));
  EXPECT_TRUE(complains("zcdp", "the key rho is missing"));
  EXPECT_TRUE(complains("key-selection,noise=laplace,scale=2,threshold=9,groups=1",
                        "noise must be geometric or discrete-gaussian, but it is 'laplace'"));
  EXPECT_TRUE(complains("laplace,scale=1,neighbours=replaced", "(did you mean replace?)"));
}

TEST(StatedEvents, RefuseNumbersThatAreNone) {
  for (const char* text : {"0x10", "0,1", "1e400", "-1", "nan", "inf", "", "half"}) {
    for (const char* key : {"scale", "sensitivity", "sampling"}) {
      EXPECT_NE(complaint("laplace," + std::string(key) + "=" + text), "") << key << " " << text;
    }
    EXPECT_NE(complaint("pure,epsilon=" + std::string(text)), "") << text;
    EXPECT_NE(complaint("zcdp,rho=" + std::string(text)), "") << text;
  }
  EXPECT_TRUE(complains("laplace,scale=half", "scale must be a decimal number"));
}

TEST(StatedEvents, RefuseNumbersOutOfTheirRange) {
  for (const char* times : {"0", "-3", "1.5", "1e10", "1.00000000000000000001"}) {
    EXPECT_TRUE(complains("laplace,scale=1,times=" + std::string(times), "times must be a whole number")) << times;
  }
  for (const char* sampling : {"0", "1.5", "1.0000000000000000000001"}) {
    EXPECT_NE(complaint("laplace,scale=1,sampling=" + std::string(sampling)), "") << sampling;
  }
  EXPECT_TRUE(complains("laplace,scale=1,sampling=1.5", "the sampling rate must be above 0 and at most 1"));
  EXPECT_TRUE(complains("laplace,scale=0", "the scale must be a positive number"));
  EXPECT_TRUE(complains("geometric,scale=1e13", "scale"));
  EXPECT_TRUE(complains("geometric,scale=1,sensitivity=0.5", "sensitivity must be a whole number"));
  EXPECT_TRUE(complains("approximate,epsilon=1,delta=1", "delta must be 0 or a number between"));
  EXPECT_TRUE(complains("key-selection,noise=geometric,scale=2,threshold=0,groups=1", "the threshold must be"));
  EXPECT_TRUE(
      complains("key-selection,noise=geometric,scale=2,threshold=9,groups=0", "the groups of one unit must be"));
}

TEST(StatedEvents, RefuseSamplingWhereNothingIsProven) {
  EXPECT_TRUE(complains("laplace,scale=1,sampling=0.1,neighbours=replace", "add-remove only"));
  EXPECT_TRUE(complains("zcdp,rho=1,sampling=0.1", "a zCDP statement says nothing about a sampled release"));
  EXPECT_TRUE(complains("key-selection,noise=geometric,scale=2,threshold=9,groups=1,sampling=0.1",
                        "key selection on a sample"));
}

}  // namespace
}  // namespace vernier::cli
