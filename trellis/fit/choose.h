// From what was said to what will be done: one learner, one loss, a value for each of its dials, or
// one sentence that says why not. Reads no data, so the answer comes before any work.
#pragma once

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/learner_options.h"
#include "trellis/problem/loss.h"

namespace trellis {

// What the part model of a task can do, hence which oracles it makes: able_of() of fit.h, or, for a
// task with several part models, what one of them can do.
struct Able {
  bool hinge = false;         // best outputs with the costs: cuts
  bool linear_costs = false;  // costs that are linear in the parts
  bool k_best = false;
  bool sums = false;         // smooth losses
  bool draws = false;        // smooth losses by draws
  bool projects = false;     // onto the polytope of the parts
  bool flat = false;         // one label of many
  bool faces = false;        // outputs that are known by the parts they leave out
  bool nonnegative = false;  // some weights must stay ≥ 0
  bool partial = false;      // knows sets of true outputs
  bool implicit = false;     // weights that only a kernel knows: kernel_problem.h
  bool relaxed = false;      // the linear program is larger than the hull of the outputs
  bool bounded = false;      // sums are upper bounds: smooth losses without a certificate
  bool estimated = false;    // sums are of no standing: losses that may be negative
  bool slack = false;        // best outputs with slacks that costs rescale
};

// How a task with several part models is able to do what one of them can.
enum class AbleRule {
  kOne,      // where one is
  kAll,      // where all are
  kAllSums,  // where all that have sums are
};
// Each capability once, with its rule.
struct Capability {
  bool Able::*held;
  AbleRule rule;
};
inline constexpr Capability kCapabilities[] = {
    {&Able::hinge, AbleRule::kOne},       {&Able::linear_costs, AbleRule::kOne},
    {&Able::k_best, AbleRule::kOne},      {&Able::sums, AbleRule::kOne},
    {&Able::draws, AbleRule::kOne},       {&Able::projects, AbleRule::kOne},
    {&Able::flat, AbleRule::kOne},        {&Able::faces, AbleRule::kOne},
    {&Able::nonnegative, AbleRule::kAll}, {&Able::partial, AbleRule::kOne},
    {&Able::implicit, AbleRule::kAll},    {&Able::relaxed, AbleRule::kAll},
    {&Able::bounded, AbleRule::kAllSums}, {&Able::estimated, AbleRule::kAllSums},
    {&Able::slack, AbleRule::kOne},
};
static_assert(std::size(kCapabilities) * sizeof(bool) == sizeof(Able), "one of them has no rule");

constexpr Able operator|(const Able& a, const Able& b) {
  const auto either = [&](const Capability& c) {
    const bool in_a = a.*c.held, in_b = b.*c.held;
    switch (c.rule) {
      case AbleRule::kAll:
        return in_a && in_b;
      case AbleRule::kAllSums:
        return (in_a || in_b) && (in_a || !a.sums) && (in_b || !b.sums);
      case AbleRule::kOne:
        break;
    }
    return in_a || in_b;
  };
  Able both;
  for (const Capability& c : kCapabilities) both.*c.held = either(c);
  return both;
}

// What a task says where its user is silent: the one table in which it names learners.
struct TaskDefaults {
  enum class Losses { kAny, kHinge, kSmooth };
  struct Row {  // for these learners with these losses
    LearnerSet learners;
    Losses losses = Losses::kAny;
    LearnerOptions values;     // its `loss` is the one that goes with the learner
    bool stored_dual = false;  // dca: only where its dual is stored
    bool unproven = false;     // only where neither a gap nor a certificate is asked for
  };

  Loss loss;           // where neither loss nor learner is said
  LearnerKind smooth;  // the learner where none is said, by the loss
  LearnerKind hinge;
  LearnerKind mistakes = LearnerKind::kPerceptron;  // β = ∞, γ = 0
  LearnerKind drawn = LearnerKind::kSgd;            // smooth losses by draws
  std::vector<Row> rows = {};                       // the first that has a value counts
  std::vector<double> grid = {};                    // of C or λ, where those are `auto`
  bool per_lambda = false;  // the grid is one of λ: tasks whose examples are few and large
  // Where nothing is said of either, chosen behind C or λ, at the best value of that, from the
  // first of these values, which C is chosen with, and others.
  struct Besides {
    std::string_view dial;
    std::vector<double> values;
  };
  std::vector<Besides> besides = {};
  // So many are judged by folds where nothing is said; of more, a part is held out.
  Index few_examples = 500;
  // What is compared on folds may be this far from the optimum where nothing is said of it: a gap,
  // and L-BFGS's delta. What is left to gain there must move figures by less than their noise.
  double gap_to_compare = 0;
  double delta_to_compare = 0;
  // A fold of fewer does not tell enough of variants to leave the worse half of them behind.
  Index halving_fold = 100;
};

struct LearnerChoice {
  LearnerKind learner = LearnerKind::kLbfgs;
  Loss loss;
  // Every dial that the learner has, and no other; but what is rescaled only where it is the slack.
  LearnerOptions values;
  bool partial = false;       // sum over sets of true outputs
  bool average_said = false;  // by the user or the task; else it follows the cache and the draws

  // λ of the objective over n examples; 0 where a ball holds the weights instead.
  double lambda(Index num_examples) const;
  bool certifies() const { return values.certify.value_or(false) || gap() > 0; }
  double gap() const { return values.gap.value_or(0); }
  bool slack() const { return values.rescale == "slack"; }
  // Several best outputs of an example at a time, where the structure has them.
  bool takes_k_best() const { return learner == LearnerKind::kMira || slack(); }
  bool stored_dual() const { return values.dual == "stored"; }
  bool entropic() const { return values.geometry == "entropic"; }
  bool by_examples() const { return values.steps == "examples"; }  // extragradient
  // Goes to the optimum of its objective, so that a start nearby is as good as any. Not so the ball
  // of the 1-norm, in which a run starts from the centre.
  bool converges() const;
  // Whether it passes over all data between two of its steps.
  bool batch() const;
  // All that the bits of a run depend on: "learner=dca loss=svm c=1 …".
  std::string description() const;
};

// Said of one radius (choose) and of several (search.h).
inline constexpr const char* kExamplesNeedAPenalty =
    "--steps examples requires --c or --lambda: with --radius choose --steps governed or plain";

// Throws UsageError where it cannot be done, and for dials that the learner does not have.
// `started`: the weights to start from are not 0.
LearnerChoice choose(const LearnerOptions& said, const TaskDefaults& defaults, const Able& able,
                     bool partial = false, bool started = false);

// After a change of its values: defaults that follow other dials.
void follow_dials(LearnerChoice& choice);

// The learners that can train it, with some loss, dual and geometry.
LearnerSet learners_for(const Able& able);

// Why a part model cannot be trained so; nothing where it can. The geometry and the dual of the
// choice must be set.
std::optional<std::string> refusal(const LearnerChoice& choice, const Able& able);

}  // namespace trellis
