// Sums over all values of the variables, in the log domain.
//
// The pass over the buckets leaves p(variable | separator) of each, so that the distribution is a
// Markov process from the roots down; marginals, entropy and draws follow by running it. Marginals
// are sums of products of probabilities, and the entropy Σ E[H(variable | separator)] has no
// negative term.
#include <algorithm>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/graphs/junction_tree.h"

namespace trellis {

// Messages are logarithms of sums, minus the largest of each bucket, which keeps them small.
// Returns log Σ exp; the cells become p(variable | separator), 0 if a row is impossible.
double JunctionTree::upward_sum(std::span<const double> s, Scratch& scratch, bool entropies) const {
  assert(s.size() == num_parts());
  Scratch::grow(scratch.cells, plan_->num_cells());
  Scratch::grow(scratch.rows, plan_->num_rows());
  Scratch::grow(scratch.table, plan_->max_cells());
  Scratch::grow(scratch.shifts, plan_->max_rows());
  if (entropies) Scratch::grow(scratch.entropies, plan_->num_rows());
  double total = 0;
  for (const Bucket& bucket : plan_->buckets()) {
    fill_table(s, bucket, scratch, scratch.table.data());
    double* cells = scratch.cells.data() + bucket.first_cell;
    double* message = scratch.rows.data() + bucket.first_row;
    const Index width = bucket.num_values;
    if (entropies) {
      for (Index row = 0; row < bucket.num_rows; ++row) {
        scratch.entropies[bucket.first_row + row] =
            softmax_entropy({scratch.table.data() + row * width, width});
      }
    }
    exp_rows(scratch.table.data(), bucket.num_rows, width, width, cells, scratch.shifts.data());
    double largest = kImpossible;
    for (Index row = 0; row < bucket.num_rows; ++row, cells += width) {
      double sum = 0;
      for (Index value = 0; value < width; ++value) sum += cells[value];
      message[row] = scratch.shifts[row] + portable_log(sum);
      largest = std::max(largest, message[row]);
      if (sum == 0) continue;
      const double scale = 1 / sum;
      for (Index value = 0; value < width; ++value) cells[value] *= scale;
    }
    if (largest == kImpossible) return kImpossible;
    for (Index row = 0; row < bucket.num_rows; ++row) message[row] -= largest;
    total += largest;
  }
  return total;
}

// From the probabilities of the separator to those of the clique, and on to the separators below;
// and to the marginals, where they are wanted.
void JunctionTree::downward(Scratch& scratch, const Bucket& bucket,
                            std::span<double> marginals) const {
  const Index width = bucket.num_values;
  double* first = scratch.cells.data() + bucket.first_cell;
  const double* separator = scratch.rows.data() + bucket.first_row;
  const auto spread = [&](const Term& term, double* target) {
    const std::uint32_t* rows = plan_->rows(term);
    const double* cells = first;
    for (Index row = 0; row < bucket.num_rows; ++row, cells += width) {
      double* to = target + rows[row];
      for (Index value = 0; value < width; ++value) to[term.stride * value] += cells[value];
    }
  };
  for (Index row = 0; row < bucket.num_rows; ++row) {
    for (Index value = 0; value < width; ++value) first[row * width + value] *= separator[row];
  }
  for (const Term& term : plan_->messages(bucket)) spread(term, scratch.rows.data() + term.begin);
  if (marginals.empty()) return;
  double* own = marginals.data() + plan_->variable_part(bucket.variable);
  for (Index row = 0; row < bucket.num_rows; ++row) {
    for (Index value = 0; value < width; ++value) own[value] += first[row * width + value];
  }
  for (const Term& term : plan_->factors(bucket)) spread(term, marginals.data() + term.begin);
}

double JunctionTree::log_partition(std::span<const double> s, Scratch& scratch,
                                   std::span<double> marginals) const {
  assert(marginals.size() == num_parts());
  const double value = upward_sum(s, scratch, false);
  std::fill(marginals.begin(), marginals.end(), 0.0);
  if (value == kImpossible) return value;
  const std::span<const Bucket> buckets = plan_->buckets();
  std::fill_n(scratch.rows.begin(), plan_->num_rows(), 0.0);
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    if (bucket->parent == JunctionTreePlan::kNone) scratch.rows[bucket->first_row] = 1;
    downward(scratch, *bucket, marginals);
  }
  return value;
}

double JunctionTree::log_partition(std::span<const double> s, Scratch& scratch) const {
  return upward_sum(s, scratch, false);
}

double JunctionTree::entropy(std::span<const double> s, Scratch& scratch) const {
  if (upward_sum(s, scratch, true) == kImpossible) return 0;
  const std::span<const Bucket> buckets = plan_->buckets();
  std::fill_n(scratch.rows.begin(), plan_->num_rows(), 0.0);
  double sum = 0;
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    if (bucket->parent == JunctionTreePlan::kNone) scratch.rows[bucket->first_row] = 1;
    for (Index row = bucket->first_row; row < bucket->first_row + bucket->num_rows; ++row) {
      sum += scratch.rows[row] * scratch.entropies[row];
    }
    downward(scratch, *bucket, {});
  }
  return sum;
}

// One uniform number for each variable.
void JunctionTree::sample(std::span<const double> s, Random& random, Scratch& scratch,
                          Output& y) const {
  y.clear();
  if (upward_sum(s, scratch, false) == kImpossible) return;
  y.resize(plan_->num_variables());
  const std::span<const Bucket> buckets = plan_->buckets();
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    const double* cells =
        scratch.cells.data() + bucket->first_cell + plan_->row_of(*bucket, y) * bucket->num_values;
    y[bucket->variable] = static_cast<Label>(draw({cells, bucket->num_values}, random));
  }
}

}  // namespace trellis
