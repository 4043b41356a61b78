#include "trellis/tasks/tag/output/model_sequences.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"

namespace trellis::tag {

void check_columns(const TagModel& model, const TagSequence& sequence, const std::string& file,
                   bool labelled) {
  if (sequence.format == InputFormat::kItems) return;
  const Index expected = model.format().num_columns;
  const Index found = sequence.columns.num_columns();
  if (found == expected) return;
  const bool label_is_last = model.format().label_column + 1 == expected;
  if (!labelled && label_is_last && found + 1 == expected) return;
  std::string wanted = fmt::format("{} columns", expected);
  if (!labelled && label_is_last)
    wanted = fmt::format("{} columns, or {} with the label", expected - 1, expected);
  throw InputError(file, sequence.line(0),
                   fmt::format("expected {}, as in training, found {}", wanted, found));
}

void throw_no_labels(const std::string& file, const TagSequence& sequence) {
  throw InputError(file, sequence.line(0), "the model allows no label sequence of this length");
}

SequenceReader open_sequences(const TagModel& model, InputFile file,
                              std::optional<Comments> comments) {
  return SequenceReader(std::move(file), model.format().format,
                        comments.value_or(model.format().comments));
}

}  // namespace trellis::tag
