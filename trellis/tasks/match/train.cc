#include "trellis/tasks/match/train.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/learn/frame/checkpoint_file.h"
#include "trellis/tasks/learning_run.h"
#include "trellis/tasks/match/choose_lambda.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/run_learner.h"

namespace trellis::match {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::pair<std::string_view, Learner>, 5> kLearners = {
    {{"automatic", Learner::kAutomatic},
     {"bmrm", Learner::kBmrm},
     {"bcfw", Learner::kBcfw},
     {"lbfgs", Learner::kLbfgs},
     {"sgd", Learner::kSgd}}};

constexpr std::array<std::pair<std::string_view, Normalize>, 4> kNormalizations = {
    {{"automatic", Normalize::kAutomatic},
     {"each", Normalize::kEach},
     {"common", Normalize::kCommon},
     {"none", Normalize::kNone}}};

constexpr double kStandardLambda = 1e-3;
constexpr Index kStandardFolds = 5;
constexpr std::array<double, 7> kLambdaGrid = {100, 10, 1, 1e-1, 1e-2, 1e-3, 1e-4};

// Entries of the checkpoint, beside those of choose_lambda.h and of the learner.
constexpr std::string_view kSignature = "match/run";
constexpr std::string_view kLearning = "match/learning";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Training {
 public:
  Training(const TrainOptions& options, const TrainEvents& events)
      : options_(options), events_(events) {
    if (options_.files.empty()) throw UsageError("there is nothing to train on");
    result_.learner = resolve_learner(options_);
  }

  TrainResult run() {
    const Clock::time_point start = Clock::now();
    require_writable(options_.model);
    require_writable(options_.checkpoint);
    read();
    result_.read_seconds = seconds_since(start);
    load_checkpoint();
    const Clock::time_point read = Clock::now();
    if (choose()) {
      result_.choice_seconds = seconds_since(read);
      learn();
    }
    if (!result_.interrupted) finish();
    result_.total_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  void phase(const std::string& message) const {
    if (events_.on_phase) events_.on_phase(message);
  }

  void read() {
    TrainingData data = read_training_data({options_.files, options_.pairs, {}, true},
                                           options_.contexts, options_.cover, options_.threads);
    require_graphs(options_, data.examples);
    features_ = std::move(data.features);
    examples_ = std::move(data.examples);
    result_.examples = examples_.size();
    result_.weights = features_.dimension();
    for (const MatchExample& example : examples_) {
      result_.nodes += example.smaller_side();
      result_.edges += example.features.num_edges();
    }
    if (options_.folds > examples_.size()) {
      throw UsageError(fmt::format("{} folds of {} examples leave some empty", options_.folds,
                                   examples_.size()));
    }
    phase(fmt::format("read {} {}, {} edges, {} weights", result_.examples,
                      options_.pairs ? "pairs" : "graphs", result_.edges, result_.weights));
    if (!options_.dev.empty()) {
      held_out_ =
          read_examples({options_.dev, options_.pairs, {}, true}, features_, options_.threads);
      phase(
          fmt::format("holding out {} {}", held_out_.size(), options_.pairs ? "pairs" : "graphs"));
    }
    scale_.assign(features_.dimension(), 1.0);
    if (options_.estimator != Estimator::kDistance) normalize();
  }

  Normalize normalization() const {
    if (options_.normalize != Normalize::kAutomatic) return options_.normalize;
    return features_.pairs() ? Normalize::kCommon : Normalize::kEach;
  }

  // A shift would not matter where matchings cover a side: all of them have equally many edges.
  void normalize() {
    if (normalization() == Normalize::kNone) return;
    std::vector<double> squares(scale_.size(), 0.0);
    for (const MatchExample& example : examples_) example.features.add_squares(squares);
    if (normalization() == Normalize::kCommon) {
      // The bias of partial matchings, behind the bins, has a unit of its own.
      const Index count =
          features_.pairs() ? features_.contexts().num_bins() : features_.dimension();
      const auto last = squares.begin() + static_cast<std::ptrdiff_t>(count);
      const double mean = std::accumulate(squares.begin(), last, 0.0) / static_cast<double>(count);
      std::fill(squares.begin(), last, mean);
    }
    for (Index k = 0; k < scale_.size(); ++k) {
      const double rms = std::sqrt(squares[k] / static_cast<double>(result_.edges));
      if (rms > 0 && std::isfinite(1 / rms)) scale_[k] = 1 / rms;
    }
    EdgeFeatures::ScaledTables made;
    for (MatchExample& example : examples_) {
      example.features = example.features.scaled(scale_, made);
    }
  }

  // What must be the same for a checkpoint to fit this run.
  std::string signature() const {
    return fmt::format(
        "match {} {} {} draws={} lambdas={} folds={} eta={} gap={} seed={} n={} d={} "
        "digest={:016x}",
        to_string(options_.estimator), to_string(result_.learner), to_string(options_.cover),
        options_.draws, fmt::join(lambdas_, ","), options_.folds, options_.eta, options_.gap,
        options_.seed, result_.examples, result_.weights,
        digest(examples_) ^ (3 * digest(held_out_)));
  }

  // Where the user says nothing about λ and a run is cheap, it is chosen: the best one differs by
  // orders of magnitude from data to data.
  void choose_folds() {
    if (!options_.lambdas.empty() || !options_.dev.empty() || options_.folds > 0) return;
    if (options_.estimator != Estimator::kMaxMargin || examples_.size() < kStandardFolds) return;
    options_.folds = kStandardFolds;
    phase(fmt::format("choosing lambda by {} folds of the training set", kStandardFolds));
  }

  void load_checkpoint() {
    choose_folds();
    lambdas_ = options_.lambdas;
    const bool held_out = options_.folds > 0 || !options_.dev.empty();
    if (lambdas_.empty() && held_out) lambdas_.assign(kLambdaGrid.begin(), kLambdaGrid.end());
    if (lambdas_.empty()) lambdas_ = {kStandardLambda};
    if (options_.estimator == Estimator::kDistance) lambdas_ = {kStandardLambda};
    if (lambdas_.size() > 1 && !held_out) {
      throw UsageError("to choose from several lambda, held-out data is needed: --dev or --cv");
    }
    if (!options_.resume) return;
    state_ = read_checkpoint(options_.checkpoint);
    if (state_.has(kSignature) && state_.text(kSignature) == signature()) return;
    throw InputError(
        options_.checkpoint, 0,
        fmt::format("this is the state of another run: expected '{}', found '{}'", signature(),
                    state_.has(kSignature) ? state_.text(kSignature) : ""));
  }

  std::vector<double> raw(std::span<const double> w) const {
    std::vector<double> weights(w.begin(), w.end());
    for (Index k = 0; k < weights.size(); ++k) weights[k] *= scale_[k];
    return weights;
  }

  // On examples of the training set, whose features are normalized already.
  MatchScores scores_on(std::span<const Index> chosen, std::span<const double> w) const {
    std::vector<MatchExample> examples;
    for (const Index i : chosen) examples.push_back(examples_[i]);
    return evaluate(Matcher(options_.cover, w), examples, options_.threads);
  }
  MatchScores dev_scores(std::span<const double> w) const {
    const std::vector<double> weights = raw(w);
    return evaluate(Matcher(options_.cover, weights), held_out_, options_.threads);
  }

  bool train_and_score(double lambda, std::span<const Index> train, std::span<const Index> held_out,
                       MatchScores& scores) const {
    LearnControl control;
    control.threads = options_.threads;
    control.seed = options_.seed;
    control.stop = events_.stop;
    std::vector<double> w(features_.dimension(), 0.0);
    const LearnSummary summary =
        run_learner(options_, {examples_, train, w.size(), lambda}, w, control);
    if (summary.termination == Termination::kInterrupted) return false;
    scores = options_.folds > 0 ? scores_on(held_out, w) : dev_scores(w);
    return true;
  }

  // False where it was interrupted.
  bool choose() {
    result_.lambda = lambdas_.front();
    if (lambdas_.size() == 1) return true;
    const auto folds = options_.folds > 0
                           ? deal_folds(examples_.size(), options_.folds, options_.seed)
                           : std::vector<std::vector<Index>>();
    const bool done = try_lambdas(
        lambdas_, folds, examples_.size(),
        [this](double lambda, std::span<const Index> train, std::span<const Index> held_out,
               MatchScores& scores) { return train_and_score(lambda, train, held_out, scores); },
        state_, result_.choices,
        [this](const LambdaFigure& figure) {
          phase(fmt::format("lambda {:g}: Hamming error {:.2f} % of held-out nodes", figure.lambda,
                            figure.hamming));
        });
    if (!done) {
      result_.interrupted = true;
      result_.summary.termination = Termination::kInterrupted;
      if (!options_.checkpoint.empty()) {
        state_.put_text(kSignature, signature());
        write_checkpoint(state_, options_.checkpoint);
      }
      return false;
    }
    result_.lambda = best_lambda(result_.choices);
    phase(fmt::format("chose lambda {:g}", result_.lambda));
    return true;
  }

  void learn() {
    LearningRunOptions run_options;
    run_options.threads = options_.threads;
    run_options.seed = options_.seed;
    run_options.checkpoint = options_.checkpoint;
    run_options.resume = options_.resume && state_.has(kLearning);
    run_options.on_epoch = events_.on_epoch;
    run_options.stop = events_.stop;
    LearningRun run(std::move(run_options), signature(), {});
    weights_.assign(features_.dimension(), 0.0);
    std::vector<Index> all(examples_.size());
    std::iota(all.begin(), all.end(), Index{0});
    result_.summary = run_learner(options_, {examples_, all, weights_.size(), result_.lambda},
                                  weights_, run.control());
    result_.interrupted = !run.finish(result_.summary, weights_);
    if (result_.interrupted) return save_choice();
    if (options_.draws > 0) {
      result_.draws =
          draw_figures(options_, {examples_, all, weights_.size(), result_.lambda}, weights_);
      phase(
          fmt::format("{} draws a gradient: {:.3g} of the attempts accepted, gradient {:.3g} "
                      "with a standard error of {:.3g}",
                      result_.draws.draws, result_.draws.acceptance, result_.draws.gradient_norm,
                      result_.draws.gradient_error));
    }
    result_.train = evaluate(Matcher(options_.cover, weights_), examples_, options_.threads);
    if (!options_.dev.empty()) result_.dev = dev_scores(weights_);
  }

  // Beside the state of the learner, which was just written, so that the choice is not made again.
  void save_choice() const {
    if (options_.checkpoint.empty()) return;
    Checkpoint all = read_checkpoint(options_.checkpoint);
    for (const auto& [name, values] : state_.all_doubles()) {
      if (name.starts_with("match/")) all.put(name, values);
    }
    all.put_text(kSignature, signature());
    all.put_text(kLearning, "begun");
    write_checkpoint(all, options_.checkpoint);
  }

  void finish() {
    if (!options_.model.empty()) {
      MatchModel(features_, options_.estimator, raw(weights_), provenance()).write(options_.model);
    }
    if (options_.resume) std::filesystem::remove(options_.checkpoint);
  }

  // How the model was made; nothing that differs between two runs of the same call.
  nlohmann::json provenance() const {
    nlohmann::json training;
    training["examples"] = result_.examples;
    training["nodes"] = result_.nodes;
    training["edges"] = result_.edges;
    training["weights"] = result_.weights;
    training["train_hamming"] = result_.train->hamming();
    if (result_.dev) training["dev_hamming"] = result_.dev->hamming();
    if (options_.estimator == Estimator::kDistance) return training;
    training["learner"] = std::string(to_string(result_.learner));
    training["lambda"] = result_.lambda;
    training["normalize"] = std::string(to_string(normalization()));
    training["seed"] = options_.seed;
    if (options_.draws > 0) training["draws"] = options_.draws;
    put_provenance(result_.summary, training);
    return training;
  }

  TrainOptions options_;
  const TrainEvents& events_;
  TrainResult result_;
  MatchFeatures features_;
  std::vector<MatchExample> examples_;  // normalized
  std::vector<MatchExample> held_out_;
  std::vector<double> scale_;  // of the features; the model's weights are w · scale
  std::vector<double> lambdas_;
  Checkpoint state_;
  std::vector<double> weights_;
};

}  // namespace

std::string_view to_string(Learner learner) {
  for (const auto& [name, value] : kLearners) {
    if (value == learner) return name;
  }
  return "";
}

Learner parse_learner(std::string_view name) {
  for (const auto& [known, value] : kLearners) {
    if (known == name) return value;
  }
  throw UsageError(
      fmt::format("unknown learner '{}': expected automatic, bmrm, bcfw, lbfgs or sgd", name));
}

std::string_view to_string(Normalize normalize) {
  for (const auto& [name, value] : kNormalizations) {
    if (value == normalize) return name;
  }
  return "";
}

Normalize parse_normalize(std::string_view name) {
  for (const auto& [known, value] : kNormalizations) {
    if (known == name) return value;
  }
  throw UsageError(
      fmt::format("unknown normalization '{}': expected automatic, each, common or none", name));
}

nlohmann::json TrainResult::to_json() const {
  nlohmann::json json;
  put_summary(summary, {read_seconds, total_seconds}, json);
  json["choice_seconds"] = choice_seconds;
  json["examples"] = examples;
  json["nodes"] = nodes;
  json["edges"] = edges;
  json["weights"] = weights;
  json["lambda"] = lambda;
  if (!choices.empty()) {
    json["choices"] = nlohmann::json::array();
    for (const LambdaFigure& figure : choices) {
      json["choices"].push_back({{"lambda", figure.lambda}, {"hamming", figure.hamming}});
    }
  }
  if (draws.draws > 0) {
    json["draws"] = {{"draws", draws.draws},
                     {"acceptance", draws.acceptance},
                     {"gradient_norm", draws.gradient_norm},
                     {"gradient_error", draws.gradient_error}};
  }
  if (train) json["train"] = {{"hamming", train->hamming()}, {"exact", train->exact()}};
  if (dev) json["dev"] = {{"hamming", dev->hamming()}, {"exact", dev->exact()}};
  return json;
}

TrainResult train_matcher(const TrainOptions& options, const TrainEvents& events) {
  return Training(options, events).run();
}

}  // namespace trellis::match
