// Predictions for a stream of documents, in constant memory and in the order of the file: a line of
// text or a JSON object for each document. For a labelled file: scores of the predictions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/text_columns.h"
#include "trellis/data/value.h"
#include "trellis/formats/examples/example.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/classify_scores.h"

namespace trellis::classify {

struct StreamOptions {
  std::string columns;    // of a text file; empty: as in training
  bool labelled = false;  // whether every document must have a label
  bool at_once = false;   // write each document before reading the next
  int threads = 0;        // 0: all cores
};

// Calls finish(example, scores) for each document and returns their number. If a document cannot be
// read or scored, the documents before it are finished first; then the InputError propagates.
// Throws UsageError for columns of a file format without columns.
using Scored = std::function<void(const Example& example, const std::vector<double>& scores)>;
Index classify_stream(const Classifier& classifier, InputFile file, const StreamOptions& options,
                      const Scored& finish);

struct PredictOptions {
  StreamOptions stream;
  Index top_k = 1;             // number of labels, best first
  bool probabilities = false;  // after each label
  bool scores = false;         // instead of probabilities
  bool json = false;
};

// Calls write(line) for each document, including the line end: the id if the file has ids, then
// labels, separated by tabs. Throws UsageError if the model has no probabilities.
using WriteLine = std::function<void(std::string_view line)>;
void predict(const ClassifyModel& model, InputFile file, const PredictOptions& options,
             const WriteLine& write);

// A document of an evaluation.
struct JudgedDocument {
  Index line = 0;
  std::string text;  // beginning of the text
  std::string gold;
  std::string predicted;
};

// The beginning of a document's text, or of its indices.
std::string beginning_of(const Example& example);
// Whether a file with these columns has ids.
bool has_id(const std::optional<TextColumns>& columns);

struct EvaluateOptions {
  std::string columns;     // of a text file; empty: as in training
  Index max_mistakes = 0;  // documents to keep
  int threads = 0;         // 0: all cores
};

struct Evaluation {
  ClassifyScores scores;
  std::vector<std::string> unseen_labels;  // in the file, unknown to the model
  std::vector<JudgedDocument> mistakes;    // the first mistakes

  // The scores and unseen_labels.
  Value record(Index confusions) const;
};

// Throws InputError for an invalid file, also for one without examples.
Evaluation evaluate(const ClassifyModel& model, InputFile file, const EvaluateOptions& options);

}  // namespace trellis::classify
