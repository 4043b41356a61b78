// Outputs of a quadratic problem from the beliefs of its edges, for lower bounds: edges are taken
// greedily, the strongest belief first; then edges are added, swapped and dropped while the score
// increases.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/quadratic/quadratic_problem.h"

namespace trellis {

class QuadraticRounding {
 public:
  // Returns the score of chosen(). Gains up to `tolerance` do not count.
  double round(const QuadraticProblem& problem, std::span<const double> beliefs, double tolerance);
  bool chosen(Index e) const { return chosen_[e] != 0; }

  // Calls visit(value) for each output that differs from the given one (edges of the problem) in
  // one edge and those that it displaces; during the call chosen() is that output.
  template <class Visit>
  void for_each_neighbour(const QuadraticProblem& problem, std::span<const std::uint32_t> output,
                          const Visit& visit) {
    begin(problem);
    for (const std::uint32_t e : output) value_ += add(e);
    for (Index e = 0; e < problem.num_edges(); ++e) {
      const Flip flip = flip_edge(e);
      visit(value_ + flip.won);
      undo(flip);
    }
  }

 private:
  struct Flip {
    std::uint32_t edge = 0;
    std::array<std::uint32_t, 2> evicted{};  // or QuadraticProblem::kNone
    double won = 0;
  };

  void begin(const QuadraticProblem& problem);
  double climb(double tolerance);
  Flip flip_edge(Index e);
  void undo(const Flip& flip);
  double add(Index e);
  double remove(Index e);
  bool full(Index node) const { return used_[node] == problem_->capacity[node]; }
  double pairs_of(Index e) const;
  std::uint32_t weakest(Index node) const;

  const QuadraticProblem* problem_ = nullptr;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> chosen_;  // by edge
  std::vector<std::uint32_t> used_;   // by node
  double value_ = 0;
};

}  // namespace trellis
