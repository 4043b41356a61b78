// Why a token has its label: what each feature adds to its score, and to that of the runner-up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tagger.h"

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

// Throws UsageError for a model with a kernel. `t` is a token of the sequence.
Explanation explain(const Tagger& tagger, const TagSequence& sequence, Index t,
                    Tagger::Scratch& scratch);

struct ExplainOptions {
  std::optional<Comments> comments;  // not given: as in training
  Index sentence = 1;                // of the file, from 1
  Index token = 0;                   // of it, from 1; 0: all
  Index top = 10;                    // features to show for each label
  bool json = false;                 // an object for each token
};

// The same as text or JSON.
std::string explain(const TagModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::tag
