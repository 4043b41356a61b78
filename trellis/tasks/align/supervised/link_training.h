// Learning from labelled pairs, on top of a generative model: features, examples, the choice of
// costs, of how weights are held and of the offset by folds, and the model that comes of it.
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), with the hinge of (3.4). Of the quadratic model the
// maximum within L_i is that of the relaxation (3.6), an upper bound, or the exact one; links are
// always found exactly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/align/labelled_pairs.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/align/supervised/link_decoder.h"
#include "trellis/tasks/align/supervised/link_model.h"

namespace trellis::align {

enum class QuadraticTraining { kRelaxed, kExact };
constexpr auto names_of(QuadraticTraining) {
  return Names{"training method of the quadratic model", "relaxed", "exact"};
}

const TaskDefaults& link_defaults();
// What a shape can be trained by.
Able link_able(const LinkShape& shape, QuadraticTraining training);
Able link_able();  // any of them

struct LinkTrainingOptions {
  TrainingOptions training;
  LinkShape shape;
  QuadraticTraining quadratic = QuadraticTraining::kRelaxed;
  std::vector<double> costs;     // c⁻ for c⁺ = 1, to choose from; empty: the standard ones
  std::optional<double> offset;  // none: chosen
  bool strict = false;           // sure links that the structure cannot have are refused
  Index search_limit =
      kSearchLimit;   // of quadratic shapes: of exact training, and on held-out pairs
  Index lexical = 0;  // so many frequent words of each side have weights of their own
  std::vector<std::string> externals;  // names
};

// Throws UsageError for what does not go together. Reads no data.
LearnerChoice link_learner(const LinkTrainingOptions& options, bool has_dev);

// Throws InputError where a word has more sure links than `most_links`: what `strict` asks for, and
// what can be known before there are features.
void require_few_links(const GoldPairs& gold, Index most_links, const std::string& gold_name);

struct LinkTrainingResult {
  LinkShape shape;
  Learned learned;
  double cost = 1;    // c⁻
  double offset = 0;  // of links
  Index pairs = 0, sure = 0, candidates = 0, weights = 0;
  LeftOut left_out;
  double lambda = 0;
  AlignmentCounts train;
  std::optional<AlignmentCounts> held_out;  // over the folds, of what was chosen
  std::optional<AlignmentCounts> dev;
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct LinkTrained {
  std::optional<AlignModel> model;  // none where it was interrupted
  LinkTrainingResult result;
};

// `base` has statistics. `gold_name` is the file that is named where links are refused.
LinkTrained train_links(const AlignModel& base, const LabelledPairs& pairs,
                        const LabelledPairs* dev, const LinkTrainingOptions& options,
                        const std::string& gold_name, const TrainEvents& events = {});

}  // namespace trellis::align
