#include "trellis/tasks/parse/page/dependency_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/markup/word_label.h"

namespace trellis::report {
namespace {

using parse::Word;

// In pixels. A tree is never scaled, which would make its words too small to read.
constexpr double kWordFont = 15;
constexpr double kTagFont = 10.5;
constexpr double kLabelFont = 11;
constexpr double kLongestWord = 16;  // in units of its font size, like the next two
constexpr double kLongestTag = 12;
constexpr double kLongestArcLabel = 14;
constexpr double kWordGap = 14;      // between two words
constexpr double kLabelGap = 12;     // between a label and the ends of its arc
constexpr double kPortDistance = 8;  // between arcs at one word
constexpr double kLowestArc = 26;    // above the words
constexpr double kLevelHeight = 19;
constexpr double kArrowLength = 7;
constexpr double kTreeMargin = 6;
constexpr double kTextHeight = 2.6 * kWordFont;  // for words and tags

std::string_view words_for(ArcVerdict verdict) {
  switch (verdict) {
    case ArcVerdict::kFound:
      return "found";
    case ArcVerdict::kRight:
      return "correct";
    case ArcVerdict::kWrongLabel:
      return "wrong label";
    case ArcVerdict::kWrongHead:
      return "wrong head";
    case ArcVerdict::kMissed:
      break;
  }
  return "missed";
}

std::string_view style_of(ArcVerdict verdict) {
  switch (verdict) {
    case ArcVerdict::kFound:
    case ArcVerdict::kRight:
      return "arc sound";
    case ArcVerdict::kWrongLabel:
      return "arc misnamed";
    case ArcVerdict::kWrongHead:
      return "arc stray";
    case ArcVerdict::kMissed:
      break;
  }
  return "arc lost";
}

std::uint32_t shown_words(const DependencyPicture& picture) {
  return static_cast<std::uint32_t>(std::min<Index>(picture.system.size(), kMaxTreeWords));
}

// Whether one lies inside the other, or both join the same words.
bool nested(const TreeArc& inner, const TreeArc& outer) {
  return outer.left() <= inner.left() && inner.right() <= outer.right();
}
bool crossing(const TreeArc& a, const TreeArc& b) {
  return a.left() < b.right() && b.left() < a.right();
}

// Shortest first: each at the lowest level above its inner arcs that no crossing arc has.
void set_levels(std::vector<TreeArc>& arcs) {
  std::vector<Index> order(arcs.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return arcs[a].right() - arcs[a].left() < arcs[b].right() - arcs[b].left();
  });
  Index highest = 0;
  std::vector<const TreeArc*> placed;
  for (const Index k : order) {
    if (arcs[k].head == 0) continue;
    Index level = 1;
    std::set<Index> taken;
    for (const TreeArc* other : placed) {
      if (nested(*other, arcs[k])) {
        level = std::max(level, other->level + 1);
      } else if (crossing(*other, arcs[k])) {
        taken.insert(other->level);
      }
    }
    while (taken.contains(level)) ++level;
    arcs[k].level = level;
    highest = std::max(highest, level);
    placed.push_back(&arcs[k]);
  }
  for (TreeArc& arc : arcs) {
    if (arc.head == 0) arc.level = highest + 1;
  }
}

std::string label_or_dash(const std::string& label) {
  return label.empty() ? "–" : label;
}

// The text of an arc: "obj", "✗ obj", or "obj ≠ nsubj", whose last word is gold's.
struct ArcLabel {
  std::string found;
  std::string gold;

