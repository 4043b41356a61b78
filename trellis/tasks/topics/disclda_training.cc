#include "trellis/tasks/topics/disclda_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/topics/checkpoint_arrays.h"
#include "trellis/topics/disclda/calibration.h"
#include "trellis/topics/disclda/disclda_chain.h"

namespace trellis::topics {
namespace {

void put_topics(Checkpoint& state, const std::string& name, const KnownTopics& topics) {
  std::vector<std::uint32_t> numbers;
  std::vector<double> counts;
  for (const KnownTopics::Entry& entry : topics.entries()) {
    numbers.push_back(entry.topic);
    counts.push_back(entry.count);
  }
  state.put_integers(name + "/begin", topics.begin());
  put_array<std::uint32_t>(state, name + "/topics", numbers);
  state.put(name + "/counts", counts);
}

KnownTopics get_topics(const Checkpoint& state, const std::string& name, Index num_topics,
                       double beta) {
  const std::vector<std::uint32_t> numbers = get_array<std::uint32_t>(state, name + "/topics");
  const std::vector<double>& counts = state.doubles(name + "/counts");
  if (numbers.size() != counts.size()) throw UsageError("the topics do not fit their counts");
  std::vector<KnownTopics::Entry> entries;
  for (Index x = 0; x < numbers.size(); ++x) entries.push_back({numbers[x], counts[x]});
  return {num_topics, beta, state.integers(name + "/begin"), std::move(entries)};
}

SoftmaxTransformation smoothed(const ClassSetup& setup) {
  const DiscLdaSettings& disclda = setup.disclda;
  return SoftmaxTransformation::smoothed_blocks(setup.names.size(), disclda.blocks.class_topics,
                                                disclda.blocks.shared_topics, disclda.contrast);
}

std::vector<double> to_vector(std::span<const double> values) {
  return {values.begin(), values.end()};
}

class ChainLearner : public DiscLdaTopicLearner {
 public:
  ChainLearner(const LabelledDocuments& training, const ClassSetup& setup, Index sweeps)
      : DiscLdaTopicLearner(setup),
        documents_(training.documents),
        sweeps_(sweeps),
        chain_(training.documents, training.labels, transformation(setup),
               {setup.lda.alpha, setup.lda.beta, setup.lda.seed, setup.lda.blocks}) {}

  void start() override { chain_.start(setup_.threads); }
  void sweep() override {
    chain_.sweep(setup_.threads);
    if (is_kept(chain_.num_sweeps())) samples_.insert(samples_.begin(), chain_.topics());
  }
  Index num_sweeps() const override { return chain_.num_sweeps(); }
  double loss() const override {
    return -chain_.log_joint() / static_cast<double>(documents_.num_tokens());
  }
  TopicClasses classes() const override {
    std::vector<double> parameters;
    if (setup_.disclda.learned) parameters = to_vector(smoothed(setup_).parameters());
    std::vector<KnownTopics> samples = samples_;
    if (samples.empty()) samples.push_back(chain_.topics());
    return {setup_.names,          setup_.log_prior, setup_.disclda.blocks,
            std::move(parameters), setup_.lda.alpha, std::move(samples)};
  }

  void save(Checkpoint& state) const override {
    const std::vector<DiscLdaChain::Assignment> assignments = chain_.assignments(documents_);
    put_array<DiscLdaChain::Assignment>(state, "chain/assignments", assignments);
    const std::uint64_t numbers[] = {chain_.num_sweeps(), samples_.size()};
    state.put_integers("chain/numbers", numbers);
    for (Index i = 0; i < samples_.size(); ++i) put_topics(state, section(i), samples_[i]);
  }
  void restore(const Checkpoint& state) override {
    std::uint64_t numbers[2];
    state.get_integers("chain/numbers", numbers);
    restore_from([&] {
      chain_.restore(documents_, get_array<DiscLdaChain::Assignment>(state, "chain/assignments"),
                     numbers[0]);
      samples_.clear();
      for (Index i = 0; i < numbers[1]; ++i) {
        samples_.push_back(get_topics(state, section(i), chain_.transformation().num_topics(),
                                      chain_.options().beta));
      }
    });
  }

