#include "trellis/pictures/charts/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include "trellis/base/text.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/svg.h"

namespace trellis::report {
namespace {

// The size of the picture in its own units; the page scales it.
constexpr double kWidth = 480;
constexpr double kHeight = 280;
constexpr double kLeft = 56;
constexpr double kRight = 14;
constexpr double kTop = 22;
constexpr double kBottom = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;
constexpr double kLetter = 6.4;  // about the width of one

constexpr Index kStyles = 6;       // classes series-0 … of the style sheet
constexpr Index kMaxMarkers = 40;  // more would hide the line
constexpr Index kMaxStops = 150;   // places where hovering shows values
constexpr Index kMaxPlainPoints = 2000;

struct Point {
  double x = 0;
  double y = 0;
};
using Segment = std::vector<Point>;

// Maps data to the picture. Uses axes that cover all drawable points.
class Frame {
 public:
  Frame(const Axis& x, const Axis& y) : x_(x), y_(y) {}

  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }
  double x(double value) const { return kLeft + kPlotWidth * x_.position(value); }
  // Clamps values far outside, which keeps the numbers short.
  double y(double value) const {
    return kTop + kPlotHeight * (1 - std::clamp(y_.position(value), -2.0, 3.0));
  }

 private:
  Axis x_;
  Axis y_;
};

bool drawable_point(const LineChart& chart, double x, double y) {
  return drawable(x, chart.x_scale) && drawable(y, chart.y_scale);
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  void include(double x) { low = std::min(low, x), high = std::max(high, x); }
};

std::optional<Frame> make_frame(const LineChart& chart) {
  Range x, y;
  for (const Series& series : chart.series) {
    for (Index i = 0; i < series.x.size(); ++i) {
      if (!drawable_point(chart, series.x[i], series.y[i])) continue;
      x.include(series.x[i]);
      y.include(series.y[i]);
    }
  }
  if (x.empty()) return std::nullopt;
  if (chart.columns) {  // which have a width, and a foot
    x = {x.low - 1, x.high + 1};
    y.include(0);
  }
  const auto cut = [&](const std::optional<double>& at) {
    return at && drawable(*at, chart.y_scale) ? at : std::nullopt;
  };
  if (const auto low = cut(chart.y_low)) y.low = std::min(std::max(y.low, *low), y.high);
  if (const auto high = cut(chart.y_high)) y.high = std::max(std::min(y.high, *high), y.low);
  return Frame(Axis(x.low, x.high, chart.x_scale, 6), Axis(y.low, y.high, chart.y_scale, 5));
}

// M4: for each column of pixels the first, lowest, highest and last point, in their order.
Segment thin(const Segment& segment) {
  if (segment.size() <= kMaxPlainPoints) return segment;
  Segment kept;
  for (auto begin = segment.begin(); begin != segment.end();) {
    const double column = std::floor(begin->x);
    const auto end = std::find_if(begin, segment.end(),
                                  [&](const Point& p) { return std::floor(p.x) != column; });
    const auto [low, high] =
        std::minmax_element(begin, end, [](const Point& a, const Point& b) { return a.y < b.y; });
    std::vector<Segment::const_iterator> order = {begin, low, high, std::prev(end)};
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    for (const auto& at : order) kept.push_back(*at);
    begin = end;
  }
  return kept;
}

// The runs of drawable points, in picture units.
std::vector<Segment> segments(const LineChart& chart, const Series& series, const Frame& frame) {
  std::vector<Segment> runs;
  bool open = false;
  for (Index i = 0; i < series.x.size(); ++i) {
    if (!drawable_point(chart, series.x[i], series.y[i])) {
      open = false;
      continue;
    }
    if (!open) runs.emplace_back();
    open = true;
    runs.back().push_back({frame.x(series.x[i]), frame.y(series.y[i])});
  }
  std::transform(runs.begin(), runs.end(), runs.begin(), thin);
  return runs;
}

void append_line(std::span<const Point> points, std::string& path) {
  for (const Point& p : points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(p.x), coordinate(p.y));
  }
}

std::string style_class(Index series) {
  return fmt::format("series series-{}", series % kStyles);
}

