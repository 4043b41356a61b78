// Evaluates predictions against the states of a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/tasks/tables/hmm/decode.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"

namespace trellis::hmm {

struct EvaluateOptions {
  ColumnOptions columns;
  Decode decode = Decode::kMap;
  std::optional<std::string> loss;  // instead of the model's
  bool keep_sequences = false;      // in Evaluation::judged, for pictures
  int threads = 1;
};

// A sequence with its prediction, as numbers of states.
struct JudgedSequence {
  std::string id;            // if the file has ids
  Index line = 0;            // the first line
  std::vector<Label> truth;  // kNoLabel: unknown; SequenceNumbers::kUnseenState: not in the model
  std::vector<Label> found;
  double loss = 0;
};

struct Evaluation {
  std::string loss_name;
  double loss = 0;            // mean over sequences
  double loss_deviation = 0;  // over sequences; 0 for a single one
  double error = 0;           // % of positions
  double hamming = 0;         // wrong positions, mean over sequences
  Index sequences = 0, positions = 0, wrong = 0;
  bool probable = true;             // a model gives the probability of sequences
  double log_likelihood = 0;        // Σ log P(x)
  double joint_log_likelihood = 0;  // Σ log P(s, x); −∞ if a true sequence is impossible
  Index unseen_values = 0;
  std::vector<std::string> unseen_states;  // in the file, unknown to the model
  std::vector<std::string> states;
  // By true state (the last row: states that the model does not have) and predicted state.
  std::vector<Index> confusion;
  std::vector<JudgedSequence> judged;  // if requested

  Value record() const;
  std::string to_text() const;
  std::vector<std::string> warnings() const;
};

// Throws InputError if the file has no states, or observations of probability 0.
Evaluation evaluate(const SequenceModel& model, InputFile file, const EvaluateOptions& options);

// Evaluates predictions of any program: the lines of the file with predicted states in place of the
// true ones, as predict() writes them. The states are those that occur in either file; the loss is
// Hamming's unless the options give another. Throws InputError with file and line if the
// observations differ.
Evaluation judge_file(InputFile file, InputFile predictions, const EvaluateOptions& options);

}  // namespace trellis::hmm
