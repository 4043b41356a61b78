#include "trellis/scorers/evalb_tree.h"

#include <utility>

#include "trellis/formats/brackets/text_cursor.h"

namespace trellis::grammar {
namespace {

// A tree, and which of its brackets are open.
class EvalbTreeBuilder {
 public:
  explicit EvalbTreeBuilder(const EvalbParameters& parameters) : parameters_(parameters) {}

  void open(std::string_view label) {
    if (depth_ >= 0) open_.push_back(tree_.brackets.size());
    ++depth_;
    tree_.brackets.push_back(
        {label, static_cast<int>(tree_.words.size()), EvalbTree::Bracket::kNotClosed});
  }

  // EVALB notices the second bracket that was never opened, and by the depth at the end the first.
  void close() {
    if (depth_ < 0) fault("Bracketing unbalance (too many close bracket)");
    --depth_;
    if (open_.empty()) return;
    tree_.brackets[open_.back()].end = static_cast<int>(tree_.words.size());
    open_.pop_back();
  }

  void add_word(std::string_view tag, std::string_view word) {
    if (parameters_.counts_for_length(tag)) ++tree_.length;
    if (parameters_.is_quote(tag, word)) {
      tree_.quotes.push_back(
          {{tag, word}, static_cast<int>(tree_.words.size()), tree_.brackets.size(), open_});
    }
    if (!parameters_.deletes(tag)) tree_.words.push_back({tag, word});
  }

  void fault(std::string_view message) { tree_.faults.push_back(message); }
  void stop() { tree_.is_stuck = true; }

  EvalbTree finish() {
    if (depth_ != 0 && !tree_.is_stuck) {
      fault("Bracketing is unbalanced (too many open bracket)");
    }
    return std::move(tree_);
  }

 private:
  const EvalbParameters& parameters_;
  EvalbTree tree_;
  std::vector<Index> open_;  // brackets
  long depth_ = 0;           // below 0: more were closed than opened
};

class EvalbLine {
 public:
  explicit EvalbLine(std::string_view text) : text_(text) {}

  bool skip_white() {
    while (here() == Here::kWhite) ++at_;
    return here() != Here::kEnd;
  }
  void skip_one() { ++at_; }
  bool is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool is_white() const { return here() == Here::kWhite; }
  std::string_view take_text() {
    const Index begin = at_;
    while (here() == Here::kText) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  Index place() const { return at_; }
  void go_to(Index place) { at_ = place; }

 private:
  enum class Here { kEnd, kWhite, kBracket, kText };
  Here here() const {
    if (at_ == text_.size()) return Here::kEnd;
    const char c = text_[at_];
    if (grammar::is_white(c)) return Here::kWhite;
    return c == '(' || c == ')' ? Here::kBracket : Here::kText;
  }

  std::string_view text_;
  Index at_ = 0;
};

// Behind an opening bracket.
void read_evalb_bracket(EvalbLine& line, EvalbTreeBuilder& builder) {
  const std::string_view label = line.take_text();
  const Index behind_label = line.place();
  if (line.is_white()) {
    line.skip_white();
    const std::string_view word = line.take_text();
    if (line.is(')')) {
      line.skip_one();
      builder.add_word(label, word);
      return;
    }
    if (!line.is('(')) builder.fault("More than two elements in a bracket");
  }
  line.go_to(behind_label);
  builder.open(label);
}

}  // namespace

EvalbTree evalb_tree(std::string_view line, const EvalbParameters& parameters) {
  EvalbTreeBuilder builder(parameters);
  EvalbLine place(line);
  while (place.skip_white()) {
    if (place.is('(')) {
      place.skip_one();
      read_evalb_bracket(place, builder);
    } else if (place.is(')')) {
      place.skip_one();
      builder.close();
    } else {
      builder.stop();
      break;
    }
  }
  return builder.finish();
}

EvalbTree evalb_tree(const ConstituencyTree& tree, const EvalbParameters& parameters) {
  EvalbTreeBuilder builder(parameters);
  std::vector<Index> ends;  // of brackets that are open
  for (Index i = 0; i < tree.nodes.size(); ++i) {
    const ConstituencyTree::Node& node = tree.nodes[i];
    if (!node.is_preterminal()) {
      builder.open(node.label);
      ends.push_back(node.end);
      continue;
    }
    builder.add_word(node.label, node.word);
    for (; !ends.empty() && ends.back() == i + 1; ends.pop_back()) builder.close();
  }
  return builder.finish();
}

}  // namespace trellis::grammar
