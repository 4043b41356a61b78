// States for the sequences of a file, written as they are read: every line again, with the state in
// its column, or in a further one where there is none. With marginals, the probability of each
// state follows. As JSON, an object for each sequence.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/tasks/hmm/decode.h"
#include "trellis/tasks/hmm/sequence_model.h"

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

// Throws InputError where the observations of a sequence have probability 0.
PredictResult predict(const SequenceModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

// The complaint about such a sequence.
[[noreturn]] void refuse_impossible(const std::string& file, const FileSequence& sequence);

}  // namespace trellis::hmm
