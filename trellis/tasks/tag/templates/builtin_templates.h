// The built-in templates, written in the template language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::tag {

struct BuiltinOptions {
  Index word_column = 0;
  // For chunk and ner; empty: no parts of speech (ner then has no features of them).
  std::optional<Index> pos_column = 1;
  // For ner; empty: no features of chunks.
  std::optional<Index> chunk_column = 2;
  // For `none`: the columns whose values are the attributes.
  std::vector<Index> columns;
  // For `ner-gazetteer`: files of phrases; case is ignored.
  std::vector<std::string> gazetteers;
};

// none, pos, chunk, ner and ner-gazetteer, with a description of each.
struct BuiltinTemplate {
  std::string_view name;
  std::string_view description;
};
std::vector<BuiltinTemplate> builtin_templates();

// The text of a template. Throws UsageError for an unknown name, for `ner-gazetteer` without lists,
// and for `chunk` without parts of speech.
std::string builtin_template(std::string_view name, const BuiltinOptions& options);

}  // namespace trellis::tag
