// A constituency tree, as a file in Penn brackets has it (Marcus, Santorini & Marcinkiewicz 1993;
// bracket_reader.h). The nodes are in preorder in one vector, so that a subtree is a run of nodes
// and there are no pointers.
//
// A leaf is a preterminal: its label is the tag of its word. All other nodes, called brackets, have
// at least one child. The subtree of node i is [i, nodes[i].end); its children are i + 1, then
// nodes[i + 1].end, and so on. Words count from 0.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::grammar {

// The label of every root, whatever the file calls it.
inline constexpr std::string_view kRootLabel = "TOP";
// The tag of traces and other words that are not pronounced.
inline constexpr std::string_view kTraceTag = "-NONE-";

struct ConstituencyTree {
  struct Node {
    std::string label;  // of a bracket, or a word's tag
    std::string word;   // of a preterminal; empty for brackets
    std::uint32_t end = 0;
    std::uint32_t begin_word = 0;
    std::uint32_t end_word = 0;

    bool is_preterminal() const { return !word.empty(); }
    bool operator==(const Node&) const = default;
  };

  std::vector<Node> nodes;
  Index line = 0;  // of the file where its first bracket stands; 0: it comes from no file

  Index num_words() const { return nodes.empty() ? 0 : nodes[0].end_word; }
  std::vector<std::string> words() const { return leaves(&Node::word); }
  std::vector<std::string> tags() const { return leaves(&Node::label); }

  // Building from left to right: what is opened is closed after its words, the innermost first.
  Index open(std::string label) {
    const auto begin = static_cast<std::uint32_t>(next_word());
    nodes.push_back({std::move(label), {}, 0, begin, begin});
    return nodes.size() - 1;
  }
  void add_word(std::string tag, std::string word) {
    assert(!word.empty());
    const auto begin = static_cast<std::uint32_t>(next_word());
    const auto end = static_cast<std::uint32_t>(nodes.size() + 1);
    nodes.push_back({std::move(tag), std::move(word), end, begin, begin + 1});
  }
  void close(Index node) {
    assert(node + 1 < nodes.size());  // a bracket has children
    const auto end_word = static_cast<std::uint32_t>(next_word());
    nodes[node].end = static_cast<std::uint32_t>(nodes.size());
    nodes[node].end_word = end_word;
  }

  // Whatever the line.
  bool operator==(const ConstituencyTree& other) const { return nodes == other.nodes; }

 private:
  // A bracket that is still open ends where it began; one that was opened after the last word
  // begins behind it.
  Index next_word() const { return nodes.empty() ? 0 : nodes.back().end_word; }

  std::vector<std::string> leaves(std::string Node::*what) const {
    std::vector<std::string> out;
    out.reserve(num_words());
    for (const Node& node : nodes) {
      if (node.is_preterminal()) out.push_back(node.*what);
    }
    return out;
  }
};

}  // namespace trellis::grammar
