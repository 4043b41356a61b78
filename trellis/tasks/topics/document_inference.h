// Inference for a document: its mixture of topics and, if the model has classes, their
// probabilities and the predicted class.
//
//   LDA       E[θ | w], by a fixed point (cvb0) or a mean over sweeps (gibbs): lda/infer.h
//   DiscLDA   E[T^y θ | w] with the class summed out, and p(y | w), as means over the model's Φ: by
//             the collapsed filter (cvb0), the mean field, or chains and bridges (gibbs):
//             disclda/class_inference.h
//
// Probabilities are calibrated (disclda/calibration.h); mixtures are not. The classifier predicts
// the class if the model has one; otherwise the most probable class is predicted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/disclda/class_inference.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

enum class Inference { kCvb0, kMeanField, kGibbs };
constexpr auto names_of(Inference) {
  return Names{"inference", "cvb0", "mean-field", "gibbs"};
}

struct InferenceOptions {
  Inference method = Inference::kCvb0;
  // For kGibbs; not given: 20 and 80 for LDA, 50 and 200 for DiscLDA.
  std::optional<Index> burn_in, samples;
  std::uint64_t seed = 1;
  Bridge bridge = Bridge::kOptimal;             // DiscLDA
  BridgeTo bridge_to = BridgeTo::kVariational;  // DiscLDA

  ClassInferenceOptions of_classes() const;
};

class DocumentInference {
 public:
  struct Scratch {
    ClassInference classes;
    TopicClassifier::Scratch classifier;
    std::vector<double> mixture;
  };
  struct Found {
    std::vector<double> mixture;  // by topic
    // p(y | w) by class, calibrated, and its logarithm; empty for LDA.
    std::vector<double> posterior, log_posterior;
    std::optional<Label> predicted;        // in TopicModel::class_names()
    std::optional<double> log_likelihood;  // log p(w); for DiscLDA by kCvb0

    Label most_probable() const;  // by the posterior, which is required
  };

  // The model must outlive the object. Throws UsageError if it does not support the inference.
  DocumentInference(const TopicModel& model, const InferenceOptions& options);

  // `number` of the document keys its random numbers. Const: threads share it, each has a scratch.
  void read(std::span<const std::uint32_t> words, Index number, Scratch& scratch,
            Found& found) const;

 private:
  void read_by_lda(std::span<const std::uint32_t> words, Index number, Found& found) const;
  void read_by_classes(std::span<const std::uint32_t> words, Index number, Scratch& scratch,
                       Found& found) const;

  const TopicModel& model_;
  InferenceOptions options_;
};

// Infers all documents in parallel.
std::vector<DocumentInference::Found> infer_documents(const TopicModel& model,
                                                      const Documents& documents,
                                                      const InferenceOptions& options, int threads);
// Only the mixtures, of all documents or of the chosen ones: documents × topics.
std::vector<double> infer_mixtures(const TopicModel& model, const Documents& documents,
                                   const InferenceOptions& options, int threads);
std::vector<double> infer_mixtures(const TopicModel& model, const Documents& documents,
                                   std::span<const Index> chosen, const InferenceOptions& options,
                                   int threads);

}  // namespace trellis::topics
