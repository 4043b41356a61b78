// Sums over all points of a plane, with distant points taken together in cells (Barnes & Hut 1986),
// for the repulsion of t-SNE.
//
//   normaliser(y) = Σ_j q(y, y_j),   force(y) = Σ_j q(y, y_j)² (y − y_j),   q = 1 / (1 + ‖y −
//   y_j‖²)
//
// A cell of side s whose centre of mass is at distance r represents its points if s < θ r. Points
// are sorted along Morton's curve, so that a cell is a run of points; cells with the same points
// are one. Nodes are in preorder, with the position where their subtree ends: a traversal needs no
// stack. The tree takes O(n log n) to build, a query about O(log n), and O(n) memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/point.h"

namespace trellis::topics {

class QuadTree {
 public:
  // θ ≥ 0; 0 reads every point. Memory is reused from build to build. Points are finite.
  void build(std::span<const Point> points, double theta);

  struct Repulsion {
    double normaliser = 0;
    Point force;
  };
  // The sums at `from`, over all points; a point of the tree at `from` adds q = 1 and no force.
  Repulsion repulsion(const Point& from) const;

  // The points' numbers along the curve: neighbours on the curve are close in the plane.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  struct Node {
    Point centre;             // of mass
    double mass = 0;          // number of points
    double opening = 0;       // (side / θ)²: at smaller distances the node is opened
    std::uint32_t end = 0;    // of its subtree
    std::uint32_t first = 0;  // of a leaf's points in sorted_
    std::uint32_t count = 0;  // of these; 0 if the node is not a leaf
  };
  struct Keyed {
    std::uint64_t key;
    std::uint32_t id;
  };

  void sort(std::span<const Point> points);
  std::uint32_t add_node(Index first, Index last);

  double side_ = 0;           // of the square that contains all points
  double inverse_theta_ = 0;  // infinite for θ = 0
  std::vector<Keyed> keys_;
  std::vector<std::uint32_t> order_;
  std::vector<Point> sorted_;
  std::vector<Node> nodes_;
};

}  // namespace trellis::topics
