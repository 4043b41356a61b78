#include "trellis/solve/matchings/matching_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kRootScalings = 60;
constexpr Index kPartScalings = 6;
// The tolerance for rounding in a sum of bounds.
constexpr double kNested = 1 + 1e-12;
// The maximum number of stored weights of the parts' splits: 16 MB.
constexpr Index kMostStarts = Index{1} << 21;

// Draws an index with probability proportional to its weight; weights.size() for the rest of 1.
Index choose(const std::vector<double>& weights, double total, Random& random) {
  double threshold = random.uniform() * std::max(1.0, total);
  Index chosen = 0;
  while (chosen < weights.size() && threshold >= weights[chosen]) threshold -= weights[chosen++];
  return chosen;
}

}  // namespace

MatchingSampler::MatchingSampler(MatchingSamplerOptions options) : options_(options) {
  constexpr Index kSmallest = SubsetSums::kSmallest;
  if (options.exact_size > 24 || (options.exact_size > 0 && options.exact_size < kSmallest)) {
    throw UsageError(
        fmt::format("exact sums require {} to 24 rows, not {}", kSmallest, options.exact_size));
  }
  if (options.max_attempts == 0) throw UsageError("a draw takes at least one attempt");
}

void MatchingSampler::prepare(Index n, std::span<const double> scores) {
  if (n >= std::numeric_limits<std::uint16_t>::max()) {
    throw UsageError(fmt::format("matchings of {} by {} nodes are too large to draw", n, n));
  }
  if (ready_ && scores_.is_of(n, scores)) return;
  ready_ = false;
  attempts_ = accepted_ = 0;
  scores_.reduce(n, scores);
  split_whole();
  ready_ = true;
}

void MatchingSampler::add_part(const Part& part) {
  if (!part.exact) open_.emplace(part.log_bound, parts_.size());
  parts_.push_back(part);
}

void MatchingSampler::split_whole() {
  nodes_.clear();
  parts_.clear();
  open_ = {};
  Node root{{}, 0, {}};
  root.matrix.assign(options_.bound, scores_.size(), scores_.factors());
  root.matrix.improve_scaling(kRootScalings);
  const double log_bound = root.matrix.log_bound();
  nodes_.push_back(std::move(root));
  add_part({log_bound, 0, kWhole, false});
  for (Index k = 0; k < options_.splits && !open_.empty(); ++k) {
    const Index part = open_.top().second;
    open_.pop();
    split_part(part);
  }
  finish_partition();
}

// Replaces parts_[p] by its parts, or by a better bound.
void MatchingSampler::split_part(Index p) {
  const Part part = parts_[p];
  if (part.row != kWhole) {
    Node& of = nodes_[part.node];
    Node node{{}, 0, of.pairs};
    node.pairs.push_back({of.matrix.row(part.row), of.matrix.column(of.split_column)});
    node.matrix.assign_without(of.matrix, part.row, of.split_column);
    node.matrix.improve_scaling(kPartScalings);
    nodes_.push_back(std::move(node));
  }
  const Index index = part.row == kWhole ? part.node : nodes_.size() - 1;
  Node& node = nodes_[index];
  const double log_bound = node.matrix.log_bound();
  if (node.matrix.size() == 0 || sums_exactly(node.matrix.size())) {
    parts_[p] = {log_bound + portable_log(exact_share(node.matrix)), index, kWhole, true};
    return;
  }
  const BoundedMatrix::Split split = node.matrix.split(weights_);
  node.split_column = split.column;
  if (split.total > kNested) {  // not worth it
    parts_[p] = {log_bound, index, kWhole, false};
    return;
  }
  // This part becomes empty: its parts replace it.
  parts_[p] = {-std::numeric_limits<double>::infinity(), index, kWhole, true};
  for (Index k = 0; k < weights_.size(); ++k) {
    if (weights_[k] > 0) add_part({log_bound + portable_log(weights_[k]), index, k, false});
  }
}

void MatchingSampler::finish_partition() {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) largest = std::max(largest, part.log_bound);
  cumulative_.clear();
  double sum = 0;
  for (const Part& part : parts_) {
    sum += portable_exp(part.log_bound - largest);
    cumulative_.push_back(sum);
  }
  log_bound_ = scores_.best() + largest + portable_log(sum);
  starts_.clear();
  if (parts_.size() * scores_.size() <= kMostStarts) starts_.resize(parts_.size());
}

Index MatchingSampler::draw_part(Random& random) const {
  const double threshold = random.uniform() * cumulative_.back();
  auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), threshold);
  if (found == cumulative_.end()) {  // rounded up to the sum: the last part that is not empty
    found = std::lower_bound(cumulative_.begin(), cumulative_.end(), cumulative_.back());
  }
  return static_cast<Index>(found - cumulative_.begin());
}

// Enters a part: the pairs that its permutations share go to `columns`, the rest to current_.
void MatchingSampler::enter_part(const Part& part, std::span<Label> columns) {
  const Node& node = nodes_[part.node];
  for (const Pair& pair : node.pairs) columns[pair.row] = scores_.column(pair.column);
  if (part.row == kWhole) {
    current_ = node.matrix;
    return;
  }
  columns[node.matrix.row(part.row)] = scores_.column(node.matrix.column(node.split_column));
  current_.assign_without(node.matrix, part.row, node.split_column);
}

// Z/U of a small matrix; draw_exactly may follow.
double MatchingSampler::exact_share(BoundedMatrix& matrix) {
  if (matrix.size() == 0) return 1;
  matrix.relative_entries(entries_);
  subsets_.forward(matrix.size(), entries_);
  return subsets_.total();
}

