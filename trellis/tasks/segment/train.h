// Trains a segmenter on pictures with masks, or on graphs.
//
//   files → SegmentData (ranks or moments of the training set) → networks → fit() → SegmentModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), λ = 1/(C n), subject to w_e ≥ 0, where L_i is the
// margin loss per node (network_model.h): an upper bound of the share of wrong nodes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segment_scores.h"

namespace trellis::segment {

const TaskDefaults& defaults();
// Without edges (unary) no weights are constrained to be ≥ 0.
Able able(bool unary = false);

struct TrainOptions {
  TrainingOptions training;
  FeatureOptions features;
  bool balanced = false;  // figure and ground have equal weight
};

struct TrainResult {
  Learned learned;
  Index examples = 0;
  Index nodes = 0;
  Index edges = 0;
  Index weights = 0;
  double lambda = 0;                 // 0: none
  std::optional<SegmentScores> dev;  // in the size that the model uses
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<SegmentModel> model;  // empty if interrupted
  TrainResult result;
};

// `dev` (may be empty) must use the features of `data`. After writing the model, the caller removes
// the checkpoint: result.learned.stages->discard(). Throws UsageError for options that do not fit
// together.
Trained train(const SegmentData& data, std::span<const SegmentExample> dev,
              const TrainOptions& options, const TrainEvents& events = {});

// The same from files; checks the options before it reads anything. Throws InputError for invalid
// files.
Trained train_files(const SegmentInput& input, const std::vector<std::string>& dev,
                    const TrainOptions& options, const TrainEvents& events = {});

}  // namespace trellis::segment
