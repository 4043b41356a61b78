#include "trellis/tasks/align/page/alignment_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/markup/word_label.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"

namespace trellis::report {
namespace {

// In pixels. A grid is never scaled, which would make its words too small to read; a grid wider
// than the screen scrolls.
constexpr double kLargestCell = 24;
constexpr double kSmallestCell = 12;
constexpr double kWidestGrid = 840;  // for a grid divided into cells
constexpr double kLargestFont = 12;
constexpr double kLongestLabel = 9;  // in units of the font size
constexpr double kLabelMargin = 5;
constexpr Index kRulerEvery = 5;

bool is_found(LinkVerdict verdict) {
  return verdict == LinkVerdict::kFound || verdict == LinkVerdict::kAllowed ||
         verdict == LinkVerdict::kRight || verdict == LinkVerdict::kWrong;
}

std::string_view words_for(LinkVerdict verdict) {
  switch (verdict) {
    case LinkVerdict::kPassed:
      return "not found";
    case LinkVerdict::kFound:
      return "found";
    case LinkVerdict::kPossible:
      return "possible, not found";
    case LinkVerdict::kAllowed:
      return "found, possible";
    case LinkVerdict::kRight:
      return "found, sure";
    case LinkVerdict::kMissed:
      return "sure, but missed";
    case LinkVerdict::kWrong:
      break;
  }
  return "found, but wrong";
}

// A cell of the picture, given by its upper left corner; shapes are in fractions of the cell size.
struct Cell {
  double x = 0;
  double y = 0;
  double size = 0;

  Html square(std::string_view style, double inset, double opacity = 1) const {
    const double side = size * (1 - 2 * inset);
    return element("rect", {{"class", std::string(style)},
                            {"x", coordinate(x + size * inset)},
                            {"y", coordinate(y + size * inset)},
                            {"width", coordinate(side)},
                            {"height", coordinate(side)},
                            {"fill-opacity", fmt::format("{:.2f}", opacity)}});
  }
  Html circle(std::string_view style, double radius, double opacity = 1) const {
    return element("circle", {{"class", std::string(style)},
                              {"cx", coordinate(x + size / 2)},
                              {"cy", coordinate(y + size / 2)},
                              {"r", coordinate(size * radius)},
                              {"fill-opacity", fmt::format("{:.2f}", opacity)}});
  }
  Html cross() const {
    const double a = 0.14 * size, b = 0.86 * size;
    return element("path",
                   {{"class", "cross"},
                    {"d", fmt::format("M{0} {2}L{1} {3}M{0} {3}L{1} {2}", coordinate(x + a),
                                      coordinate(x + b), coordinate(y + a), coordinate(y + b))}});
  }
};

// A found link of probability 0 stays visible, and so does the cross of a wrong link.
Html draw_mark(LinkVerdict verdict, double probability, const Cell& cell) {
  const double p = std::isnan(probability) ? 0 : std::clamp(probability, 0.0, 1.0);
  const double strength = 0.2 + 0.8 * p;
  Html likely = p > 0 ? cell.square("faint", 0.31, 0.08 + 0.6 * p) : Html();
  switch (verdict) {
    case LinkVerdict::kPassed:
      return likely;
    case LinkVerdict::kFound:
      return cell.square("found", 0.1, strength);
    case LinkVerdict::kPossible:
      return likely + cell.circle("possible", 0.42);
    case LinkVerdict::kAllowed:
      return cell.circle("found", 0.36, strength) + cell.circle("possible", 0.42);
    case LinkVerdict::kRight:
      return cell.square("found", 0.16, strength) + cell.square("sure", 0.09);
    case LinkVerdict::kMissed:
      return likely + cell.square("lost", 0.13);
    case LinkVerdict::kWrong:
      break;
  }
  return cell.square("stray", 0.1, 0.5 * strength) + cell.cross();
}

// The displayed words of a sentence, and their labels.
class WordLabels {
 public:
  WordLabels(const std::vector<std::string>& words, double font)
      : words_(std::span(words).first(std::min<Index>(words.size(), kMaxGridWords))), font_(font) {
    for (const std::string& word : words_) {
      shown_.push_back(fit_text(word, kLongestLabel));
      width_ = std::max(width_, text_width(shown_.back()));
    }
  }

