#include "trellis/tasks/tag/templates/builtin_templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

// Characters that CRFsuite's scripts escape in item files.
constexpr std::string_view kChunk = R"(w = replace(column {word}, ":", "__COLON__")
pos = replace(column {pos}, ":", "__COLON__")

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

constexpr std::string_view kPos = R"(word = column {word}
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

constexpr std::string_view kNer = R"(word = column {word}
pos = column {pos}
chunk = column {chunk}
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

// The lines of `text` that do not mention `name`.
std::string without_lines_of(std::string_view name, std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    if (line.find(name) == std::string_view::npos) kept += line;
    text.remove_prefix(line.size());
  }
  return kept;
}

// The names of columns in the texts above are replaced by their numbers.
constexpr std::array<std::pair<BuiltinTemplate, std::string_view>, 5> kTemplates{{
    {{"none", "the values of the columns, or the items of an item file, unchanged"}, "edge\n"},
    {{"pos", "part of speech from words: affixes, shapes and neighbours"}, kPos},
    {{"chunk", "chunking from words and parts of speech, as in the tutorial of CRFsuite"}, kChunk},
    {{"ner", "named entities from words, parts of speech and chunks"}, kNer},
    {{"ner-gazetteer", "ner with lists of phrases"}, kNer},
}};

}  // namespace

std::vector<BuiltinTemplate> builtin_templates() {
  std::vector<BuiltinTemplate> templates;
  for (const auto& known : kTemplates) templates.push_back(known.first);
  return templates;
}

std::string builtin_template(std::string_view name, const BuiltinOptions& options) {
  const auto found = std::find_if(kTemplates.begin(), kTemplates.end(),
                                  [&](const auto& known) { return known.first.name == name; });
  if (found == kTemplates.end()) {
    std::string known;
    for (const BuiltinTemplate& builtin : builtin_templates()) {
      known += (known.empty() ? "" : ", ") + std::string(builtin.name);
    }
    throw UsageError(fmt::format("there is no template \"{}\"; there are: {}", name, known));
  }
  std::string text;
  if (name == "none") {
    for (const Index column : options.columns) {
      text += fmt::format("node \"c{}\": column {}\n", column, column);
    }
  }
  if (name == "chunk" && !options.pos_column) {
    throw UsageError(
        "the template chunk requires a column of parts of speech (--pos-column): for words only "
        "use --template pos, or edit the output of 'trellis tag template chunk'");
  }
  std::string lines(found->second);
  if (!options.pos_column) lines = without_lines_of("pos", lines);
  if (!options.chunk_column) lines = without_lines_of("chunk", lines);
  text += fmt::format(fmt::runtime(lines), fmt::arg("word", options.word_column),
                      fmt::arg("pos", options.pos_column.value_or(0)),
                      fmt::arg("chunk", options.chunk_column.value_or(0)));
  if (name != "ner-gazetteer") return text;
  if (options.gazetteers.empty())
    throw UsageError("the template ner-gazetteer requires --gazetteer");
  for (const std::string& path : options.gazetteers) {
    if (path.find('"') != std::string::npos || path.find('\n') != std::string::npos) {
      throw UsageError("the name of a list must not contain a quote or a line break");
    }
    text += fmt::format("node in(word, \"{}\", ignore_case)[-1..1]\n", path);
  }
  return text;
}

}  // namespace trellis::tag
