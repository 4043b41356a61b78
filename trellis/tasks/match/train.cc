#include "trellis/tasks/match/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/dials.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/problem/monte_carlo_problem.h"
#include "trellis/structure/matchings/covering_matching.h"
#include "trellis/tasks/match/block_folds.h"
#include "trellis/tasks/match/match_trainable.h"

namespace trellis::match {
namespace {

constexpr Index kLongPlain = 4;  // settings no better than the best before them

// An estimator is another name for a loss.
LearnerOptions with_estimator(LearnerOptions said, Estimator estimator) {
  const Loss loss = Loss::named(estimator == Estimator::kMap ? "crf" : "svm");
  if (said.loss && said.loss->description() != loss.description()) {
    throw UsageError(
        fmt::format("--estimator {} means the loss {}, but --loss gives {}: give only one of them",
                    to_string(estimator), loss.description(), said.loss->description()));
  }
  said.loss = loss;
  return said;
}

void require_distance(const TrainingOptions& training, Cover cover, bool pairs) {
  if (!pairs) throw UsageError("--estimator distance requires pairs of shapes (--pairs)");
  if (cover == Cover::kPartial) {
    throw UsageError(
        "--estimator distance cannot be combined with --cover partial: without learning, the best "
        "partial matching is empty");
  }
  const LearnerOptions& said = training.learner;
  std::string foreign;
  for (const Dial& dial : dials()) {
    if (dial.said(said)) foreign = dial.name;
  }
  if (said.learner) foreign = "learner";
  if (said.loss) foreign = "loss";
  if (said.beta) foreign = "beta";
  if (said.gamma) foreign = "gamma";
  if (!training.candidates.empty()) foreign = training.candidates.front().dial;
  if (training.folds > 0) foreign = "cv";
  if (foreign.empty()) return;
  throw UsageError(
      fmt::format("--estimator distance learns nothing: it cannot be combined with --{}", foreign));
}

LearnerChoice choose_for(const LearnerOptions& said, Cover cover) {
  try {
    return choose(said, defaults(), able(cover));
  } catch (const UsageError& error) {
    if (cover == Cover::kPerfect) throw;
    choose(said, defaults(), able(Cover::kPerfect));  // throws if the cover is not the cause
    throw UsageError(fmt::format("with --cover partial {}", error.what()));
  }
}

// If no regularisation is given and runs are fast, λ is chosen: its best value differs by orders of
// magnitude between data sets.
TrainingOptions with_search(TrainingOptions training, const LearnerChoice& choice,
                            const MatchData& data, bool has_dev) {
  training.choose = !training.candidates.empty();  // sums over matchings are expensive: see below
  const bool free = training.candidates.empty() && !says_how_weights_are_held(training) &&
                    dial("lambda").learners.has(choice.learner);
  if (!free) return training;
  if (!has_dev && training.folds == 0 && !training.path) {
    // With an unlearned score as a fallback, a choice by few pairs is better than none.
    const bool unlearned = has_unlearned_score(data.features);
    const Index folds = std::min(kStandardFolds, data.examples.size());
    if (!choice.loss.hinge() || folds < (unlearned ? 2 : kStandardFolds)) return training;
    training.folds = folds;
  }
  // Strong penalties lead to nearly equal predictions: a plateau is not the end of the search.
  if (has_unlearned_score(data.features)) training.behind_peak = kLongPlain;
  training.candidates = {{"lambda", {}}};
  require_something_to_choose_by(training, has_dev);
  return training;
}

// The abilities for one graph, which decides whether sums and faces exist.
Able able_on(const MatchExample& example, Cover cover) {
  Able able = match::able(cover);
  able.sums = able.sums && std::max(example.num_left, example.num_right) <= kLargestPermanent;
  able.faces = able.faces && example.num_left == example.num_right;
  return able;
}

void require_graphs(const LearnerChoice& setting, std::span<const MatchExample> examples,
                    Cover cover) {
  for (const MatchExample& example : examples) {
    Able able = able_on(example, cover);
    const auto reason = refusal(setting, able);
    if (!reason) continue;
    std::string text = fmt::format("'{}' has {} by {} nodes: {}", example.name, example.num_left,
                                   example.num_right, *reason);
    able.sums = match::able(cover).sums;
    if (!refusal(setting, able)) {
      text += fmt::format(
          "; sums over matchings are exact up to {} nodes on a side: {}", kLargestPermanent,
          setting.loss.hinge()
              ? "choose --geometry euclidean"
              : "estimate them, for example with --draws 20, or choose --estimator max-margin");
    }
    throw UsageError(text);
  }
}

// At the weights w of the objective with that λ; a variance requires at least 2 draws.
DrawFigures draw_figures(const HeldModel<CoveringMatching>& model, const MonteCarloOptions& options,
                         double lambda, std::span<const double> w, int threads) {
  const MonteCarloProblem<HeldModel<CoveringMatching>> problem(model, options);
  std::vector<MonteCarloAccuracy> accuracies(model.num_examples());
  std::vector<std::vector<double>> gradients(model.num_examples());
  std::vector<std::unique_ptr<Scratch>> scratch;
  for (int t = 0; t < resolve_threads(threads); ++t) scratch.push_back(problem.make_scratch());
  parallel_for(model.num_examples(), threads, [&](Index i, int worker) {
    Scratch& memory = *scratch[static_cast<Index>(worker)];
    accuracies[i] = problem.accuracy(i, w, memory);
    gradients[i].assign(w.size(), 0.0);
    problem.accumulate(i, w, memory, gradients[i]);
  });
  const auto n = static_cast<double>(model.num_examples());
  std::vector<double> gradient(w.size(), 0.0);
  double attempts = 0;
  double variance = 0;
  for (Index i = 0; i < model.num_examples(); ++i) {
    attempts += static_cast<double>(accuracies[i].attempts);
    variance += accuracies[i].gradient_variance / (n * n);
    for (Index k = 0; k < w.size(); ++k) gradient[k] += gradients[i][k] / n;
  }
  double squared_norm = 0;
  for (Index k = 0; k < w.size(); ++k) {
    const double g = gradient[k] + lambda * w[k];
    squared_norm += g * g;
  }
  return {options.draws, n * static_cast<double>(options.draws) / attempts, std::sqrt(squared_norm),
          std::sqrt(variance)};
}

class MatchTraining {
 public:
  MatchTraining(const MatchData& data, std::span<const MatchExample> dev,
                const TrainOptions& options, const TrainEvents& events)
      : data_(data), dev_(dev), options_(options), events_(events) {}