 private:
  static Transformation transformation(const ClassSetup& setup) {
    if (setup.disclda.learned) return smoothed(setup).transformation();
    const TopicBlocks& blocks = setup.disclda.blocks;
    return Transformation::blocks(setup.names.size(), blocks.class_topics, blocks.shared_topics);
  }
  static std::string section(Index sample) { return fmt::format("chain/sample/{}", sample); }
  // The last sweep, and those at regular distances before it.
  bool is_kept(Index sweep) const {
    const Index left = sweeps_ - sweep;
    const Index wanted = setup_.disclda.learned ? 1 : setup_.disclda.samples;
    return left % setup_.disclda.lag == 0 && left / setup_.disclda.lag < wanted;
  }

  Documents documents_;
  Index sweeps_;
  DiscLdaChain chain_;
  std::vector<KnownTopics> samples_;  // latest first
};

class RoundLearner : public DiscLdaTopicLearner {
 public:
  RoundLearner(const LabelledDocuments& training, const LabelledDocuments& validation,
               const ClassSetup& setup, const TopicClasses& from)
      : DiscLdaTopicLearner(setup),
        training_(training),
        validation_(validation),
        from_(from.models().front().topics) {}

  void start() override {
    learner_.emplace(smoothed(setup_), from_, setup_.lda.alpha, setup_.log_prior, training_,
                     validation_, options(), setup_.threads);
  }
  void sweep() override {
    const DiscLdaRound round = learner_->round(setup_.threads);
    loss_ = -round.log_likelihood;
  }
  Index num_sweeps() const override { return learner_ ? learner_->state().rounds : 0; }
  bool slow() const override { return true; }
  double loss() const override { return loss_; }
  bool expects() const override { return true; }
  TopicClasses classes() const override {
    const DiscLdaLearnState& state = learner_->state();
    return {setup_.names,          setup_.log_prior,
            setup_.disclda.blocks, to_vector(state.best_transformation.parameters()),
            setup_.lda.alpha,      {state.best_topics}};
  }

  void save(Checkpoint& checkpoint) const override {
    const DiscLdaLearnState& state = learner_->state();
    checkpoint.put("rounds/transformation", state.transformation.parameters());
    checkpoint.put("rounds/best", state.best_transformation.parameters());
    put_topics(checkpoint, "rounds/now", state.topics);
    put_topics(checkpoint, "rounds/then", state.best_topics);
    const std::uint64_t numbers[] = {state.rounds, state.steps, state.best_round};
    checkpoint.put_integers("rounds/numbers", numbers);
    const double values[] = {state.held_out.log_likelihood, state.held_out.error,
                             state.best_held_out.log_likelihood, state.best_held_out.error, loss_};
    checkpoint.put("rounds/values", values);
  }
  void restore(const Checkpoint& checkpoint) override {
    std::uint64_t numbers[3];
    checkpoint.get_integers("rounds/numbers", numbers);
    double values[5];
    checkpoint.get("rounds/values", values);
    restore_from([&] {
      const auto transformation = [&](const char* name) {
        return SoftmaxTransformation(setup_.names.size(), from_.num_topics(),
                                     setup_.disclda.blocks.num_components(),
                                     checkpoint.doubles(name));
      };
      const auto topics = [&](const char* name) {
        return get_topics(checkpoint, name, from_.num_topics(), from_.beta());
      };
      DiscLdaLearnState state{transformation("rounds/transformation"),
                              topics("rounds/now"),
                              numbers[0],
                              numbers[1],
                              {values[0], values[1]},
                              numbers[2],
                              transformation("rounds/best"),
                              topics("rounds/then"),
                              {values[2], values[3]}};
      learner_.emplace(std::move(state), setup_.lda.alpha, setup_.log_prior, training_, validation_,
                       options());
    });
    loss_ = values[4];
  }

 private:
  DiscLdaLearnOptions options() const {
    const DiscLdaSettings& disclda = setup_.disclda;
    DiscLdaLearnOptions options;
    options.gradient_steps = disclda.gradient_steps;
    options.rate = disclda.rate;
    options.decay = disclda.decay;
    options.move_topics = !disclda.fixed_topics;
    options.inference = disclda.inference.of_classes();
    return options;
  }

