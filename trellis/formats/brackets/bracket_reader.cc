#include "trellis/formats/brackets/bracket_reader.h"

#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::grammar {
namespace {

bool names_a_root(std::string_view label) {
  return label == kRootLabel || label == "ROOT" || label == "S1";
}

// Without its function tags.
std::string cut(std::string label) {
  const Index mark = label.find_first_of("-=");
  if (mark != 0 && mark != std::string::npos) label.resize(mark);
  return label;
}

}  // namespace

bool BracketReader::read(ConstituencyTree& tree) {
  while (read_tree(tree)) {
    if (!tree.nodes.empty()) return true;
    ++num_only_traces_;
  }
  return false;
}

// The next tree of the file, or false at its end. There are no nodes where all words were traces.
bool BracketReader::read_tree(ConstituencyTree& tree) {
  tree = {};
  open_.clear();
  while (text_.skip_white()) {
    switch (text_.peek()) {
      case '(':
        text_.skip_one();
        open_bracket(tree);
        break;
      case ')':
        text_.skip_one();
        close_bracket(tree);
        if (open_.empty()) return true;
        break;
      default:
        add_text();
    }
  }
  if (open_.empty()) return false;
  throw InputError(text_.name(), open_[0].line,
                   fmt::format("expected a closing bracket for each opening bracket, but the file "
                               "ends inside this tree; the innermost open bracket, in line {}, is",
                               open_.back().line),
                   open_.back().text());
}

void BracketReader::open_bracket(ConstituencyTree& tree) {
  if (open_.size() == kMaxDepth) {
    refuse(fmt::format("expected at most {} nested brackets", kMaxDepth));
  }
  if (open_.empty()) {
    tree.line = text_.line_number();
  } else {
    Open& parent = open_.back();
    if (!parent.word.empty()) refuse("expected a closing bracket after the word", parent.word);
    if (!parent.has_children) check_label(parent);
    parent.has_children = true;
    if (parent.node == Open::kNone) {
      // A root that has another name becomes the child of one that has not.
      if (open_.size() == 1 && !parent.label.empty() && !names_a_root(cut(parent.label))) {
        tree.open(std::string(kRootLabel));
      }
      const bool is_root = tree.nodes.empty();
      parent.node = tree.open(is_root ? std::string(kRootLabel) : cut(parent.label));
    }
  }
  open_.emplace_back().line = text_.line_number();
}

void BracketReader::add_text() {
  const std::string_view text = text_.take_text();
  if (open_.empty()) refuse("expected an opening bracket, found", text);
  Open& bracket = open_.back();
  if (bracket.has_children) {
    refuse(fmt::format("expected a bracket with a tag and its word, next to the other brackets of "
                       "\"{}\", found the word",
                       bracket.text()),
           text);
  }
  if (!bracket.word.empty()) {
    refuse(fmt::format("expected only one word in the bracket of \"{} {}\", found another word:",
                       bracket.text(), bracket.word),
           text);
  }
  (bracket.label.empty() ? bracket.label : bracket.word) = text;
}

void BracketReader::close_bracket(ConstituencyTree& tree) {
  if (open_.empty()) refuse("expected an opening bracket, found a closing bracket too many");
  Open& bracket = open_.back();
  if (!bracket.word.empty()) {
    add_word(bracket, tree);
  } else if (!bracket.has_children) {
    if (bracket.label.empty()) refuse("expected a label, found an empty bracket");
    refuse("expected a tag and its word, or brackets, in the bracket of", bracket.text());
  } else if (tree.nodes.size() == bracket.node + 1) {
    tree.nodes.pop_back();  // all were traces
  } else {
    tree.close(bracket.node);
  }
  open_.pop_back();
  // The root that was added.
  if (open_.empty() && !tree.nodes.empty() && tree.nodes[0].end == 0) {
    if (tree.nodes.size() == 1) {
      tree.nodes.clear();
    } else {
      tree.close(0);
    }
  }
}

void BracketReader::add_word(Open& bracket, ConstituencyTree& tree) {
  check_label(bracket);
  if (names_a_root(cut(bracket.label))) refuse("expected a tag for the word", bracket.word);
  if (bracket.label == kTraceTag) return;
  if (!tree.nodes.empty() && tree.nodes.back().end_word >= kMaxWords) {
    throw InputError(text_.name(), tree.line,
                     fmt::format("expected a tree of at most {} words; does it lack a closing "
                                 "bracket?",
                                 kMaxWords));
  }
  if (open_.size() == 1) tree.open(std::string(kRootLabel));
  tree.add_word(cut(std::move(bracket.label)), std::move(bracket.word));
}

// Of a bracket that is about to get its first child or word.
void BracketReader::check_label(const Open& bracket) const {
  if (open_.size() == 1) return;
  const char* const question = "is a closing bracket missing in the tree that begins in line";
  if (bracket.label.empty()) {
    throw InputError(
        text_.name(), bracket.line,
        fmt::format("expected a label after the bracket; {} {}?", question, open_[0].line));
  }
  if (names_a_root(cut(bracket.label))) {
    throw InputError(text_.name(), bracket.line,
                     fmt::format("expected no root inside another tree, found \"{}\"; {} {}?",
                                 bracket.text(), question, open_[0].line));
  }
}

void BracketReader::refuse(const std::string& message, std::string_view token) const {
  throw InputError(text_.name(), text_.line_number(), message, token);
}

std::vector<ConstituencyTree> read_trees(InputFile file) {
  BracketReader reader(std::move(file));
  std::vector<ConstituencyTree> trees;
  for (ConstituencyTree tree; reader.read(tree);) trees.push_back(std::move(tree));
  return trees;
}

}  // namespace trellis::grammar