  Index size() const { return words_.size(); }
  const std::string& word(Index i) const { return words_[i]; }
  double extent() const { return std::ceil(width_ * font_) + 2 * kLabelMargin; }

  // The labels one below the other in a box of their own, which clips labels that turn out too
  // wide.
  Html box(double y, double cell, std::string_view anchor) const {
    const double x = anchor == "end" ? extent() - kLabelMargin : kLabelMargin;
    Html labels;
    for (Index i = 0; i < size(); ++i) {
      const double middle = (static_cast<double>(i) + 0.5) * cell;
      Html content = text(isolated(shown_[i]));
      if (shown_[i] != words_[i]) content = text_element("title", words_[i]) + content;
      labels += element("text",
                        {{"x", coordinate(x)},
                         {"y", coordinate(middle + 0.35 * font_)},
                         {"font-size", coordinate(font_)},
                         {"text-anchor", std::string(anchor)}},
                        content);
    }
    return element("svg",
                   {{"y", coordinate(y)},
                    {"width", coordinate(extent())},
                    {"height", coordinate(cell * static_cast<double>(size()))}},
                   labels);
  }

 private:
  std::span<const std::string> words_;
  double font_;
  std::vector<std::string> shown_;
  double width_ = 1;
};

double cell_size(const AlignmentGrid& grid) {
  const Index longer =
      std::clamp<Index>(std::max(grid.source.size(), grid.target.size()), 1, kMaxGridWords);
  return std::clamp(std::floor(kWidestGrid / static_cast<double>(longer)), kSmallestCell,
                    kLargestCell);
}

class GridPicture {
 public:
  explicit GridPicture(const AlignmentGrid& grid)
      : cell_(cell_size(grid)),
        rows_(grid.source, std::min(kLargestFont, cell_ - 1)),
        columns_(grid.target, std::min(kLargestFont, cell_ - 1)),
        left_(rows_.extent()),
        top_(columns_.extent()) {}

  Html draw(std::span<const LinkMark> marks, const std::string& label) const {
    Html links;
    for (const LinkMark& mark : marks) links += draw_link(mark);
    const double width = left_ + across() + 1, height = top_ + down() + 1;
    return element("svg",
                   {{"role", "img"},
                    {"aria-label", label},
                    {"width", coordinate(width)},
                    {"height", coordinate(height)},
                    {"viewBox", fmt::format("0 0 {} {}", coordinate(width), coordinate(height))}},
                   rows_.box(top_, cell_, "end") + turned(columns_.box(0, cell_, "start")) +
                       rulers() + element("g", {{"class", "links"}}, links));
  }

 private:
  double across() const { return cell_ * static_cast<double>(columns_.size()); }
  double down() const { return cell_ * static_cast<double>(rows_.size()); }

  // Labels above the columns, read from bottom to top.
  Html turned(const Html& labels) const {
    const std::string place =
        fmt::format("translate({} {}) rotate(-90)", coordinate(left_), coordinate(top_));
    return element("g", {{"transform", place}}, labels);
  }

  Html rulers() const {
    std::string thin, strong;
    for (Index i = 0; i <= rows_.size(); ++i) {
      (i % kRulerEvery == 0 ? strong : thin) +=
          fmt::format("M{} {}h{}", coordinate(left_),
                      coordinate(top_ + static_cast<double>(i) * cell_), coordinate(across()));
    }
    for (Index j = 0; j <= columns_.size(); ++j) {
      (j % kRulerEvery == 0 ? strong : thin) +=
          fmt::format("M{} {}v{}", coordinate(left_ + static_cast<double>(j) * cell_),
                      coordinate(top_), coordinate(down()));
    }
    return element("path", {{"class", "ruler"}, {"d", thin}}) +
           element("path", {{"class", "ruler fifth"}, {"d", strong}});
  }