void MatchingSampler::draw_exactly(const BoundedMatrix& matrix, Random& random,
                                   std::span<Label> columns) {
  if (matrix.size() == 0) return;
  chosen_.resize(matrix.size());
  subsets_.draw(random, chosen_);
  for (Index k = 0; k < chosen_.size(); ++k) {
    columns[matrix.row(k)] = scores_.column(matrix.column(static_cast<Index>(chosen_[k])));
  }
}

void MatchingSampler::split_piece(Piece piece, std::vector<Piece>& pieces) {
  if (piece.matrix.size() == 0 || sums_exactly(piece.matrix.size())) {
    piece.weight *= exact_share(piece.matrix);
    piece.exact = true;
    pieces.push_back(std::move(piece));
    return;
  }
  const BoundedMatrix::Split split = piece.matrix.split(weights_);
  for (Index k = 0; k < weights_.size(); ++k) {
    if (weights_[k] == 0) continue;
    Piece part{{}, piece.pairs, piece.weight * weights_[k], false};
    part.pairs.push_back({piece.matrix.row(k), piece.matrix.column(split.column)});
    part.matrix.assign_without(piece.matrix, k, split.column);
    pieces.push_back(std::move(part));
  }
}

// If (P1) fails for single pairings of current_: splits the largest piece until it holds, which it
// must when all pieces are exact.
bool MatchingSampler::draw_piece(Random& random, std::span<Label> columns, bool& exact) {
  std::vector<Piece> pieces;
  split_piece({current_, {}, 1, false}, pieces);
  double total = 0;
  for (;;) {
    total = 0;
    Index largest = kWhole;
    for (Index k = 0; k < pieces.size(); ++k) {
      total += pieces[k].weight;
      if (pieces[k].exact) continue;
      if (largest == kWhole || pieces[k].weight > pieces[largest].weight) largest = k;
    }
    if (total <= kNested || largest == kWhole) break;
    Piece piece = std::move(pieces[largest]);
    pieces[largest] = std::move(pieces.back());
    pieces.pop_back();
    split_piece(std::move(piece), pieces);
  }
  double threshold = random.uniform() * std::max(1.0, total);
  for (Piece& piece : pieces) {
    threshold -= piece.weight;
    if (threshold >= 0) continue;
    for (const Pair& pair : piece.pairs) columns[pair.row] = scores_.column(pair.column);
    current_ = std::move(piece.matrix);
    exact = piece.exact;
    return true;
  }
  return false;
}

// From current_ to one permutation, or to a rejection. `exact`: its bound is its sum.
bool MatchingSampler::go_on(Random& random, std::span<Label> columns, bool exact) {
  while (current_.size() > 0) {
    if (exact || sums_exactly(current_.size())) {
      const double share = exact_share(current_);
      if (!exact && random.uniform() >= share) return false;
      draw_exactly(current_, random, columns);
      return true;
    }
    const BoundedMatrix::Split split = current_.split(weights_);
    if (split.total > kNested) {
      if (!draw_piece(random, columns, exact)) return false;
      continue;
    }
    const Index chosen = choose(weights_, split.total, random);
    if (chosen == weights_.size()) return false;
    pair(chosen, split.column, columns);
  }
  return true;
}

// Pairs positions of current_ and removes them.
void MatchingSampler::pair(Index row, Index column, std::span<Label> columns) {
  columns[current_.row(row)] = scores_.column(current_.column(column));
  next_.assign_without(current_, row, column);
  std::swap(current_, next_);
}

// The first step from a part, or none if go_on has to take it; false: rejected.
bool MatchingSampler::leave_part(Index part, Random& random, std::span<Label> columns) {
  Start& start = starts_[part];
  if (start.column == kWhole) {
    enter_part(parts_[part], columns);
    if (current_.size() == 0 || sums_exactly(current_.size())) return true;
    const BoundedMatrix::Split split = current_.split(weights_);
    if (split.total > kNested) return true;
    start = {split.column, split.total, weights_};
  }
  const Index chosen = choose(start.weights, start.total, random);
  if (chosen == start.weights.size()) return false;
  enter_part(parts_[part], columns);
  pair(chosen, start.column, columns);
  return true;
}

bool MatchingSampler::attempt(Random& random, std::span<Label> columns) {
  assert(ready_ && columns.size() == scores_.size());
  ++attempts_;
  const Index part = draw_part(random);
  const bool exact = parts_[part].exact;
  if (exact || starts_.empty()) {
    enter_part(parts_[part], columns);
  } else if (!leave_part(part, random, columns)) {
    return false;
  }
  if (!go_on(random, columns, exact)) return false;
  ++accepted_;
  return true;
}

void MatchingSampler::draw(Random& random, std::span<Label> columns) {
  for (Index k = 0; k < options_.max_attempts; ++k) {
    if (attempt(random, columns)) return;
  }
  throw UsageError(fmt::format(
      "all {} attempts to draw a matching of {} by {} nodes were rejected: sampling is not "
      "efficient for these scores (upper bound log U = {:.1f}, score of the best matching {:.1f})",
      options_.max_attempts, scores_.size(), scores_.size(), log_bound_, scores_.best()));
}

LogSumEstimate MatchingSampler::log_sum() const {
  const auto accepted = static_cast<double>(accepted_);
  const auto attempts = static_cast<double>(attempts_);
  if (accepted_ == 0) {
    return {-kInfinity, kInfinity, attempts_, 0};
  }
  const double rejected = (attempts - accepted + 1) / (attempts + 1);
  return {log_bound_ + portable_log(accepted / attempts), std::sqrt(rejected / accepted), attempts_,
          accepted_};
}

}  // namespace trellis
