// Reader of constituency treebanks in the bracketed format of the Penn Treebank (Marcus, Santorini
// & Marcinkiewicz 1993), also the output format of most constituency parsers. It reads one tree at
// a time:
//
//   ( (S (NP-SBJ (DT The) (NN soup)) (VP (VBZ boils)) (. .)))
//
// White space is free: a tree may span several lines, and a line may contain several trees. Memory
// is that of one tree, whatever the length of the file.
//
// Every tree that it returns has a root labelled TOP: the root of the file, if it has no label or
// is called TOP, ROOT or S1, and a new root otherwise. As usual for the Penn Treebank, traces are
// removed, with the brackets that become empty, and labels and tags are cut at the first '-' or '='
// ("NP-SBJ-1" → "NP") unless they begin with it ("-LRB-"). A tree of traces only is skipped and
// counted.
//
// InputError reports the file, the line and what was expected: invalid UTF-8, text outside of
// brackets, brackets that are not closed (and where they open) or were never opened, empty
// brackets, words without a tag, words next to brackets, missing labels, roots inside of trees, and
// trees beyond the limits.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/text_cursor.h"
#include "trellis/formats/brackets/tree.h"

namespace trellis::grammar {

class BracketReader {
 public:
  static constexpr Index kMaxDepth = 1000;   // of brackets within each other
  static constexpr Index kMaxWords = 10000;  // of a tree: a longer tree lacks a closing bracket

  explicit BracketReader(InputFile file) : BracketReader(TextCursor(std::move(file))) {}
  // Reads from the position of the cursor; another reader has read the text before it.
  explicit BracketReader(TextCursor text) : text_(std::move(text)) {}

  // The next tree, of at least one word, or false at the end of the file. Throws InputError.
  bool read(ConstituencyTree& tree);

  const std::string& name() const { return text_.name(); }
  Index num_only_traces() const { return num_only_traces_; }  // trees passed over so far

 private:
  // A bracket that is not closed yet.
  struct Open {
    static constexpr Index kNone = ~Index{0};

    Index line = 0;
    std::string label;
    std::string word;
    bool has_children = false;  // in the file; traces among them
    Index node = kNone;         // of the tree, once it has a child

    std::string text() const { return '(' + label; }
  };

  bool read_tree(ConstituencyTree& tree);
  void open_bracket(ConstituencyTree& tree);
  void add_text();
  void close_bracket(ConstituencyTree& tree);
  void add_word(Open& bracket, ConstituencyTree& tree);
  void check_label(const Open& bracket) const;
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

  TextCursor text_;
  std::vector<Open> open_;  // from the root on
  Index num_only_traces_ = 0;
};

// All trees of a file.
std::vector<ConstituencyTree> read_trees(InputFile file);

}  // namespace trellis::grammar
