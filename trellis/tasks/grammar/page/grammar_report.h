// The report of a grammar: how training went, how well its brackets agree with gold's, by category
// and by length of the sentence, and trees to look at, gold's and the parser's side by side.
//
// A page is made of plain data; a part that is empty has no section. It depends on nothing else, so
// the same data gives the same bytes.
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

// The hardest sentences of an evaluation and a sample of the others. Sentences are told one after
// the other; memory is that of the sentences shown.
class BracketAlbum {
 public:
  static constexpr Index kHardest = 10, kSampled = 8;

  void add(const grammar::ConstituencyTree& gold, const grammar::ConstituencyTree& found,
           const grammar::BracketMatch& match, const grammar::EvalbParameters& parameters);

  Index num_sentences() const { return num_sentences_; }
  // Those with the largest share of wrong and missed brackets first. A share of few brackets means
  // little, so it is drawn towards 0 by kRightBrackets that are right.
  static constexpr double kRightBrackets = 3;
  std::vector<ConstituencyPicture> hardest() const;
  // Drawn at random from all others, in the order of the file; the same ones each time.
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
  std::string dev_metric = "F1";     // what TrainingPoint::dev is
  const Learned* learned = nullptr;  // how settings were chosen

  std::string evaluated_on;
  grammar::TreebankScores scores;
  Index partial = 0, flat = 0;  // sentences that the grammar has no tree for
  BracketAlbum trees;
};

// What a page says of a model: how it was made.
GrammarReport model_page(const grammar::GrammarModel& model, const std::string& title);
// Parses a treebank, scores the trees, and draws some of them. `file` is its name on the page;
// options.on_sentence is told as well.
grammar::Evaluation add_evaluation(const grammar::GrammarModel& model, InputFile treebank,
                                   grammar::EvaluateOptions options, const std::string& file,
                                   GrammarReport& page);
grammar::Evaluation add_evaluation(const grammar::GrammarModel& model,
                                   std::span<const grammar::ConstituencyTree> trees,
                                   grammar::EvaluateOptions options, const std::string& file,
                                   GrammarReport& page);

std::string grammar_report(const GrammarReport& report);

}  // namespace trellis::report
