// The best output of each level ℓ(y) = Σ_v level(v, y_v): messages have one more dimension,
//
//   message(row, ℓ) = max_value max_{levels that sum to ℓ} score + Σ_children message(·, ℓ_child),
//
// where children are added one after another, each by a max-plus convolution. Only messages are
// stored: the backward pass repeats the convolutions of the one row that it reaches.
#include <algorithm>
#include <cassert>

#include "trellis/structure/graphs/junction_tree.h"

namespace trellis {

class JunctionTree::LevelSearch {
 public:
  LevelSearch(const JunctionTree& tree, std::span<const double> s,
              std::span<const std::uint32_t> levels, Index num_levels, Scratch& scratch)
      : plan_(*tree.plan_), levels_(levels), num_levels_(num_levels), scratch_(scratch) {
    Scratch::grow(scratch.cells, plan_.num_cells());
    Scratch::grow(scratch.level_rows, plan_.num_rows() * num_levels);
    Scratch::grow(scratch.level_tops, plan_.buckets().size());
    Scratch::grow(scratch.level_wanted, plan_.buckets().size());
    for (Index k = 0; k < plan_.buckets().size(); ++k) {
      const Bucket& bucket = plan_.buckets()[k];
      tree.fill_scores(s, bucket, scratch_.cells.data() + bucket.first_cell);
      find_top(k, bucket);
      for (Index row = 0; row < bucket.num_rows; ++row) send(bucket, row);
    }
    join_roots();
  }

  double score(Index level) const { return totals()[level]; }

  void decode(Index level, Output& y) {
    y.assign(plan_.num_variables(), 0);
    wanted_roots(level);
    const std::span<const Bucket> buckets = plan_.buckets();
    for (Index k = buckets.size(); k-- > 0;) {
      const Bucket& bucket = buckets[k];
      const Index row = plan_.row_of(bucket, y);
      const Index value = best_value(bucket, row, scratch_.level_wanted[k]);
      y[bucket.variable] = static_cast<Label>(value);
      trace(bucket, row, value, scratch_.level_wanted[k]);
    }
  }

 private:
  static Index num_messages(const Bucket& bucket) {
    return bucket.messages_end - bucket.messages_begin;
  }
  std::span<const std::uint32_t> levels_of(const Bucket& bucket) const {
    return levels_.subspan(plan_.variable_part(bucket.variable), bucket.num_values);
  }
  const double* message(Index row) const { return scratch_.level_rows.data() + row * num_levels_; }
  Index row_below(const Term& term, Index row, Index value) const {
    return term.begin + plan_.rows(term)[row] + term.stride * value;
  }

  // No level of what the bucket stands for is higher.
  void find_top(Index k, const Bucket& bucket) {
    const std::span<const std::uint32_t> levels = levels_of(bucket);
    Index top = *std::max_element(levels.begin(), levels.end());
    for (const Term& term : plan_.messages(bucket)) top += scratch_.level_tops[term.number];
    scratch_.level_tops[k] = std::min(top, num_levels_ - 1);
  }

  // out[a + b] = max(x[a] + y[b])
  void convolve(const double* x, const double* y, Index top, double* out) const {
    std::fill(out, out + num_levels_, kImpossible);
    for (Index b = 0; b <= top; ++b) {
      if (y[b] == kImpossible) continue;
      for (Index a = 0; a + b < num_levels_; ++a) out[a + b] = std::max(out[a + b], x[a] + y[b]);
    }
  }

  // sums(value, j, ·): the best of each level with the first j messages. Those of all values, or of
  // one.
  double* sums(const Bucket& bucket, Index value, Index j) {
    return scratch_.level_sums.data() + (value * (num_messages(bucket) + 1) + j) * num_levels_;
  }
  void add_up(const Bucket& bucket, Index row, Index value) {
    double* own = sums(bucket, value, 0);
    std::fill(own, own + num_levels_, kImpossible);
    const Index level = levels_of(bucket)[value];
    if (level < num_levels_) {
      own[level] = scratch_.cells[bucket.first_cell + row * bucket.num_values + value];
    }
    Index j = 0;
    for (const Term& term : plan_.messages(bucket)) {
      convolve(sums(bucket, value, j), message(row_below(term, row, value)),
               scratch_.level_tops[term.number], sums(bucket, value, j + 1));
      ++j;
    }
  }
  void reserve_sums(const Bucket& bucket) {
    const Index size = bucket.num_values * (num_messages(bucket) + 1) * num_levels_;
    Scratch::grow(scratch_.level_sums, size);
  }