  double width() const {
    return kLabelFont * (text_width(found) + (gold.empty() ? 0 : text_width(" " + gold)));
  }
};

ArcLabel label_of(const DependencyPicture& picture, const TreeArc& arc) {
  const auto cut = [](const std::string& label) {
    return fit_text(label_or_dash(label), kLongestArcLabel);
  };
  const auto gold = [&] { return cut(picture.gold->word(arc.modifier).label); };
  const std::string found = cut(picture.system.word(arc.modifier).label);
  switch (arc.verdict) {
    case ArcVerdict::kFound:
    case ArcVerdict::kRight:
      return {found, ""};
    case ArcVerdict::kWrongLabel:
      return {isolated(found) + " ≠", isolated(gold())};
    case ArcVerdict::kWrongHead:
      return {"✗ " + isolated(found), ""};
    case ArcVerdict::kMissed:
      break;
  }
  return {gold(), ""};
}

double probability_of(const DependencyPicture& picture, const TreeArc& arc) {
  if (picture.probabilities.empty() || arc.verdict == ArcVerdict::kMissed) return std::nan("");
  return picture.probabilities[arc.modifier - 1];
}

// "saw → him, obj: wrong label, right is iobj; probability 0.912"
std::string title_of(const DependencyPicture& picture, const TreeArc& arc) {
  const Word& modifier =
      (arc.verdict == ArcVerdict::kMissed ? *picture.gold : picture.system).word(arc.modifier);
  const std::string head = arc.head == 0 ? "root" : isolated(picture.system.word(arc.head).form);
  std::string title = fmt::format("{} → {}, {}: {}", head, isolated(modifier.form),
                                  label_or_dash(modifier.label), words_for(arc.verdict));
  if (arc.verdict == ArcVerdict::kWrongLabel) {
    title += fmt::format(", gold is {}", label_or_dash(picture.gold->word(arc.modifier).label));
  }
  const double p = probability_of(picture, arc);
  if (!std::isnan(p)) title += fmt::format("; probability {}", format_fixed(p, 3));
  return title;
}

// An arc of a picture, from its left word's end to its right word's end; y is the top of the words.
// It rises in quarter ellipses and is flat between them, which leaves space for inner arcs.
struct ArcShape {
  double left = 0;
  double right = 0;
  double y = 0;
  Index level = 1;
  bool points_right = true;
  bool root = false;  // straight from above; left = right

  double height() const { return kLowestArc + static_cast<double>(level - 1) * kLevelHeight; }
  double modifier_x() const { return points_right ? right : left; }

  std::string line() const {
    if (root) {
      return fmt::format("M{} {}V{}", coordinate(left), coordinate(y - height()),
                         coordinate(y - kArrowLength));
    }
    const double shoulder = std::min((right - left) / 2, 12 + 3 * static_cast<double>(level));
    const double rise = height() - kArrowLength;  // the last piece is straight
    const double foot = y - kArrowLength;
    std::string path = fmt::format("M{} {}", coordinate(left), coordinate(points_right ? y : foot));
    if (points_right) path += fmt::format("V{}", coordinate(foot));
    path += fmt::format("A{0} {1} 0 0 1 {2} {3}H{4}A{0} {1} 0 0 1 {5} {6}", coordinate(shoulder),
                        coordinate(rise), coordinate(left + shoulder), coordinate(y - height()),
                        coordinate(right - shoulder), coordinate(right), coordinate(foot));
    if (!points_right) path += fmt::format("V{}", coordinate(y));
    return path;
  }

