// A Bayesian network as a picture: variables as boxes, arrows from parents to children, in layers
// (layered_graph.h). The width of an arrow shows the strength of the dependence, if it is known.
//
// It is not scaled, so that names can be read; a wide one scrolls in its own box. Hovering over a
// variable or an arrow shows details.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/graphs/layered_graph.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

enum class VariableRole { kSeen, kTarget, kHidden };

struct PictureVariable {
  std::string name;
  VariableRole role = VariableRole::kSeen;
  std::string note = {};  // told where one points at it
};

struct PictureArrow {
  Index from = 0;
  Index to = 0;
  double strength = std::numeric_limits<double>::quiet_NaN();  // ≥ 0; NaN: not known
  std::string note = {};
};

struct NetworkPicture {
  std::string title;
  std::vector<PictureVariable> variables;
  std::vector<PictureArrow> arrows;  // without a cycle
  std::string strength_name = {};    // what the width of arrows is; empty: it is nothing
};

// Where boxes and arrows lie.
GraphLayout layout_of(const NetworkPicture& picture);

Html network_picture(const NetworkPicture& picture);

}  // namespace trellis::report
