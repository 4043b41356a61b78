#include "trellis/tasks/tables/hmm/train.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/run_stages.h"
#include "trellis/generative/hmm/baum_welch.h"
#include "trellis/generative/hmm/estimation.h"
#include "trellis/generative/hmm/hmm_inference.h"
#include "trellis/generative/hmm/hmm_model.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/tables/example_losses.h"
#include "trellis/tasks/tables/hmm/decode.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::hmm {
namespace {

using generative::Estimator;
using generative::EstimatorOptions;
using generative::Tally;

// Requires a state for every position.
void require_states(const SequenceData& data, Estimator estimator) {
  for (Index n = 0; n < data.sequences.size(); ++n) {
    const std::vector<Label>& states = data.sequences[n].states;
    const auto unknown = std::find(states.begin(), states.end(), kNoLabel);
    if (unknown == states.end()) continue;
    throw InputError(data.files[n], data.lines[n] + static_cast<Index>(unknown - states.begin()),
                     fmt::format("the estimator {} requires a state at each position, found none "
                                 "(use --estimator em for unknown states)",
                                 to_string(estimator)));
  }
}

// Some sequences and their part model.
class HmmExamples {
 public:
  using Model = HmmModel;
  HmmExamples(const SequenceData& data, std::span<const Index> examples, const CostTable& costs)
      : sequences_(chosen(data, examples)), model_(data.alphabet, sequences_, costs) {}
  const HmmModel& model() const { return model_; }

  static std::vector<HmmSequence> chosen(const SequenceData& data,
                                         std::span<const Index> examples) {
    std::vector<HmmSequence> sequences;
    for (const Index n : examples) sequences.push_back(data.sequences[n]);
    return sequences;
  }

 private:
  std::vector<HmmSequence> sequences_;
  HmmModel model_;
};

class HmmTask final : public generative::DiscriminativeTask {
 public:
  HmmTask(const SequenceData& data, const SequenceData* dev, const CostTable& costs,
          const EstimatorOptions& options)
      : data_(data),
        dev_(dev),
        costs_(costs),
        options_(options),
        distributions_(Hmm::layout(data.alphabet)) {}

  const Distributions& distributions() const override { return distributions_; }
  Index num_examples() const override { return data_.sequences.size(); }
  std::unique_ptr<generative::ExampleLosses> losses(std::span<const Index> examples,
                                                    double gamma) const override {
    return generative::losses_of(std::make_unique<HmmExamples>(data_, examples, costs_), options_,
                                 gamma);
  }
  std::vector<double> frequencies(std::span<const Index> examples) const override {
    return log_frequencies(distributions_,
                           count_parameters(data_.alphabet, HmmExamples::chosen(data_, examples)),
                           options_.alpha());
  }
  std::vector<double> towards() const override {
    const SequenceModel other = SequenceModel::read(options_.towards_or_default());
    if (!(other.hmm().alphabet() == data_.alphabet)) {
      throw InputError(options_.towards_or_default(), 0,
                       "is a model with other states or values than the training set");
    }
    return {other.hmm().theta().begin(), other.hmm().theta().end()};
  }
  Tally judge(std::span<const double> theta, std::span<const Index> examples) const override {
    return tally(theta, HmmExamples::chosen(data_, examples));
  }
  bool has_dev() const override { return dev_ != nullptr; }
  Tally judge_dev(std::span<const double> theta) const override {
    return tally(theta, dev_->sequences);
  }

 private:
  Tally tally(std::span<const double> theta, std::span<const HmmSequence> sequences) const {
    const HmmInference inference(Hmm(data_.alphabet, {theta.begin(), theta.end()}));
    HmmScratch scratch;
    std::vector<Label> found;
    Tally tally;
    for (const HmmSequence& x : sequences) {
      decode(inference, x, Decode::kMap, scratch, found);
      tally.loss += loss_of(costs_, x.states, found);
      tally.examples += 1;
    }
    return tally;
  }

