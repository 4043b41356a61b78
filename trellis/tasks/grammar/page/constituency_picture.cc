#include "trellis/tasks/grammar/page/constituency_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/markup/word_label.h"
#include "trellis/scorers/bracket_match.h"

namespace trellis::report {
namespace {

using grammar::BracketVerdict;
using grammar::ConstituencyTree;

// In pixels, as in dependency pictures; text lengths in units of the font size.
constexpr double kLeafFont = 15;
constexpr double kLeafTagFont = 11;
constexpr double kBracketFont = 12.5;
constexpr double kLongestLeaf = 16;
constexpr double kLongestBracket = 12;
constexpr double kNodeGap = 12;      // between two nodes
constexpr double kBracketStep = 34;  // between two levels
constexpr double kBracketMargin = 6;

std::string_view style_of_node(NodeVerdict verdict) {
  switch (verdict) {
    case NodeVerdict::kPlain:
    case NodeVerdict::kRight:
      return "sound";
    case NodeVerdict::kWrong:
      return "stray";
    case NodeVerdict::kMissed:
      break;
  }
  return "lost";
}

std::string_view words_for_node(NodeVerdict verdict) {
  switch (verdict) {
    case NodeVerdict::kPlain:
      return "";
    case NodeVerdict::kRight:
      return ": correct";
    case NodeVerdict::kWrong:
      return ": wrong";
    case NodeVerdict::kMissed:
      break;
  }
  return ": missed";
}

std::string node_text(const ConstituencyTree::Node& node, NodeVerdict verdict) {
  const std::string label = isolated(fit_text(node.label, kLongestBracket));
  return verdict == NodeVerdict::kWrong ? "✗ " + label : label;
}

// Verdicts are of brackets in preorder; preterminals of the tree are skipped.
void set_bracket_verdicts(const ConstituencyTree& tree, const std::vector<BracketVerdict>& judged,
                          NodeVerdict where_missed, std::vector<NodeVerdict>& verdicts) {
  auto next = judged.begin();
  for (Index i = 0; i < tree.nodes.size() && next != judged.end(); ++i) {
    if (tree.nodes[i].is_preterminal()) continue;
    if (*next == BracketVerdict::kMatched) verdicts[i] = NodeVerdict::kRight;
    if (*next == BracketVerdict::kMissed) verdicts[i] = where_missed;
    ++next;
  }
}

// Tags are compared word by word if the sentences are the same.
void set_tag_verdicts(const ConstituencyPicture& picture, std::vector<NodeVerdict>& verdicts) {
  if (picture.found.words() != picture.gold->words()) return;
  const std::vector<std::string> gold = picture.gold->tags();
  for (Index i = 0; i < picture.found.nodes.size(); ++i) {
    const ConstituencyTree::Node& node = picture.found.nodes[i];
    if (!node.is_preterminal()) continue;
    const bool right = picture.parameters.same_label(node.label, gold[node.begin_word]);
    verdicts[i] = right ? NodeVerdict::kRight : NodeVerdict::kWrong;
  }
}

// The positions of the nodes of one tree. Each node has a strip of the picture, wide enough for its
// label and for the strips of its children, which are centred side by side.
class BracketLayout {
 public:
  BracketLayout(const ConstituencyTree& tree, const std::vector<NodeVerdict>& verdicts)
      : tree_(tree), verdicts_(verdicts) {
    set_widths();
    set_places();
  }

  Html draw(const std::string& label) const {
    Html lines, texts;
    for (Index i = 0; i < tree_.nodes.size(); ++i) {
      const Html title = text_element("title", title_of(i));
      texts += draw_node(i, title);
      if (tree_.nodes[i].is_preterminal()) continue;
      lines += element("g", {{"class", fmt::format("arc {}", style_of_node(verdicts_[i]))}},
                       title + element("path", {{"class", "line"}, {"d", branches(i)}}));
    }
    const double width = std::ceil(widths_[0] + 2 * kBracketMargin);
    const double height = y_of(0) + 1.6 * kLeafFont + kBracketMargin;
    return element("svg",
                   {{"role", "img"},
                    {"aria-label", label},
                    {"width", coordinate(width)},
                    {"height", coordinate(height)},
                    {"viewBox", fmt::format("0 0 {} {}", coordinate(width), coordinate(height))}},
                   lines + texts);
  }

 private:
  template <class Visit>
  void each_child(Index i, const Visit& visit) const {
    for (Index k = i + 1; k < tree_.nodes[i].end; k = tree_.nodes[k].end) visit(k);
  }

