// Trains a parser on treebanks.
//
//   treebank → filter → candidate arcs → numbers of features → arc model → fit() → ParseModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n), over arcs with labels
// (model/arc_model.h). True arcs are candidates even if the filter would prune them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/parse/filter/arc_filter.h"
#include "trellis/tasks/parse/filter/filter_training.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"
#include "trellis/tasks/parse/model/pair_inference.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/model/tree_decoder.h"
#include "trellis/tasks/parse/tagging/tagger_training.h"
#include "trellis/tasks/parse/treebank_data.h"

namespace trellis::parse {

// How many words of a sentence may depend on the root.
enum class RootRule { kAny, kOne };
constexpr auto names_of(RootRule) {
  return Names{"rule for roots", "any", "one"};
}

const TaskDefaults& defaults();
Able able();

struct TrainOptions {
  TrainingOptions training;
  Index order = 1;
  bool projective = false;
  // For a second-order model; not given: relaxed for hinge losses, reweighted for smooth ones.
  std::optional<PairInference> inference;
  InferenceLimits limits;  // for this inference
  // The decoding of the dev set, and the model's default. By risk, the sums of pairs are those of
  // the inference if it has sums, and beliefs otherwise.
  Decoding decoding = Decoding::kMap;
  std::optional<RootRule> roots;  // not given: one, if every training sentence has one
  FilterOptions filter;
  // Replaces the filter's value; not given: the filter's for arcs, and the one below for pairs,
  // whose number grows with the square of the candidates.
  std::optional<double> prune_below;
  static constexpr double kPruneBelowForPairs = 1e-2;
  Index max_words = 80;  // longer sentences are left out; 0: no limit
  // Rarer features of true arcs have no weight; not given: 2, or 1 for fewer than kManyWords words.
  std::optional<Index> min_count;
  static constexpr Index kManyWords = 100000;
  // Also train a tagger, and the parser on its tags (tagging/tagger_training.h).
  bool tagger = false;
  std::optional<Index> jackknife;  // folds; not given: 5

  FilterOptions filter_options() const;
};

// Plans the training. Throws UsageError for options that do not fit together. Reads no data.
LearnerChoice plan(const TrainOptions& options);

struct TrainResult {
  Learned learned;
  Index sentences = 0, words = 0, labels = 0;
  Index too_long = 0;  // sentences left out
  Index crossing = 0;  // sentences left out of a projective model
  Index arc_features = 0, weights = 0;
  bool one_root = false;
  std::optional<FilterRecall> recall;  // on the dev set, or on sentences held out from the filter
  bool recall_on_dev = false;
  // On the filter's training sentences: there it prunes better than on the sentences that the
  // parser will see.
  std::optional<FilterRecall> recall_on_train;
  double lambda = 0;
  struct Tagging {
    Index folds = 0;
    TaggingCounts jackknifed;
    std::optional<TaggingCounts> dev;

    Value record() const;
    std::string to_text() const;  // one line
  };
  std::optional<Tagging> tagging;
  std::optional<AttachmentScores> dev;  // with the tagger's tags, if there is one
  std::vector<std::string> unseen_dev_labels;
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct Trained {
  std::optional<ParseModel> model;  // empty if interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together, InputError for data that do not fit them.
// The caller removes the checkpoint after writing the model.
Trained train(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
              const TrainEvents& events = {});

}  // namespace trellis::parse
