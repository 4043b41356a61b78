// Chains of order 1 to 4, tied and not, with and without rules and restrictions, under the suite of
// all structures.
#include <gtest/gtest.h>

#include "chain_instance.h"
#include "tests/structure/structure_conformance.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {
namespace {

using namespace conformance;

static_assert(KBest<Chain> && Summer<Chain> && Sampler<Chain> && Projector<Chain>);

struct Case {
  ChainOptions options;
  Index instances;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const ChainOptions& options = info.param.options;
  std::string name = "Order" + std::to_string(options.order);
  name += options.transitions == Transitions::kTied ? "Tied" : "Untied";
  if (options.rules) name += "Rules";
  if (options.restricted) name += "Restricted";
  return name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (int order = 1; order <= 4; ++order) {
    for (const Transitions transitions : {Transitions::kTied, Transitions::kPositionDependent}) {
      for (const bool rules : {false, true}) {
        for (const bool restricted : {false, true}) {
          const Index max_labels = order == 4 ? 3 : 4;
          cases.push_back({{order, transitions, rules, restricted, max_labels, 5},
                           order == 4 ? Index{15} : Index{50}});
        }
      }
    }
  }
  return cases;
}

class ChainConformance : public testing::TestWithParam<Case> {
 protected:
  Random random_{20240117, static_cast<std::uint64_t>(GetParam().options.order)};
  Chain::Scratch scratch_;  // one for all instances: what is left over must not matter
};

TEST_P(ChainConformance, EveryOperationEqualsEnumeration) {
  for (Index i = 0; i < GetParam().instances; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const ChainInstance instance = make_chain(GetParam().options, random_);
    check_conformance(Enumeration<Chain>(*instance.chain, instance.outputs), scratch_, random_);
    if (HasFailure()) return;
  }
}

TEST_P(ChainConformance, MarginalsAreTheGradientOfLogPartition) {
  for (Index i = 0; i < GetParam().instances / 4; ++i) {
    const ChainInstance instance = make_chain(GetParam().options, random_);
    check_gradient(*instance.chain,
                   draw_scores(Scores::kSmall, instance.chain->num_parts(), random_), scratch_);
    if (HasFailure()) return;
  }
}

TEST_P(ChainConformance, SamplesHaveTheirProbabilities) {
  for (Index i = 0; i < 8; ++i) {
    const ChainInstance instance = make_chain(GetParam().options, random_);
    if (instance.outputs.empty()) continue;
    // The mixed scores are too far apart for the scaled domain.
    for (const Scores kind : {Scores::kSmall, Scores::kMixed}) {
      check_samples(Enumeration<Chain>(*instance.chain, instance.outputs),
                    draw_scores(kind, instance.chain->num_parts(), random_), 2000, random_,
                    scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(ChainConformance, LinearProgramHasTheSameMaximum) {
  for (Index i = 0; i < GetParam().instances / 4; ++i) {
    ChainOptions options = GetParam().options;
    options.max_length = 4;
    options.max_labels = 3;
    const ChainInstance instance = make_chain(options, random_);
    const Enumeration<Chain> all(*instance.chain, instance.outputs);
    for (const Scores kind : {Scores::kSmall, Scores::kLarge, Scores::kTies}) {
      check_linear_program(all, draw_scores(kind, instance.chain->num_parts(), random_), scratch_);
    }
    if (i < 3) check_outputs_are_feasible(all);
    if (HasFailure()) return;
  }
}

TEST_P(ChainConformance, ProjectionsAreNearest) {
  for (Index i = 0; i < GetParam().instances / 3; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    ChainOptions options = GetParam().options;
    options.max_length = 4;
    options.max_labels = 3;
    const ChainInstance instance = make_chain(options, random_);
    const Chain& chain = *instance.chain;
    std::vector<double> v(chain.num_parts()), z(chain.num_parts());
    if (instance.outputs.empty()) {
      EXPECT_EQ(chain.project(v, scratch_, z).status, ProjectionStatus::kEmpty);
      EXPECT_EQ(z, std::vector<double>(z.size(), 0.0));
      continue;
    }
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kLarge}) {
      v = draw_scores(kind, chain.num_parts(), random_);
      EXPECT_EQ(chain.project(v, scratch_, z).status, ProjectionStatus::kOptimal);
      check_project(chain, v, scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(ChainConformance, LegalIsWhatTheRulesSay) {
  for (Index i = 0; i < GetParam().instances; ++i) {
    const ChainInstance instance = make_chain(GetParam().options, random_);
    for (const auto& y : all_sequences(instance.states->num_labels(), instance.chain->length())) {
      EXPECT_EQ(instance.chain->legal(y), obeys(instance, y));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ChainConformance, testing::ValuesIn(all_cases()), name_of);

}  // namespace
}  // namespace trellis
