#include "trellis/fit/choose.h"

#include <fmt/format.h>

#include <variant>

#include "trellis/base/error.h"
#include "trellis/fit/dials.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {
namespace {

using enum LearnerKind;

constexpr LearnerSet kSeesParts = {kExtragradient, kProjectedGradient, kStructuredSmo, kQp};
constexpr LearnerSet kBatch = {kLbfgs, kBmrm, kExtragradient, kProjectedGradient, kQp};
constexpr LearnerSet kNeedsHinge = {kPerceptron,        kMira,          kExtragradient,
                                    kProjectedGradient, kStructuredSmo, kQp};

bool averages(LearnerKind learner, const LearnerOptions& values) {
  if (values.draws.value_or(0) > 0) return true;  // the errors of draws average out
  // With cached cuts the last weights of bcfw are ahead of their mean.
  return learner == kBcfw ? values.cache == Index{0} : learner != kSgd;
}

// Steps and geometry of extragradient. Weights answer an example at once where a penalty and
// features say what the answer is; that goes well with nearest points, which best outputs find. The
// steps of all examples at once are cheaper by sums.
void set_saddle_point(LearnerKind learner, const LearnerOptions& values, const Able& able,
                      LearnerOptions& own) {
  const bool exact_sums = able.sums && !able.bounded && !able.estimated;
  const bool can_answer = learner == kExtragradient && !values.radius && !able.implicit;
  const std::string wish = values.steps.value_or(can_answer ? "examples" : "governed");
  own.geometry = exact_sums && !(wish == "examples" && able.projects) ? "entropic" : "euclidean";
  const bool by_sums = values.geometry.value_or(*own.geometry) == "entropic";
  own.steps = values.steps.value_or(can_answer && !by_sums ? "examples" : "governed");
}

// The learners' own defaults.
LearnerOptions own_defaults(LearnerKind learner, const LearnerOptions& values, const Able& able) {
  LearnerOptions own;
  own.c = 1;
  own.l1 = 0;
  own.l1_ball = false;
  own.certify = false;
  own.gap = 0;
  own.epsilon = learner == kSmo ? 1e-3 : 1e-5;
  own.delta = 1e-5;
  own.warm_up = 0;
  own.dual = "online";
  set_saddle_point(learner, values, able, own);
  const bool looks_ahead = learner == kBcfw || own.steps == "examples";  // to where the gap is met
  own.gap_every = looks_ahead && !values.certify.value_or(false) ? 10 : 1;
  own.voters = 0;
  own.k = 5;
  own.cache = 20;
  own.eta = 0;
  own.step_scale = 1;
  own.draws = 0;
  own.average = averages(learner, values);
  const bool online = learner == kDca || learner == kSgd || learner == kPerceptron ||
                      learner == kMira || learner == kBcfw || learner == kSmo;
  // The dev curve of a batch learner is uneven on its way to the optimum: one that ends by itself
  // is left to do so, and its best epoch is looked for afterwards.
  const bool to_tolerance =
      learner == kLbfgs || (kBatch.has(learner) && values.gap.value_or(0) > 0);
  own.patience = online ? 5 : to_tolerance ? 0 : 20;
  switch (learner) {
    case kLbfgs:
    case kBmrm:
    case kSmo:
      own.epochs = 1000;
      break;
    case kDca:
      own.epochs = values.dual == "stored" ? 200 : 20;
      break;
    case kSgd:
      own.epochs = 50;
      break;
    case kPerceptron:
    case kMira:
      own.epochs = 20;
      break;
    case kBcfw:
    case kStructuredSmo:
      own.epochs = 100;
      break;
    case kExtragradient:
    case kProjectedGradient:
      own.epochs = 200;
      break;
    case kQp:
      break;
  }
  return own;
}

// `sums`: there are some, or draws instead.
Loss own_loss(LearnerKind learner, bool sums) {
  if (learner == kPerceptron) return Loss::named("perceptron");
  if (learner == kLbfgs || (learner == kSgd && sums)) return Loss::named("crf");
  return Loss::named("svm");
}

// What `to` does not say of the learner's dials, `from` does. C, λ and the radius are one question:
// who says any of them first has answered it.
void fill(const LearnerOptions& from, LearnerKind learner, LearnerOptions& to) {
  const bool held = to.c || to.lambda || to.radius;
  for (const Dial& dial : dials()) {
    if (!dial.learners.has(learner) || (held && dial.holds_weights())) continue;
    std::visit(
        [&](auto at) {
          if (!(to.*at)) to.*at = from.*at;
        },
        dial.member);
  }
}

bool counts(const TaskDefaults::Row& row, const LearnerChoice& choice, const LearnerOptions& said) {
  using Losses = TaskDefaults::Losses;
  if (!row.learners.has(choice.learner)) return false;
  if (row.stored_dual && said.dual != "stored") return false;
  if (row.unproven && (said.gap.value_or(0) > 0 || said.certify.value_or(false))) return false;
  return row.losses == Losses::kAny || (row.losses == Losses::kHinge) == choice.loss.hinge();
}

bool rescales_slack(const LearnerOptions& said) {
  return said.rescale == "slack";
}

Loss with_dials(Loss loss, const LearnerOptions& said) {
  if (said.beta) loss.beta = *said.beta;
  if (said.gamma) loss.gamma = *said.gamma;
  loss.validate();
  return loss;
}

Loss loss_of(LearnerKind learner, const LearnerOptions& said, const TaskDefaults& defaults,
             const Able& able) {
  if (rescales_slack(said)) return own_loss(learner, false);
  for (const TaskDefaults::Row& row : defaults.rows) {
    if (row.learners.has(learner) && row.values.loss) return *row.values.loss;
  }
  return own_loss(learner, able.sums || said.draws.value_or(0) > 0);
}

LearnerKind learner_of(const Loss& loss, const LearnerOptions& said, const TaskDefaults& defaults) {
  if (!loss.hinge()) return said.draws.value_or(0) > 0 ? defaults.drawn : defaults.smooth;
  const LearnerKind learner = loss.gamma == 0 ? defaults.mistakes : defaults.hinge;
  // Where the task's own lives off more than cuts.
  return rescales_slack(said) && !dial("rescale").learners.has(learner) ? kBcfw : learner;
}

void require_one_penalty(const LearnerOptions& said) {
  if (said.c && said.lambda) {
    throw UsageError(
        "--c and --lambda set the same strength, C = 1/(lambda n): give only one of them");
  }
  if (said.radius && (said.c || said.lambda)) {
    throw UsageError(
        "--radius bounds the weights instead of --c or --lambda: give only one of them");
  }
}

// Leaves one of C, λ and the radius, and of the dials about balls what goes with it: a refusal
// where the user said otherwise.
void settle_penalty(const LearnerOptions& said, bool started, LearnerOptions& values) {
  if (values.radius) values.lambda.reset();
  if (values.radius || values.lambda) values.c.reset();
  if (values.l1_ball.value_or(false) && !values.radius) {
    if (said.l1_ball.value_or(false)) {
      throw UsageError("--l1-ball requires extragradient with --radius");
    }
    values.l1_ball = false;
  }
  if (values.l1_ball.value_or(false) && started) {
    throw UsageError(
        "extragradient with --l1-ball always starts from w = 0: it cannot start from other "
        "weights");
  }
  if (values.warm_up.value_or(0) > 0 && values.radius) {
    if (said.warm_up.value_or(0) > 0) {
      throw UsageError(
          "--warm-up cannot be combined with --radius: its learner bcfw requires --c or --lambda");
    }
    values.warm_up = 0;
  }
}

void refuse_foreign_dials(const LearnerOptions& said, LearnerKind learner) {
  for (const Dial& dial : dials()) {
    dial.check(said);
    if (!dial.said(said) || dial.learners.has(learner)) continue;
    throw UsageError(fmt::format("--{1} cannot be combined with the learner {0}: it requires {2}",
                                 to_string(learner), dial.name, dial.learners.names("or")));
  }
}

// Of sums that are not exact.
std::optional<std::string> refusal_of_sums(const LearnerChoice& choice, const Able& able) {
  const std::string_view sums = able.bounded ? "bounds" : "estimates";
  if (choice.certifies()) {
    return fmt::format("its sums over outputs are {}, which cannot certify a gap", sums);
  }
  const bool online = choice.learner == kSgd || (choice.learner == kDca && !choice.stored_dual());
  if (online || (able.bounded && choice.learner == kLbfgs)) return std::nullopt;
  return fmt::format("its sums over outputs are {}, which give no cuts: choose {}", sums,
                     able.bounded ? "lbfgs, dca or sgd" : "dca or sgd");
}

std::optional<std::string> refusal_of_loss(const LearnerChoice& choice, const Able& able) {
  const std::string_view name = to_string(choice.learner);
  const bool draws = choice.values.draws.value_or(0) > 0;
  if (choice.learner == kLbfgs && choice.loss.hinge()) {
    return "lbfgs needs a gradient, which the hinge (beta = inf) does not have: choose a finite "
           "beta, or another learner";
  }
  if (kNeedsHinge.has(choice.learner) && !choice.loss.hinge()) {
    return fmt::format(
        "{} works with best outputs and requires the hinge (beta = inf: svm or perceptron): for "
        "beta = {} choose lbfgs, dca, sgd, bcfw or bmrm",
        name, choice.loss.beta);
  }
  if (choice.slack() && !choice.loss.hinge()) {
    return fmt::format("--rescale slack requires the hinge (beta = inf: svm), but beta is {}",
                       choice.loss.beta);
  }
  if (choice.loss.hinge()) {
    if (draws) return "--draws estimates sums, which the hinge does not have: choose a finite beta";
    if (!able.hinge) return "there is no search for the best outputs of this structure";
    if (choice.slack() && !able.slack) {
      return "--rescale slack requires a search for the output with the largest product of cost "
             "and margin violation, which this structure does not have";
    }
    return std::nullopt;
  }
  if (draws) {
    if (!able.draws) return "outputs of this structure cannot be drawn at random";
    if (choice.partial) return "--draws cannot estimate the sums over unknown labels";
    if (choice.certifies())
      return "--draws gives estimates of the loss, which cannot certify a gap";
    return std::nullopt;
  }
  if (!able.sums)
    return "a smooth loss requires sums over outputs, which this structure does not have";
  if (choice.partial && !able.partial) return "unknown labels are not supported for this structure";
  if (able.bounded || able.estimated) return refusal_of_sums(choice, able);
  return std::nullopt;
}

std::optional<std::string> refusal_of_implicit(const LearnerChoice& choice) {
  if (choice.learner != kExtragradient) {
    return "--implicit keeps the weights in a kernel, without explicit values: only extragradient "
           "supports this";
  }
  if (choice.values.l1_ball.value_or(false))
    return "--l1-ball requires explicit weights: it cannot be combined with --implicit";
  if (choice.by_examples()) {
    return "--steps examples requires explicit features: with --implicit choose --steps governed "
           "or plain";
  }
  if (choice.values.warm_up.value_or(0) > 0) {
    return "--warm-up requires explicit features: it cannot be combined with --implicit";
  }
  return std::nullopt;
}

std::optional<std::string> refusal_of_learner(const LearnerChoice& choice, const Able& able) {
  const LearnerKind learner = choice.learner;
  if (learner == kMira && !(able.k_best && able.linear_costs)) {
    return "there is no search for the k best outputs of this structure";
  }
  if (learner == kSmo && !able.flat) {
    return "it requires flat labels, where the dual variables of an example form a simplex; for "
           "other structures choose structured-smo";
  }
  if (kSeesParts.has(learner) && !able.linear_costs) {
    return "the costs are not linear in the parts, so the margin problem cannot be written over a "
           "polytope";
  }
  if (learner == kExtragradient && choice.entropic() && !able.sums) {
    return "--geometry entropic requires sums over outputs, which this structure does not have";
  }
  if (learner == kExtragradient && choice.entropic() && (able.bounded || able.estimated)) {
    return "--geometry entropic requires exact sums over outputs";
  }
  if (choice.by_examples() && choice.values.radius) {
    return kExamplesNeedAPenalty;
  }
  if (learner == kQp && able.relaxed) {
    return "the linear program of this structure is a relaxation, whose points are not always "
           "mixtures of outputs, so the QP would minimise another loss: train on the relaxed "
           "structure instead";
  }
  const bool projecting =
      learner == kProjectedGradient || (learner == kExtragradient && !choice.entropic());
  if (projecting && !able.projects)
    return "there is no projection onto the polytope of this structure";
  if (learner == kStructuredSmo && !able.faces) {
    return "structured SMO requires outputs that are determined by the parts they do not contain: "
           "one label of many, chains and trees without tied tables, packed forests, matchings "
           "that "
           "cover both sides";
  }
  const std::string_view unsigned_weights = learner == kLbfgs ? "L-BFGS"
                                            : learner == kDca && !choice.stored_dual()
                                                ? "DCA without a stored dual"
                                                : "";
  if (able.nonnegative && !unsigned_weights.empty()) {
    return fmt::format(
        "{} cannot keep weights non-negative, but some weights of this problem must be >= 0: "
        "choose bmrm, bcfw, dca with --dual stored, sgd, mira or perceptron",
        unsigned_weights);
  }
  return std::nullopt;
}

// With unknown labels the loss is a difference of convex functions.
void require_partial(const LearnerChoice& choice) {
  if (choice.learner != kLbfgs && choice.learner != kSgd) {
    throw UsageError(
        fmt::format("unknown labels make the loss non-convex, but {} requires a convex loss: "
                    "choose lbfgs or sgd",
                    to_string(choice.learner)));
  }
  if (choice.loss.hinge())
    throw UsageError("unknown labels require sums over outputs, and therefore a finite beta");
  if (choice.certifies()) {
    throw UsageError(
        "unknown labels make the loss non-convex: --certify and --gap are not possible");
  }
}

}  // namespace

