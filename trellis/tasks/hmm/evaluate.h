// Predictions against the states that a file has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/tasks/hmm/decode.h"
#include "trellis/tasks/hmm/sequence_model.h"

namespace trellis::hmm {

struct EvaluateOptions {
  ColumnOptions columns;
  Decode decode = Decode::kMap;
  std::optional<std::string> loss;  // another than the model's
  bool keep_sequences = false;      // Evaluation::judged: for pictures
  int threads = 1;
};

// A sequence with what was found for it, by numbers of states.
struct JudgedSequence {
  std::string id;            // where the file has ids
  Index line = 0;            // where it begins
  std::vector<Label> truth;  // kNoLabel: not known; SequenceNumbers::kUnseenState: not the model's
  std::vector<Label> found;
  double loss = 0;
};

struct Evaluation {
  std::string loss_name;
  double loss = 0;            // the mean of a sequence
  double loss_deviation = 0;  // over sequences; 0 where there is one
  double error = 0;           // % of the positions
  double hamming = 0;         // wrong positions, the mean of a sequence
  Index sequences = 0, positions = 0, wrong = 0;
  bool probable = true;             // a model says how probable sequences are
  double log_likelihood = 0;        // Σ log P(x)
  double joint_log_likelihood = 0;  // Σ log P(s, x); −∞ where a true sequence is impossible
  Index unseen_values = 0;
  std::vector<std::string> unseen_states;  // of the file, which the model does not have
  std::vector<std::string> states;
  // By true state (and, in the last row, those that the model does not have) and predicted one.
  std::vector<Index> confusion;
  std::vector<JudgedSequence> judged;  // where they were to be kept

  Value record() const;
  std::string to_text() const;
  std::vector<std::string> warnings() const;
};

// Throws InputError where the file has no states, or observations of probability 0.
Evaluation evaluate(const SequenceModel& model, InputFile file, const EvaluateOptions& options);

// States that anybody predicted: the lines of the file, with the predicted state in the place of
// the true one, as predict() writes them. The states are those that occur in either; the loss is
// Hamming's unless the options say otherwise. Throws InputError with file and line where the two
// are not of the same observations.
Evaluation judge_file(InputFile file, InputFile predictions, const EvaluateOptions& options);

}  // namespace trellis::hmm