// One of three shapes, in rotation.
Html marker(Index series, const Point& p) {
  switch (series % 3) {
    case 0:
      return element("circle", {{"cx", coordinate(p.x)}, {"cy", coordinate(p.y)}, {"r", "3"}});
    case 1:
      return element("rect", {{"x", coordinate(p.x - 2.6)},
                              {"y", coordinate(p.y - 2.6)},
                              {"width", "5.2"},
                              {"height", "5.2"}});
    default:
      return element(
          "path",
          {{"d", fmt::format("M{} {}l3.6 6.2h-7.2z", coordinate(p.x), coordinate(p.y - 4))}});
  }
}

// A nested <svg> clips everything outside of the plot, without the ids that a clip path would need.
Html clipped(const Html& content) {
  // Larger by half a line's width, for lines along the frame.
  const double x = kLeft - 1, y = kTop - 1, width = kPlotWidth + 2, height = kPlotHeight + 2;
  return element("svg",
                 {{"x", coordinate(x)},
                  {"y", coordinate(y)},
                  {"width", coordinate(width)},
                  {"height", coordinate(height)},
                  {"viewBox", fmt::format("{} {} {} {}", coordinate(x), coordinate(y),
                                          coordinate(width), coordinate(height))}},
                 content);
}

bool inside(const Point& p) {
  return p.y >= kTop && p.y <= kTop + kPlotHeight;
}

// The columns of all series at an x are placed side by side around it.
Html draw_columns(const LineChart& chart, Index index, const Frame& frame) {
  constexpr double kFilled = 0.8;  // of the distance between two x
  const Series& series = chart.series[index];
  const double unit = frame.x(1) - frame.x(0);
  const double width = kFilled * unit / static_cast<double>(chart.series.size());
  Html columns;
  for (Index i = 0; i < series.x.size(); ++i) {
    if (!drawable_point(chart, series.x[i], series.y[i])) continue;
    const double left =
        frame.x(series.x[i]) - kFilled * unit / 2 + static_cast<double>(index) * width;
    const double foot = frame.y(0), head = frame.y(series.y[i]);
    columns += element("rect", {{"class", "column"},
                                {"x", coordinate(left)},
                                {"y", coordinate(std::min(foot, head))},
                                {"width", coordinate(width)},
                                {"height", coordinate(std::abs(foot - head))}});
  }
  return element("g", {{"class", style_class(index)}}, clipped(columns));
}

Html draw_series(const LineChart& chart, Index index, const Frame& frame) {
  if (chart.columns) return draw_columns(chart, index, frame);
  Html lines, markers;
  const std::vector<Segment> runs = segments(chart, chart.series[index], frame);
  Index points = 0;
  for (const Segment& run : runs) points += run.size();
  for (const Segment& run : runs) {
    std::string path;
    append_line(run, path);
    if (run.size() > 1) lines += element("path", {{"class", "line"}, {"d", path}});
    // A single point between gaps has no line, so it always gets a marker.
    if (run.size() > 1 && points > kMaxMarkers) continue;
    for (const Point& p : run) {
      if (inside(p)) markers += marker(index, p);
    }
  }
  return element("g", {{"class", style_class(index)}},
                 clipped(lines) + element("g", {{"class", "markers"}}, markers));
}

Html draw_band(const LineChart& chart, const Frame& frame) {
  const Series& upper = chart.series.at(chart.band->upper);
  const Series& lower = chart.series.at(chart.band->lower);
  assert(upper.x == lower.x);
  // Both edges have the gaps of either edge, so their runs match.
  Series top{"", upper.x, upper.y}, bottom{"", lower.x, lower.y};
  for (Index i = 0; i < upper.x.size(); ++i) {
    if (!drawable_point(chart, upper.x[i], upper.y[i]) ||
        !drawable_point(chart, lower.x[i], lower.y[i])) {
      top.y[i] = bottom.y[i] = std::nan("");
    }
  }
  const std::vector<Segment> tops = segments(chart, top, frame);
  std::vector<Segment> bottoms = segments(chart, bottom, frame);
  Html areas;
  for (Index i = 0; i < tops.size(); ++i) {
    std::reverse(bottoms[i].begin(), bottoms[i].end());
    std::string path;
    append_line(tops[i], path);
    append_line(bottoms[i], path);
    areas += element("path", {{"class", "band"}, {"d", path + "Z"}});
  }
  return clipped(areas);
}