  std::string arrow() const {
    return fmt::format("M{} {}l-3.5 {}h7z", coordinate(modifier_x()), coordinate(y),
                       coordinate(-kArrowLength - 0.5));
  }
};

Html draw_arc(ArcVerdict verdict, double probability, const ArcShape& shape, const Html& title) {
  const double p = std::isnan(probability) ? 1 : std::clamp(probability, 0.0, 1.0);
  const Html lines = element("path", {{"class", "line"}, {"d", shape.line()}}) +
                     element("path", {{"class", "head"}, {"d", shape.arrow()}});
  return element("g",
                 {{"class", std::string(style_of(verdict))},
                  {"opacity", fmt::format("{:.2f}", 0.2 + 0.8 * p)}},
                 title + lines);
}

// With a background, so that no line runs through it.
Html draw_label(ArcVerdict verdict, const ArcLabel& label, double x, double y, const Html& title) {
  Html words = text(label.gold.empty() ? label.found : label.found + " ");
  if (!label.gold.empty()) words += text_element("tspan", {{"class", "gold-label"}}, label.gold);
  const Html ground = element("rect", {{"class", "ground"},
                                       {"x", coordinate(x - label.width() / 2)},
                                       {"y", coordinate(y - kLabelFont)},
                                       {"width", coordinate(label.width())},
                                       {"height", coordinate(1.3 * kLabelFont)}});
  const Html name = element("text",
                            {{"class", std::string(style_of(verdict))},
                             {"x", coordinate(x)},
                             {"y", coordinate(y)},
                             {"font-size", coordinate(kLabelFont)},
                             {"text-anchor", "middle"}},
                            words);
  return element("g", title + ground + name);
}

class TreePicture {
 public:
  explicit TreePicture(const DependencyPicture& picture)
      : picture_(picture), words_(shown_words(picture)), arcs_(tree_arcs(picture)) {
    Index levels = 0;
    for (const TreeArc& arc : arcs_) {
      levels = std::max(levels, arc.level);
      labels_.push_back(label_of(picture, arc));
    }
    top_ = kTreeMargin + kLabelFont + kLowestArc + static_cast<double>(levels) * kLevelHeight -
           kLevelHeight;
    set_ports();
    set_places();
  }

  Html draw(const std::string& label) const {
    Html lines, names, words;
    for (Index k = 0; k < arcs_.size(); ++k) {
      const TreeArc& arc = arcs_[k];
      const ArcShape shape = shape_of(k);
      const Html title = text_element("title", title_of(picture_, arc));
      lines += draw_arc(arc.verdict, probability_of(picture_, arc), shape, title);
      names += draw_label(arc.verdict, labels_[k], (shape.left + shape.right) / 2,
                          top_ - shape.height() + (arc.head == 0 ? -3 : 0.35 * kLabelFont), title);
    }
    for (std::uint32_t m = 1; m <= words_; ++m) words += draw_word(m);
    const double height = top_ + kTextHeight;
    return element("svg",
                   {{"role", "img"},
                    {"aria-label", label},
                    {"width", coordinate(width_)},
                    {"height", coordinate(height)},
                    {"viewBox", fmt::format("0 0 {} {}", coordinate(width_), coordinate(height))}},
                   lines + names + words);
  }

 private:
  // The offsets of an arc's ends from the middle of its words, to the right.
  struct Ports {
    double left = 0;   // at its left word; for root arcs, at their only one
    double right = 0;  // at its right word
  };

  // From left to right: arcs to the left, shortest first; root arcs; arcs to the right, longest
  // first. Arcs that share a word and a side are nested, so a higher level means a longer arc.
  void set_ports() {
    ports_.resize(arcs_.size());
    room_.assign(words_ + 1, 0);
    std::vector<std::vector<Index>> at(words_ + 1);
    for (Index k = 0; k < arcs_.size(); ++k) {
      if (arcs_[k].head != 0) at[arcs_[k].head].push_back(k);
      at[arcs_[k].modifier].push_back(k);
    }
    for (std::uint32_t m = 1; m <= words_; ++m) {
      const auto place = [&](Index k) {
        const auto level = static_cast<std::int64_t>(arcs_[k].level);
        if (arcs_[k].head == 0) return std::pair<int, std::int64_t>(1, 0);
        return arcs_[k].right() == m ? std::pair(0, level) : std::pair(2, -level);
      };
      std::stable_sort(at[m].begin(), at[m].end(),
                       [&](Index a, Index b) { return place(a) < place(b); });
      const auto count = static_cast<double>(at[m].size());
      for (Index i = 0; i < at[m].size(); ++i) {
        const double offset = (static_cast<double>(i) - (count - 1) / 2) * kPortDistance;
        const Index k = at[m][i];
        (arcs_[k].head != 0 && arcs_[k].right() == m ? ports_[k].right : ports_[k].left) = offset;
      }
      room_[m] = count * kPortDistance;
    }
  }

