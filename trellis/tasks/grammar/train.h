// Training a grammar: treebanks in, a model out.
//
//   treebank → grammar, its frequencies; tagger, its choices (jack-knifed) → numbers of features →
//   charts → span model → fit() → GrammarModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n), over the forests of sentences'
// charts (model/span_model.h). Steps of true trees that the filters would leave out are in the
// charts all the same. A generative grammar is the first step alone: nothing is learned but
// frequencies.
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
  bool generative = false;  // frequencies alone, no weights
  MarkovOrders orders;
  FilterOptions filter;
  bool tagger = true;  // words have the tags that it chooses; not of a generative grammar
  // Folds of its choices; not given: kFolds, or as many as there are trees.
  std::optional<Index> jackknife;
  static constexpr Index kFolds = 5;
  Index max_words = 40;  // longer sentences are not learned from; 0: all are
  // Features of true trees that occur less often have no weight; not given: 2, and 1 where there
  // are fewer than kManyWords.
  std::optional<Index> min_count;
  static constexpr Index kManyWords = 100000;
  Index chart_megabytes = 1024;  // charts that they do not hold are made anew each time
};

// What will be done. Throws UsageError for options that do not fit together. Reads no data.
LearnerChoice plan(const TrainOptions& options);

struct TrainResult {
  bool generative = false;
  Learned learned;  // of a generative grammar nothing
  Index sentences = 0, words = 0;
  Index too_long = 0;  // sentences that were left out
  Index labels = 0, tags = 0, symbols = 0, binary_rules = 0, chains = 0;
  Index weights = 0;
  double edges_per_sentence = 0;       // of the charts that are learned from
  Index charts_kept = 0;               // of these; the others are made anew each time
  std::optional<double> tag_accuracy;  // of the tagger, jack-knifed, in percent
  std::optional<FilterRecall> recall;  // on the dev set, or on what was held out of the grammar
  bool recall_on_dev = false;
  double lambda = 0;
  std::optional<Evaluation> dev;
  std::vector<std::string> unseen_dev_labels;  // tags among them
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct Trained {
  std::optional<GrammarModel> model;  // none where training was interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together, InputError for data that do not fit them.
// The checkpoint is left until the caller has written the model.
Trained train(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
              const TrainEvents& events = {});

}  // namespace trellis::grammar
