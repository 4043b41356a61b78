// Learns from labelled pairs on top of a generative model: features, examples, the choice of costs,
// regularisation and offset by folds, and the resulting model.
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), with the hinge of (3.4). For the quadratic model, the
// maximum within L_i is that of the relaxation (3.6), an upper bound, or the exact one; prediction
// is always exact.
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
// The learners and losses that work for a shape.
Able link_able(const LinkShape& shape, QuadraticTraining training);
Able link_able();  // for any shape

struct LinkTrainingOptions {
  TrainingOptions training;
  LinkShape shape;
  QuadraticTraining quadratic = QuadraticTraining::kRelaxed;
  std::vector<double> costs;     // candidates of c⁻ for c⁺ = 1; empty: the standard ones
  std::optional<double> offset;  // empty: chosen
  bool strict = false;           // refuse sure links that the structure cannot have
  Index search_limit =
      kSearchLimit;   // for quadratic shapes: in exact training and on held-out pairs
  Index lexical = 0;  // this many frequent words of each side have own weights
  std::vector<std::string> externals;  // names
};

// Throws UsageError for options that do not fit together. Reads no data.
LearnerChoice link_learner(const LinkTrainingOptions& options, bool has_dev);

// Throws InputError if a word has more sure links than `most_links`: the part of `strict` that
// needs no features.
void require_few_links(const GoldPairs& gold, Index most_links, const std::string& gold_name);

struct LinkTrainingResult {
  LinkShape shape;
  Learned learned;
  double cost = 1;    // c⁻
  double offset = 0;  // of each link
  Index pairs = 0, sure = 0, candidates = 0, weights = 0;
  LeftOut left_out;
  double lambda = 0;
  AlignmentCounts train;
  std::optional<AlignmentCounts> held_out;  // of the chosen setting, over the folds
  std::optional<AlignmentCounts> dev;
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct LinkTrained {
  std::optional<AlignModel> model;  // empty if interrupted
  LinkTrainingResult result;
};

// Requires statistics in `base`. Messages about refused links name the file `gold_name`.
LinkTrained train_links(const AlignModel& base, const LabelledPairs& pairs,
                        const LabelledPairs* dev, const LinkTrainingOptions& options,
                        const std::string& gold_name, const TrainEvents& events = {});

}  // namespace trellis::align
