// Values y of discrete variables, with a score for each value of a variable and for each joint
// value of the variables of a factor, summed and maximised exactly:
//
//   s·z(y) = Σ_v variable_v[y_v] + Σ_f factor_f[y_scope(f)]
//
// The plan (junction_tree_plan.h) numbers the parts and orders the elimination of variables: one
// pass over the buckets gives maxima or sums over the eliminated variables, one pass back gives the
// best values, marginals or a draw.
//
// Time: O(cells of the cliques · terms of a bucket) for each operation except levels; memory:
// O(cells of the cliques), in the scratch. Sums run in the log domain, and are safe for part scores
// of ±1e9. Scores may be −∞ here, a logarithm of 0: outputs with such a part are impossible, as if
// they did not exist; if all are impossible, maximize and sample leave y empty.
//
// Ties go to the smallest value of each variable given the variables eliminated after it, in the
// reverse order of the plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/graphs/junction_tree_plan.h"
#include "trellis/structure/structure.h"

namespace trellis {

// Use one per thread. Its content has no meaning after a call.
struct JunctionTreeScratch {
  // Memory for `size` unspecified values; never shrinks a vector.
  template <class T>
  static void grow(std::vector<T>& values, Index size) {
    if (values.size() < size) values.resize(size);
  }

  std::vector<double> cells;   // by bucket's cell: scores; conditional, then clique probabilities
  std::vector<double> rows;    // by bucket's row: messages; then separator probabilities
  std::vector<double> table;   // by cell of one bucket: scores
  std::vector<double> shifts;  // by row of one bucket
  std::vector<double> entropies;  // by bucket's row, of the variable given the separator

  // maximize_levels: messages by (bucket's row, level), sums of one row by (value, messages so far,
  // level), the highest level below each bucket, the levels that decoding has yet to reach
  std::vector<double> level_rows;
  std::vector<double> level_sums;
  std::vector<Index> level_tops;
  std::vector<Index> level_wanted;
  std::vector<Index> level_roots;
  std::vector<double> level_totals;  // by (roots so far, level)
};

class JunctionTree {
 public:
  using Output = std::vector<Label>;
  using Scratch = JunctionTreeScratch;

  // The plan must outlive the structure.
  explicit JunctionTree(const JunctionTreePlan& plan) : plan_(&plan) {}

  const JunctionTreePlan& plan() const { return *plan_; }
  Index num_parts() const { return plan_->num_parts(); }

  bool legal(const Output& y) const;                               // a value for each variable
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;  // the value alone
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;

  // The hull of the outputs, with a variable for each cell of each clique: neighbouring cliques
  // agree on their separator.
  LinearProgram linear_program() const;

  // With a level for each value of each variable (by part, the first parts) and ℓ(y) their sum:
  // best[ℓ] ← the best output with ℓ(y) = ℓ, for ℓ < num_levels; the score is kImpossible if there
  // is no such output. Ties go to the smallest values, as above, and then to the lowest level of
  // the last messages. O(num_levels²) times the time of maximize.
  void maximize_levels(std::span<const double> s, std::span<const std::uint32_t> levels,
                       Index num_levels, Scratch& scratch,
                       std::vector<ScoredOutput<Output>>& best) const;
  Index num_level_parts() const;  // the values of all variables
  std::uint64_t highest_level(std::span<const std::uint32_t> levels) const;  // at least all ℓ(y)

 private:
  using Bucket = JunctionTreePlan::Bucket;
  using Term = JunctionTreePlan::Term;
  class CliqueProgram;
  class LevelSearch;

  // junction_tree.cc
  void fill_scores(std::span<const double> s, const Bucket& bucket, double* cells) const;
  void fill_table(std::span<const double> s, const Bucket& bucket, const Scratch& scratch,
                  double* cells) const;

  // junction_tree_sum.cc
  double upward_sum(std::span<const double> s, Scratch& scratch, bool entropies) const;
  void downward(Scratch& scratch, const Bucket& bucket, std::span<double> marginals) const;

  const JunctionTreePlan* plan_;
};

}  // namespace trellis