double LearnerChoice::lambda(Index num_examples) const {
  if (values.lambda) return *values.lambda;
  return values.c ? lambda_from_c(*values.c, num_examples) : 0;
}

bool LearnerChoice::converges() const {
  constexpr LearnerSet kGoesOn = {kSgd, kPerceptron, kMira};
  const bool from_center = values.l1_ball.value_or(false);
  return !kGoesOn.has(learner) && !(learner == kDca && !stored_dual()) && !from_center;
}

bool LearnerChoice::batch() const {
  return kBatch.has(learner) && !by_examples();
}

std::string LearnerChoice::description() const {
  std::string text = fmt::format("learner={} loss={}", to_string(learner), loss.description());
  for (const Dial& dial : dials()) {
    if (dial.said(values)) text += fmt::format(" {}={}", dial.name, dial.text(values));
  }
  if (partial) text += " partial";
  return text;
}

void follow_dials(LearnerChoice& choice) {
  if (choice.values.average && !choice.average_said) {
    choice.values.average = averages(choice.learner, choice.values);
  }
}

LearnerSet learners_for(const Able& able) {
  LearnerSet found = {};
  for (const LearnerKind learner : LearnerSet::all().list()) {
    LearnerChoice choice;
    choice.learner = learner;
    for (const char* loss : {"crf", "svm"}) {
      choice.loss = Loss::named(loss);
      for (const char* geometry : {"entropic", "euclidean"}) {
        choice.values.geometry = geometry;
        choice.values.dual = "stored";
        if (!refusal(choice, able)) found.add(learner);
      }
    }
  }
  return found;
}

