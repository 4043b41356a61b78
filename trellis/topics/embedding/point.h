// A place in a picture.
#pragma once

namespace trellis::topics {

struct Point {
  double x = 0;
  double y = 0;
};

}  // namespace trellis::topics
