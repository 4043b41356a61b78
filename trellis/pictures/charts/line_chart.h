// Line charts, and charts of columns, as inline SVG.
//
// A value that is NaN, infinite or (on a logarithmic axis) not positive is not drawn and leaves a
// gap. Series differ in colour, dash and marker, and each of these alone suffices to distinguish
// two. Hovering (or tapping) shows the values at that x, by CSS. The chart scales with its column.
// Of a long run of points each pixel column keeps the first, lowest, highest and last (M4: Jugel,
// Jerzak, Hackenbroich & Markl, VLDB 2014), which draws the same picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/charts/axis.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

struct Series {
  std::string name;
  std::vector<double> x;  // not decreasing
  std::vector<double> y;  // as long as x
};

// The area between two series with the same x, e.g. what is left between objective and bound.
struct Band {
  Index upper = 0;
  Index lower = 0;
  std::string name;
};

// A labelled point: "93.61 after epoch 24".
struct Mark {
  double x = 0;
  double y = 0;
  std::string label;
};

// A part of the x axis that has a name, as a stage of training.
struct Part {
  double begin = 0;
  double end = 0;
  std::string name;
};

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;  // stands behind the title: "percent", "logarithmic scale"
  Scale x_scale = Scale::kLinear;
  Scale y_scale = Scale::kLinear;
  std::vector<Series> series;
  std::optional<Band> band;
  std::vector<Part> parts;  // from left to right; a line stands between two of them
  // Columns that stand on zero instead of lines; x are whole numbers then, and scales not
  // logarithmic.
  bool columns = false;
  std::vector<Mark> marks;
  // Cuts the y axis at these values; lines that go beyond leave the picture.
  std::optional<double> y_low;
  std::optional<double> y_high;
};

// If no point can be drawn, the figure states it.
Html line_chart(const LineChart& chart);

}  // namespace trellis::report
