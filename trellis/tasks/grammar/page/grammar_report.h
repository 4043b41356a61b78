// The report of a grammar: the course of training, scores of brackets by category and by sentence
// length, and example trees, gold and predicted side by side.
//
// A page consists of plain data and depends on nothing else, so the same data give the same bytes.
// A part without data has no section.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"
#include "trellis/tasks/grammar/metrics/treebank_scores.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/output/evaluate.h"
#include "trellis/tasks/grammar/page/constituency_picture.h"

namespace trellis::report {

// Collects the hardest sentences of an evaluation and a sample of the others. Sentences are added
// one by one; memory is that of the displayed ones.
class BracketAlbum {
 public:
  static constexpr Index kHardest = 10, kSampled = 8;

  void add(const grammar::ConstituencyTree& gold, const grammar::ConstituencyTree& found,
           const grammar::BracketMatch& match, const grammar::EvalbParameters& parameters);

  Index num_sentences() const { return num_sentences_; }
  // Sentences with the largest share of wrong and missed brackets first. Shares of few brackets are
  // unreliable, so kRightBrackets additional right ones shrink each share towards 0.
  static constexpr double kRightBrackets = 3;
  std::vector<ConstituencyPicture> hardest() const;
  // Drawn at random from the others, in the order of the file; always the same ones.
  std::vector<ConstituencyPicture> sample() const;

 private:
  struct Kept {
    double key = 0;  // the smallest ones are kept
    Index number = 0;
    ConstituencyPicture picture;
  };
  using Shelf = std::vector<Kept>;  // by key, then number

  static void keep(Shelf& shelf, Index most, Kept one);

  Shelf hardest_, drawn_;
  Index num_sentences_ = 0;
};

struct GrammarReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;

  std::vector<TrainingPoint> history;
  std::string dev_metric = "F1";     // name of the metric in TrainingPoint::dev
  const Learned* learned = nullptr;  // for the choice of settings

  std::string evaluated_on;
  grammar::TreebankScores scores;
  Index partial = 0, flat = 0;  // sentences without a tree in the grammar
  BracketAlbum trees;
};

// The data of a model: how it was made.
GrammarReport model_page(const grammar::GrammarModel& model, const std::string& title);
// Parses a treebank, scores the trees, and draws some trees. `file` is its name on the page;
// options.on_sentence is called as well.
grammar::Evaluation add_evaluation(const grammar::GrammarModel& model, InputFile treebank,
                                   grammar::EvaluateOptions options, const std::string& file,
                                   GrammarReport& page);
grammar::Evaluation add_evaluation(const grammar::GrammarModel& model,
                                   std::span<const grammar::ConstituencyTree> trees,
                                   grammar::EvaluateOptions options, const std::string& file,
                                   GrammarReport& page);

std::string grammar_report(const GrammarReport& report);

}  // namespace trellis::report
