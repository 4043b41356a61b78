// Trains a grammar on treebanks.
//
//   treebank → grammar with frequencies; tagger with choices (jack-knifed) → numbers of features →
//   charts → span model → fit() → GrammarModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n), over the forests of sentences'
// charts (model/span_model.h). The charts contain the steps of true trees even if the filters drop
// them. A generative grammar is only the first step: it has frequencies and no learned weights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/grammar/filter/span_filter.h"
#include "trellis/tasks/grammar/filter_recall.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/output/evaluate.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"
#include "trellis/tasks/grammar/treebank_data.h"

namespace trellis::grammar {

const TaskDefaults& defaults();
Able able();

struct TrainOptions {
  TrainingOptions training;
  bool generative = false;  // only frequencies, no weights
  MarkovOrders orders;
  FilterOptions filter;
  bool tagger = true;  // chooses the tags of words; not with `generative`
  // Folds for its choices; not given: kFolds, or the number of trees if that is smaller.
  std::optional<Index> jackknife;
  static constexpr Index kFolds = 5;
  Index max_words = 40;  // longer sentences are left out; 0: no limit
  // Rarer features of true trees have no weight; not given: 2, or 1 for fewer than kManyWords
  // words.
  std::optional<Index> min_count;
  static constexpr Index kManyWords = 100000;
  Index chart_megabytes = 1024;  // charts beyond this memory are made again each time
};

// Plans the training. Throws UsageError for options that do not fit together. Reads no data.
LearnerChoice plan(const TrainOptions& options);

struct TrainResult {
  bool generative = false;
  Learned learned;  // empty for a generative grammar
  Index sentences = 0, words = 0;
  Index too_long = 0;  // sentences left out
  Index labels = 0, tags = 0, symbols = 0, binary_rules = 0, chains = 0;
  Index weights = 0;
  double edges_per_sentence = 0;       // of the training charts
  Index charts_kept = 0;               // kept in memory; the others are made again each time
  std::optional<double> tag_accuracy;  // of the tagger, jack-knifed, in percent
  std::optional<FilterRecall> recall;  // on the dev set, or on trees held out from the grammar
  bool recall_on_dev = false;
  double lambda = 0;
  std::optional<Evaluation> dev;
  std::vector<std::string> unseen_dev_labels;  // including tags
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct Trained {
  std::optional<GrammarModel> model;  // empty if interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together, InputError for data that do not fit them.
// The caller removes the checkpoint after writing the model.
Trained train(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
              const TrainEvents& events = {});

}  // namespace trellis::grammar
