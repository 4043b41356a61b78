// What `train` and `features` are told of labelled files, and of the features to make of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/command.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/builtin_templates.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::tag {

// The columns that built-in templates read, and what else they are told.
struct BuiltinFlags {
  std::optional<Index> word_column, pos_column, chunk_column;
  std::vector<Index> columns;
  std::vector<std::string> gazetteers;

  // For files that nobody has looked into.
  BuiltinOptions options() const;
};

struct TagFiles {
  std::vector<std::string> paths;
  std::optional<InputFormat> format;  // as it was said
  TrainingSetOptions data;
  std::string template_name;
  BuiltinFlags builtin;
  Index word_column = 0;  // known once they are open
};

inline constexpr const char* kComments =
    "Lines before a sentence that are comments: none, every '# ...' (hash), or those that have not "
    "the columns of a token (auto)";

void add_file_options(frame::Command& command, TagFiles& files);
void add_builtin_options(frame::Command& command, BuiltinFlags& flags);
void add_template_options(frame::Command& command, TagFiles& files);

// The format and the template, as far as they follow from what was said. Throws UsageError.
void choose_format(TagFiles& files);

struct OpenFiles {
  std::vector<SequenceReader> sequences;
  FeatureTemplate features;
};
// Opens the files and finds out, from the first lines of the first, what was not said: whether it
// is CoNLL-U, and which columns are there for a built-in template. note() is told. After
// choose_format(); throws InputError and UsageError.
OpenFiles open(TagFiles& files, const std::function<void(const std::string&)>& note);

}  // namespace trellis::tag
