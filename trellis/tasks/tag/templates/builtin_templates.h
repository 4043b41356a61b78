// The templates that come with the tagger, written in the template language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::tag {

struct BuiltinOptions {
  Index word_column = 0;
  // chunk, ner; none: there are no parts of speech. ner leaves out what asks for them.
  std::optional<Index> pos_column = 1;
  // ner; none: it leaves out what asks for chunks.
  std::optional<Index> chunk_column = 2;
  // `none`: the columns whose values are the attributes.
  std::vector<Index> columns;
  // `ner-gazetteer`: files of phrases; case is ignored.
  std::vector<std::string> gazetteers;
};

// none, pos, chunk, ner and ner-gazetteer, each with a line about it.
struct BuiltinTemplate {
  std::string_view name;
  std::string_view description;
};
std::vector<BuiltinTemplate> builtin_templates();

// The text of a template. Throws UsageError if there is none of this name, `ner-gazetteer` has no
// lists, or `chunk` no parts of speech.
std::string builtin_template(std::string_view name, const BuiltinOptions& options);

}  // namespace trellis::tag
