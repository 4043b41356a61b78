// The dual of a matching's projection (matching_projection.h) with one side eliminated:
//
//   ψ(b) = min_a  ½ Σ_e max(0, r_e − a_i − b_o)² + Σ_i a_i + Σ_o b_o ,     a ≥ l,  b ≥ m
//
// over candidate edges e = (i, o) between inner and outer nodes. Bounds are −∞ for nodes that must
// be covered. The gradient is g_o = 1 − Σ_e z_e, and while the support S of z does not change
//
//   ∇²ψ = diag(degree of o in S) − Σ_{i: a_i > l_i} 1_{S_i} 1_{S_i}ᵀ / |S_i| .
//
// Inner nodes with a_i > l_i join outer nodes to components. On a component without a node at its
// bound (inner or outer) the Hessian is a graph Laplacian: if all of its b move by the same amount,
// z does not change until another edge joins. Such a component is *flat*. There Σ_o g_o is an
// integer, the number of outer minus that of inner nodes. If it is 0, a Newton step exists; if not,
// the component moves to the point where the next edge joins.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class MatchingDual {
 public:
  // ψ and the related values at one b.
  struct Point {
    std::vector<double> b, a;
    std::vector<double> gradient;
    double value = 0;
    double residual = 0;  // of the outer optimality conditions: max_o |min(b_o − m_o, g_o)|
    // The support of z, by inner nodes.
    std::vector<Index> begin;
    std::vector<std::uint32_t> node;
    std::vector<double> z;
  };

  // The problem: candidates by inner nodes, and bounds.
  std::vector<Index> begin;         // inner + 1
  std::vector<std::uint32_t> node;  // outer node of each candidate
  std::vector<double> reduced;      // r
  std::vector<double> inner_bound, outer_bound;

  // Starts at b = 0.
  void start();
  // Minimises from the current point. It stops early if a step is so long that an edge that is not
  // a candidate may enter (a_i + b_o falls by more than margin[i]), and if there are many more
  // candidates than it seems to need. kEnded: at the minimum, or as near as rounding or the number
  // of steps allow; see point().residual.
  enum class Outcome { kEnded, kTooFew, kTooMany };
  Outcome minimize(const std::vector<double>& margin);
  // The largest change of a_i + b_o by the last step, or by the step that would be next.
  double last_move() const { return last_move_; }
  Index steps() const { return steps_; }  // since start()
  const Point& point() const { return point_; }

 private:
  static constexpr std::uint32_t kHeld = std::numeric_limits<std::uint32_t>::max();

  // Data of a component, stored at the outer node that represents it.
  struct Component {
    bool flat = true;
    bool grounded = false;  // one of its nodes in the core of the system is fixed
    double imbalance = 0;   // Σ_o g_o
    double size = 0;        // outer nodes
    double gap_above =
        std::numeric_limits<double>::infinity();  // how far b can rise until an edge joins,
    double gap_below = std::numeric_limits<double>::infinity();  // and how far it can fall
    double mean_step = 0;
  };

  void prepare();
  void evaluate(Point& at);
  Index gather_above(Index i, double a, const Point& at);
  double threshold(Index i, const Point& at, double a, Index& count);
  void measure(Point& at) const;
  bool search_line();
  void move(double t, Point& to);
  void try_further(double t);
  bool within(const std::vector<double>& margin, const Point& at) const;
  bool too_many(const std::vector<double>& margin) const;

  // matching_newton.cc
  bool find_direction(double damping);
  void choose_free();
  bool has_mean(Index i) const { return point_.a[i] > inner_bound[i]; }
  std::uint32_t component(std::uint32_t o);
  void find_components();
  void find_gaps();
  void add_shifts();

  // matching_system.cc
  bool solve_system(double damping);
  void peel(double damping);
  void collect_core();
  void order_core();
  void assemble_core();
  bool factorize_core();
  void multiply_core();
  void iterate_core();
  void substitute_back();

  Point point_, trial_, further_;
  std::vector<double> first_a_, first_b_;  // where minimize() began
  Index steps_ = 0;
  double last_move_ = 0;
  double least_residual_ = 0;              // of all points so far
  double reach_ = 1;                       // no b_o moves farther in one step
  std::vector<double> above_;              // x_e of one inner node, where above its threshold
  std::vector<std::uint32_t> above_node_;  // and the outer nodes of these edges
  std::vector<double> direction_;
  std::vector<double> wanted_;       // the right side of the Newton system, by outer node
  std::vector<std::uint32_t> free_;  // outer nodes that are not held
  std::vector<std::uint32_t> parent_;
  std::vector<Component> components_;
  // The Newton system: outer nodes, then inner nodes.
  struct Leaf {
    std::uint32_t node;
    std::uint32_t neighbour;
  };
  std::vector<double> pivot_, load_, solution_;
  std::vector<std::uint32_t> rest_;        // how many neighbours are left
  std::vector<std::uint32_t> neighbours_;  // the exclusive or of their numbers
  std::vector<std::uint32_t> queue_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint8_t> is_leaf_;
  // The rest of the system.
  std::vector<std::uint32_t> core_outer_, core_inner_, core_node_, place_, degree_;
  std::vector<Index> core_begin_;
  std::vector<double> core_load_, matrix_, step_;
  std::vector<double> residual_, search_, product_, diagonal_;
};

}  // namespace trellis
