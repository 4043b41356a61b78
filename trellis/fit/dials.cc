#include "trellis/fit/dials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis {
namespace {

using enum LearnerKind;

struct NamedLearner {
  std::string_view name;
  LearnerKind learner;
  std::string_view line;
};

constexpr std::array<NamedLearner, kNumLearners> kLearners = {{
    {"lbfgs", kLbfgs,
     "quasi-Newton, to the optimum of smooth losses, with all threads; OWL-QN with --l1"},
    {"dca", kDca, "dual coordinate ascent: good in a few epochs, no learning rate"},
    {"sgd", kSgd, "stochastic gradient descent, for any loss"},
    {"perceptron", kPerceptron, "averaged or voted perceptron (perceptron, svm)"},
    {"mira", kMira, "k-best MIRA (svm)"},
    {"bcfw", kBcfw, "block-coordinate Frank-Wolfe, to a small gap"},
    {"bmrm", kBmrm, "bundle method, to a small gap, with all threads"},
    {"extragradient", kExtragradient,
     "saddle point of weights and outputs (svm): block-coordinate dual ascent, example by example "
     "(--steps examples), or dual extragradient (--steps governed, plain)"},
    {"projected-gradient", kProjectedGradient,
     "projected gradient steps on weights and outputs together, averaged (svm)"},
    {"smo", kSmo, "sequential dual ascent for flat labels (svm, maxent, softmax-margin)"},
    {"structured-smo", kStructuredSmo, "sequential minimal optimisation over marginals (svm)"},
    {"qp", kQp, "one convex program by an interior-point method, for small data (svm)"},
}};

const NamedLearner& named(LearnerKind learner) {
  return *std::find_if(kLearners.begin(), kLearners.end(),
                       [&](const NamedLearner& one) { return one.learner == learner; });
}

using Options = LearnerOptions;
constexpr LearnerSet kAll = LearnerSet::all();
// Those that live off cuts, whatever outputs these are of.
constexpr LearnerSet kTakesSlack = {kDca, kSgd, kPerceptron, kBcfw, kBmrm};

std::vector<Dial> make_dials() {
  return {
      {"rescale",
       "Quantity that the cost of a mistake multiplies: the margin required, or the slack (the "
       "missing margin) [margin]",
       kTakesSlack,
       &Options::rescale,
       false,
       {"margin", "slack"}},
      {"c", "C, the weight of the loss against the regularisation; lambda is 1/(C n)",
       kAll.but({kPerceptron}), &Options::c, true},
      {"lambda",
       "Regularisation strength: weight of the squared norm relative to the mean loss, instead of "
       "C",
       kAll.but({kPerceptron}), &Options::lambda, true},
      {"l1", "Weight of the L1 norm (lbfgs becomes OWL-QN); CRFsuite's c1", {kLbfgs}, &Options::l1},
      {"radius",
       "Radius of a ball that bounds the weights, instead of C",
       {kExtragradient, kProjectedGradient, kQp},
       &Options::radius,
       true},
      {"l1-ball", "Use the 1-norm for the ball of --radius", {kExtragradient}, &Options::l1_ball},
      {"epochs", "Maximum number of passes over the data (epochs) or of iterations",
       kAll.but({kQp}), &Options::epochs, true},
      {"patience",
       "Number of epochs without a better score on the dev set (a better mean of five, for "
       "learners "
       "that pass over all data between two steps) after which training ends; 0: never",
       kAll.but({kQp}), &Options::patience},
      {"certify", "Report objective, lower bound and relative gap of each epoch", kAll,
       &Options::certify},
      {"gap", "Stop as soon as the certified relative gap is below this; 0: never",
       kAll.but({kPerceptron, kQp}), &Options::gap},
      {"gap-every",
       "Number of epochs between two passes that certify the gap",
       {kBcfw, kExtragradient, kProjectedGradient},
       &Options::gap_every,
       true},
      {"epsilon",
       "Stop at this relative gradient norm (lbfgs), or at this violation (smo)",
       {kLbfgs, kSmo},
       &Options::epsilon},
      {"delta", "Stop at this relative decrease over ten iterations", {kLbfgs}, &Options::delta},
      {"warm-up",
       "Number of epochs of dca (for lbfgs) or bcfw (for extragradient) that give the starting "
       "point",
       {kLbfgs, kExtragradient},
       &Options::warm_up},
      {"dual",
       "Dual variables: online: not stored, as in the paper; stored: converges to the optimum",
       {kDca},
       &Options::dual,
       false,
       {"online", "stored"}},
      {"geometry",
       "Steps: entropic (by sums) or euclidean (by projections)",
       {kExtragradient},
       &Options::geometry,
       false,
       {"entropic", "euclidean"}},
      {"steps",
       "Kind of steps: examples: block-coordinate dual ascent, one example at a time, with --c or "
       "--lambda; governed: dual extragradient with adaptive steps; plain: dual extragradient with "
       "the fixed steps of the paper",
       {kExtragradient},
       &Options::steps,
       false,
       {"examples", "governed", "plain"}},
      {"average",
       "Return the mean of the weights instead of the last ones",
       {kDca, kMira, kPerceptron, kBcfw, kSgd},
       &Options::average},
      {"voters",
       "Number of voters (weight vectors) kept for voting; 0: no voting",
       {kPerceptron},
       &Options::voters},
      {"k", "Number of best outputs used in a step", {kMira}, &Options::k, true},
      {"cache", "Number of cuts kept for each example; 0: none", {kBcfw}, &Options::cache},
      {"eta", "Learning rate; 0: chosen on held-out data", {kSgd}, &Options::eta},
      {"step-scale",
       "Length of the first step, relative to the step with a convergence guarantee",
       {kExtragradient, kProjectedGradient},
       &Options::step_scale,
       true},
      {"draws",
       "Number of random outputs from which a gradient is estimated; 0: exact sums",
       {kSgd},
       &Options::draws},
  };
}

[[noreturn]] void refuse(const Dial& dial, std::string_view text, std::string_view expected) {
  throw UsageError(fmt::format("--{} is '{}': expected {}", dial.name, text, expected));
}

template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;  // clang 14 does not find it by itself

}  // namespace