  Trained run() {
    const Stopwatch watch;
    const MatchFeatures& features = data_.features;
    const auto choice = learner_of(options_, features.cover(), features.pairs(), !dev_.empty());
    count();
    if (choice) {
      prepare(*choice);
    } else {
      result_.estimator = Estimator::kDistance;
    }
    const Lesson lesson(data_, dev_, options_);
    if (choice) {
      learn(*choice, lesson);
    } else {
      result_.learned.w.assign(lesson.dimension(), -1.0);
    }
    std::optional<MatchModel> model;
    if (result_.learned.usable()) model = finish(lesson);
    result_.seconds.total = watch.seconds();
    return {std::move(model), std::move(result_)};
  }

 private:
  void count() {
    result_.examples = data_.examples.size();
    result_.weights = data_.features.dimension();
    for (const MatchExample& example : data_.examples) {
      result_.nodes += example.smaller_side();
      result_.edges += example.features.num_edges();
    }
  }

  // Collects the candidate settings and checks that the graphs allow each setting.
  void prepare(const LearnerChoice& choice) {
    result_.estimator = choice.loss.hinge() ? Estimator::kMaxMargin : Estimator::kMap;
    training_ = with_search(options_.training, choice, data_, !dev_.empty());
    if (training_.folds > 0) block_folds(data_.examples, training_.folds);  // for its UsageError
    const auto searched = trellis::resolve(training_.candidates, choice, defaults());
    for (const Path& path : paths_of(choice, searched)) {
      for (const LearnerChoice& setting : path) {
        require_graphs(setting, data_.examples, data_.features.cover());
      }
    }
  }

