// Training a segmenter: from pictures with masks, or from graphs, to a model.
//
//   files → SegmentData (ranks or moments of the training set) → networks → fit() → SegmentModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), λ = 1/(C n), under w_e ≥ 0, where L_i is the margin
// loss per node (network_model.h): a bound on the share of wrong nodes.
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
// Without edges (unary) no weight has to stay ≥ 0.
Able able(bool unary = false);

struct TrainOptions {
  TrainingOptions training;
  FeatureOptions features;
  bool balanced = false;  // figure and ground weigh the same
};

struct TrainResult {
  Learned learned;
  Index examples = 0;
  Index nodes = 0;
  Index edges = 0;
  Index weights = 0;
  double lambda = 0;                 // 0: none
  std::optional<SegmentScores> dev;  // as large as the model sees the pictures
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<SegmentModel> model;  // none where training was interrupted
  TrainResult result;
};

// `dev`, to be watched, is for the features of `data`; empty: none. The checkpoint is left until
// the caller has written the model: result.learned.stages->discard(). Throws UsageError for options
// that do not fit together.
Trained train(const SegmentData& data, std::span<const SegmentExample> dev,
              const TrainOptions& options, const TrainEvents& events = {});

// The same from files. Options that do not fit together are refused before any of them is read.
// Throws InputError for what is wrong with the files.
Trained train_files(const SegmentInput& input, const std::vector<std::string>& dev,
                    const TrainOptions& options, const TrainEvents& events = {});

}  // namespace trellis::segment
