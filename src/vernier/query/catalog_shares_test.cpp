#include <gtest/gtest.h>

#include "support/catalog_rules.hpp"

namespace vernier::query {
namespace {

using testing::expect_said;
using testing::Rule;

const char* const to_the_witness = "\"census.ledger\"";
const char* const to_the_shares = "accountant = \"zcdp\"";

const std::vector<Rule> witness_rules = {
    {to_the_witness, "\"census.ledger\"\nwitness = 3",
     "5:11: witness of [budget] must be a text in double quotes such as \"/var/lib/vernier/census.witness\", but it is "
     "the number 3\n"},
    {to_the_witness, "\"census.ledger\"\nwitness = \"\"",
     "5:11: witness of [budget] must be the path of one file apart from the ledger, but it is empty; leave it out for "
     "one in the state folder of whoever releases\n"},
    {to_the_witness, "\"census.ledger\"\nwitness = \"census.ledger\"",
     "5:11: witness of [budget] must be the path of one file apart from the ledger, but it is the ledger itself; leave "
     "it out for one in the state folder of whoever releases\n"},
    {to_the_witness, "\"census.ledger\"\nwitness = \"~/w\"",
     "5:11: witness of [budget] must be the path of one file apart from the ledger, but it begins with ~; leave it out "
     "for one in the state folder of whoever releases\n"},
    {to_the_witness, "\"census.ledger\"\nwitness = \"s3://w\"",
     "5:11: witness of [budget] must be the path of one file apart from the ledger, but it is an address; leave it out "
     "for one in the state folder of whoever releases\n"},
    {to_the_witness, "\"census.ledger\"\nwitness = \"here/\"",
     "5:11: witness of [budget] must be the path of one file apart from the ledger, but it is a folder; leave it out "
     "for one in the state folder of whoever releases\n"},
};

const std::vector<Rule> share_rules = {
    {to_the_shares, "shares = 0.5",
     "5:10: shares of [budget] must be a table such as [budget.shares] and below it anna = 0.5, but it is the number "
     "0.5\n"},
    {to_the_shares, "[budget.shares]",
     "5:1: [budget.shares] names nobody; write for example anna = 0.5, or leave it out so that everybody spends from "
     "the whole\n"},
    {to_the_shares, "[budget.shares]\nanna = 0.5\nben = 0.3\ncleo = 0.20000000000000000000000000001",
     "5:1: the shares of [budget] are more than the whole; their parts add up to at most 1, and what is in no share is "
     "the reserve\n"},
    {to_the_shares, "[budget.shares]\nanna = 0",
     "6:8: the share of 'anna' must be a part of the budget, a number above 0 and at most 1, but it is the number 0\n"},
    {to_the_shares, "[budget.shares]\nanna = -0.5",
     "6:8: the share of 'anna' must be a part of the budget, a number above 0 and at most 1, but it is the number "
     "-0.5\n"},
    {to_the_shares, "[budget.shares]\nanna = 1.000000000000000000000000001",
     "6:8: the share of 'anna' must be a part of the budget, a number above 0 and at most 1, but it is the number "
     "1.000000000000000000000000001\n"},
    {to_the_shares, "[budget.shares]\nanna = nan",
     "6:8: the share of 'anna' must be a part of the budget, a number above 0 and at most 1, but it is the number "
     "nan\n"},
    {to_the_shares, "[budget.shares]\nanna = \"1/2\"",
     "6:8: the share of 'anna' must be a part of the budget, a number above 0 and at most 1, but it is the text "
     "\"1/2\"\n"},
    {to_the_shares, "[budget.shares]\n\"\" = 0.5",
     "6:1: an analyst cannot have this name, since it is empty; choose another\n"},
    {to_the_shares, "[budget.shares]\n\"anna \" = 0.5",
     "6:1: an analyst cannot have this name, since it begins or ends with a blank; choose another\n"},
    {to_the_shares, "[budget.shares]\n\"an\\u0007na\" = 0.5",
     "6:1: an analyst cannot have this name, since it has a control character or one that cannot be seen; choose "
     "another\n"},
    {to_the_shares, "[budget.shares]\nanna.b = 0.5",
     "6:1: the share of 'anna' must be a part of the budget, a number above 0 and at most 1, but it is a table\n"},
};

TEST(CatalogShares, OfTheWitness) { expect_said(witness_rules); }
TEST(CatalogShares, OfAnalysts) { expect_said(share_rules); }

// Just within the rules.
TEST(CatalogShares, AllowTheirEdges) {
  const auto accepted = [](const char* old, const char* now) {
    return problems_text("c", examine_catalog_text("c", changed(example_catalog, old, now)).problems);
  };
  EXPECT_EQ(accepted(to_the_shares, "[budget.shares]\nanna = 1"), "");
  EXPECT_EQ(accepted(to_the_shares, "[budget.shares]\nanna = 0.7\nben = 0.2\n\"cléo o'x\" = 0.1"), "");
  const std::string longest(100, 'x');
  EXPECT_EQ(accepted(to_the_shares, ("[budget.shares]\n" + longest + " = 1").c_str()), "");
  EXPECT_NE(accepted(to_the_shares, ("[budget.shares]\nx" + longest + " = 1").c_str()).find("100 characters"),
            std::string::npos);
}

}  // namespace
}  // namespace vernier::query
