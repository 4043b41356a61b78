// The report of a word aligner: the course of training, the scores of its links against gold links,
// examples of sentence pairs, and the learned words and word order.
//
// A page consists of plain data and depends on nothing else, so the same data give the same bytes.
// A part without data has no section.
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
  // Training from labelled links; `learned` must outlive the making of the page.
  std::vector<TrainingPoint> history;
  const Learned* learned = nullptr;
  std::vector<StrongFeature> weights;

  std::string evaluated_on;
  align::AlignmentScores scores;
  std::vector<std::string> pair_names;  // for the scores
  std::vector<AlignmentGrid> grids;
  std::vector<align::WordErrors> source_errors;
  std::vector<align::WordErrors> target_errors;

  // Their words belong to the model, which must outlive the making of the page.
  std::vector<align::Translation> lexicon;
  std::vector<align::Alone> source_alone;
  std::vector<align::Alone> target_alone;
  std::vector<align::Fertile> source_fertile;
  std::vector<align::Fertile> target_fertile;
  std::vector<align::JumpShare> forward_jumps;
  std::vector<align::JumpShare> reverse_jumps;
};

std::string align_report(const AlignReport& report);

// Fills in what every model has and how it decodes links; then its training, what it has learned
// (in full, or only the translations of `word`), and an evaluation.
AlignReport model_page(const align::PairAligner& aligner, const std::string& title);
void add_training(const align::TrainResult& result, AlignReport& page);
// Training from labelled links: the choice of settings, the run, and the largest weights.
void add_link_training(const align::LinkTrainingResult& result, AlignReport& page);
void add_weights(const align::SupervisedAligner& aligner, Index top, AlignReport& page);
void add_lexicon(const align::AlignModel& model, Index top, const std::string& word,
                 AlignReport& page);
// Aligns the pairs, scores the links, and draws some of the pairs. `name` describes the data.
void add_evaluation(const align::PairAligner& aligner, const align::LabelledPairs& pairs,
                    const std::string& name, int threads, AlignReport& page);
// Draws a pair without gold links; a page has at most kMaxPairsInReport pairs.
inline constexpr Index kMaxPairsInReport = 16;
void add_pair(const align::PairAligner& aligner, const align::SentencePair& pair,
              const align::AlignedLinks& found, AlignReport& page);

}  // namespace trellis::report