  LabelledDocuments training_, validation_;
  KnownTopics from_;
  std::optional<DiscLdaLearner> learner_;
  double loss_ = 0;
};

}  // namespace

void DiscLdaSettings::check() const {
  if (samples < 1) throw UsageError("--kept-sweeps must be 1 or more");
  if (lag < 1) throw UsageError("--lag must be 1 or more");
  if (!(validation >= 0 && validation < 1) || (learned && validation == 0)) {
    throw UsageError(
        "--validation must be a fraction of the documents below 1, and above 0 with --learn");
  }
  if (!learned) return;
  const auto is_rate = [](double value) { return std::isfinite(value) && value > 0; };
  if (gradient_steps < 1) throw UsageError("--gradient-steps must be 1 or more");
  if (!is_rate(rate)) throw UsageError("--rate must be a number above 0");
  if (!std::isfinite(decay) || decay < 0) throw UsageError("--decay must be 0 or more");
  if (!is_rate(contrast)) throw UsageError("--contrast must be a number above 0");
}

LdaModel DiscLdaTopicLearner::model() const {
  const TopicClasses known = classes();
  return lda_of(known.models().front().topics, setup_.lda.alpha);
}

Judgement DiscLdaTopicLearner::judge(const JudgedDocuments& held_out, Index) const {
  const TopicClasses known = classes();
  const DiscLdaModel& model = known.models().front();
  const ClassInferenceOptions options = setup_.disclda.inference.of_classes();
  const int threads = resolve_threads(setup_.threads);
  const Index size = held_out.documents.size();
  std::vector<double> log_likelihood(size);
  std::vector<Label> predicted(size);
  std::vector<ClassInference> inference(static_cast<Index>(threads));
  parallel_for(size, threads, [&](Index d, int worker) {
    ClassInference& own = inference[static_cast<Index>(worker)];
    own.read(model, held_out.documents[d], options, d, 0);
    std::vector<double> joint(model.log_prior);
    axpy(1, own.log_evidence(), joint);
    log_likelihood[d] = log_sum_exp(joint);
    predicted[d] = static_cast<Label>(std::max_element(joint.begin(), joint.end()) - joint.begin());
  });
  Judgement judgement;
  const Index tokens = held_out.documents.num_tokens();
  if (options.method == ClassMethod::kCollapsed && tokens > 0) {
    judgement.perplexity = portable_exp(-sum(log_likelihood) / static_cast<double>(tokens));
  }
  Index labelled = 0, wrong = 0;
  for (Index d = 0; d < held_out.labels.size(); ++d) {
    if (held_out.labels[d] == kNoLabel) continue;
    ++labelled;
    wrong += held_out.labels[d] == predicted[d] ? 0 : 1;
  }
  if (labelled > 0) judgement.error = static_cast<double>(wrong) / static_cast<double>(labelled);
  return judgement;
}

double fit_correlation(const TopicClasses& classes, std::span<const std::uint32_t> learned,
                       const Documents& documents, std::span<const std::uint32_t> labels,
                       const InferenceOptions& inference, int threads) {
  const DiscLdaPredictions found =
      predict(classes.models(), documents, inference.of_classes(), threads);
  std::vector<bool> known(classes.num_classes(), false);
  for (const std::uint32_t label : learned) known[label] = true;
  std::vector<double> log_posteriors;
  std::vector<std::uint32_t> of_known;
  std::vector<Index> tokens;
  for (Index d = 0; d < labels.size(); ++d) {
    if (!known[labels[d]]) continue;
    of_known.push_back(labels[d]);
    tokens.push_back(documents[d].size());
    const auto row = std::span(found.log_posteriors).subspan(d * known.size(), known.size());
    log_posteriors.insert(log_posteriors.end(), row.begin(), row.end());
  }
  return of_known.empty() ? 0 : fit_correlation({known.size(), log_posteriors, tokens, of_known});
}

std::unique_ptr<DiscLdaTopicLearner> make_chain_learner(const LabelledDocuments& training,
                                                        const ClassSetup& setup, Index sweeps) {
  return std::make_unique<ChainLearner>(training, setup, sweeps);
}

std::unique_ptr<DiscLdaTopicLearner> make_round_learner(const LabelledDocuments& training,
                                                        const LabelledDocuments& validation,
                                                        const ClassSetup& setup,
                                                        const TopicClasses& from) {
  return std::make_unique<RoundLearner>(training, validation, setup, from);
}

}  // namespace trellis::topics
