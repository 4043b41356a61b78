#include "trellis/pictures/charts/state_strips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/palette.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/markup/word_label.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {
namespace {

constexpr double kStripLine = 900;  // about so wide
constexpr double kLeastCell = 9;
constexpr double kMostCell = 22;
constexpr double kStripHeight = 17;
constexpr double kFaultHeight = 4;
constexpr double kSideWidth = 44;  // of the words in front of strips
constexpr double kStateFont = 11;
constexpr Index kPlaceStep = 10;  // between positions that have their number below
constexpr Index kMostStatesInLegend = 60;

std::string state_name(Label state, std::span<const std::string> states) {
  return state < 0 ? "not known" : states[static_cast<Index>(state)];
}

// Positions [begin, end) of a sequence on a line of their own.
class StripLine {
 public:
  StripLine(const StateSequence& sequence, std::span<const std::string> states, Index begin,
            Index end, double cell)
      : sequence_(sequence), states_(states), begin_(begin), end_(end), cell_(cell) {}

  Html draw() const {
    const double found_top = kStripHeight + kFaultHeight + 2;
    const double bottom = found_top + kStripHeight;
    Html content = side("true", 0) + side("found", found_top) + runs(sequence_.truth, 0) +
                   runs(sequence_.found, found_top) + faults() + places(bottom);
    const double width = kSideWidth + cell_ * static_cast<double>(end_ - begin_) + 1;
    const double height = bottom + kStateFont + 3;
    return element("svg",
                   {{"role", "img"},
                    {"aria-label", fmt::format("positions {} to {}", begin_ + 1, end_)},
                    {"width", coordinate(width)},
                    {"height", coordinate(height)},
                    {"viewBox", fmt::format("0 0 {} {}", coordinate(width), coordinate(height))}},
                   content);
  }

 private:
  double left(Index t) const { return kSideWidth + cell_ * static_cast<double>(t - begin_); }

  static Html side(std::string_view word, double top) {
    return text_element("text",
                        {{"class", "side"},
                         {"x", "0"},
                         {"y", coordinate(top + kStripHeight / 2 + 0.35 * kStateFont)}},
                        word);
  }

  Html runs(const std::vector<Label>& row, double top) const {
    Html drawn;
    for (Index t = begin_; t < end_;) {
      Index next = t + 1;
      while (next < end_ && row[next] == row[t]) ++next;
      drawn += run(row[t], t, next, top);
      t = next;
    }
    return drawn;
  }

  Html run(Label state, Index from, Index to, double top) const {
    const std::string name = state_name(state, states_);
    const double width = cell_ * static_cast<double>(to - from);
    const std::string told = to - from == 1
                                 ? fmt::format("position {}: {}", from + 1, name)
                                 : fmt::format("positions {} to {}: {}", from + 1, to, name);
    Html content =
        text_element("title", told) + element("rect", {{"x", coordinate(left(from) + 0.5)},
                                                       {"y", coordinate(top)},
                                                       {"width", coordinate(width - 1)},
                                                       {"height", coordinate(kStripHeight)},
                                                       {"rx", "2"}});
    if (kStateFont * text_width(name) + 2 <= width) {
      content += text_element("text",
                              {{"x", coordinate(left(from) + width / 2)},
                               {"y", coordinate(top + kStripHeight / 2 + 0.35 * kStateFont)},
                               {"text-anchor", "middle"}},
                              name);
    }
    if (state < 0) return element("g", {{"class", "unknown"}}, content);
    const auto colour = palette_colour(static_cast<Index>(state));
    return element("g", {{"class", "run"}, {"style", fmt::format("--kind:{}", colour)}}, content);
  }

  Html faults() const {
    Html drawn;
    for (Index t = begin_; t < end_; ++t) {
      if (sequence_.truth[t] < 0 || sequence_.truth[t] == sequence_.found[t]) continue;
      drawn += element("rect", {{"class", "fault"},
                                {"x", coordinate(left(t) + 0.5)},
                                {"y", coordinate(kStripHeight + 1)},
                                {"width", coordinate(cell_ - 1)},
                                {"height", coordinate(kFaultHeight)}});
    }
    return drawn;
  }

  Html places(double bottom) const {
    Html drawn;
    for (Index t = begin_; t < end_; ++t) {
      if (t != begin_ && (t + 1) % kPlaceStep != 0) continue;
      drawn += text_element("text",
                            {{"class", "place"},
                             {"x", coordinate(left(t) + cell_ / 2)},
                             {"y", coordinate(bottom + kStateFont)},
                             {"text-anchor", "middle"}},
                            fmt::format("{}", t + 1));
    }
    return drawn;
  }

  const StateSequence& sequence_;
  std::span<const std::string> states_;
  Index begin_, end_;
  double cell_;
};

}  // namespace

Html state_strips(const StateSequence& sequence, std::span<const std::string> states) {
  assert(sequence.truth.size() == sequence.found.size());
  const Index length = sequence.truth.size();
  const Index shown = std::min(length, kMaxStripPositions);
  const double cell = std::clamp(kStripLine / static_cast<double>(std::max<Index>(shown, 1)),
                                 kLeastCell, kMostCell);
  const auto in_line = static_cast<Index>(kStripLine / cell);
  Html lines;
  for (Index begin = 0; begin < shown; begin += in_line) {
    lines += StripLine(sequence, states, begin, std::min(begin + in_line, shown), cell).draw();
  }
  if (shown < length) {
    lines += note(fmt::format("The first {} of {} positions.", shown, format_count(length)));
  }
  return element(
      "figure", {{"class", "strips"}},
      text_element("figcaption", sequence.caption) + element("div", {{"class", "scroll"}}, lines));
}

Html state_legend(std::span<const std::string> states) {
  Html list;
  const Index shown = std::min<Index>(states.size(), kMostStatesInLegend);
  for (Index i = 0; i < shown; ++i) {
    const Html sample = swatch(element(
        "rect", {{"x", "2"}, {"y", "0.5"}, {"width", "24"}, {"height", "11"}, {"rx", "2"}}));
    list += element(
        "li",
        element("span", {{"class", "run"}, {"style", fmt::format("--kind:{}", palette_colour(i))}},
                sample + text(states[i])));
  }
  if (shown < states.size()) {
    list += text_element("li", fmt::format("and {} more", states.size() - shown));
  }
  return element("ul", {{"class", "key"}}, list);
}

}  // namespace trellis::report
