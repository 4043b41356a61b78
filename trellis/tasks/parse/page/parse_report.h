// The report of a parser: the course of training, scores of its trees by label, distance, part of
// speech and sentence length, and example trees.
//
// A page consists of plain data and depends on nothing else, so the same data give the same bytes.
// A part without data has no section.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/output/evaluate.h"
#include "trellis/tasks/parse/page/tree_album.h"

namespace trellis::report {

struct ParseReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;

  std::vector<TrainingPoint> history;
  std::string dev_metric = "LAS";    // name of the metric in TrainingPoint::dev
  const Learned* learned = nullptr;  // for the choice of settings

  std::string evaluated_on;
  parse::AttachmentScores scores;
  TreeAlbum trees;
};

// The data of a model: how it was made.
ParseReport model_page(const parse::ParseModel& model, const std::string& title);
// Parses a treebank, scores the trees, and draws some trees. `file` is its name on the page;
// options.on_sentence is called as well.
parse::Evaluation add_evaluation(const parse::ParseModel& model, InputFile treebank,
                                 parse::EvaluateOptions options, const std::string& file,
                                 ParseReport& page);

std::string parse_report(const ParseReport& report);

}  // namespace trellis::report
