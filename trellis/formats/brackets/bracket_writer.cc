#include "trellis/formats/brackets/bracket_writer.h"

#include <vector>

#include "trellis/base/types.h"

namespace trellis::grammar {
namespace {

// Calls separate(node, parent, depth) before each node but the root, to write the separator.
template <class Separate>
void append_nodes(const ConstituencyTree& tree, const Separate& separate, std::string& out) {
  std::vector<Index> open;  // brackets, from the root on
  for (Index i = 0; i < tree.nodes.size(); ++i) {
    const ConstituencyTree::Node& node = tree.nodes[i];
    if (i > 0) separate(i, open.back(), open.size());
    out += '(';
    out += node.label;
    if (!node.is_preterminal()) {
      open.push_back(i);
      continue;
    }
    out += ' ';
    out += escape_brackets(node.word);
    out += ')';
    while (!open.empty() && tree.nodes[open.back()].end == i + 1) {
      out += ')';
      open.pop_back();
    }
  }
}

}  // namespace

std::string escape_brackets(std::string_view word) {
  std::string out;
  out.reserve(word.size());
  for (const char c : word) {
    if (c == '(') {
      out += "-LRB-";
    } else if (c == ')') {
      out += "-RRB-";
    } else {
      out += c;
    }
  }
  return out;
}

void append_brackets(const ConstituencyTree& tree, std::string& out) {
  append_nodes(
      tree, [&](Index, Index, Index) { out += ' '; }, out);
}

void append_indented_brackets(const ConstituencyTree& tree, std::string& out) {
  constexpr Index kStep = 2;
  // A tag that has nothing but tags before it is as far from its parent in words as in nodes.
  const auto is_leading_tag = [&](Index i, Index parent) {
    const auto& nodes = tree.nodes;
    return nodes[i].is_preterminal() &&
           i - parent - 1 == Index{nodes[i].begin_word} - nodes[parent].begin_word;
  };
  append_nodes(
      tree,
      [&](Index i, Index parent, Index depth) {
        if (is_leading_tag(i, parent)) {
          out += ' ';
        } else {
          out += '\n';
          out.append(kStep * depth, ' ');
        }
      },
      out);
  out += '\n';
}

}  // namespace trellis::grammar
