#include "trellis/topics/words/synonyms.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/text.h"
#include "trellis/topics/corpus/word_lines.h"
#include "trellis/topics/words/term_list.h"

namespace trellis::topics {
namespace {

// The first word of a line of synonyms, and the others as a list; both empty for any other line.
std::pair<std::string_view, std::string_view> first_and_others(std::string_view line) {
  const Index tab = line.find('\t');
  const Index end = tab != std::string_view::npos ? tab : line.find(',');
  if (end == std::string_view::npos) return {};
  const std::string_view others = line.substr(end + 1);
  if (others.find('\t') != std::string_view::npos) return {};
  return {trim(line.substr(0, end)), trim(others)};
}

}  // namespace

LinkTally add_synonyms(InputFile file, WordFinder& words, float weight, WordGraphBuilder& graph) {
  require_edge_weight(weight);
  WordLines lines(std::move(file));
  LinkTally tally;
  std::vector<std::string_view> terms;
  std::string text;
  for (std::string_view line; lines.read(line);) {
    remove_remarks(line, text);
    const auto [head, others] = first_and_others(text);
    terms.clear();
    split_terms(others, terms);
    if (head.empty() || terms.empty()) {
      lines.refuse("expected a word and its synonyms, separated by a tab or commas, found", line);
    }
    const FoundWord first = words.find(head);
    tally.count(first.kind);
    for (const std::string_view term : terms) {
      const FoundWord synonym = words.find(term);
      tally.count(synonym.kind);
      if (!first.is_word() || !synonym.is_word() || first.word == synonym.word) continue;
      graph.add(first.word, synonym.word, weight);
      ++tally.links;
    }
  }
  tally.lines = lines.num_read();
  return tally;
}

}  // namespace trellis::topics
