// Sums over all points of a plane by cells that are far away (Barnes & Hut 1986): what t-SNE's
// repulsion asks for.
//
//   normaliser(y) = Σ_j q(y, y_j),   force(y) = Σ_j q(y, y_j)² (y − y_j),   q = 1 / (1 + ‖y −
//   y_j‖²)
//
// A cell of side s whose centre of mass is at distance r stands for its points where s < θ r.
// Points are sorted along Morton's curve, so that a cell is a run of them; cells that hold the same
// points are one. Nodes lie in preorder with the place where their subtree ends: a walk needs no
// stack. Building costs O(n log n), a query about O(log n); memory is O(n).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/point.h"

namespace trellis::topics {

class QuadTree {
 public:
  // θ ≥ 0; 0 looks at every point. Memory is kept from build to build. Points are finite.
  void build(std::span<const Point> points, double theta);

  struct Repulsion {
    double normaliser = 0;
    Point force;
  };
  // Of all points on `from`, a point of the tree included, whose own share is q = 1 and no force.
  Repulsion repulsion(const Point& from) const;

  // The points' numbers along the curve: who is near in it is near in the plane.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  struct Node {
    Point centre;             // of mass
    double mass = 0;          // number of points
    double opening = 0;       // (side / θ)²: nearer than that the node is opened
    std::uint32_t end = 0;    // of its subtree
    std::uint32_t first = 0;  // of a leaf's points in sorted_
    std::uint32_t count = 0;  // of these; 0 where the node is no leaf
  };
  struct Keyed {
    std::uint64_t key;
    std::uint32_t id;
  };

  void sort(std::span<const Point> points);
  std::uint32_t add_node(Index first, Index last);

  double side_ = 0;           // of the square that holds all
  double inverse_theta_ = 0;  // infinite for θ = 0
  std::vector<Keyed> keys_;
  std::vector<std::uint32_t> order_;
  std::vector<Point> sorted_;
  std::vector<Node> nodes_;
};

}  // namespace trellis::topics