  // Children come after their parents, so a backward loop visits them first.
  void set_widths() {
    widths_.resize(tree_.nodes.size());
    levels_.resize(tree_.nodes.size());
    for (Index i = tree_.nodes.size(); i-- > 0;) {
      const ConstituencyTree::Node& node = tree_.nodes[i];
      const std::string label = node_text(node, verdicts_[i]);
      if (node.is_preterminal()) {
        widths_[i] = kNodeGap + std::max(kLeafFont * text_width(shown_word(i)),
                                         kLeafTagFont * text_width(label));
        continue;
      }
      double children = 0;
      each_child(i, [&](Index k) {
        children += widths_[k];
        levels_[i] = std::max(levels_[i], levels_[k] + 1);
      });
      widths_[i] = std::max(children, kNodeGap + kBracketFont * text_width(label));
    }
  }

  void set_places() {
    left_.assign(tree_.nodes.size(), kBracketMargin);
    for (Index i = 0; i < tree_.nodes.size(); ++i) {
      double children = 0;
      each_child(i, [&](Index k) { children += widths_[k]; });
      double x = left_[i] + (widths_[i] - children) / 2;
      each_child(i, [&](Index k) {
        left_[k] = x;
        x += widths_[k];
      });
    }
  }

  double x_of(Index i) const { return left_[i] + widths_[i] / 2; }
  // The baseline of the labels of a level; tags have level 0.
  double y_of(Index level) const {
    return kBracketMargin + kBracketFont + static_cast<double>(levels_[0] - level) * kBracketStep;
  }

  // Slanted above the next level and straight below it, so that no line crosses a label.
  std::string branches(Index i) const {
    const auto above = [&](Index level) { return coordinate(y_of(level) - kBracketFont - 1); };
    std::string path;
    each_child(i, [&](Index k) {
      path += fmt::format("M{} {}L{} {}V{}", coordinate(x_of(i)), coordinate(y_of(levels_[i]) + 4),
                          coordinate(x_of(k)), above(levels_[i] - 1), above(levels_[k]));
    });
    return path;
  }

  std::string shown_word(Index i) const {
    return isolated(fit_text(tree_.nodes[i].word, kLongestLeaf));
  }

  // "NP, words 1–2, The soup: right"
  std::string title_of(Index i) const {
    constexpr Index kMostWords = 12;
    const ConstituencyTree::Node& node = tree_.nodes[i];
    std::string title = fmt::format("{}, word {}", isolated(node.label), node.begin_word + 1);
    if (node.end_word > node.begin_word + 1) {
      title =
          fmt::format("{}, words {}–{}", isolated(node.label), node.begin_word + 1, node.end_word);
    }
    title += ',';
    Index words = 0;
    for (Index k = i; k < node.end && words <= kMostWords; ++k) {
      if (!tree_.nodes[k].is_preterminal()) continue;
      title += ' ' + (words == kMostWords ? "…" : isolated(tree_.nodes[k].word));
      ++words;
    }
    return title.append(words_for_node(verdicts_[i]));
  }

  Html draw_node(Index i, const Html& title) const {
    const ConstituencyTree::Node& node = tree_.nodes[i];
    const auto line = [&](std::string_view style, double font, double y, std::string_view shown) {
      return element("text",
                     {{"class", std::string(style)},
                      {"x", coordinate(x_of(i))},
                      {"y", coordinate(y)},
                      {"font-size", coordinate(font)},
                      {"text-anchor", "middle"}},
                     title + text(shown));
    };
    const std::string label = node_text(node, verdicts_[i]);
    const double y = y_of(levels_[i]);
    if (!node.is_preterminal()) return line(style_of_node(verdicts_[i]), kBracketFont, y, label);
    const bool wrong = verdicts_[i] == NodeVerdict::kWrong;
    return line(wrong ? "pos stray" : "pos", kLeafTagFont, y, label) +
           line("form", kLeafFont, y + 1.3 * kLeafFont, shown_word(i));
  }

