#include "trellis/topics/disclda/disclda_learner.h"

#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

// Streams of the learner's own steps: gradients, topics and judgements never share one.
enum class Purpose : std::uint64_t { kGradient, kTopics, kJudgement };
std::uint64_t stream_of(std::uint64_t count, Purpose purpose) {
  return 3 * count + static_cast<std::uint64_t>(purpose);
}

DiscLdaLearnOptions checked_learn_options(const DiscLdaLearnOptions& options) {
  if (options.gradient_steps < 1) throw UsageError("a round requires at least one gradient step");
  if (!std::isfinite(options.rate) || options.rate <= 0) {
    throw UsageError("the rate of gradient steps must be above 0 and finite");
  }
  if (!std::isfinite(options.decay) || options.decay < 0) {
    throw UsageError("the decay of gradient steps must be at least 0 and finite");
  }
  return options;
}

}  // namespace

DiscLdaLearner::DiscLdaLearner(const SoftmaxTransformation& transformation,
                               const KnownTopics& topics, double alpha,
                               std::vector<double> log_prior, const LabelledDocuments& training,
                               const LabelledDocuments& held_out,
                               const DiscLdaLearnOptions& options, int threads)
    : DiscLdaLearner(
          DiscLdaLearnState{transformation, topics, 0, 0, {}, 0, transformation, topics, {}}, alpha,
          std::move(log_prior), training, held_out, options) {
  state_.held_out = state_.best_held_out = judge(threads);
}

DiscLdaLearner::DiscLdaLearner(DiscLdaLearnState state, double alpha, std::vector<double> log_prior,
                               const LabelledDocuments& training, const LabelledDocuments& held_out,
                               const DiscLdaLearnOptions& options)
    : options_(checked_learn_options(options)),
      alpha_(alpha),
      log_prior_(std::move(log_prior)),
      training_(training),
      held_out_(held_out),
      state_(std::move(state)) {
  if (training_.documents.size() == 0)
    throw UsageError("expected documents to learn from, found none");
  model().check();
  best().check();
}

DiscLdaModel DiscLdaLearner::model() const {
  return {state_.transformation.transformation(), state_.topics, alpha_, log_prior_};
}

DiscLdaModel DiscLdaLearner::best() const {
  return {state_.best_transformation.transformation(), state_.best_topics, alpha_, log_prior_};
}

DiscLdaRound DiscLdaLearner::round(int threads) {
  DiscLdaRound summary;
  DiscLdaModel current = model();
  std::vector<double> gradient(current.transformation.num_shares());
  const double inverse = 1 / static_cast<double>(training_.documents.size());
  for (Index step = 0; step < options_.gradient_steps; ++step) {
    summary.log_likelihood =
        inverse *
        conditional_gradient(current, training_.documents, training_.labels, options_.inference,
                             stream_of(state_.steps, Purpose::kGradient), threads, gradient);
    scale(inverse, gradient);
    state_.transformation.to_parameters(gradient);
    summary.gradient_norm = std::sqrt(squared_norm(gradient));
    const double rate = options_.rate / (1 + options_.decay * static_cast<double>(state_.steps));
    state_.transformation.move(rate, gradient);
    current.transformation = state_.transformation.transformation();
    ++state_.steps;
  }
  if (options_.move_topics) {
    state_.topics =
        update_topics(current, training_.documents, training_.labels, options_.inference,
                      options_.sweeps, stream_of(state_.rounds, Purpose::kTopics), threads);
  }
  ++state_.rounds;
  summary.held_out = state_.held_out = judge(threads);
  keep_if_better();
  return summary;
}

ConditionalFit DiscLdaLearner::judge(int threads) const {
  return conditional_fit(model(), held_out_.documents, held_out_.labels, options_.inference,
                         stream_of(state_.rounds, Purpose::kJudgement), threads);
}

void DiscLdaLearner::keep_if_better() {
  const ConditionalFit &now = state_.held_out, &best = state_.best_held_out;
  if (now.error > best.error) return;
  if (now.error == best.error && now.log_likelihood <= best.log_likelihood) return;
  state_.best_round = state_.rounds;
  state_.best_transformation = state_.transformation;
  state_.best_topics = state_.topics;
  state_.best_held_out = now;
}

}  // namespace trellis::topics
