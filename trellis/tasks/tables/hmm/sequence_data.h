// Sequences as numbers: states and values have the numbers of the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/generative/hmm/hmm.h"

namespace trellis::hmm {

// The name of the value that replaces rare values.
inline constexpr const char* kUnknownValue = "<unknown>";

struct DataOptions {
  ColumnOptions columns;
  // Values that occur less often are replaced by kUnknownValue, which then also replaces values
  // unknown to training; 0 or 1: no replacement.
  Index rare = 0;
};

struct SequenceData {
  HmmAlphabet alphabet;  // states and values in natural order (generative::natural_less)
  ColumnNames columns;
  std::vector<HmmSequence> sequences;
  std::vector<Index> lines;        // first line of each sequence
  std::vector<std::string> files;  // file of each sequence
  Index positions = 0;
  Index known_states = 0;
  std::uint64_t digest = 0;
};

// Reads the training set. Without a column of states, `num_states` are called 1, 2, …; with one it
// is 0. Throws InputError if there are no sequences, or no values of a channel or of the states.
SequenceData read_training_sequences(const std::vector<std::string>& files,
                                     const DataOptions& options, Index num_states);
SequenceData read_training_sequences(std::vector<InputFile> files, const DataOptions& options,
                                     Index num_states);

// Maps names to numbers for one model.
class SequenceNumbers {
 public:
  explicit SequenceNumbers(const HmmAlphabet& alphabet);

  // Values unknown to training become the unknown value, or missing. States unknown to training
  // become kUnseenState.
  static constexpr Label kUnseenState = -2;
  struct Numbered {
    HmmSequence sequence;     // without states if the file has no such column
    Index unseen_values = 0;  // number of observations
    Index unseen_states = 0;
  };
  Numbered number(const FileSequence& file, const SequenceReader& reader) const;

 private:
  NameList states_;
  std::vector<NameList> channels_;
  std::vector<std::uint32_t> unknown_;  // by channel: the number of unseen values
};

}  // namespace trellis::hmm
