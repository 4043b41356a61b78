// Training a segmenter: from pictures with masks, or from graphs, to a model file.
//
//   files → features (ranks or moments of the training set) → networks → oracle → learner → model
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), λ = 1/(C n), under w_e ≥ 0, where L_i is the margin
// loss per node (network_model.h): a bound on the share of wrong nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/segment/segment_features.h"
#include "trellis/tasks/segment/segment_scores.h"

namespace trellis::segment {

enum class Learner { kExtragradient, kBcfw, kBmrm, kPerceptron, kSgd };

std::string_view to_string(Learner learner);
Learner parse_learner(std::string_view name);  // throws UsageError

struct TrainOptions {
  std::vector<std::string> files;  // as in picture_files.h; graph files with `graphs`
  std::vector<std::string> dev;    // watched for early stopping; empty: none
  std::string model;               // where the model goes; empty: nowhere
  bool graphs = false;
  bool allow_disconnected = false;

  double scale = 1;
  int connectivity = 8;
  bool unary = false;     // no edges: each pixel on its own
  bool balanced = false;  // figure and ground weigh the same

  Learner learner = Learner::kBcfw;
  double c = 30;
  double radius = 0;   // extragradient: ‖w‖ ≤ radius instead of the penalty; 0: the penalty
  Index warm_up = 0;   // extragradient: epochs of bcfw that it starts from
  Index epochs = 0;    // at most; 0: the learner's own default
  Index patience = 0;  // epochs without a better dev figure before training ends; 0: default
  double gap = 0;      // stop when the certified relative gap is below this; 0: never
  bool certify = false;
  bool average = true;  // perceptron, bcfw, sgd
  double eta = 0;       // sgd: learning rate; 0: chosen
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  std::string checkpoint;  // where the state goes on an interruption; empty: nowhere
  bool resume = false;     // continue from `checkpoint`
};

struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;
};

struct TrainResult {
  LearnSummary summary;
  bool interrupted = false;  // then there is a checkpoint, and no model was written
  Index examples = 0;
  Index nodes = 0;
  Index edges = 0;
  Index weights = 0;
  double lambda = 0;
  Index best_epoch = 0;              // with a dev set: the epoch whose weights were kept
  std::optional<SegmentScores> dev;  // as large as the model sees the pictures
  double read_seconds = 0;
  double total_seconds = 0;

  nlohmann::json to_json() const;
};

// Throws UsageError for options that do not fit together, InputError for what is wrong with the
// files.
TrainResult train_segmenter(const TrainOptions& options, const TrainEvents& events = {});

}  // namespace trellis::segment