  // Empty if a word of the link is not displayed.
  Html draw_link(const LinkMark& mark) const {
    const Index i = mark.link.source, j = mark.link.target;
    if (i >= rows_.size() || j >= columns_.size()) return {};
    const Cell cell{left_ + static_cast<double>(j) * cell_, top_ + static_cast<double>(i) * cell_,
                    cell_};
    const std::string title =
        fmt::format("{} – {}: {}{}", isolated(rows_.word(i)), isolated(columns_.word(j)),
                    words_for(mark.verdict),
                    std::isnan(mark.probability) ? "" : ", " + format_fixed(mark.probability, 3));
    return element("g", text_element("title", title) + cell.square("target", 0) +
                            draw_mark(mark.verdict, mark.probability, cell));
  }

  double cell_;
  WordLabels rows_, columns_;
  double left_, top_;
};

// "line 12: AER 14.3, 1 missed, 2 wrong", or the number of links.
std::string caption_of(const AlignmentGrid& grid) {
  const Links found = links_at(grid.found, -std::numeric_limits<double>::infinity());
  std::string figures = fmt::format("{} links", found.size());
  if (grid.gold) {
    const align::AlignmentCounts counts = align::count_links(found, *grid.gold);
    figures = fmt::format("AER {}, {} missed, {} wrong", format_fixed(100 * counts.aer(), 1),
                          counts.sure - counts.found_sure, counts.found - counts.found_possible);
  }
  return grid.name.empty() ? figures : fmt::format("{}: {}", grid.name, figures);
}

Html cut_note(std::string_view side, Index words) {
  if (words <= kMaxGridWords) return {};
  return text_element("p", {{"class", "note"}},
                      fmt::format("The first {} of {} {} words are shown.", kMaxGridWords,
                                  format_count(words), side));
}

}  // namespace

std::vector<LinkMark> link_marks(const AlignmentGrid& grid) {
  std::map<Link, LinkMark> marks;
  const auto mark = [&](Link link) -> LinkMark& {
    LinkMark& one = marks[link];
    one.link = link;
    return one;
  };
  for (const ScoredLink& cell : grid.cells) mark(cell.link).probability = cell.probability;
  for (const ScoredLink& one : grid.found) {
    LinkMark& found = mark(one.link);
    found.probability = one.probability;
    found.verdict = grid.gold ? LinkVerdict::kWrong : LinkVerdict::kFound;
  }
  if (grid.gold) {
    for (const Link link : grid.gold->possible) {
      LinkVerdict& verdict = mark(link).verdict;
      verdict = is_found(verdict) ? LinkVerdict::kAllowed : LinkVerdict::kPossible;
    }
    for (const Link link : grid.gold->sure) {
      LinkVerdict& verdict = mark(link).verdict;
      verdict = is_found(verdict) ? LinkVerdict::kRight : LinkVerdict::kMissed;
    }
  }
  std::vector<LinkMark> list;
  for (const auto& [link, one] : marks) list.push_back(one);
  return list;
}

Html alignment_grid(const AlignmentGrid& grid) {
  const std::string caption = caption_of(grid);
  Html figure = text_element("figcaption", {{"dir", "auto"}}, caption);
  if (grid.source.empty() || grid.target.empty()) {
    figure += text_element("p", {{"class", "empty"}}, "An empty sentence has no links.");
  } else {
    figure += element("div", {{"class", "scroll"}},
                      GridPicture(grid).draw(link_marks(grid), "Links of " + caption));
    figure += cut_note("source", grid.source.size()) + cut_note("target", grid.target.size());
  }
  return element("figure", {{"class", "alignment"}}, figure);
}

Html alignment_legend(bool gold) {
  using enum LinkVerdict;
  constexpr std::array<LinkVerdict, 6> kWithGold = {kRight,  kAllowed,  kWrong,
                                                    kMissed, kPossible, kPassed};
  constexpr std::array<LinkVerdict, 2> kWithout = {kFound, kPassed};
  const std::span<const LinkVerdict> shown =
      gold ? std::span<const LinkVerdict>(kWithGold) : std::span<const LinkVerdict>(kWithout);
  Html items;
  for (const LinkVerdict verdict : shown) {
    const double probability = is_found(verdict) ? 0.9 : 0.4;
    const Html sample =
        element("g", {{"class", "links"}}, draw_mark(verdict, probability, {8, 0, 12}));
    items += element("li", swatch(sample) + text(words_for(verdict)));
  }
  return element("ul", {{"class", "key"}}, items);
}

}  // namespace trellis::report
