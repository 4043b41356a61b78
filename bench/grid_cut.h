// Pictures to be cut: nodes of a grid with 4 neighbours each, as segmentation has them.
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

namespace trellis::bench {

struct GridCut {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint32_t> tails, heads;  // of the edges
  std::vector<double> supply;               // by node: > 0 from the source, < 0 to the sink
  std::vector<double> capacity;             // by edge, in both directions
};

// How long one solve took, without building the graph, and the cost of the cut.
struct TimedCut {
  double seconds = 0;
  double cost = 0;
};

inline double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TimedCut boost_boykov_kolmogorov(const GridCut& grid);
TimedCut lemon_preflow(const GridCut& grid);

}  // namespace trellis::bench
