// The sequences of a file, as a model wants them, worked on in parallel and finished in their order
// (base/pipeline.h): what predict and evaluate share.
#pragma once

#include <optional>
#include <string>

#include "trellis/base/input_file.h"
#include "trellis/base/pipeline.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"

namespace trellis::tag {

// Throws InputError unless the sequence has the columns that the model was trained on; the label
// column may be missing where it would be the last and `labelled` is false.
void check_columns(const TagModel& model, const TagSequence& sequence, const std::string& file,
                   bool labelled);

// For a sequence that the model's rules leave no labels (in BIOES, a single token where training
// had neither O nor S).
[[noreturn]] void throw_no_labels(const std::string& file, const TagSequence& sequence);

// `comments`: which lines are none of the tokens; not given: as in training.
SequenceReader open_sequences(const TagModel& model, InputFile file,
                              std::optional<Comments> comments = {});

class SequencePipeline : public Pipeline<TagSequence> {
 public:
  // Standard input is read one sequence at a time, so that what is piped in comes out at once.
  SequencePipeline(const TagModel& model, InputFile file, std::optional<Comments> comments,
                   int threads, bool labelled);

  // Returns the lines behind the last sequence.
  const SourceLines& run(const Work& work, const Finish& finish);
  bool at_once() const { return batch_size() == kAtOnce; }
  const std::string& file() const { return reader_.name(); }

 private:
  const TagModel* model_;
  SequenceReader reader_;
  bool labelled_;
};

}  // namespace trellis::tag
