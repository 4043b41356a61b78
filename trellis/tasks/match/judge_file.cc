#include "trellis/tasks/match/judge_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "trellis/base/text.h"

namespace trellis::match {
namespace {

using NodesByName = std::unordered_map<std::int64_t, Index>;

// The nodes of a side by the names in the data.
template <class Name>
NodesByName nodes_by_name(Index count, const Name& name) {
  NodesByName nodes;
  for (Index i = 0; i < count; ++i) nodes.emplace(name(i), i);
  return nodes;
}

// Returns a node that is not matched yet.
Index free_node(const NodesByName& nodes, std::string_view field, const char* side,
                const std::vector<bool>& taken, const PredictionLines& lines) {
  const auto name = parse_integer(field);
  const auto at = name ? nodes.find(*name) : nodes.end();
  if (at == nodes.end()) lines.refuse(fmt::format("expected a {} node, found", side), field);
  if (taken[at->second]) {
    lines.refuse(fmt::format("expected each {} node once, found again", side), field);
  }
  return at->second;
}

}  // namespace

void MatchingReader::read(const MatchExample& example, Matching::Output& found) {
  const std::string head =
      fmt::format("graph {} {} {}", example.name, example.num_left, example.num_right);
  const std::string what = fmt::format("'{}', as at {}:{}", head, example.file, example.line);
  std::string_view line;
  do {
    line = lines_.need(what);
  } while (trim(line).empty());
  if (line != head && !line.starts_with(head + ' ')) {
    lines_.refuse(fmt::format("expected {}, found", what), line);
  }
  const NodesByName left =
      nodes_by_name(example.num_left, [&](Index i) { return example.left_name(i); });
  const NodesByName right =
      nodes_by_name(example.num_right, [&](Index j) { return example.right_name(j); });
  std::vector<bool> left_taken(example.num_left, false);
  std::vector<bool> right_taken(example.num_right, false);
  found.assign(example.num_left, kNoLabel);
  while (lines_.next(line) && !trim(line).empty()) {
    split_columns(line, fields_);
    if (fields_.size() < 2) lines_.refuse("expected a left and a right node, found", line);
    const Index i = free_node(left, fields_[0], "left", left_taken, lines_);
    const Index j = free_node(right, fields_[1], "right", right_taken, lines_);
    left_taken[i] = right_taken[j] = true;
    found[i] = static_cast<Label>(j);
  }
}

MatchScores judge_file(std::span<const MatchExample> examples, InputFile predictions) {
  MatchingReader reader(std::move(predictions));
  MatchScores scores;
  Matching::Output found;
  for (const MatchExample& example : examples) {
    reader.read(example, found);
    scores.add(example, found);
  }
  reader.require_end();
  return scores;
}

}  // namespace trellis::match
