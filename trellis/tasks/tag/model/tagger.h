// Prediction with a trained tagger. Const and thread-safe: each thread brings its own scratch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/chain.h"
#include "trellis/structure/chain_scratch.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/attributes.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

// What one feature adds to the score of a label at a position.
struct Contribution {
  // The attribute's text, followed by the labels that it joins for an edge attribute; or
  // "label: A → B" for a label n-gram.
  std::string feature;
  double value;   // of the attribute
  double weight;  // value · weight is what it adds
};

// Why position t has its label: its score, the runner-up there, and what each adds.
struct Explanation {
  Label label = kNoLabel;      // in the best sequence; kNoLabel where none is legal
  Label runner_up = kNoLabel;  // the best other label, the rest of the sequence being as it is
  double probability = 0;      // of the label, by its marginal
  double runner_up_probability = 0;
  // What speaks for the label (and for the runner-up), strongest first: all features that look at
  // position t, so that the difference of the two sums is that of the two sequences' scores.
  std::vector<Contribution> label_features;
  std::vector<Contribution> runner_up_features;
};

class Tagger {
 public:
  // Reused from sequence to sequence; one for each thread.
  struct Scratch {
    FeatureTemplate::Scratch features;
    SentenceAttributes attributes;
    struct Resolved {
      std::vector<std::uint64_t> begin;
      std::vector<std::uint32_t> ids;
      std::vector<std::uint32_t> sources;  // which of the extracted attributes each id came from
      std::vector<float> values;
    } node, edge;
    std::vector<float> expanded;
    std::vector<double> scores;
    std::vector<double> marginals;
    std::vector<double> votes;
    std::vector<std::uint8_t> allowed;
    Chain::Scratch chain;
    Chain::Output output;
    std::vector<ScoredOutput<Chain::Output>> best;
  };

  // The model must outlive the tagger.
  explicit Tagger(const TagModel& model) : model_(&model) {}

  const TagModel& model() const { return *model_; }

  // Limits what follows to the labels that a constraint column allows: at each token a label,
  // several as "A|B", or "_", "?" or "*" for any. Throws InputError for an unknown label. Writes T
  // × L flags.
  void read_constraints(const TagSequence& sequence, Index column, const std::string& file,
                        std::vector<std::uint8_t>& allowed) const;

  // The best labels. `allowed` is empty or T × L flags. Returns the score; −∞ (and no labels) where
  // no legal sequence is allowed. A voted model counts votes instead of scores.
  double tag(const TagSequence& sequence, std::span<const std::uint8_t> allowed, Scratch& scratch,
             std::vector<Label>& labels) const;

  // The k best label sequences with their scores, and log Σ exp over all of them.
  double n_best(const TagSequence& sequence, std::span<const std::uint8_t> allowed, Index k,
                Scratch& scratch, std::vector<ScoredOutput<std::vector<Label>>>& best) const;

  // T × L probabilities at inverse temperature 1. Returns log Σ exp of the scores.
  double marginals(const TagSequence& sequence, std::span<const std::uint8_t> allowed,
                   Scratch& scratch, std::vector<double>& probabilities) const;

  Explanation explain(const TagSequence& sequence, Index t, Scratch& scratch) const;

 private:
  SequenceAttributes resolve(const TagSequence& sequence, Scratch& scratch) const;
  // Part scores by the weights of voter v.
  std::span<const double> score(const SequenceAttributes& x, Index voter, Scratch& scratch) const;
  double vote(const SequenceAttributes& x, const Chain& chain, Scratch& scratch,
              std::vector<Label>& labels) const;
  std::vector<Contribution> contributions(const TagSequence& sequence, const SequenceAttributes& x,
                                          const std::vector<Label>& y, Index t,
                                          Scratch& scratch) const;

  const TagModel* model_;
};

}  // namespace trellis::tag