  // Words stand as close as their texts, arcs and labels allow.
  void set_places() {
    struct Extent {
      double left = 0;  // from a word's middle
      double right = 0;
    };
    std::vector<Extent> extents(words_ + 1);
    for (std::uint32_t m = 1; m <= words_; ++m) {
      const double half = std::max({room_[m], kWordFont * text_width(shown_form(m)),
                                    kTagFont * text_width(shown_tag(m))}) /
                          2;
      extents[m] = {half, half};
    }
    std::vector<std::vector<Index>> ending(words_ + 1);
    for (Index k = 0; k < arcs_.size(); ++k) {
      if (arcs_[k].head != 0) {
        ending[arcs_[k].right()].push_back(k);
        continue;
      }
      Extent& extent = extents[arcs_[k].modifier];
      extent.left = std::max(extent.left, labels_[k].width() / 2 - ports_[k].left);
      extent.right = std::max(extent.right, labels_[k].width() / 2 + ports_[k].left);
    }
    middle_.assign(words_ + 1, 0);
    double end = kTreeMargin - kWordGap;
    for (std::uint32_t m = 1; m <= words_; ++m) {
      double x = end + kWordGap + extents[m].left;
      for (const Index k : ending[m]) {
        x = std::max(x, middle_[arcs_[k].left()] + ports_[k].left - ports_[k].right +
                            labels_[k].width() + kLabelGap);
      }
      middle_[m] = x;
      end = x + extents[m].right;
    }
    width_ = std::ceil(end + kTreeMargin);
  }

  ArcShape shape_of(Index k) const {
    const TreeArc& arc = arcs_[k];
    const bool root = arc.head == 0;
    const double left = middle_[root ? arc.modifier : arc.left()] + ports_[k].left;
    const double right = root ? left : middle_[arc.right()] + ports_[k].right;
    return {left, right, top_, arc.level, arc.head < arc.modifier, root};
  }

  std::string shown_form(std::uint32_t m) const {
    return fit_text(picture_.system.word(m).form, kLongestWord);
  }
  bool wrong_tag(std::uint32_t m) const {
    return picture_.gold && picture_.gold->word(m).coarse != picture_.system.word(m).coarse;
  }
  // "NOUN", or "NOUN ≠ VERB", whose last tag is gold's.
  std::string shown_tag(std::uint32_t m) const {
    std::string found = fit_text(picture_.system.word(m).coarse, kLongestTag);
    if (!wrong_tag(m)) return found;
    return fmt::format(
        "{} ≠ {}", isolated(found),
        isolated(fit_text(label_or_dash(picture_.gold->word(m).coarse), kLongestTag)));
  }

  Html draw_word(std::uint32_t m) const {
    const std::string& form = picture_.system.word(m).form;
    const std::string& fine = picture_.system.word(m).fine;
    const auto line = [&](std::string_view style, double font, double y, const Html& content) {
      return element("text",
                     {{"class", std::string(style)},
                      {"x", coordinate(middle_[m])},
                      {"y", coordinate(top_ + y)},
                      {"font-size", coordinate(font)},
                      {"text-anchor", "middle"}},
                     content);
    };
    const std::string title = fine.empty() ? fmt::format("{} {}", m, isolated(form))
                                           : fmt::format("{} {}, {}", m, isolated(form), fine);
    return line("form", kWordFont, 1.15 * kWordFont,
                text_element("title", title) + text(isolated(shown_form(m)))) +
           line(wrong_tag(m) ? "pos stray" : "pos", kTagFont, 2.2 * kWordFont, text(shown_tag(m)));
  }