  // Uses the first part model that has what the learner requires.
  void learn(const LearnerChoice& choice, const Lesson& lesson) {
    if (!refusal(choice, able_of<GraphModel<Matching>>())) {
      learn_as<Matching>(choice, lesson);
    } else {
      learn_as<CoveringMatching>(choice, lesson);
    }
    result_.lambda = result_.learned.choice.lambda(result_.examples);
  }

  template <class S>
  void learn_as(const LearnerChoice& choice, const Lesson& lesson) {
    const GraphModel<S> model(lesson.examples(), lesson.dimension(), lesson.cover());
    std::vector<HeldTo> held;
    for (const Centre centre : centres()) {
      held.push_back(held_to(centre, options_.centre, data_.features, lesson));
    }
    std::vector<Variant> variants;
    const bool rivals = held.front().scale > 0;
    for (const HeldTo& one : held) {
      variants.push_back({"centre " + one.name, choice, [&] {
                            return std::make_shared<MatchTrainable<S>>(lesson, model, one, rivals);
                          }});
    }
    result_.learned = learn_best(variants, defaults(), training_, identity(held), events_);
    const HeldTo& chosen = held[result_.learned.variant];
    result_.centre = chosen.name;
    result_.centre_scale = chosen.scale;
    if (!result_.learned.usable()) return;
    if constexpr (std::same_as<S, CoveringMatching>) {
      tell_draws(HeldModel<S>(model, chosen.weights));
    }
    result_.learned.w = chosen.with(result_.learned.w);
  }

  // The candidates; only one if there is nothing to choose by.
  std::vector<Centre> centres() const {
    std::vector<Centre> all = match::centres(options_.centre, data_.features);
    if (training_.path || (dev_.empty() && training_.folds == 0)) all.resize(1);
    return all;
  }

  std::string identity(std::span<const HeldTo> centres) const {
    std::string text = fmt::format("match n={} d={} digest={:016x}", result_.examples,
                                   result_.weights, digest(data_.examples) ^ (3 * digest(dev_)));
    for (const HeldTo& centre : centres) {
      const std::span<const double> held = centre.weights;
      text +=
          fmt::format(" centre={:016x}",
                      fingerprint({reinterpret_cast<const char*>(held.data()), held.size_bytes()}));
    }
    return text;
  }

  Normalize normalization() const { return match::resolve(options_.normalize, data_.features); }

  void tell_draws(const HeldModel<CoveringMatching>& model) {
    const Learned& learned = result_.learned;
    const Loss& loss = learned.choice.loss;
    const MonteCarloOptions draws{learned.choice.values.draws.value_or(0), training_.seed,
                                  loss.beta, loss.gamma};
    if (draws.draws < 2) return;  // one draw has no variance
    result_.draws = draw_figures(model, draws, learned.choice.lambda(result_.examples), learned.w,
                                 training_.threads);
    events_.phase(
        fmt::format("{} draws a gradient: {:.3g} of the attempts accepted, gradient {:.3g} "
                    "with a standard error of {:.3g}",
                    result_.draws.draws, result_.draws.acceptance, result_.draws.gradient_norm,
                    result_.draws.gradient_error));
  }

  MatchModel finish(const Lesson& lesson) {
    const std::vector<double>& w = result_.learned.w;
    result_.train = lesson.on_train(w);
    if (lesson.has_dev()) result_.dev = lesson.on_dev(w);
    if (result_.estimator != Estimator::kDistance) {
      result_.unlearned = lesson.has_dev() ? lesson.unlearned_on_dev() : lesson.unlearned();
      if (result_.unlearned && !lesson.has_dev()) hold_out_unlearned();
    }
    return MatchModel(data_.features, result_.estimator, lesson.raw(w), provenance());
  }

