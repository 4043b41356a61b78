// Training a parser: treebanks in, a model out.
//
//   treebank → filter → candidate arcs → numbers of features → arc model → fit() → ParseModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n), over arcs with labels
// (model/arc_model.h). True arcs that the filter would leave out are candidates all the same.
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

// How many words of a sentence hang on the root.
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
  // Of a second-order model; not given: relaxed for hinge losses, reweighted for smooth ones.
  std::optional<PairInference> inference;
  InferenceLimits limits;  // of that
  // How the dev set is parsed, and the model parses where its user does not say. By risk, the sums
  // of pairs are those of the inference where that sums, and beliefs otherwise.
  Decoding decoding = Decoding::kMap;
  std::optional<RootRule> roots;  // not given: one, if every training sentence has one
  FilterOptions filter;
  // In place of the filter's; not given: its own for arcs, and for pairs, whose number grows with
  // the square of the candidates, that below.
  std::optional<double> prune_below;
  static constexpr double kPruneBelowForPairs = 1e-2;
  Index max_words = 80;  // longer sentences are not learned from; 0: all are
  // Features of true arcs that occur less often have no weight; not given: 2, and 1 where there are
  // fewer than kManyWords.
  std::optional<Index> min_count;
  static constexpr Index kManyWords = 100000;
  // Train a tagger as well, and the parser on its tags (tagging/tagger_training.h).
  bool tagger = false;
  std::optional<Index> jackknife;  // folds; not given: 5

  FilterOptions filter_options() const;
};

// What will be done. Throws UsageError for options that do not fit together. Reads no data.
LearnerChoice plan(const TrainOptions& options);

struct TrainResult {
  Learned learned;
  Index sentences = 0, words = 0, labels = 0;
  Index too_long = 0;  // sentences that were left out
  Index crossing = 0;  // sentences that were left out of a projective model
  Index arc_features = 0, weights = 0;
  bool one_root = false;
  std::optional<FilterRecall> recall;  // on the dev set, or on what was held out of the filter
  bool recall_on_dev = false;
  // On the sentences that the filter has learned from: the parser learns from candidates that are
  // sharper than those that it will see.
  std::optional<FilterRecall> recall_on_train;
  double lambda = 0;
  struct Tagging {
    Index folds = 0;
    TaggingCounts jackknifed;
    std::optional<TaggingCounts> dev;

    Value record() const;
    std::string to_text() const;  // a line
  };
  std::optional<Tagging> tagging;
  std::optional<AttachmentScores> dev;  // by the tagger's tags, where one was trained
  std::vector<std::string> unseen_dev_labels;
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct Trained {
  std::optional<ParseModel> model;  // none where training was interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together, InputError for data that do not fit them.
// The checkpoint is left until the caller has written the model.
Trained train(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
              const TrainEvents& events = {});

}  // namespace trellis::parse