Html svg_text(double x, double y, std::string_view anchor, std::string_view label,
              std::string_view style = "tick") {
  return text_element("text",
                      {{"class", std::string(style)},
                       {"x", coordinate(x)},
                       {"y", coordinate(y)},
                       {"text-anchor", std::string(anchor)}},
                      label);
}

Html rule(double x1, double y1, double x2, double y2, std::string_view style) {
  return element("line", {{"class", std::string(style)},
                          {"x1", coordinate(x1)},
                          {"y1", coordinate(y1)},
                          {"x2", coordinate(x2)},
                          {"y2", coordinate(y2)}});
}

Html draw_axes(const LineChart& chart, const Frame& frame) {
  const double bottom = kTop + kPlotHeight;
  const double right = kLeft + kPlotWidth;
  Html axes;
  for (const Tick& tick : frame.y_axis().ticks()) {
    const double y = frame.y(tick.value);
    axes += rule(kLeft, y, right, y, "grid") + svg_text(kLeft - 8, y + 4, "end", tick.label);
  }
  for (const Tick& tick : frame.x_axis().ticks()) {
    const double x = frame.x(tick.value);
    axes += rule(x, bottom, x, bottom + 4, "axis") + svg_text(x, bottom + 18, "middle", tick.label);
  }
  axes += rule(kLeft, bottom, right, bottom, "axis");
  axes += svg_text(right, kHeight - 4, "end", chart.x_label, "label");
  return axes;
}

// The names of the parts are above the plot if the space suffices.
Html draw_parts(const LineChart& chart, const Frame& frame) {
  const auto place = [&](double x) { return std::clamp(frame.x(x), kLeft, kLeft + kPlotWidth); };
  Html parts;
  for (Index i = 0; i < chart.parts.size(); ++i) {
    const Part& part = chart.parts[i];
    if (!drawable(part.begin, chart.x_scale) || !drawable(part.end, chart.x_scale)) continue;
    const double left = place(part.begin), right = place(part.end);
    if (i > 0) parts += rule(left, kTop - 16, left, kTop + kPlotHeight, "border");
    if (kLetter * static_cast<double>(utf8_length(part.name)) > right - left) continue;
    parts += svg_text((left + right) / 2, kTop - 8, "middle", part.name, "part");
  }
  return parts;
}

Html draw_marks(const LineChart& chart, const Frame& frame) {
  Html marks;
  for (const Mark& mark : chart.marks) {
    if (!drawable_point(chart, mark.x, mark.y)) continue;
    const Point p{frame.x(mark.x), frame.y(mark.y)};
    if (!inside(p)) continue;
    // Above the point, because marks are mostly at the top of a curve; inside the frame.
    const double half = kLetter * static_cast<double>(utf8_length(mark.label)) / 2;
    const double x = std::max(kLeft + half, std::min(p.x, kLeft + kPlotWidth - half));
    marks +=
        element("circle",
                {{"class", "ring"}, {"cx", coordinate(p.x)}, {"cy", coordinate(p.y)}, {"r", "6"}});
    marks += svg_text(x, p.y - 11, "middle", mark.label, "mark");
  }
  return marks;
}

// The x positions at which hovering shows values: all, or an even selection of kMaxStops.
std::vector<double> hover_stops(const LineChart& chart) {
  std::vector<double> all;
  for (const Series& series : chart.series) {
    for (Index i = 0; i < series.x.size(); ++i) {
      if (drawable_point(chart, series.x[i], series.y[i])) all.push_back(series.x[i]);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() <= kMaxStops) return all;
  std::vector<double> chosen;
  for (Index k = 0; k < kMaxStops; ++k) {
    chosen.push_back(all[k * (all.size() - 1) / (kMaxStops - 1)]);
  }
  return chosen;
}

// "epoch 12", then a line for each series that has a value at this x.
std::vector<std::string> values_at(const LineChart& chart, double x) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} {}", chart.x_label, format_significant(x, 6)));
  for (const Part& part : chart.parts) {
    if (part.begin <= x && x <= part.end) lines.back() += ", " + part.name;
  }
  for (const Series& series : chart.series) {
    const auto at = std::lower_bound(series.x.begin(), series.x.end(), x);
    if (at == series.x.end() || *at != x) continue;
    const double y = series.y[static_cast<Index>(at - series.x.begin())];
    if (!std::isnan(y))
      lines.push_back(fmt::format("{} {}", series.name, format_significant(y, 5)));
  }
  return lines;
}