  const SequenceData& data_;
  const SequenceData* dev_;
  const CostTable& costs_;
  const EstimatorOptions& options_;
  Distributions distributions_;
};

// One training; the methods stand in the order of its steps.
class HmmTraining {
 public:
  HmmTraining(const SequenceData& data, const SequenceData* dev, const TrainOptions& options,
              const TrainEvents& events)
      : data_(data),
        dev_(dev),
        options_(options),
        events_(events),
        costs_(generative::value_costs(estimator().loss_or_default(), data.alphabet.states)) {
    stages_ = make_stages(options, identity(), events);
  }

  Trained run() {
    result_.estimator = estimator().estimator;
    std::optional<std::vector<double>> theta;
    switch (estimator().estimator) {
      case Estimator::kMl:
        theta = count();
        break;
      case Estimator::kEm:
        theta = climb();
        break;
      case Estimator::kConditional:
      case Estimator::kMaxMargin:
        theta = discriminate();
        break;
    }
    Trained trained;
    trained.stages = stages_;
    if (theta) {
      Hmm hmm(data_.alphabet, *std::move(theta));
      describe(hmm);
      trained.model.emplace(std::move(hmm), data_.columns,
                            generative::loss_name(estimator().loss_or_default()), costs_,
                            provenance());
    }
    trained.result = std::move(result_);
    return trained;
  }

 private:
  const EstimatorOptions& estimator() const { return options_.estimator; }

  std::string identity() const {
    const std::uint64_t files =
        generative::combine_files(dev_ == nullptr ? 0 : dev_->digest, {&costs_, 1}, estimator());
    return fmt::format("hmm digest={:016x} files={:016x}", data_.digest, files);
  }

  std::vector<double> count() {
    require_states(data_, Estimator::kMl);
    const Stopwatch watch;
    const Distributions distributions = Hmm::layout(data_.alphabet);
    const std::vector<double> counts = count_parameters(data_.alphabet, data_.sequences);
    const double alpha = estimator().alpha();
    std::vector<double> theta = log_frequencies(distributions, counts, alpha);
    result_.summary = generative::counted(counts, alpha, theta, watch.seconds(), events_);
    return theta;
  }

  // Empty: interrupted.
  std::optional<std::vector<double>> climb() {
    auto found = generative::climb(
        estimator(),
        [this](Index restart, const generative::EmTold& told) { return climb_once(restart, told); },
        *stages_, events_);
    if (!found) return std::nullopt;
    return result_.keep(*std::move(found));
  }

  std::optional<generative::EmEnd> climb_once(Index restart, const generative::EmTold& told) const {
    BaumWelchOptions options;
    options.max_iterations = estimator().iterations.value_or(100);
    options.tolerance = estimator().tolerance.value_or(1e-6);
    options.smoothing = estimator().alpha();
    options.seed = estimator().seed;
    options.threads = estimator().threads;
    const Hmm start = random_hmm_start(data_.alphabet, options.seed, restart);
    const BaumWelchResult found = baum_welch_from(
        {&start, 1}, data_.sequences, options,
        [&](const BaumWelchStep& step) { return told(step.iteration, step.objective); });
    if (found.interrupted) return std::nullopt;
    const BaumWelchRun& run = found.runs.front();
    const std::span<const double> theta = found.model.theta();
    return generative::EmEnd{{theta.begin(), theta.end()},
                             {run.objectives, run.log_likelihood, run.converged}};
  }

  std::optional<std::vector<double>> discriminate() {
    require_states(data_, estimator().estimator);
    const HmmTask task(data_, dev_, costs_, estimator());
    generative::DiscriminativeResult found =
        generative::train_discriminative(task, estimator(), *stages_, events_);
    if (found.interrupted) return std::nullopt;
    return result_.keep(std::move(found));
  }

  void describe(const Hmm& hmm) {
    result_.sequences = data_.sequences.size();
    result_.positions = data_.positions;
    result_.states = hmm.num_states();
    result_.channels = hmm.num_channels();
    result_.parameters = hmm.theta().size();
    result_.missing = generative::missing_mass(hmm.distributions(), hmm.theta());
    const HmmInference inference(hmm);
    HmmScratch scratch;
    for (const HmmSequence& x : data_.sequences) {
      result_.log_likelihood += inference.log_likelihood(x, scratch);
    }
  }