  const ConstituencyTree& tree_;
  const std::vector<NodeVerdict>& verdicts_;
  std::vector<double> widths_;
  std::vector<double> left_;
  std::vector<Index> levels_;  // above the tags
};

Index bracket_levels(const ConstituencyTree& tree) {
  Index deepest = 0;
  std::vector<Index> ends;
  for (Index i = 0; i < tree.nodes.size(); ++i) {
    while (!ends.empty() && ends.back() <= i) ends.pop_back();
    ends.push_back(tree.nodes[i].end);
    deepest = std::max(deepest, ends.size());
  }
  return deepest;
}

bool can_be_drawn(const ConstituencyTree& tree) {
  return !tree.nodes.empty() && tree.num_words() <= kMaxBracketedWords &&
         bracket_levels(tree) <= kMaxBracketLevels;
}

Index count_verdicts(const std::vector<NodeVerdict>& verdicts, const ConstituencyTree& tree,
                     NodeVerdict verdict, bool preterminals) {
  Index count = 0;
  for (Index i = 0; i < verdicts.size(); ++i) {
    if (tree.nodes[i].is_preterminal() == preterminals && verdicts[i] == verdict) ++count;
  }
  return count;
}

// "line 12: 9 words, 2 wrong brackets, 1 missed, 1 wrong tag"
std::string bracket_caption(const ConstituencyPicture& picture,
                            const ConstituencyVerdicts& verdicts) {
  const auto counted_as = [](Index count, std::string_view thing) {
    return fmt::format("{} {}{}", format_count(count), thing, count == 1 ? "" : "s");
  };
  std::string figures = counted_as(picture.found.num_words(), "word");
  if (picture.gold) {
    using enum NodeVerdict;
    const Index wrong = count_verdicts(verdicts.found, picture.found, kWrong, false);
    const Index missed = count_verdicts(verdicts.gold, *picture.gold, kMissed, false);
    const Index tags = count_verdicts(verdicts.found, picture.found, kWrong, true);
    if (wrong > 0) figures += ", " + counted_as(wrong, "wrong bracket");
    if (missed > 0) figures += fmt::format(", {} missed", format_count(missed));
    if (tags > 0) figures += ", " + counted_as(tags, "wrong tag");
    if (verdicts.all_right()) figures += ", all correct";
  }
  return picture.name.empty() ? figures : fmt::format("{}: {}", picture.name, figures);
}

Html draw_tree(std::string_view heading, const ConstituencyTree& tree,
               const std::vector<NodeVerdict>& verdicts, const std::string& caption) {
  Html shown;
  if (can_be_drawn(tree)) {
    shown = element("div", {{"class", "scroll"}},
                    BracketLayout(tree, verdicts).draw(fmt::format("{} of {}", heading, caption)));
  } else {
    shown = text_element("p", {{"class", "note"}},
                         fmt::format("Trees without words, of more than {} words or with more than "
                                     "{} nested brackets are not drawn.",
                                     kMaxBracketedWords, kMaxBracketLevels));
  }
  return element("div", text_element("p", {{"class", "note"}}, heading) + shown);
}

}  // namespace

bool ConstituencyVerdicts::all_right() const {
  const auto has = [](const std::vector<NodeVerdict>& verdicts, NodeVerdict verdict) {
    return std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end();
  };
  return has(found, NodeVerdict::kRight) && !has(found, NodeVerdict::kWrong) &&
         !has(gold, NodeVerdict::kMissed);
}

ConstituencyVerdicts judge_nodes(const ConstituencyPicture& picture) {
  ConstituencyVerdicts verdicts;
  verdicts.found.assign(picture.found.nodes.size(), NodeVerdict::kPlain);
  if (!picture.gold) return verdicts;
  verdicts.gold.assign(picture.gold->nodes.size(), NodeVerdict::kPlain);
  const grammar::BracketMatch match =
      match_brackets(grammar::evalb_tree(*picture.gold, picture.parameters),
                     grammar::evalb_tree(picture.found, picture.parameters), picture.parameters);
  set_bracket_verdicts(picture.found, match.test, NodeVerdict::kWrong, verdicts.found);
  set_bracket_verdicts(*picture.gold, match.gold, NodeVerdict::kMissed, verdicts.gold);
  set_tag_verdicts(picture, verdicts.found);
  return verdicts;
}

Html constituency_picture(const ConstituencyPicture& picture) {
  const ConstituencyVerdicts verdicts = judge_nodes(picture);
  const std::string caption = bracket_caption(picture, verdicts);
  Html trees;
  if (picture.gold && !verdicts.all_right()) {
    trees += draw_tree("Gold tree", *picture.gold, verdicts.gold, caption);
  }
  trees += draw_tree("Tree found", picture.found, verdicts.found, caption);
  return element("figure", {{"class", "tree"}},
                 text_element("figcaption", {{"dir", "auto"}}, caption) +
                     element("div", {{"class", "tree-pair"}}, trees));
}

Html constituency_legend() {
  struct Sample {
    NodeVerdict verdict;
    std::string_view meaning;
  };
  constexpr std::array<Sample, 3> kSamples = {
      {{NodeVerdict::kRight, "correct, or not counted"},
       {NodeVerdict::kWrong, "✗ wrong: the gold tree has no such bracket"},
       {NodeVerdict::kMissed, "missed: a bracket of the gold tree that was not found"}}};
  Html items;
  for (const Sample& sample : kSamples) {
    const Html line = element("path", {{"class", "line"}, {"d", "M14 1L3 11M14 1L25 11"}});
    items += element(
        "li", swatch(element("g", {{"class", fmt::format("arc {}", style_of_node(sample.verdict))}},
                             line)) +
                  text(sample.meaning));
  }
  return element("ul", {{"class", "key tree-key"}}, items);
}

}  // namespace trellis::report
