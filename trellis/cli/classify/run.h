// Running a classifier over a file: what predict, evaluate and the reports share.
#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/classify_scores.h"
#include "trellis/tasks/classify/example_reader.h"

namespace trellis::cli {

// A file to read as a model expects it.
struct ClassifyInput {
  std::string file;     // "-" or nothing: standard input
  std::string columns;  // nothing: as in training
};
void add_columns_option(CLI::App& app, std::string& columns);

// Reads examples in batches, scores those of a batch in parallel, then hands them to `finish` in
// the order of the file. Constant memory. Standard input is read one example at a time, so that
// what is piped in comes out at once.
class ExamplePipeline {
 public:
  ExamplePipeline(const classify::ClassifyModel& model, const ClassifyInput& input, int threads,
                  bool labelled);

  using Finish =
      std::function<void(const classify::Example& example, const std::vector<double>& scores)>;
  // Where reading or scoring an example fails, those before it are finished first; then the
  // exception goes on. So what is written and what is said do not depend on batches and threads.
  void run(const Finish& finish);

  bool interactive() const { return batch_.size() == 1; }
  const std::string& file() const { return reader_.name(); }
  const classify::Classifier& classifier() const { return classifier_; }

 private:
  Index read_batch();

  classify::Classifier classifier_;
  classify::ExampleReader reader_;
  int threads_;
  std::vector<classify::Example> batch_;
  std::vector<std::vector<double>> scores_;
  std::vector<classify::Classifier::Scratch> scratch_;
  std::vector<std::exception_ptr> faults_;  // of each example of the batch
  std::exception_ptr read_fault_;
};

// A document that an evaluation looked at.
struct JudgedDocument {
  Index line = 0;
  std::string text;  // its beginning
  std::string gold;
  std::string predicted;
};

struct ClassifyEvaluation {
  classify::ClassifyScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  std::vector<JudgedDocument> mistakes;    // the first ones
};

// Classifies a labelled file and compares. Keeps up to `max_mistakes` documents.
ClassifyEvaluation evaluate_documents(const classify::ClassifyModel& model,
                                      const ClassifyInput& input, int threads,
                                      Index max_mistakes = 0);

}  // namespace trellis::cli
