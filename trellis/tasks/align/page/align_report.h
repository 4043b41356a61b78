// The report of a word aligner: how training went, how well its links agree with those that people
// drew, sentence pairs to look at, and what it has learned of words and of their order.
//
// A page is made of plain data; a part that is empty has no section. It depends on nothing else, so
// the same data gives the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/frame/training/page/training_section.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/align/inspect.h"
#include "trellis/tasks/align/page/alignment_grid.h"
#include "trellis/tasks/align/predict.h"
#include "trellis/tasks/align/supervised/link_training.h"
#include "trellis/tasks/align/train.h"
#include "trellis/tasks/align/word_errors.h"

namespace trellis::report {

struct AlignReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<align::Iteration> iterations;
  // Of what was learned from links; `learned` must live as long as the page is not made.
  std::vector<TrainingPoint> history;
  const Learned* learned = nullptr;
  std::vector<StrongFeature> weights;

  std::string evaluated_on;
  align::AlignmentScores scores;
  std::vector<std::string> pair_names;  // of the scores
  std::vector<AlignmentGrid> grids;
  std::vector<align::WordErrors> source_errors;
  std::vector<align::WordErrors> target_errors;

  // The words of these belong to the model, which must live as long as the page is not made.
  std::vector<align::Translation> lexicon;
  std::vector<align::Alone> source_alone;
  std::vector<align::Alone> target_alone;
  std::vector<align::Fertile> source_fertile;
  std::vector<align::Fertile> target_fertile;
  std::vector<align::JumpShare> forward_jumps;
  std::vector<align::JumpShare> reverse_jumps;
};

std::string align_report(const AlignReport& report);

// What a page says of any model and of how its links are decoded; then what it shows of its
// training, of what it has learned (all of it, or the translations of `word`), and of an
// evaluation.
AlignReport model_page(const align::PairAligner& aligner, const std::string& title);
void add_training(const align::TrainResult& result, AlignReport& page);
// Of what was learned from links: how the choice and the run went; and the largest weights.
void add_link_training(const align::LinkTrainingResult& result, AlignReport& page);
void add_weights(const align::SupervisedAligner& aligner, Index top, AlignReport& page);
void add_lexicon(const align::AlignModel& model, Index top, const std::string& word,
                 AlignReport& page);
// Aligns the pairs, scores the links, and draws some of them. `name` says what they are.
void add_evaluation(const align::PairAligner& aligner, const align::LabelledPairs& pairs,
                    const std::string& name, int threads, AlignReport& page);
// Draws a pair whose links nobody knows; no more than kMaxPairsInReport of them.
inline constexpr Index kMaxPairsInReport = 16;
void add_pair(const align::PairAligner& aligner, const align::SentencePair& pair,
              const align::AlignedLinks& found, AlignReport& page);

}  // namespace trellis::report
