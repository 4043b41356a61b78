#include "trellis/pictures/graphs/network_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/markup/word_label.h"

namespace trellis::report {
namespace {

constexpr double kNameFont = 13;
constexpr double kLongestName = 16;  // in units of the font size
constexpr double kNamePadding = 11;
constexpr double kLeastBox = 38;
constexpr double kHeadLength = 7;
constexpr double kPictureMargin = 4;
constexpr double kThinArrow = 1;
constexpr double kThickArrow = 5;
constexpr double kPlainArrow = 1.3;  // of unknown strength

std::string shown_name(const PictureVariable& variable) {
  return fit_text(variable.name, kLongestName);
}

LayeredGraph graph_of(const NetworkPicture& picture) {
  LayeredGraph graph;
  for (const PictureVariable& variable : picture.variables) {
    const double text = kNameFont * text_width(shown_name(variable));
    graph.widths.push_back(std::max(kLeastBox, text + 2 * kNamePadding));
  }
  for (const PictureArrow& arrow : picture.arrows) graph.edges.push_back({arrow.from, arrow.to});
  return graph;
}

double greatest_strength(const NetworkPicture& picture) {
  double most = 0;
  for (const PictureArrow& arrow : picture.arrows) {
    if (std::isfinite(arrow.strength)) most = std::max(most, arrow.strength);
  }
  return most;
}

double width_of(const PictureArrow& arrow, double greatest) {
  if (!std::isfinite(arrow.strength) || !(greatest > 0)) return kPlainArrow;
  return kThinArrow + (kThickArrow - kThinArrow) * arrow.strength / greatest;
}

std::string_view style_of(VariableRole role) {
  return role == VariableRole::kTarget   ? "variable predicted-one"
         : role == VariableRole::kHidden ? "variable hidden-one"
                                         : "variable";
}

// Sideways only between layers: next to boxes the line is vertical, so that it crosses none.
std::string line_of(const std::vector<GraphPoint>& route, double half_box, double head) {
  std::string path = fmt::format("M{} {}", coordinate(route[0].x), coordinate(route[0].y));
  double x = route[0].x, y = route[0].y;
  for (Index k = 1; k < route.size(); ++k) {
    const bool last = k + 1 == route.size();
    const double end = route[k].y - (last ? head : half_box);
    const double middle = (y + end) / 2;
    path +=
        fmt::format("C{} {} {} {} {} {}", coordinate(x), coordinate(middle), coordinate(route[k].x),
                    coordinate(middle), coordinate(route[k].x), coordinate(end));
    x = route[k].x;
    y = end;
    if (last) continue;
    y = route[k].y + half_box;
    path += fmt::format("V{}", coordinate(y));
  }
  return path;
}

std::string head_of(const GraphPoint& tip, double length) {
  return fmt::format("M{} {}l{} {}h{}z", coordinate(tip.x), coordinate(tip.y),
                     coordinate(-length / 2), coordinate(-length), coordinate(length));
}

Html draw_arrow(const PictureArrow& arrow, const std::vector<GraphPoint>& route, double half_box,
                double greatest) {
  const double width = width_of(arrow, greatest);
  const double head = kHeadLength + width;
  const Html title = arrow.note.empty() ? Html() : text_element("title", arrow.note);
  return element("g", {{"class", "dependence"}},
                 title +
                     element("path", {{"class", "line"},
                                      {"stroke-width", coordinate(width)},
                                      {"d", line_of(route, half_box, head - 1)}}) +
                     element("path", {{"class", "head"}, {"d", head_of(route.back(), head)}}));
}

Html draw_variable(const PictureVariable& variable, const GraphPoint& middle, double width,
                   double height) {
  std::string told = variable.name;
  if (!variable.note.empty()) told += "\n" + variable.note;
  const Html box = element("rect", {{"x", coordinate(middle.x - width / 2)},
                                    {"y", coordinate(middle.y - height / 2)},
                                    {"width", coordinate(width)},
                                    {"height", coordinate(height)},
                                    {"rx", "6"}});
  const Html name = text_element("text",
                                 {{"x", coordinate(middle.x)},
                                  {"y", coordinate(middle.y + 0.35 * kNameFont)},
                                  {"font-size", coordinate(kNameFont)},
                                  {"text-anchor", "middle"}},
                                 shown_name(variable));
  return element("g", {{"class", std::string(style_of(variable.role))}},
                 text_element("title", told) + box + name);
}

Html box_sample(VariableRole role, std::string_view name) {
  const Html box =
      element("rect", {{"x", "3"}, {"y", "0.5"}, {"width", "22"}, {"height", "11"}, {"rx", "3"}});
  const Html sample = swatch(element("g", {{"class", std::string(style_of(role))}}, box));
  return element("li", element("span", sample + text(name)));
}

Html arrow_sample(double width, std::string_view name) {
  const Html line =
      element("path", {{"class", "line"}, {"stroke-width", coordinate(width)}, {"d", "M1 6H27"}});
  const Html sample = swatch(element("g", {{"class", "dependence"}}, line));
  return element("li", element("span", sample + text(name)));
}

Html legend_of(const NetworkPicture& picture) {
  const auto has = [&](VariableRole role) {
    return std::any_of(picture.variables.begin(), picture.variables.end(),
                       [&](const PictureVariable& one) { return one.role == role; });
  };
  Html list;
  if (has(VariableRole::kTarget)) list += box_sample(VariableRole::kTarget, "predicted");
  if (has(VariableRole::kHidden)) list += box_sample(VariableRole::kHidden, "never seen");
  const double greatest = greatest_strength(picture);
  if (!picture.strength_name.empty() && greatest > 0) {
    list += arrow_sample(
        kThickArrow, fmt::format("{} {}", picture.strength_name, format_significant(greatest, 3)));
    list += arrow_sample(kThinArrow, "0");
  }
  return list.empty() ? Html() : element("ul", {{"class", "key"}}, list);
}

}  // namespace

GraphLayout layout_of(const NetworkPicture& picture) {
  return lay_out(graph_of(picture));
}

Html network_picture(const NetworkPicture& picture) {
  if (picture.variables.empty()) return {};
  const LayeredGraph graph = graph_of(picture);
  const double box_height = LayerOptions().box_height;
  const GraphLayout layout = lay_out(graph);
  const double greatest = greatest_strength(picture);
  // Thick arrows first, so that thin ones are drawn on top.
  std::vector<Index> order(picture.arrows.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return width_of(picture.arrows[a], greatest) > width_of(picture.arrows[b], greatest);
  });
  Html content;
  for (const Index e : order) {
    content += draw_arrow(picture.arrows[e], layout.routes[e], box_height / 2, greatest);
  }
  for (Index v = 0; v < picture.variables.size(); ++v) {
    content += draw_variable(picture.variables[v], layout.nodes[v], graph.widths[v], box_height);
  }
  const std::string width = coordinate(layout.width + 2 * kPictureMargin);
  const std::string height = coordinate(layout.height + 2 * kPictureMargin);
  const Html drawing = element(
      "svg",
      {{"role", "img"},
       {"aria-label", picture.title},
       {"width", width},
       {"height", height},
       {"viewBox", fmt::format("{0} {0} {1} {2}", coordinate(-kPictureMargin), width, height)}},
      content);
  return element("figure", {{"class", "network"}},
                 legend_of(picture) + element("div", {{"class", "scroll"}}, drawing));
}

}  // namespace trellis::report
