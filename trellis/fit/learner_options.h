// What a user says about learning, in any task: which learner, which loss, and the learner's dials.
// What was not said is the task's to say, and then the learner's own (choose.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/loss.h"

namespace trellis {

enum class LearnerKind : std::uint8_t {
  kLbfgs,
  kDca,
  kSgd,
  kPerceptron,
  kMira,
  kBcfw,
  kBmrm,
  kExtragradient,
  kProjectedGradient,
  kSmo,            // of flat labels
  kStructuredSmo,  // over marginals
  kQp,             // the joint convex program, for small data
};
inline constexpr Index kNumLearners = 12;

// "lbfgs", "dca", …, "projected-gradient", …
std::string_view to_string(LearnerKind learner);
LearnerKind parse_learner(std::string_view name);  // throws UsageError
// A line on each, for those who choose.
std::string_view describe(LearnerKind learner);

// Some of the learners.
class LearnerSet {
 public:
  constexpr LearnerSet(std::initializer_list<LearnerKind> learners) {
    for (const LearnerKind learner : learners) bits_ |= bit(learner);
  }
  static constexpr LearnerSet all() {
    LearnerSet set{};
    set.bits_ = (1U << kNumLearners) - 1;
    return set;
  }
  constexpr LearnerSet but(std::initializer_list<LearnerKind> learners) const {
    LearnerSet set = *this;
    for (const LearnerKind learner : learners) set.bits_ &= ~bit(learner);
    return set;
  }
  constexpr bool has(LearnerKind learner) const { return (bits_ & bit(learner)) != 0; }
  constexpr void add(LearnerKind learner) { bits_ |= bit(learner); }
  constexpr LearnerSet operator&(const LearnerSet& other) const {
    LearnerSet set = *this;
    set.bits_ &= other.bits_;
    return set;
  }
  constexpr bool empty() const { return bits_ == 0; }
  std::vector<LearnerKind> list() const;
  std::string names(std::string_view last = "and") const;  // "dca, mira and sgd"

 private:
  static constexpr std::uint32_t bit(LearnerKind learner) {
    return 1U << static_cast<unsigned>(learner);
  }
  std::uint32_t bits_ = 0;
};

// Every member but the first four is a dial (dials.h), under the same name.
struct LearnerOptions {
  std::optional<LearnerKind> learner;
  std::optional<Loss> loss;
  std::optional<double> beta, gamma;  // of the loss, in place of its own

  std::optional<std::string> rescale;
  std::optional<double> c, lambda, l1, radius;
  std::optional<bool> l1_ball;
  std::optional<Index> epochs, patience;
  std::optional<bool> certify;
  std::optional<double> gap;
  std::optional<Index> gap_every;
  std::optional<double> epsilon, delta;
  std::optional<Index> warm_up;
  std::optional<std::string> dual, geometry, steps;
  std::optional<bool> average;
  std::optional<Index> voters, k, cache;
  std::optional<double> eta, step_scale;
  std::optional<Index> draws;
};

}  // namespace trellis
