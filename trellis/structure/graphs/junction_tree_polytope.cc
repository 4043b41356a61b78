// The convex hull of the outputs (Wainwright & Jordan 2008, Prop. 2.1 and sec. 4): a variable
// q_k(row, value) ≥ 0 for each cell of each clique,
//
//   Σ q_root = 1,     Σ_value q_k(row, value) = Σ of the parent's cells with that separator,
//
// and each part is the sum of the cells that have it.
#include <utility>

#include "trellis/structure/graphs/junction_tree.h"

namespace trellis {

class JunctionTree::CliqueProgram {
 public:
  explicit CliqueProgram(const JunctionTreePlan& plan) : plan_(plan) {
    program_.num_parts = plan.num_parts();
    program_.num_variables = plan.num_parts() + plan.num_cells();
    program_.upper_bounds.assign(program_.num_variables, 1.0);
  }

  LinearProgram build() {
    for (Index p = 0; p < plan_.num_parts(); ++p) program_.rows.push_back({{{p, -1.0}}, 0, 0});
    const Index separators = program_.rows.size();
    program_.rows.resize(separators + plan_.num_rows());
    for (const Bucket& bucket : plan_.buckets()) {
      if (bucket.parent == JunctionTreePlan::kNone) {
        program_.rows[separators + bucket.first_row].lower = 1;
        program_.rows[separators + bucket.first_row].upper = 1;
      }
      add_cells(bucket, plan_.variable_part(bucket.variable), 0, 1, {}, 1);
      add_cells(bucket, separators + bucket.first_row, 1, 0, {}, 1);
      for (const Term& term : plan_.factors(bucket)) {
        add_cells(bucket, term.begin, 0, term.stride, {plan_.rows(term), bucket.num_rows}, 1);
      }
      for (const Term& term : plan_.messages(bucket)) {
        add_cells(bucket, separators + term.begin, 0, term.stride,
                  {plan_.rows(term), bucket.num_rows}, -1);
      }
    }
    return std::move(program_);
  }

 private:
  // Each cell stands in one of these rows: first + row_stride · row + stride · value + map[row].
  void add_cells(const Bucket& bucket, Index first, Index row_stride, Index stride,
                 std::span<const std::uint32_t> map, double coefficient) {
    Index variable = plan_.num_parts() + bucket.first_cell;
    for (Index row = 0; row < bucket.num_rows; ++row) {
      const Index begin = first + row_stride * row + (map.empty() ? 0 : map[row]);
      for (Index value = 0; value < bucket.num_values; ++value) {
        program_.rows[begin + stride * value].terms.push_back({variable++, coefficient});
      }
    }
  }

  const JunctionTreePlan& plan_;
  LinearProgram program_;
};

LinearProgram JunctionTree::linear_program() const {
  return CliqueProgram(*plan_).build();
}

}  // namespace trellis
