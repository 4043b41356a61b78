// Prediction with a trained tagger. Const and thread-safe: each thread has its own scratch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/sequences/chain.h"
#include "trellis/structure/sequences/chain_scratch.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

class Tagger {
 public:
  // Reused for all sequences; one for each thread.
  struct Scratch {
    FeatureTemplate::Scratch features;
    SentenceAttributes attributes;
    KnownAttributes node, edge;
    std::vector<double> scores;
    std::vector<double> marginals;
    std::vector<double> votes;
    Chain::Scratch chain;
    Chain::Output output;
  };

  // The model must outlive the tagger.
  explicit Tagger(const TagModel& model) : model_(&model) {}

  const TagModel& model() const { return *model_; }

  // Restricts the calls below to the labels that a constraint column allows: for each token one
  // label, several as "A|B", or "_", "?" or "*" for any. Throws InputError for an unknown label or
  // a missing column. Writes T × L flags.
  void read_constraints(const TagSequence& sequence, Index column, const std::string& file,
                        std::vector<std::uint8_t>& allowed) const;

  // The best labels. `allowed` is empty or has T × L flags. Returns the score, or −∞ (and no
  // labels) if no legal sequence is allowed. A voted model counts votes instead of scores.
  double tag(const TagSequence& sequence, std::span<const std::uint8_t> allowed, Scratch& scratch,
             std::vector<Label>& labels) const;

  // The k best label sequences with their scores; returns log Σ exp over all sequences.
  double n_best(const TagSequence& sequence, std::span<const std::uint8_t> allowed, Index k,
                Scratch& scratch, std::vector<ScoredOutput<std::vector<Label>>>& best) const;

  // T × L probabilities at inverse temperature 1. Returns log Σ exp of the scores.
  double marginals(const TagSequence& sequence, std::span<const std::uint8_t> allowed,
                   Scratch& scratch, std::vector<double>& probabilities) const;

  // The known attributes of a sequence, and its part scores by the weights of a voter: views into
  // the scratch.
  SequenceAttributes resolve(const TagSequence& sequence, Scratch& scratch) const;
  std::span<const double> score(const SequenceAttributes& x, Index voter, Scratch& scratch) const;

 private:
  double vote(const SequenceAttributes& x, const Chain& chain, Scratch& scratch,
              std::vector<Label>& labels) const;

  const TagModel* model_;
};

}  // namespace trellis::tag
