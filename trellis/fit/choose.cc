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
    throw UsageError("C and lambda say the same, C = 1/(lambda n): give one of them");
  }
  if (said.radius && (said.c || said.lambda)) {
    throw UsageError("a radius holds the weights instead of C or lambda: give one of them");
  }
}

// Leaves one of C, λ and the radius, and of the dials about balls what goes with it: a refusal
// where the user said otherwise.
void settle_penalty(const LearnerOptions& said, bool started, LearnerOptions& values) {
  if (values.radius) values.lambda.reset();
  if (values.radius || values.lambda) values.c.reset();
  if (values.l1_ball.value_or(false) && !values.radius) {
    if (said.l1_ball.value_or(false)) {
      throw UsageError("the ball of the 1-norm is for extragradient with a radius");
    }
    values.l1_ball = false;
  }
  if (values.l1_ball.value_or(false) && started) {
    throw UsageError("in a ball of the 1-norm extragradient starts from its centre, w = 0");
  }
  if (values.warm_up.value_or(0) > 0 && values.radius) {
    if (said.warm_up.value_or(0) > 0) {
      throw UsageError("the warm-up is by bcfw, which holds the weights by C and not by a radius");
    }
    values.warm_up = 0;
  }
}

void refuse_foreign_dials(const LearnerOptions& said, LearnerKind learner) {
  for (const Dial& dial : dials()) {
    dial.check(said);
    if (!dial.said(said) || dial.learners.has(learner)) continue;
    throw UsageError(fmt::format("{} has no --{}, which is for {}", to_string(learner), dial.name,
                                 dial.learners.names()));
  }
}

// Of sums that are not exact.
std::optional<std::string> refusal_of_sums(const LearnerChoice& choice, const Able& able) {
  const std::string_view sums = able.bounded ? "bounds" : "estimates";
  if (choice.certifies()) {
    return fmt::format("the sums over its outputs are {}, which certify nothing", sums);
  }
  const bool online = choice.learner == kSgd || (choice.learner == kDca && !choice.stored_dual());
  if (online || (able.bounded && choice.learner == kLbfgs)) return std::nullopt;
  return fmt::format("the sums over its outputs are {}, so there are no cuts: choose {}", sums,
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
        "{} is about best outputs, so it needs the hinge (beta = inf: svm or perceptron): for beta "
        "= {} choose lbfgs, dca, sgd, bcfw or bmrm",
        name, choice.loss.beta);
  }
  if (choice.slack() && !choice.loss.hinge()) {
    return fmt::format("slacks are those of the hinge (beta = inf: svm), and beta is {}",
                       choice.loss.beta);
  }
  if (choice.loss.hinge()) {
    if (draws) return "draws estimate sums, and the hinge has none: choose a finite beta";
    if (!able.hinge) return "there is no search for its best outputs";
    if (choice.slack() && !able.slack) {
      return "there is no search for the output with the largest product of cost and what it lacks "
             "in margin, which a rescaled slack asks for";
    }
    return std::nullopt;
  }
  if (draws) {
    if (!able.draws) return "there is no way to draw its outputs";
    if (choice.partial) return "unknown labels are summed over, and draws estimate other sums";
    if (choice.certifies()) return "draws estimate the loss, and an estimate certifies nothing";
    return std::nullopt;
  }
  if (!able.sums) return "there are no sums over its outputs, hence no smooth loss";
  if (choice.partial && !able.partial) return "it knows no sets of true outputs";
  if (able.bounded || able.estimated) return refusal_of_sums(choice, able);
  return std::nullopt;
}

std::optional<std::string> refusal_of_implicit(const LearnerChoice& choice) {
  if (choice.learner != kExtragradient) {
    return "its weights are known to a kernel alone (--implicit), and only extragradient can do "
           "without them";
  }
  if (choice.values.l1_ball.value_or(false)) return "weights behind a kernel have no 1-norm";
  if (choice.by_examples()) {
    return "steps by examples need features, and a kernel (--implicit) has none: choose --steps "
           "governed or plain";
  }
  if (choice.values.warm_up.value_or(0) > 0) {
    return "the learner that warms it up needs features, and a kernel (--implicit) has none";
  }
  return std::nullopt;
}

std::optional<std::string> refusal_of_learner(const LearnerChoice& choice, const Able& able) {
  const LearnerKind learner = choice.learner;
  if (learner == kMira && !(able.k_best && able.linear_costs)) {
    return "there is no search for its k best outputs";
  }
  if (learner == kSmo && !able.flat) {
    return "it is for flat labels, where the dual of an example is a simplex; structured-smo is "
           "its "
           "kin over marginals";
  }
  if (kSeesParts.has(learner) && !able.linear_costs) {
    return "its costs are not linear in the parts, so its margin problem is none over a polytope";
  }
  if (learner == kExtragradient && choice.entropic() && !able.sums) {
    return "there are no sums over its outputs, hence no entropic steps";
  }
  if (learner == kExtragradient && choice.entropic() && (able.bounded || able.estimated)) {
    return "the sums over its outputs are not exact, hence no entropic steps";
  }
  if (choice.by_examples() && choice.values.radius) {
    return kExamplesNeedAPenalty;
  }
  if (learner == kQp && able.relaxed) {
    return "its linear program is a relaxation, with points that are no mix of outputs, so the QP "
           "over it would minimise another loss: train on the relaxed structure for that";
  }
  const bool projecting =
      learner == kProjectedGradient || (learner == kExtragradient && !choice.entropic());
  if (projecting && !able.projects) return "there is no projection onto its polytope";
  if (learner == kStructuredSmo && !able.faces) {
    return "structured SMO needs outputs that are known by the parts they leave out: one label of "
           "many, chains and trees whose tables are not tied, packed forests, matchings that cover "
           "both sides";
  }
  const std::string_view unsigned_weights = learner == kLbfgs ? "L-BFGS"
                                            : learner == kDca && !choice.stored_dual()
                                                ? "DCA without a stored dual"
                                                : "";
  if (able.nonnegative && !unsigned_weights.empty()) {
    return fmt::format(
        "{} cannot keep weights from becoming negative, and some of this problem must stay >= 0; "
        "BMRM, BCFW, DCA with a stored dual, SGD, MIRA and the perceptron can",
        unsigned_weights);
  }
  return std::nullopt;
}

// With unknown labels the loss is a difference of convex functions.
void require_partial(const LearnerChoice& choice) {
  if (choice.learner != kLbfgs && choice.learner != kSgd) {
    throw UsageError(fmt::format(
        "unknown labels make the loss non-convex, and {} needs convexity: choose lbfgs or sgd",
        to_string(choice.learner)));
  }
  if (choice.loss.hinge())
    throw UsageError("unknown labels are summed over, which needs a finite beta");
  if (choice.certifies()) {
    throw UsageError("unknown labels make the loss non-convex: nothing can be certified");
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
    throw UsageError(fmt::format("{} starts from w = 0, for it does not know the dual of others",
                                 to_string(choice.learner)));
  }
  const bool needs_margin = choice.learner != kPerceptron && choice.learner != kSgd;
  if (needs_margin && choice.loss.hinge() && choice.loss.gamma == 0 && !started) {
    throw UsageError(
        fmt::format("without a margin (gamma = 0) the hinge of weights that are 0 is 0, and {} "
                    "takes no step: choose the learner perceptron, or a gamma above 0",
                    to_string(choice.learner)));
  }
  return choice;
}

}  // namespace trellis
