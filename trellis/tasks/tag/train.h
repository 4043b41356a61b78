// Trains a tagger on labelled sequences.
//
//   files → TagData → features → chain model → fit() → TagModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n); problem/loss.h has the losses and
// learn/ the learners. Impossible combinations (for example L-BFGS with the hinge) are a UsageError
// of plan(), before any work is done.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/problem/chain/chain_feature_builder.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::tag {

const TaskDefaults& defaults();
// `implicit`: with a kernel without explicit features.
Able able(bool implicit = false);

struct TrainOptions {
  TrainingOptions training;
  Index word_column = 0;  // shown in reports for each token
  ChainFeatureOptions features;
  std::optional<Kernel> kernel;  // over the node attributes as a vector of numbers
  Index kernel_rank = 0;         // maximum number of pivots; 0: as many as needed
  bool implicit = false;         // coefficients of all training positions instead of pivots
  int order = 1;                 // labels that a label depends on, 1 to 4
  bool allow_illegal = false;    // do not restrict training and decoding to legal tag sequences
  std::map<std::string, double> label_weights;  // the cost of missing a label; 1 where not given
  std::shared_ptr<const TagModel> warm_start;   // initial weights; null: 0
};

// Plans the training. Throws UsageError for options that do not fit together.
LearnerChoice plan(const TrainOptions& options, const TrainingSetOptions& data);

struct TagData {
  FeatureTemplate features;
  TrainingSet set;
  std::optional<HeldOutSentences> dev;
};

// Reads the files in order. A model for a warm start keeps the numbers of its labels and its
// scheme. Throws InputError for invalid files, UsageError for a model that does not fit.
TagData read_tag_data(std::vector<SequenceReader> files, std::optional<InputFile> dev,
                      FeatureTemplate features, TrainingSetOptions options,
                      const TagModel* warm_start = nullptr);
TagData read_tag_data(std::vector<InputFile> files, std::optional<InputFile> dev,
                      FeatureTemplate features, TrainingSetOptions options,
                      const TagModel* warm_start = nullptr);

struct TrainResult {
  Learned learned;
  Index sequences = 0;
  Index tokens = 0;
  Index labels = 0;
  Index attributes = 0;
  Index weights = 0;
  double lambda = 0;
  std::optional<TagScores> dev;
  std::vector<std::string> unseen_dev_labels;  // in no training sequence
  RunSeconds seconds;                          // of train(), without reading

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<TagModel> model;  // empty if interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit each other or the data. After writing the model,
// the caller removes the checkpoint: result.learned.stages->discard().
Trained train(TagData data, const TrainOptions& options, const TrainEvents& events = {});

// Initial weights from an older model: shared features and labels keep their weights, new ones
// begin at 0, and old ones that the new data lack are dropped. `node_ids` and `edge_ids` are the
// rows of the training set's attributes in `chain`. Requires a model without voters.
std::vector<double> warm_weights(const TagModel& model, const TrainingSet& set,
                                 const ChainFeatures& chain, std::span<const AttributeId> node_ids,
                                 std::span<const AttributeId> edge_ids);

}  // namespace trellis::tag
