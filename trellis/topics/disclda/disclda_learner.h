// Learning T and Φ alternately (Lacoste-Julien 2009, table 4.1, step 3): N_g steps of gradient
// ascent on the mean of log p(y_d | w_d) in the parameters of a softmax, then a new Φ given T,
// close to the old one. The result is the round with the least error on held-out documents.
//
// The thesis estimates gradients by draws and finds that their noise accumulates; the default here
// is the collapsed filter, whose gradients are exact derivatives of its values and need no random
// numbers.
//
// The state is a plain value: a learner made from it continues exactly like the original.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/disclda/class_inference.h"
#include "trellis/topics/disclda/disclda_model.h"
#include "trellis/topics/disclda/discriminative_step.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

struct DiscLdaLearnOptions {
  Index gradient_steps = 10;  // N_g
  double rate = 10;           // of a step on the mean over documents
  double decay = 0;           // step t has rate / (1 + decay · t); 0: the thesis's constant step
  bool move_topics = true;    // false: only T is learned
  Index sweeps = 200;         // N of step 3b, where Φ is sampled
  ClassInferenceOptions inference;
};

// Labelled documents.
struct LabelledDocuments {
  Documents documents;
  std::span<const std::uint32_t> labels;
};

struct DiscLdaRound {
  double log_likelihood =
      0;                     // mean of log p(y_d | w_d) of the training documents, at the last step
  double gradient_norm = 0;  // of that mean in the parameters, at the last step
  ConditionalFit held_out;   // after the round
};

struct DiscLdaLearnState {
  SoftmaxTransformation transformation;
  KnownTopics topics;
  std::uint64_t rounds = 0, steps = 0;
  ConditionalFit held_out;  // for the current transformation and topics
  // The best round so far: least error, then greatest likelihood.
  std::uint64_t best_round = 0;
  SoftmaxTransformation best_transformation;
  KnownTopics best_topics;
  ConditionalFit best_held_out;
};

class DiscLdaLearner {
 public:
  // Starts from T and Φ, e.g. those of a chain with smoothed blocks. The arrays of documents must
  // outlive the learner. Throws UsageError if options are out of range or parts do not match.
  DiscLdaLearner(const SoftmaxTransformation& transformation, const KnownTopics& topics,
                 double alpha, std::vector<double> log_prior, const LabelledDocuments& training,
                 const LabelledDocuments& held_out, const DiscLdaLearnOptions& options,
                 int threads);
  // Continues from a state.
  DiscLdaLearner(DiscLdaLearnState state, double alpha, std::vector<double> log_prior,
                 const LabelledDocuments& training, const LabelledDocuments& held_out,
                 const DiscLdaLearnOptions& options);

  DiscLdaRound round(int threads);

  const DiscLdaLearnState& state() const { return state_; }
  DiscLdaModel best() const;

 private:
  DiscLdaModel model() const;
  ConditionalFit judge(int threads) const;
  void keep_if_better();

  DiscLdaLearnOptions options_;
  double alpha_;
  std::vector<double> log_prior_;
  LabelledDocuments training_, held_out_;
  DiscLdaLearnState state_;
};

}  // namespace trellis::topics
