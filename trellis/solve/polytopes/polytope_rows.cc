#include "trellis/solve/polytopes/polytope_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// The terms times a power of two (so that nothing is rounded), one for each variable, no zeros.
std::vector<LinearProgram::Term> tidy(std::vector<LinearProgram::Term> terms, double scale) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.variable < b.variable; });
  std::vector<LinearProgram::Term> tidied;
  for (const LinearProgram::Term& term : terms) {
    if (tidied.empty() || tidied.back().variable != term.variable) {
      tidied.push_back({term.variable, 0.0});
    }
    tidied.back().coefficient += scale * term.coefficient;
  }
  std::erase_if(tidied, [](const auto& term) { return term.coefficient == 0; });
  return tidied;
}

double scale_of(const LinearProgram::Row& row) {
  double largest = 0;
  for (const auto& term : row.terms) largest = std::max(largest, std::abs(term.coefficient));
  return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
}

}  // namespace

PolytopeRows::PolytopeRows(const LinearProgram& program) : num_variables_(program.num_parts) {
  if (program.num_variables != program.num_parts) {
    throw UsageError("a polytope with auxiliary variables has no projection");
  }
  assert(program.upper_bounds.empty() || program.upper_bounds.size() == program.num_variables);
  std::vector<Row> rows = split_rows(program);
  std::vector<std::uint8_t> zero(num_variables_, 0);
  for (Index p = 0; p < program.upper_bounds.size(); ++p) {
    zero[p] = program.upper_bounds[p] == 0 ? 1 : 0;
    if (program.upper_bounds[p] < 0) empty_ = true;
  }
  drop_zeros(rows, zero);
  store(rows, zero, program);
}

std::vector<PolytopeRows::Row> PolytopeRows::split_rows(const LinearProgram& program) {
  std::vector<Row> rows;
  for (const LinearProgram::Row& row : program.rows) {
    const double scale = scale_of(row);
    if (row.lower == row.upper) {
      rows.push_back({tidy(row.terms, scale), scale * row.upper, false});
      continue;
    }
    if (row.upper < kInfinity) rows.push_back({tidy(row.terms, scale), scale * row.upper, true});
    if (row.lower > -kInfinity) rows.push_back({tidy(row.terms, -scale), -scale * row.lower, true});
  }
  return rows;
}

// Removes terms of variables that are 0, and finds further such variables: rows with all
// coefficients ≥ 0 and b = 0 (or all ≤ 0 in an equality). Repeats until nothing changes; a row is
// examined again only when one of its variables has become 0.
void PolytopeRows::drop_zeros(std::vector<Row>& rows, std::vector<std::uint8_t>& zero) {
  std::vector<std::vector<Index>> rows_of(num_variables_);
  std::vector<Index> queue(rows.size());
  for (Index i = 0; i < rows.size(); ++i) {
    queue[i] = i;
    for (const auto& term : rows[i].terms) rows_of[term.variable].push_back(i);
  }
  while (!queue.empty()) {
    Row& row = rows[queue.back()];
    queue.pop_back();
    std::erase_if(row.terms, [&](const auto& term) { return zero[term.variable] != 0; });
    const bool positive = std::all_of(row.terms.begin(), row.terms.end(),
                                      [](const auto& term) { return term.coefficient > 0; });
    const bool negative = std::all_of(row.terms.begin(), row.terms.end(),
                                      [](const auto& term) { return term.coefficient < 0; });
    if (positive && row.right_side < 0) empty_ = true;
    if (negative && !row.inequality && row.right_side > 0) empty_ = true;
    if (row.right_side != 0 || !(positive || (negative && !row.inequality))) continue;
    for (const auto& term : row.terms) {
      zero[term.variable] = 1;
      queue.insert(queue.end(), rows_of[term.variable].begin(), rows_of[term.variable].end());
    }
  }
}

void PolytopeRows::store(const std::vector<Row>& rows, const std::vector<std::uint8_t>& zero,
                         const LinearProgram& program) {
  std::vector<Index> column_of(num_variables_, 0), sizes;
  for (Index p = 0; p < num_variables_; ++p) {
    if (zero[p] != 0) continue;
    column_of[p] = variables_.size();
    variables_.push_back(p);
    bounds_.push_back(program.upper_bounds.empty() ? kInfinity : program.upper_bounds[p]);
  }
  begins_.assign(variables_.size() + 1, 0);
  for (const Row& row : rows) {
    for (const auto& term : row.terms) ++begins_[column_of[term.variable] + 1];
  }
  for (Index p = 0; p < variables_.size(); ++p) begins_[p + 1] += begins_[p];
  terms_.resize(begins_.back());
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (const Row& row : rows) {
    // Without terms it holds: 0 = 0 or 0 ≤ b. With coefficients ≤ 0 and b ≥ 0, A z ≤ b does too.
    const bool holds = row.inequality && row.right_side >= 0 &&
                       std::all_of(row.terms.begin(), row.terms.end(),
                                   [](const auto& term) { return term.coefficient < 0; });
    if (row.terms.empty() || holds) continue;
    for (const auto& term : row.terms) {
      terms_[next[column_of[term.variable]]++] = {right_sides_.size(), term.coefficient};
    }
    right_sides_.push_back(row.right_side);
    inequality_.push_back(row.inequality ? 1 : 0);
  }
  // Rows that hold left gaps at the ends of columns.
  Index kept = 0;
  for (Index p = 0; p < variables_.size(); ++p) {
    const Index begin = begins_[p];
    begins_[p] = kept;
    for (Index i = begin; i < next[p]; ++i) terms_[kept++] = terms_[i];
  }
  begins_.back() = kept;
  terms_.resize(kept);
}

}  // namespace trellis
