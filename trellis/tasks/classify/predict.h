// Predictions for a stream of documents, in constant memory and in the order of the file: a line of
// text or a JSON object for each; or, of a labelled file, how good they are.
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
  std::string columns;    // of a text file; nothing: as in training
  bool labelled = false;  // whether every document must have a label
  bool at_once = false;   // a document comes out before the next one is read
  int threads = 0;        // 0: all cores
};

// finish(example, scores) for each document. Where one cannot be read or scored, those before it
// are finished first; then the InputError goes on. Returns how many there were. Throws UsageError
// for columns of a file that has none.
using Scored = std::function<void(const Example& example, const std::vector<double>& scores)>;
Index classify_stream(const Classifier& classifier, InputFile file, const StreamOptions& options,
                      const Scored& finish);

struct PredictOptions {
  StreamOptions stream;
  Index top_k = 1;             // labels, best first
  bool probabilities = false;  // behind each label
  bool scores = false;         // or this
  bool json = false;
};

// write(line) for each document, its end included: the id where the file has such a column, then
// labels, with tabs. Throws UsageError for probabilities that the model does not have.
using WriteLine = std::function<void(std::string_view line)>;
void predict(const ClassifyModel& model, InputFile file, const PredictOptions& options,
             const WriteLine& write);

// A document that an evaluation looked at.
struct JudgedDocument {
  Index line = 0;
  std::string text;  // its beginning
  std::string gold;
  std::string predicted;
};

// The beginning of a document's text, or of its indices.
std::string beginning_of(const Example& example);
// Whether a file of these columns has ids.
bool has_id(const std::optional<TextColumns>& columns);

struct EvaluateOptions {
  std::string columns;     // of a text file; nothing: as in training
  Index max_mistakes = 0;  // documents to keep
  int threads = 0;         // 0: all cores
};

struct Evaluation {
  ClassifyScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  std::vector<JudgedDocument> mistakes;    // the first ones

  // The scores, and unseen_labels.
  Value record(Index confusions) const;
};

// Throws InputError for what is wrong with the file; no example is.
Evaluation evaluate(const ClassifyModel& model, InputFile file, const EvaluateOptions& options);

}  // namespace trellis::classify
