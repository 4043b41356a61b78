#include "trellis/structure/graphs/junction_tree.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace trellis {

bool JunctionTree::legal(const Output& y) const {
  if (y.size() != plan_->num_variables()) return false;
  for (Index v = 0; v < y.size(); ++v) {
    if (y[v] < 0 || static_cast<Index>(y[v]) >= plan_->num_values(v)) return false;
  }
  return true;
}

void JunctionTree::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (const Bucket& bucket : plan_->buckets()) {
    const auto value = static_cast<Index>(y[bucket.variable]);
    const Index row = plan_->row_of(bucket, y);
    z[plan_->variable_part(bucket.variable) + value] = 1;
    for (const Term& term : plan_->factors(bucket)) {
      z[term.begin + plan_->rows(term)[row] + term.stride * value] = 1;
    }
  }
}

// The additions are those of fill_table, so that the score of the best output has the bits of the
// maximum. What waits for its parent lies on a stack, which is never high (junction_tree_plan.cc).
double JunctionTree::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  std::array<double, std::numeric_limits<Index>::digits + 1> waiting;
  double* top = waiting.data();
  double total = 0;
  for (const Bucket& bucket : plan_->buckets()) {
    const auto value = static_cast<Index>(y[bucket.variable]);
    const Index row = plan_->row_of(bucket, y);
    double sum = s[plan_->variable_part(bucket.variable) + value];
    for (const Term& term : plan_->factors(bucket)) {
      sum += s[term.begin + plan_->rows(term)[row] + term.stride * value];
    }
    top -= bucket.messages_end - bucket.messages_begin;
    for (Index k = 0; k < bucket.messages_end - bucket.messages_begin; ++k) sum += top[k];
    if (bucket.parent == JunctionTreePlan::kNone) {
      total += sum;
    } else {
      *top++ = sum;
    }
  }
  assert(top == waiting.data());
  return total;
}

namespace {

// cells(row, value) += source[rows[row] + stride · value]
void add_term(const double* source, const std::uint32_t* rows, Index stride, Index num_rows,
              Index num_values, double* cells) {
  for (Index row = 0; row < num_rows; ++row) {
    const double* from = source + rows[row];
    for (Index value = 0; value < num_values; ++value) cells[value] += from[stride * value];
    cells += num_values;
  }
}

}  // namespace

// The scores of the bucket's variable and its factors.
void JunctionTree::fill_scores(std::span<const double> s, const Bucket& bucket,
                               double* cells) const {
  const double* own = s.data() + plan_->variable_part(bucket.variable);
  for (Index row = 0; row < bucket.num_rows; ++row) {
    std::copy(own, own + bucket.num_values, cells + row * bucket.num_values);
  }
  for (const Term& term : plan_->factors(bucket)) {
    add_term(s.data() + term.begin, plan_->rows(term), term.stride, bucket.num_rows,
             bucket.num_values, cells);
  }
}

// And the messages of those below.
void JunctionTree::fill_table(std::span<const double> s, const Bucket& bucket,
                              const Scratch& scratch, double* cells) const {
  fill_scores(s, bucket, cells);
  for (const Term& term : plan_->messages(bucket)) {
    add_term(scratch.rows.data() + term.begin, plan_->rows(term), term.stride, bucket.num_rows,
             bucket.num_values, cells);
  }
}

double JunctionTree::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  assert(s.size() == num_parts());
  Scratch::grow(scratch.cells, plan_->num_cells());
  Scratch::grow(scratch.rows, plan_->num_rows());
  double best = 0;
  for (const Bucket& bucket : plan_->buckets()) {
    double* cells = scratch.cells.data() + bucket.first_cell;
    fill_table(s, bucket, scratch, cells);
    for (Index row = 0; row < bucket.num_rows; ++row, cells += bucket.num_values) {
      double largest = cells[0];
      for (Index value = 1; value < bucket.num_values; ++value) {
        largest = std::max(largest, cells[value]);
      }
      scratch.rows[bucket.first_row + row] = largest;
    }
    if (bucket.parent == JunctionTreePlan::kNone) best += scratch.rows[bucket.first_row];
  }
  y.clear();
  if (best == kImpossible) return best;
  y.resize(plan_->num_variables());
  const std::span<const Bucket> buckets = plan_->buckets();
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    const double* cells =
        scratch.cells.data() + bucket->first_cell + plan_->row_of(*bucket, y) * bucket->num_values;
    y[bucket->variable] =
        static_cast<Label>(std::max_element(cells, cells + bucket->num_values) - cells);
  }
  return best;
}

}  // namespace trellis
