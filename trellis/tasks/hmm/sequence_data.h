// Sequences by number: names of states and values as the model has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/generative/hmm/hmm.h"

namespace trellis::hmm {

// The name of the value that stands for those that are too rare.
inline constexpr const char* kUnknownValue = "<unknown>";

struct DataOptions {
  ColumnOptions columns;
  // Values that occur less often become one, kUnknownValue, which then also stands for those that
  // training has not seen; 0 or 1: there is none.
  Index rare = 0;
};

struct SequenceData {
  HmmAlphabet alphabet;  // states and values in natural order (generative::natural_less)
  ColumnNames columns;
  std::vector<HmmSequence> sequences;
  std::vector<Index> lines;        // where each begins
  std::vector<std::string> files;  // of each
  Index positions = 0;
  Index known_states = 0;
  std::uint64_t digest = 0;
};

// The training set. Without a column of states, `num_states` are called 1, 2, …; with one it must
// be 0. Throws InputError where there is no sequence, or a channel or the states without any value.
SequenceData read_training_sequences(const std::vector<std::string>& files,
                                     const DataOptions& options, Index num_states);
SequenceData read_training_sequences(std::vector<InputFile> files, const DataOptions& options,
                                     Index num_states);

// Names to numbers, for one model.
class SequenceNumbers {
 public:
  explicit SequenceNumbers(const HmmAlphabet& alphabet);

  // Values that training has not seen become the unknown value, or missing. States that it has not
  // seen are kUnseenState.
  static constexpr Label kUnseenState = -2;
  struct Numbered {
    HmmSequence sequence;     // its states are empty where the file has no such column
    Index unseen_values = 0;  // of observations
    Index unseen_states = 0;
  };
  Numbered number(const FileSequence& file, const SequenceReader& reader) const;

 private:
  NameList states_;
  std::vector<NameList> channels_;
  std::vector<std::uint32_t> unknown_;  // by channel: what an unseen value becomes
};

}  // namespace trellis::hmm