  // The same for two runs of the same call.
  Value provenance() const {
    Value training;
    training["estimator"] = to_string(estimator().estimator);
    training["sequences"] = result_.sequences;
    training["positions"] = result_.positions;
    if (!estimator().discriminative() || estimator().towards_or_default() == "ml") {
      training["smoothing"] = estimator().alpha();
    }
    result_.put_provenance(estimator(), training);
    return training;
  }

  const SequenceData& data_;
  const SequenceData* dev_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  CostTable costs_;
  std::shared_ptr<Stages> stages_;
  TrainResult result_;
};

}  // namespace

void check(const TrainFiles& files, const TrainOptions& options) {
  const EstimatorOptions& estimator = options.estimator;
  estimator.check(!files.dev.empty());
  const bool em = estimator.estimator == Estimator::kEm;
  const bool no_states = files.data.columns.state == "none";
  generative::require_costs(estimator.loss_or_default());
  if (options.num_states > 0 && !em) throw UsageError("--states requires --estimator em");
  if (no_states && !em) {
    throw UsageError(
        fmt::format("the estimator {} learns from states: --state none requires --estimator em",
                    to_string(estimator.estimator)));
  }
  if (no_states && options.num_states == 0) {
    throw UsageError("--state none requires --states N, the number of states");
  }
  if (options.num_states > 0 && !no_states) {
    throw UsageError(
        "--states requires --state none: otherwise the states are read from their column");
  }
  if (options.num_states > Hmm::kMaxStates) {
    throw UsageError(fmt::format("--states must be at most {}", Hmm::kMaxStates));
  }
}

Trained train(const SequenceData& data, const SequenceData* dev, const TrainOptions& options,
              const TrainEvents& events) {
  return HmmTraining(data, dev, options, events).run();
}

SequenceData read_held_out_sequences(InputFile file, const ColumnOptions& options,
                                     const SequenceData& training) {
  SequenceReader reader(std::move(file), options, training.columns);
  const SequenceNumbers numbers(training.alphabet);
  SequenceData data;
  data.alphabet = training.alphabet;
  data.columns = training.columns;
  FileSequence sequence;
  while (reader.read(sequence)) {
    if (!reader.state()) {
      throw InputError(reader.name(), sequence.lines.front(),
                       fmt::format("expected a column {} with the state", training.columns.state));
    }
    SequenceNumbers::Numbered one = numbers.number(sequence, reader);
    for (const std::uint32_t value : one.sequence.observations) {
      data.digest = combine(data.digest, value);
    }
    for (const Label state : one.sequence.states) {
      data.digest = combine(data.digest, static_cast<std::uint64_t>(state));
    }
    data.positions += sequence.length();
    data.sequences.push_back(std::move(one.sequence));
    data.lines.push_back(sequence.lines.front());
    data.files.push_back(reader.name());
  }
  if (data.sequences.empty()) throw InputError(reader.name(), 0, "expected sequences, found none");
  return data;
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  check(files, options);
  const Stopwatch watch;
  const SequenceData data = read_training_sequences(files.train, files.data, options.num_states);
  events.phase(fmt::format("read {} sequences, {} positions, {} states", data.sequences.size(),
                           data.positions, data.alphabet.states.size()));
  std::optional<SequenceData> dev;
  if (!files.dev.empty()) {
    dev = read_held_out_sequences(InputFile(files.dev), files.data.columns, data);
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(data, dev ? &*dev : nullptr, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

Value TrainResult::record() const {
  Value record;
  put(record);
  record["sequences"] = sequences;
  record["positions"] = positions;
  record["states"] = states;
  record["channels"] = channels;
  return record;
}

std::vector<std::string> TrainResult::notes() const {
  return TableTraining::notes(
      fmt::format("log-likelihood {:.6g} of {} sequences", log_likelihood, sequences), "hmm");
}

}  // namespace trellis::hmm
