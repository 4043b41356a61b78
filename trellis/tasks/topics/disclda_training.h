// What training DiscLDA repeats: sweeps of the chain with T as it is (table 4.1, steps 1 and 2),
// and, where T is learned, rounds of gradient steps upon what the chain has found (step 3).
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
  Index samples = 5;  // sweeps whose Φ are kept, the last among them; learning T keeps one
  Index lag = 10;     // sweeps between two of them
  InferenceOptions inference;  // of classes, in judging and learning

  // Share of the documents that calibrates probabilities, and chooses the round. Of blocks 0: none.
  double validation = 0.2;
  bool learned = false;  // T; else it is fixed by blocks
  Index rounds = 20;     // of learning
  // Of the smoothed blocks that it starts from. The thesis has 3, by which a component leaves three
  // quarters of its weight to topics that are not its own where there are 60.
  double contrast = 8;
  Index gradient_steps = 10;
  double rate = 10, decay = 0;
  bool fixed_topics = false;  // learning leaves Φ as it is

  // Throws UsageError; before any file is read.
  void check() const;
};

// What both learners are given beside the documents. Priors and seed are those of LDA's options.
struct ClassSetup {
  NameList names;
  std::vector<double> log_prior;
  LdaOptions lda;
  DiscLdaSettings disclda;
  int threads = 0;
};

class DiscLdaTopicLearner : public TopicLearner {
 public:
  // The classes as they are known now.
  virtual TopicClasses classes() const = 0;
  LdaModel model() const override;
  Judgement judge(const JudgedDocuments& held_out, Index particles) const override;

 protected:
  explicit DiscLdaTopicLearner(const ClassSetup& setup) : setup_(setup) {}
  const ClassSetup& setup_;
};

// Documents and labels must outlive the learner, as must the setup. `sweeps` are how many there
// will be.
std::unique_ptr<DiscLdaTopicLearner> make_chain_learner(const LabelledDocuments& training,
                                                        const ClassSetup& setup, Index sweeps);
// The correlation of tokens by which the labels of documents are likeliest that classes were not
// learned from; of classes with labels among `learned`, the others being unknown. Without any: 0.
double fit_correlation(const TopicClasses& classes, std::span<const std::uint32_t> learned,
                       const Documents& documents, std::span<const std::uint32_t> labels,
                       const InferenceOptions& inference, int threads);
// From where the chain ended.
std::unique_ptr<DiscLdaTopicLearner> make_round_learner(const LabelledDocuments& training,
                                                        const LabelledDocuments& validation,
                                                        const ClassSetup& setup,
                                                        const TopicClasses& from);

}  // namespace trellis::topics
