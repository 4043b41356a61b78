// What a model makes of a document: its mixture of topics, and, where the model knows classes, how
// probable each is and which one is predicted.
//
//   LDA       E[θ | w], by a fixed point (cvb0) or a mean over sweeps (gibbs): lda/infer.h
//   DiscLDA   E[T^y θ | w] with the class summed out, and p(y | w), as means over the model's Φ: by
//             the collapsed filter (cvb0), the mean field, or chains and bridges (gibbs):
//             disclda/class_inference.h
//
// Probabilities are calibrated (disclda/calibration.h); mixtures are those of the model as it is.
// The class is the classifier's, where the model has one, else the most probable.
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
  // Of kGibbs; not given: 20 and 80 for LDA, 50 and 200 for DiscLDA.
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
    // p(y | w) by class, calibrated, and its logarithm; empty unless DiscLDA.
    std::vector<double> posterior, log_posterior;
    std::optional<Label> predicted;        // of TopicModel::class_names()
    std::optional<double> log_likelihood;  // log p(w); of DiscLDA by kCvb0

    Label most_probable() const;  // by the posterior, which must be there
  };

  // The model must outlive this. Throws UsageError where it has no such inference.
  DocumentInference(const TopicModel& model, const InferenceOptions& options);

  // `number` of the document is that of its random numbers. Const: many threads, a scratch each.
  void read(std::span<const std::uint32_t> words, Index number, Scratch& scratch,
            Found& found) const;

 private:
  void read_by_lda(std::span<const std::uint32_t> words, Index number, Found& found) const;
  void read_by_classes(std::span<const std::uint32_t> words, Index number, Scratch& scratch,
                       Found& found) const;

  const TopicModel& model_;
  InferenceOptions options_;
};

// Of each document, in parallel.
std::vector<DocumentInference::Found> infer_documents(const TopicModel& model,
                                                      const Documents& documents,
                                                      const InferenceOptions& options, int threads);
// The mixtures alone, of all documents or of those chosen: documents × topics.
std::vector<double> infer_mixtures(const TopicModel& model, const Documents& documents,
                                   const InferenceOptions& options, int threads);
std::vector<double> infer_mixtures(const TopicModel& model, const Documents& documents,
                                   std::span<const Index> chosen, const InferenceOptions& options,
                                   int threads);

}  // namespace trellis::topics
