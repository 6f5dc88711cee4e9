#include <array>

#include "vernier/audit/mutants.hpp"

namespace vernier::audit {
namespace {

constexpr std::string_view twin = "SlowTwin.FindsEveryPlantedMistake";
constexpr std::string_view response = "DirectedResponse.FindsEveryPlantedMistake";

// The one list: the program says it, docs/theory/audit.md shows it, and a test of the house holds both to the tree.
constexpr std::array<Mutant, 40> list = {{
    {1, "scale halved", "audit_test", "AuditMutants.HalfTheScaleIsRefuted"},
    {2, "sensitivity halved", "twin_test", twin},
    {3, "no clamp", "twin_test", twin},
    {4, "clamp computed, raw data used", "twin_test", twin},
    {5, "lower bound used twice", "twin_test", twin},
    {6, "no bound, no noise", "twin_test", twin},
    {7, "max_groups ignored", "twin_test", twin},
    {8, "max_rows ignored", "twin_test", twin},
    {9, "rows of units merged while bounding", "twin_test", twin},
    {10, "bounds kept after redefinition", "twin_test", twin},
    {11, "fan-out of a join ignored", "twin_test", "SlowTwin.FindsPlantedMistakesInJoins"},
    {12, "AVG charged as one count", "twin_test", twin},
    {13, "variance taken for the scale", "audit_test", "AuditMutants.VarianceInPlaceOfTheScaleIsRefuted"},
    {14, "threshold of keys too low by one", "audit_test", "AuditMutants.ThresholdTooLowByOneIsRefuted"},
    {15, "bounded range claimed for a choice without it", "refute_test",
     "BoundedRange.IsRefutedWhereAMechanismDoesNotHaveIt"},
    {16, "single precision", "twin_test", twin},
    {17, "integers wrap", "twin_test", twin},
    {18, "sums in floating point", "twin_test", twin},
    {19, "textbook Laplace noise", "refute_test", "Lattice.PorosityAttackCatchesTheTextbook"},
    {20, "noise added in floating point", "refute_test", "Lattice.PrecisionAttackCatchesFloatSums"},
    {21, "buffer of random bits kept over a fork", "random_test",
     "Fork.OfAStreamThatKeepsItsBufferIsCaughtByTheSameCheck"},
    {22, "one draw for two columns", "audit_test", "AuditMutants.OneDrawForTwoColumnsIsRefuted"},
    {23, "keys from the data without delta", "audit_test", "AuditMutants.KeysWithoutAThresholdAreRefuted"},
    {24, "strict cast in the engine's SQL", "response_test", response},
    {25, "the engine's message passed on", "response_test", response},
    {26, "rows in the engine's order", "response_test", response},
    {27, "groups that share units taken for disjoint", "twin_test", twin},
    {28, "loss distribution rounded down", "refute_test", "Composition.IsNotMistakenForALatticeThatRoundsDown"},
    {29, "negative mass of a transform forgotten", "refute_test",
     "Composition.IsNotMistakenForATransformThatForgetsNegativeMass"},
    {30, "conversion of zCDP rounded down", "accounting_test", "Zcdp.IsNotMistakenForAConversionThatRoundsDown"},
    {31, "epsilon added up in doubles", "refute_test", "Money.IsNotMistakenForDoubles"},
    {32, "lock of the ledger removed", "ledger_race_test", "MutantThread.WithoutTheLockOverspendsAndIsFound"},
    {33, "debit after the release", "ledger_race_test", "MutantOfKill.AnswersBeforeTheDebitAndIsFound"},
    {34, "no sync of the disk", "ledger_fault_test", "PowerCut.IsNoticedWhereTheDiskOnlySaysThatItSyncs"},
    {35, "a retry gets fresh noise for free", "ledger_race_test",
     "Sqlite/MutantOfRequests.AnswersARetryAnewAndIsFound/*"},
    {36, "head of the ledger not checked", "ledger_race_test", "MutantOfForgery.IgnoresTheWitnessAndIsFound"},
    {37, "types from a CSV sniffer", "response_test", response},
    {38, "rows of nobody kept", "twin_test", twin},
    {39, "a price that looks at the number of rows", "response_test", response},
    {40, "sampler whose time depends on its value", "refute_test", "SlowTiming.MutantWhoseWorkGrowsWithItsValueDies"},
}};

}  // namespace

std::span<const Mutant> mutants() { return list; }

}  // namespace vernier::audit
