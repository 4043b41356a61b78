#include "trellis/tasks/tag/templates/builtin_templates.h"

#include <fmt/format.h>

#include <array>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

constexpr std::array<BuiltinTemplate, 5> kTemplates{{
    {"none", "the values of the columns, or the items of an item file, as they are"},
    {"pos", "part of speech from words: affixes, shapes and neighbours"},
    {"chunk", "chunking from words and parts of speech, as in CRFsuite's tutorial"},
    {"ner", "named entities from words, parts of speech and chunks"},
    {"ner-gazetteer", "ner with lists of phrases"},
}};

// Characters that CRFsuite's scripts escape in their item files.
constexpr std::string_view kChunk = R"(
boundary drop
node w[-2..2]
node w[-1] | w[0]
node w[0] | w[1]
node pos[-2..2]
node pos[-2] | pos[-1]
node pos[-1] | pos[0]
node pos[0] | pos[1]
node pos[1] | pos[2]
node pos[-2] | pos[-1] | pos[0]
node pos[-1] | pos[0] | pos[1]
node pos[0] | pos[1] | pos[2]
node "__BOS__": first
node "__EOS__": last
edge
)";

constexpr std::string_view kPos = R"(
low = lower(word)
node word[-1..1]
node low[-2..2]
node low[-1] | low[0]
node low[0] | low[1]
node low[-1] | low[1]
node prefix(low, 1..4)
node suffix(low, 1..5)
node suffix(low, 1..3)[-1]
node suffix(low, 1..3)[1]
node shape(word)
node short_shape(word)[-1..1]
node case(word) | first
node has(word, digit)
node has(word, upper)
node contains(word, "-")
node all(word, punctuation)
edge
)";

constexpr std::string_view kNer = R"(
low = lower(word)
form = shape(word)
short = short_shape(word)
node word[-2..2]
node low[-1..1]
node low[-1] | low[0]
node low[0] | low[1]
node low[-1] | low[1]
node pos[-2..2]
node pos[-1] | pos[0]
node pos[0] | pos[1]
node pos[-1] | pos[0] | pos[1]
node chunk[-1..1]
node prefix(word, 1..4)
node suffix(word, 1..4)
node prefix(low, 3..4)[-1]
node suffix(low, 3)[-1]
node suffix(low, 3)[1]
node form[-1..1]
node short[-2..2]
node short[-1] | short[0]
node short[0] | short[1]
node short[-1] | short[0] | short[1]
node short[-2] | short[-1] | short[0]
node short[0] | short[1] | short[2]
node low[-1] | short[0]
node short[0] | low[1]
node low[0] | short[-1]
node low[0] | short[1]
node word[0] | pos[0]
node short[0] | pos[0]
node "initial": short[0] | first
node contains(word, "-")
node contains(word, ".")
node has(word, digit)
edge
)";

std::string none(const BuiltinOptions& options) {
  std::string text;
  for (const Index column : options.columns) {
    text += fmt::format("node \"c{}\": column {}\n", column, column);
  }
  return text + "edge\n";
}

std::string chunk(const BuiltinOptions& options) {
  constexpr std::string_view kColumn = "{} = replace(column {}, \":\", \"__COLON__\")\n";
  return fmt::format(kColumn, "w", options.word_column) +
         fmt::format(kColumn, "pos", options.pos_column) + std::string(kChunk);
}

std::string pos(const BuiltinOptions& options) {
  return fmt::format("word = column {}", options.word_column) + std::string(kPos);
}

std::string ner(const BuiltinOptions& options) {
  return fmt::format("word = column {}\npos = column {}\nchunk = column {}", options.word_column,
                     options.pos_column, options.chunk_column) +
         std::string(kNer);
}

std::string ner_gazetteer(const BuiltinOptions& options) {
  if (options.gazetteers.empty()) throw UsageError("the template ner-gazetteer needs lists");
  std::string text = ner(options);
  for (const std::string& path : options.gazetteers) {
    if (path.find('"') != std::string::npos || path.find('\n') != std::string::npos) {
      throw UsageError("the name of a list may not have a quote or a line break in it");
    }
    text += fmt::format("node in(word, \"{}\", ignore_case)[-1..1]\n", path);
  }
  return text;
}

}  // namespace

std::span<const BuiltinTemplate> builtin_templates() {
  return kTemplates;
}

std::string builtin_template(std::string_view name, const BuiltinOptions& options) {
  if (name == "none") return none(options);
  if (name == "pos") return pos(options);
  if (name == "chunk") return chunk(options);
  if (name == "ner") return ner(options);
  if (name == "ner-gazetteer") return ner_gazetteer(options);
  std::string known;
  for (const BuiltinTemplate& builtin : kTemplates) {
    known += (known.empty() ? "" : ", ") + std::string(builtin.name);
  }
  throw UsageError(fmt::format("there is no template \"{}\"; there are: {}", name, known));
}

}  // namespace trellis::tag
