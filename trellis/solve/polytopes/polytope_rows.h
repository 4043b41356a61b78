// The rows of a linear program as projections want them: A by columns, every row an equality
// A_i z = b_i or an inequality A_i z ≤ b_i, scaled by a power of two so that its largest
// coefficient is about 1, and without what is known to be 0 or to hold anyway.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

class PolytopeRows {
 public:
  struct Term {
    Index row;
    double value;
  };

  // Throws UsageError where the program has auxiliary variables.
  explicit PolytopeRows(const LinearProgram& program);

  bool empty() const { return empty_; }  // a row cannot be satisfied, whatever the others say
  Index num_variables() const { return num_variables_; }
  // Columns are the variables that may be > 0, in their order.
  Index num_columns() const { return variables_.size(); }
  Index variable(Index column) const { return variables_[column]; }
  double bound(Index column) const { return bounds_[column]; }
  std::span<const Term> column(Index p) const {
    return {terms_.data() + begins_[p], begins_[p + 1] - begins_[p]};
  }
  Index num_rows() const { return right_sides_.size(); }
  double right_side(Index i) const { return right_sides_[i]; }
  bool is_inequality(Index i) const { return inequality_[i] != 0; }
  void right_sides(std::vector<double>& b) const { b = right_sides_; }

 private:
  struct Row {
    std::vector<LinearProgram::Term> terms;
    double right_side;
    bool inequality;
  };

  static std::vector<Row> split_rows(const LinearProgram& program);
  void drop_zeros(std::vector<Row>& rows, std::vector<std::uint8_t>& zero);
  void store(const std::vector<Row>& rows, const std::vector<std::uint8_t>& zero,
             const LinearProgram& program);

  bool empty_ = false;
  Index num_variables_;
  std::vector<Index> variables_;
  std::vector<double> bounds_;
  std::vector<Index> begins_;
  std::vector<Term> terms_;
  std::vector<double> right_sides_;
  std::vector<std::uint8_t> inequality_;
};

}  // namespace trellis