  const DependencyPicture& picture_;
  std::uint32_t words_;
  std::vector<TreeArc> arcs_;
  std::vector<ArcLabel> labels_;  // of arcs
  std::vector<Ports> ports_;      // of arcs
  std::vector<double> room_;      // required by arcs at each word
  std::vector<double> middle_;    // of each word
  double top_ = 0;                // top of the words
  double width_ = 0;
};

std::string counted(Index count, std::string_view thing) {
  return fmt::format("{} {}{}", format_count(count), thing, count == 1 ? "" : "s");
}

// "line 12: 9 words, 2 wrong heads, 1 wrong label"
std::string tree_caption(const DependencyPicture& picture) {
  std::string figures = counted(picture.system.size(), "word");
  if (picture.gold) {
    Index heads = 0, labels = 0;
    for (Index i = 0; i < picture.system.size(); ++i) {
      const Word& gold = picture.gold->words[i];
      const Word& system = picture.system.words[i];
      heads += gold.head != system.head ? 1 : 0;
      labels += gold.head == system.head && gold.label != system.label ? 1 : 0;
    }
    if (heads > 0) figures += ", " + counted(heads, "wrong head");
    if (labels > 0) figures += ", " + counted(labels, "wrong label");
    if (heads + labels == 0) figures += ", all correct";
  }
  return picture.name.empty() ? figures : fmt::format("{}: {}", picture.name, figures);
}

}  // namespace

std::vector<TreeArc> tree_arcs(const DependencyPicture& picture) {
  assert(!picture.gold || picture.gold->size() == picture.system.size());
  assert(picture.probabilities.empty() || picture.probabilities.size() == picture.system.size());
  const std::uint32_t words = shown_words(picture);
  std::vector<TreeArc> arcs;
  const auto add = [&](std::uint32_t head, std::uint32_t modifier, ArcVerdict verdict) {
    if (head <= words && head != modifier) arcs.push_back({head, modifier, verdict, 0});
  };
  for (std::uint32_t m = 1; m <= words; ++m) {
    const Word& system = picture.system.word(m);
    if (!picture.gold) {
      add(system.head, m, ArcVerdict::kFound);
      continue;
    }
    const Word& gold = picture.gold->word(m);
    if (gold.head == system.head) {
      add(system.head, m,
          gold.label == system.label ? ArcVerdict::kRight : ArcVerdict::kWrongLabel);
    } else {
      add(system.head, m, ArcVerdict::kWrongHead);
      add(gold.head, m, ArcVerdict::kMissed);
    }
  }
  set_levels(arcs);
  return arcs;
}

Html dependency_picture(const DependencyPicture& picture) {
  const std::string caption = tree_caption(picture);
  Html figure = text_element("figcaption", {{"dir", "auto"}}, caption) +
                element("div", {{"class", "scroll"}},
                        TreePicture(picture).draw("Dependency tree of " + caption));
  if (picture.system.size() > kMaxTreeWords) {
    figure +=
        text_element("p", {{"class", "note"}},
                     fmt::format("The first {} of {} words are shown, and the arcs between these.",
                                 kMaxTreeWords, format_count(picture.system.size())));
  }
  return element("figure", {{"class", "tree"}}, figure);
}

Html dependency_legend(bool gold) {
  using enum ArcVerdict;
  struct Sample {
    ArcVerdict verdict;
    std::string_view meaning;
  };
  constexpr std::array<Sample, 4> kWithGold = {
      {{kRight, "correct"},
       {kWrongLabel, "wrong label ≠ gold label, correct head"},
       {kWrongHead, "✗ wrong head"},
       {kMissed, "missed: the gold arc of a word with a wrong head"}}};
  constexpr std::array<Sample, 1> kWithout = {{{kFound, "found"}}};
  const std::span<const Sample> shown =
      gold ? std::span<const Sample>(kWithGold) : std::span<const Sample>(kWithout);
  Html items;
  for (const Sample& sample : shown) {
    const Html line = element("path", {{"class", "line"},
                                       {"d",
                                        "M2 11V9A5 7 0 0 1 7 2H19"
                                        "A5 7 0 0 1 24 7"}}) +
                      element("path", {{"class", "head"}, {"d", "M24 12l-3.5 -6h7z"}});
    items += element(
        "li", swatch(element("g", {{"class", std::string(style_of(sample.verdict))}}, line)) +
                  text(sample.meaning));
  }
  return element("ul", {{"class", "key tree-key"}}, items);
}

}  // namespace trellis::report
