#include "trellis/topics/words/edge_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/topics/corpus/word_lines.h"

namespace trellis::topics {
namespace {

float parse_edge_weight(std::string_view field, const WordLines& lines) {
  const std::optional<double> number = parse_double(trim(field));
  const auto weight = static_cast<float>(number.value_or(0));
  if (!std::isfinite(weight) || !(weight > 0)) {
    lines.refuse("expected a weight, a finite number above 0, found", field);
  }
  return weight;
}

void require_writable_word(std::string_view word) {
  const bool whole = !word.empty() && trim(word).size() == word.size() &&
                     word.find_first_of("\t\r\n") == std::string_view::npos;
  if (!whole)
    throw UsageError(fmt::format("the word '{}' cannot be written to a list of edges", word));
}

}  // namespace

LinkTally add_edge_list(InputFile file, WordFinder& words, WordGraphBuilder& graph) {
  WordLines lines(std::move(file));
  LinkTally tally;
  std::vector<std::string_view> fields;
  for (std::string_view line; lines.read(line);) {
    split(line, '\t', fields);
    const auto blank = [](std::string_view field) { return trim(field).empty(); };
    if (fields.size() < 2 || fields.size() > 3 ||
        std::any_of(fields.begin(), fields.end(), blank)) {
      lines.refuse("expected two words and an optional weight, separated by tabs, found", line);
    }
    const float weight = fields.size() == 3 ? parse_edge_weight(fields[2], lines) : 1.0F;
    const FoundWord first = words.find(fields[0]);
    const FoundWord second = words.find(fields[1]);
    tally.count(first.kind);
    tally.count(second.kind);
    if (!first.is_word() || !second.is_word() || first.word == second.word) continue;
    graph.add(first.word, second.word, weight);
    ++tally.links;
  }
  tally.lines = lines.num_read();
  return tally;
}

void write_edge_list(const WordGraph& graph, const NameView& words, OutputFile& out) {
  if (words.size() != graph.num_words()) {
    throw UsageError(fmt::format("the graph is over {} words, the vocabulary has {}",
                                 graph.num_words(), words.size()));
  }
  std::string lines;
  for (Index word = 0; word < graph.num_words(); ++word) {
    if (graph.linked(word)) require_writable_word(words[word]);
    lines.clear();
    for (const WordGraph::Link& link : graph.links(word)) {
      if (link.word < word) continue;
      fmt::format_to(std::back_inserter(lines), "{}\t{}\t{}\n", words[word], words[link.word],
                     link.weight);
    }
    out.write(lines);
  }
}

}  // namespace trellis::topics
