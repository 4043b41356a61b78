// The iterations of DiscLDA training: sweeps of the chain with fixed T (table 4.1, steps 1 and 2)
// and, if T is learned, rounds of gradient steps from the state of the chain (step 3).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/topic_classes.h"
#include "trellis/tasks/topics/topic_learner.h"
#include "trellis/topics/disclda/disclda_learner.h"

namespace trellis::topics {

struct DiscLdaSettings {
  TopicBlocks blocks;
  Index samples = 5;  // number of sweeps whose Φ are kept, including the last; 1 if T is learned
  Index lag = 10;     // sweeps between two of these
  InferenceOptions inference;  // for classes, in evaluation and training

  // Share of documents to calibrate probabilities and to choose the round. With blocks, 0: none.
  double validation = 0.2;
  bool learned = false;  // learn T; otherwise blocks determine it
  Index rounds = 20;     // rounds of learning T
  // For the initial smoothed blocks. The thesis has 3, with which a component gives three quarters
  // of its weight to topics of others if there are 60.
  double contrast = 8;
  Index gradient_steps = 10;
  double rate = 10, decay = 0;
  bool fixed_topics = false;  // learning keeps Φ

  // Throws UsageError. Call it before any file is read.
  void check() const;
};

// The input of both learners besides documents. Priors and seed are those of LDA's options.
struct ClassSetup {
  NameList names;
  std::vector<double> log_prior;
  LdaOptions lda;
  DiscLdaSettings disclda;
  int threads = 0;
};

class DiscLdaTopicLearner : public TopicLearner {
 public:
  // The current estimate of the classes.
  virtual TopicClasses classes() const = 0;
  LdaModel model() const override;
  Judgement judge(const JudgedDocuments& held_out, Index particles) const override;

 protected:
  explicit DiscLdaTopicLearner(const ClassSetup& setup) : setup_(setup) {}
  const ClassSetup& setup_;
};

// Documents, labels and setup must outlive the learner. `sweeps` is the total number of sweeps.
std::unique_ptr<DiscLdaTopicLearner> make_chain_learner(const LabelledDocuments& training,
                                                        const ClassSetup& setup, Index sweeps);
// The correlation of tokens that makes the labels of held-out documents most probable. Only
// documents with a class in `learned` count, since the others are unknown. Without any: 0.
double fit_correlation(const TopicClasses& classes, std::span<const std::uint32_t> learned,
                       const Documents& documents, std::span<const std::uint32_t> labels,
                       const InferenceOptions& inference, int threads);
// Starts from the final state of the chain.
std::unique_ptr<DiscLdaTopicLearner> make_round_learner(const LabelledDocuments& training,
                                                        const LabelledDocuments& validation,
                                                        const ClassSetup& setup,
                                                        const TopicClasses& from);

}  // namespace trellis::topics