std::string_view to_string(LearnerKind learner) {
  return named(learner).name;
}

std::string_view describe(LearnerKind learner) {
  return named(learner).line;
}

LearnerKind parse_learner(std::string_view name) {
  for (const NamedLearner& one : kLearners) {
    if (one.name == name) return one.learner;
  }
  throw UsageError(fmt::format("unknown learner '{}': expected {}", name, kAll.names("or")));
}

std::vector<LearnerKind> LearnerSet::list() const {
  std::vector<LearnerKind> found;
  for (const NamedLearner& one : kLearners) {
    if (has(one.learner)) found.push_back(one.learner);
  }
  return found;
}

std::string LearnerSet::names(std::string_view last) const {
  const std::vector<LearnerKind> found = list();
  std::string text;
  for (Index k = 0; k < found.size(); ++k) {
    if (k > 0) text += k + 1 < found.size() ? ", " : fmt::format(" {} ", last);
    text += to_string(found[k]);
  }
  return text;
}

bool Dial::said(const LearnerOptions& options) const {
  return std::visit([&](auto at) { return (options.*at).has_value(); }, member);
}

std::string Dial::text(const LearnerOptions& options) const {
  if (!said(options)) return {};
  return std::visit([&](auto at) { return fmt::format("{}", *(options.*at)); }, member);
}

void Dial::set(LearnerOptions& options, std::string_view text) const {
  std::visit(Overload{[&](Member<double> at) {
                        const auto value = parse_double(text);
                        if (!value) refuse(*this, text, "a number");
                        options.*at = value;
                      },
                      [&](Member<Index> at) {
                        const auto value = parse_integer(text);
                        if (!value || *value < 0) refuse(*this, text, "a whole number from 0 on");
                        options.*at = static_cast<Index>(*value);
                      },
                      [&](Member<bool> at) {
                        if (text != "true" && text != "false") refuse(*this, text, "true or false");
                        options.*at = text == "true";
                      },
                      [&](Member<std::string> at) { options.*at = std::string(text); }},
             member);
  check(options);
}

void Dial::set(LearnerOptions& options, double value) const {
  if (const auto* at = std::get_if<Member<double>>(&member)) options.** at = value;
  if (const auto* at = std::get_if<Member<Index>>(&member)) {
    if (!(value >= 0 && value < 9e15) || value != std::floor(value)) {
      refuse(*this, fmt::format("{}", value), "a whole number from 0 on");
    }
    options.** at = static_cast<Index>(value);
  }
  check(options);
}

double Dial::number(const LearnerOptions& options) const {
  if (const auto* at = std::get_if<Member<double>>(&member)) return *(options.**at);
  return static_cast<double>(*(options.*std::get<Member<Index>>(member)));
}

void Dial::check(const LearnerOptions& options) const {
  if (!said(options)) return;
  if (numeric()) {
    const double value = number(options);
    const bool fits = above_zero ? value > 0 : value >= 0;
    if (!fits || std::isinf(value)) {
      refuse(*this, text(options), above_zero ? "a number above 0" : "a number from 0 on");
    }
  }
  if (words.empty()) return;
  const std::string& word = *(options.*std::get<Member<std::string>>(member));
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    refuse(*this, word, fmt::format("one of {}", fmt::join(words, ", ")));
  }
}

std::span<const Dial> dials() {
  static const std::vector<Dial> all = make_dials();
  return all;
}

const Dial& dial(std::string_view name) {
  for (const Dial& one : dials()) {
    if (one.name == name) return one;
  }
  throw UsageError(fmt::format("there is no learner option '{}'", name));
}

}  // namespace trellis