  // Evaluates the unlearned score on the pairs that evaluated the folds.
  void hold_out_unlearned() {
    if (training_.folds == 0) return;
    double wrong = 0;
    double nodes = 0;
    const auto folds = block_folds(data_.examples, training_.folds);
    const Index judged = training_.judged_folds > 0 ? training_.judged_folds : folds.size();
    for (Index k = 0; k < judged; ++k) {
      for (const Index i : folds[k].held_out) {
        wrong += static_cast<double>(result_.unlearned->graphs()[i].wrong);
        nodes += static_cast<double>(result_.unlearned->graphs()[i].nodes);
      }
    }
    result_.unlearned_held_out = 100 - (100 - 100 * wrong / nodes);  // same rounding as the metric
  }

  // How the model was made; the same for two runs of the same call.
  Value provenance() const {
    Value training;
    training["examples"] = result_.examples;
    training["nodes"] = result_.nodes;
    training["edges"] = result_.edges;
    training["weights"] = result_.weights;
    training["train_hamming"] = result_.train->hamming();
    if (result_.dev) training["dev_hamming"] = result_.dev->hamming();
    if (result_.unlearned) training["unlearned_hamming"] = result_.unlearned->hamming();
    if (result_.estimator == Estimator::kDistance) return training;
    if (result_.lambda > 0) training["lambda"] = result_.lambda;
    training["normalize"] = to_string(normalization());
    if (result_.centre != "none") training["centre"] = result_.centre;
    if (result_.centre_scale > 0) training["centre_scale"] = result_.centre_scale;
    put_provenance(result_.learned, training_.seed, training);
    return training;
  }

