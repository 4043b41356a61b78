// Writes each sequence as soon as it is read: every line unchanged, with the state in its column,
// or in an additional column if that is missing. With marginals, the probability of each state
// follows. As JSON: one object per sequence.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/tasks/tables/hmm/decode.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"

namespace trellis::hmm {

struct PredictOptions {
  ColumnOptions columns;
  Decode decode = Decode::kMap;
  bool marginals = false;
  bool json = false;
};

struct PredictResult {
  Index sequences = 0;
  Index positions = 0;
  Index unseen_values = 0;

  std::vector<std::string> warnings() const;
};

// Throws InputError if the observations of a sequence have probability 0.
PredictResult predict(const SequenceModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

// Throws the error about such a sequence.
[[noreturn]] void refuse_impossible(const std::string& file, const FileSequence& sequence);

}  // namespace trellis::hmm
