// The report of a parser: how training went, how well its trees agree with gold's, by label,
// distance, part of speech and length of the sentence, and trees to look at.
//
// A page is made of plain data; a part that is empty has no section. It depends on nothing else, so
// the same data gives the same bytes.
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
  std::string dev_metric = "LAS";    // what TrainingPoint::dev is
  const Learned* learned = nullptr;  // how settings were chosen

  std::string evaluated_on;
  parse::AttachmentScores scores;
  TreeAlbum trees;
};

// What a page says of a model: how it was made.
ParseReport model_page(const parse::ParseModel& model, const std::string& title);
// Parses a treebank, scores the trees, and draws some of them. `file` is its name on the page;
// options.on_sentence is told as well.
parse::Evaluation add_evaluation(const parse::ParseModel& model, InputFile treebank,
                                 parse::EvaluateOptions options, const std::string& file,
                                 ParseReport& page);

std::string parse_report(const ParseReport& report);

}  // namespace trellis::report