  const MatchData& data_;
  std::span<const MatchExample> dev_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  TrainingOptions training_;  // completed by the standard choice
  TrainResult result_;
};

Value errors_of(const MatchScores& scores) {
  return Value::record({{"hamming", scores.hamming()}, {"exact", scores.exact()}});
}

// The choices; each one that has a metric also gets the Hamming error.
Value with_hamming(const Value& choices) {
  Value list = Value::list();
  for (Value choice : choices.items()) {
    const double figure = choice.at("figure").get<double>();
    if (std::isfinite(figure)) choice["hamming"] = 100 - figure;
    list.push_back(std::move(choice));
  }
  return list;
}

}  // namespace

const TaskDefaults& defaults() {
  using enum LearnerKind;
  static const TaskDefaults table = [] {
    TaskDefaults made{Loss::named("svm"), kLbfgs, kBmrm};
    const auto row = [&](const LearnerSet& learners) -> LearnerOptions& {
      made.rows.push_back({learners, TaskDefaults::Losses::kAny, {}});
      return made.rows.back().values;
    };
    row(LearnerSet::all()).lambda = 1e-3;
    row({kBmrm, kBcfw, kExtragradient, kProjectedGradient, kStructuredSmo}).gap = 1e-3;
    row({kBcfw}).gap_every = 10;
    row({kBmrm}).epochs = 1000;
    row({kBcfw, kLbfgs}).epochs = 300;
    row({kSgd}).epochs = 30;
    row({kSgd}).average = true;  // the errors of draws average out
    made.grid = {100, 10, 1, 1e-1, 1e-2, 1e-3, 1e-4};
    made.per_lambda = true;
    return made;
  }();
  return table;
}

Able able(Cover cover) {
  Able both = able_of<GraphModel<Matching>>() | able_of<GraphModel<CoveringMatching>>();
  if (cover == Cover::kPerfect) return both;
  both.sums = both.draws = both.faces = false;
  return both;
}

std::optional<LearnerChoice> learner_of(const TrainOptions& options, Cover cover, bool pairs,
                                        bool has_dev) {
  require_centre(options.centre, cover, pairs);
  if (options.estimator == Estimator::kDistance) {
    require_distance(options.training, cover, pairs);
    if (options.centre.kind != Centre::kAutomatic) {
      throw UsageError("--estimator distance learns nothing: it cannot be combined with --centre");
    }
    return std::nullopt;
  }
  LearnerOptions said = options.training.learner;
  if (options.estimator) said = with_estimator(std::move(said), *options.estimator);
  LearnerChoice choice = choose_for(said, cover);
  if (options.estimator && choice.loss.hinge() != (options.estimator == Estimator::kMaxMargin)) {
    throw UsageError(fmt::format("--estimator {} cannot be combined with beta {}",
                                 to_string(*options.estimator), choice.loss.beta));
  }
  require_something_to_choose_by(options.training, has_dev);
  refuse_voters(choice, options.training, defaults(), "a matcher");
  return choice;
}

Value TrainResult::record() const {
  Value record;
  if (estimator == Estimator::kDistance) {
    put_summary(learned.fitted.summary, seconds, record);
  } else {
    put_learned(learned, seconds, record);
    if (record.contains("choices")) record["choices"] = with_hamming(record.at("choices"));
  }
  record["examples"] = examples;
  record["nodes"] = nodes;
  record["edges"] = edges;
  record["weights"] = weights;
  if (lambda > 0) record["lambda"] = lambda;
  if (draws.draws > 0) {
    record["draws"] = Value::record({{"draws", draws.draws},
                                     {"acceptance", draws.acceptance},
                                     {"gradient_norm", draws.gradient_norm},
                                     {"gradient_error", draws.gradient_error}});
  }
  if (train) record["train"] = errors_of(*train);
  if (dev) record["dev"] = errors_of(*dev);
  if (unlearned) record["unlearned"] = errors_of(*unlearned);
  if (!centre.empty()) record["centre"] = centre;
  return record;
}

// Compares on held-out data: training data favour the learned score, but not the unlearned one.
std::string TrainResult::against_unlearned() const {
  double best = kUnknown;
  for (const Tried& tried : learned.tried) {
    if (!(tried.figure <= best)) best = tried.figure;
  }
  const double with = dev ? dev->hamming() : 100 - best;
  const double without = dev ? unlearned->hamming() : unlearned_held_out;
  if (!std::isfinite(with) || !std::isfinite(without)) {
    return fmt::format("without learning, on the training set: Hamming error {:.2f} %",
                       unlearned->hamming());
  }
  const std::string text = fmt::format(
      "on held-out data: Hamming error {:.2f} %, without learning {:.2f} %", with, without);
  return with < without ? text : text + ": learning did not reduce the error";
}

std::vector<std::string> TrainResult::notes(const std::string&) const {
  const auto describe = [](const char* where, const MatchScores& scores) {
    return fmt::format("on {}: Hamming error {:.2f} %, {:.2f} % without a mistake", where,
                       scores.hamming(), scores.exact());
  };
  std::vector<std::string> notes = {describe("the training set", *train)};
  if (dev) notes.push_back(describe("dev", *dev));
  if (unlearned) notes.push_back(against_unlearned());
  return notes;
}

Trained train(const MatchData& data, std::span<const MatchExample> dev, const TrainOptions& options,
              const TrainEvents& events) {
  return MatchTraining(data, dev, options, events).run();
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  const Stopwatch watch;
  learner_of(options, files.cover, files.pairs, !files.dev.empty());
  const int threads = options.training.threads;
  const MatchData data =
      read_training_data(files.files, files.pairs, files.contexts, files.cover, threads);
  const char* kind = files.pairs ? "pairs" : "graphs";
  events.phase(
      fmt::format("read {} {}, {} weights", data.examples.size(), kind, data.features.dimension()));
  std::vector<MatchExample> dev;
  if (!files.dev.empty()) {
    dev = read_examples(files.dev, data.features, threads);
    events.phase(fmt::format("holding out {} {}", dev.size(), kind));
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(data, dev, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

}  // namespace trellis::match