Html draw_stop(const LineChart& chart, const Frame& frame, double x, double from, double to) {
  const std::vector<std::string> lines = values_at(chart, x);
  const double at = frame.x(x);
  const bool left_half = at < kLeft + kPlotWidth / 2;
  Html readout = rule(at, kTop, at, kTop + kPlotHeight, "cursor");
  double y = kTop + 14;
  for (const std::string& line : lines) {
    readout += svg_text(left_half ? at + 8 : at - 8, y, left_half ? "start" : "end", line, "value");
    y += 16;
  }
  const Html target = element("rect", {{"class", "target"},
                                       {"x", coordinate(from)},
                                       {"y", coordinate(kTop)},
                                       {"width", coordinate(to - from)},
                                       {"height", coordinate(kPlotHeight)}});
  const std::string title = fmt::format("{}", fmt::join(lines, ", "));
  return element(
      "g", {{"class", "stop"}},
      text_element("title", title) + target + element("g", {{"class", "readout"}}, readout));
}

// Each stop covers the strip that is nearer to it than to its neighbours.
Html draw_stops(const LineChart& chart, const Frame& frame) {
  const std::vector<double> stops = hover_stops(chart);
  Html out;
  double from = kLeft;
  for (Index i = 0; i < stops.size(); ++i) {
    const double to =
        i + 1 < stops.size() ? (frame.x(stops[i]) + frame.x(stops[i + 1])) / 2 : kLeft + kPlotWidth;
    out += draw_stop(chart, frame, stops[i], from, to);
    from = to;
  }
  return out;
}

std::string description(const LineChart& chart) {
  std::string out;
  for (const Series& series : chart.series) {
    Range range;
    const double* last = nullptr;
    for (Index i = 0; i < series.x.size(); ++i) {
      if (!drawable_point(chart, series.x[i], series.y[i])) continue;
      range.include(series.y[i]);
      last = &series.y[i];
    }
    if (last == nullptr) continue;
    out +=
        fmt::format("{}: from {} to {}, last {}. ", series.name, format_significant(range.low, 5),
                    format_significant(range.high, 5), format_significant(*last, 5));
  }
  return out;
}

Html legend(const LineChart& chart) {
  if (chart.series.size() < 2 && !chart.band) return {};
  Html items;
  for (Index i = 0; i < chart.series.size(); ++i) {
    const Html sample = chart.columns
                            ? element("path", {{"class", "column"}, {"d", "M9 1H19V11H9Z"}})
                            : element("path", {{"class", "line"}, {"d", "M1 6H27"}}) +
                                  element("g", {{"class", "markers"}}, marker(i, {14, 6}));
    items += element("li", swatch(element("g", {{"class", style_class(i)}}, sample)) +
                               text(chart.series[i].name));
  }
  if (chart.band) {
    const Html sample = element("path", {{"class", "band"}, {"d", "M1 1H27V11H1Z"}});
    items += element("li", swatch(sample) + text(chart.band->name));
  }
  return element("ul", {{"class", "legend"}}, items);
}

}  // namespace

Html line_chart(const LineChart& chart) {
  for ([[maybe_unused]] const Series& series : chart.series) {
    assert(series.x.size() == series.y.size());
  }
  Html caption = text(chart.title);
  if (!chart.y_label.empty()) caption += text_element("span", ", " + chart.y_label);
  caption = element("figcaption", caption);
  const std::optional<Frame> frame = make_frame(chart);
  if (!frame) {
    return element("figure", {{"class", "chart"}},
                   caption + text_element("p", {{"class", "empty"}}, "Nothing to draw."));
  }
  Html plot;
  if (chart.band) plot += draw_band(chart, *frame);
  for (Index i = 0; i < chart.series.size(); ++i) plot += draw_series(chart, i, *frame);
  const Html picture =
      element("svg",
              {{"role", "img"},
               {"viewBox", fmt::format("0 0 {} {}", coordinate(kWidth), coordinate(kHeight))}},
              text_element("title", chart.title) + text_element("desc", description(chart)) +
                  draw_axes(chart, *frame) + draw_parts(chart, *frame) + plot +
                  draw_marks(chart, *frame) + draw_stops(chart, *frame));
  return element("figure", {{"class", "chart"}}, caption + legend(chart) + picture);
}

}  // namespace trellis::report