std::optional<std::string> refusal(const LearnerChoice& choice, const Able& able) {
  if (auto reason = refusal_of_loss(choice, able)) return reason;
  if (able.implicit) {
    if (auto reason = refusal_of_implicit(choice)) return reason;
  }
  return refusal_of_learner(choice, able);
}

LearnerChoice choose(const LearnerOptions& said, const TaskDefaults& defaults, const Able& able,
                     bool partial, bool started) {
  LearnerChoice choice;
  choice.partial = partial;
  if (said.learner) {
    choice.learner = *said.learner;
    choice.loss =
        with_dials(said.loss.value_or(loss_of(choice.learner, said, defaults, able)), said);
  } else {
    const Loss own = rescales_slack(said) ? Loss::named("svm") : defaults.loss;
    choice.loss = with_dials(said.loss.value_or(own), said);
    choice.learner = learner_of(choice.loss, said, defaults);
  }
  refuse_foreign_dials(said, choice.learner);
  require_one_penalty(said);
  fill(said, choice.learner, choice.values);
  for (const TaskDefaults::Row& row : defaults.rows) {
    if (counts(row, choice, said)) fill(row.values, choice.learner, choice.values);
  }
  choice.average_said = choice.values.average.has_value();
  // Cache, dual, draws and certify decide what the defaults of other dials are: they come first.
  fill(own_defaults(choice.learner, LearnerOptions(choice.values), able), choice.learner,
       choice.values);
  settle_penalty(said, started, choice.values);
  if (!choice.slack()) choice.values.rescale.reset();  // a margin is what the others rescale, too
  if (partial) require_partial(choice);
  if (const auto reason = refusal(choice, able)) {
    const bool says_itself = reason->starts_with(to_string(choice.learner));
    throw UsageError(
        says_itself ? *reason
                    : fmt::format("{} cannot train this: {}", to_string(choice.learner), *reason));
  }
  if (started && (choice.learner == kSmo || choice.learner == kStructuredSmo)) {
    throw UsageError(fmt::format("{} always starts from w = 0: it cannot start from other weights",
                                 to_string(choice.learner)));
  }
  const bool needs_margin = choice.learner != kPerceptron && choice.learner != kSgd;
  if (needs_margin && choice.loss.hinge() && choice.loss.gamma == 0 && !started) {
    throw UsageError(
        fmt::format("with gamma = 0 the hinge has no margin and is 0 at w = 0, so {} would take no "
                    "step: choose the learner perceptron, or gamma above 0",
                    to_string(choice.learner)));
  }
  return choice;
}

}  // namespace trellis
