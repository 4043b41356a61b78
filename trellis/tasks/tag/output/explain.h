// Explains the label of a token: the contribution of each feature to its score and the runner-up's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tagger.h"

namespace trellis::tag {

// The contribution of one feature to the score of a label at a position.
struct Contribution {
  // The attribute's text, followed by the two labels for an edge attribute; or "label: A → B" for a
  // label n-gram.
  std::string feature;
  double value;   // of the attribute
  double weight;  // value · weight is the contribution
};

// Explains the label of position t: its score, the runner-up, and the contributions to both.
struct Explanation {
  Label label = kNoLabel;      // in the best sequence; kNoLabel: none is legal
  Label runner_up = kNoLabel;  // the best other label, if the rest of the sequence stays unchanged
  double probability = 0;      // marginal probability of the label
  double runner_up_probability = 0;
  // Contributions to the label (and to the runner-up), strongest first: all features that use
  // position t; the two sums differ by as much as the scores of the two sequences.
  std::vector<Contribution> label_features;
  std::vector<Contribution> runner_up_features;
};

// Throws UsageError for a model with a kernel. `t` must be a token of the sequence.
Explanation explain(const Tagger& tagger, const TagSequence& sequence, Index t,
                    Tagger::Scratch& scratch);

struct ExplainOptions {
  std::optional<Comments> comments;  // not given: as in training
  Index sentence = 1;                // number in the file, from 1
  Index token = 0;                   // number in the sentence, from 1; 0: all
  Index top = 10;                    // number of features for each label
  bool json = false;                 // one object per token
};

// The same as text or JSON.
std::string explain(const TagModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::tag