  void send(const Bucket& bucket, Index row) {
    reserve_sums(bucket);
    double* out = scratch_.level_rows.data() + (bucket.first_row + row) * num_levels_;
    std::fill(out, out + num_levels_, kImpossible);
    for (Index value = 0; value < bucket.num_values; ++value) {
      add_up(bucket, row, value);
      const double* all = sums(bucket, value, num_messages(bucket));
      for (Index level = 0; level < num_levels_; ++level)
        out[level] = std::max(out[level], all[level]);
    }
  }

  Index best_value(const Bucket& bucket, Index row, Index level) {
    reserve_sums(bucket);
    Index best = 0;
    for (Index value = 0; value < bucket.num_values; ++value) {
      add_up(bucket, row, value);
      const Index j = num_messages(bucket);
      if (sums(bucket, value, j)[level] > sums(bucket, best, j)[level]) best = value;
    }
    return best;
  }

  // The level b of y, the lowest, that convolve() found the best at `level` with.
  Index level_of_second(const double* x, const double* y, double best, Index level) const {
    Index b = 0;
    while (x[level - b] + y[b] != best) ++b;
    return b;
  }

  // Which levels the messages below were taken at.
  void trace(const Bucket& bucket, Index row, Index value, Index level) {
    const std::span<const Term> messages = plan_.messages(bucket);
    for (Index j = messages.size(); j-- > 0;) {
      const Index b =
          level_of_second(sums(bucket, value, j), message(row_below(messages[j], row, value)),
                          sums(bucket, value, j + 1)[level], level);
      scratch_.level_wanted[messages[j].number] = b;
      level -= b;
    }
  }

  // The roots, one after another.
  void join_roots() {
    scratch_.level_roots.clear();
    for (Index k = 0; k < plan_.buckets().size(); ++k) {
      if (plan_.buckets()[k].parent == JunctionTreePlan::kNone) scratch_.level_roots.push_back(k);
    }
    scratch_.level_totals.assign((scratch_.level_roots.size() + 1) * num_levels_, kImpossible);
    scratch_.level_totals[0] = 0;
    for (Index j = 0; j < scratch_.level_roots.size(); ++j) {
      convolve(scratch_.level_totals.data() + j * num_levels_,
               message(plan_.buckets()[scratch_.level_roots[j]].first_row),
               scratch_.level_tops[scratch_.level_roots[j]],
               scratch_.level_totals.data() + (j + 1) * num_levels_);
    }
  }
  const double* totals() const {
    return scratch_.level_totals.data() + scratch_.level_roots.size() * num_levels_;
  }
  void wanted_roots(Index level) {
    for (Index j = scratch_.level_roots.size(); j-- > 0;) {
      const double* before = scratch_.level_totals.data() + j * num_levels_;
      const Index b =
          level_of_second(before, message(plan_.buckets()[scratch_.level_roots[j]].first_row),
                          before[num_levels_ + level], level);
      scratch_.level_wanted[scratch_.level_roots[j]] = b;
      level -= b;
    }
  }

  const JunctionTreePlan& plan_;
  std::span<const std::uint32_t> levels_;
  Index num_levels_;
  Scratch& scratch_;
};

Index JunctionTree::num_level_parts() const {
  const Index last = plan_->num_variables() - 1;
  return plan_->variable_part(last) + plan_->num_values(last);
}

std::uint64_t JunctionTree::highest_level(std::span<const std::uint32_t> levels) const {
  std::uint64_t sum = 0;
  for (Index v = 0; v < plan_->num_variables(); ++v) {
    const auto own = levels.subspan(plan_->variable_part(v), plan_->num_values(v));
    sum += *std::max_element(own.begin(), own.end());
  }
  return sum;
}

void JunctionTree::maximize_levels(std::span<const double> s, std::span<const std::uint32_t> levels,
                                   Index num_levels, Scratch& scratch,
                                   std::vector<ScoredOutput<Output>>& best) const {
  assert(s.size() == num_parts());
  best.resize(num_levels);
  if (num_levels == 0) return;
  LevelSearch search(*this, s, levels, num_levels, scratch);
  for (Index level = 0; level < num_levels; ++level) {
    best[level].score = search.score(level);
    best[level].output.clear();
    if (best[level].score != kImpossible) search.decode(level, best[level].output);
  }
}

}  // namespace trellis
