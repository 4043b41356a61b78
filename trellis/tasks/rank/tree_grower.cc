#include "trellis/tasks/rank/tree_grower.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/base/parallel.h"

namespace trellis::rank {
namespace {

// Minimum work for which threads pay off.
constexpr Index kWorthThreads = Index{1} << 16;

}  // namespace

void TreeGrower::Cell::add(const Cell& other) {
  gradient += other.gradient;
  curvature += other.curvature;
  count += other.count;
}

void TreeGrower::Cell::subtract(const Cell& other) {
  gradient -= other.gradient;
  curvature -= other.curvature;
  count -= other.count;
}

TreeGrower::TreeGrower(const TreeBins& bins, const TreeShape& shape, int threads)
    : bins_(bins), shape_(shape), threads_(resolve_threads(threads)) {}

double TreeGrower::merit(const Cell& sum) const {
  return 0.5 * sum.gradient * sum.gradient / (std::max(0.0, sum.curvature) + shape_.ridge);
}

TreeGrower::Histogram TreeGrower::take_histogram() {
  if (spare_.empty()) return Histogram(bins_.num_cells());
  Histogram taken = std::move(spare_.back());
  spare_.pop_back();
  return taken;
}

void TreeGrower::count(Index block, const Leaf& leaf, std::span<const Slope> slopes,
                       Histogram& into) const {
  const Index first = bins_.first_column(block);
  const Index end = bins_.end_column(block);
  std::fill(into.begin() + static_cast<std::ptrdiff_t>(bins_.first_cell(first)),
            into.begin() + static_cast<std::ptrdiff_t>(bins_.first_cell(end)), Cell{});
  bins_.for_each(block, leaf.rows, [&](Index row, Index cell) {
    into[cell].gradient += slopes[row].gradient;
    into[cell].curvature += slopes[row].curvature;
    ++into[cell].count;
  });
  if (bins_.stores_zeros(block)) return;
  for (Index c = first; c < end; ++c) {  // rows not visited
    Cell rest = leaf.sum;
    for (Index b = 0; b < bins_.num_bins(c); ++b) rest.subtract(into[bins_.first_cell(c) + b]);
    into[bins_.first_cell(c) + bins_.bin_of_zero(c)].add(rest);
  }
}

void TreeGrower::search(Index block, const Leaf& leaf, std::optional<Split>& best) const {
  const double whole = merit(leaf.sum);
  for (Index c = bins_.first_column(block); c < bins_.end_column(block); ++c) {
    Cell left;
    for (Index b = 0; b + 1 < bins_.num_bins(c); ++b) {
      const Cell& cell = leaf.histogram[bins_.first_cell(c) + b];
      if (cell.count == 0) continue;
      left.add(cell);
      if (left.count < shape_.fewest) continue;
      Cell right = leaf.sum;
      right.subtract(left);
      if (right.count < shape_.fewest) break;
      const double gain = merit(left) + merit(right) - whole;
      if (gain > (best ? best->gain : 0)) best = Split{c, b, gain};
    }
  }
}

void TreeGrower::prepare(Leaf& fresh, Leaf* sibling, std::span<const Slope> slopes) {
  fresh.histogram = take_histogram();
  std::vector<std::optional<Split>> found(2 * bins_.num_blocks());
  const bool worth = fresh.rows.size() * bins_.num_columns() + bins_.num_cells() >= kWorthThreads;
  parallel_for(bins_.num_blocks(), worth ? threads_ : 1, [&](Index block, int) {
    count(block, fresh, slopes, fresh.histogram);
    search(block, fresh, found[2 * block]);
    if (sibling == nullptr) return;
    const Index end = bins_.first_cell(bins_.end_column(block));
    for (Index k = bins_.first_cell(bins_.first_column(block)); k < end; ++k) {
      sibling->histogram[k].subtract(fresh.histogram[k]);
    }
    search(block, *sibling, found[2 * block + 1]);
  });
  for (Index k = 0; k < found.size(); ++k) {
    std::optional<Split>& best = k % 2 == 0 ? fresh.best : sibling->best;
    if (found[k] && found[k]->gain > (best ? best->gain : 0)) best = found[k];
    if (sibling == nullptr) ++k;
  }
}

void TreeGrower::split(Index at, std::span<const Slope> slopes) {
  Leaf leaf = std::move(leaves_[at]);
  const Split cut = *leaf.best;
  const Index node = tree_.num_nodes();
  if (leaf.place) tree_.children[*leaf.place] = static_cast<std::int32_t>(node);
  tree_.columns.push_back(static_cast<std::uint32_t>(cut.column));
  tree_.thresholds.push_back(bins_.threshold(cut.column, cut.bin));
  tree_.children.insert(tree_.children.end(), 2, 0);
  tree_.gains.push_back(static_cast<float>(cut.gain));
  node_bins_.push_back(static_cast<std::uint8_t>(cut.bin));

  Leaf left, right;
  left.place = 2 * node;
  right.place = 2 * node + 1;
  Index kept = 0;
  right_.clear();
  for (const std::uint32_t row : leaf.rows) {
    const bool goes_left = bins_.bin(row, cut.column) <= cut.bin;
    Cell& sum = goes_left ? left.sum : right.sum;
    sum.add({slopes[row].gradient, slopes[row].curvature, 1});
    if (goes_left) {
      leaf.rows[kept++] = row;
    } else {
      right_.push_back(row);
    }
  }
  std::copy(right_.begin(), right_.end(), leaf.rows.begin() + static_cast<std::ptrdiff_t>(kept));
  left.rows = leaf.rows.first(kept);
  right.rows = leaf.rows.subspan(kept);
  leaves_[at] = std::move(left);
  leaves_.push_back(std::move(right));
  if (leaves_.size() == shape_.leaves) return;  // no further splits needed

  const bool left_is_smaller = leaves_[at].rows.size() <= leaves_.back().rows.size();
  Leaf& smaller = left_is_smaller ? leaves_[at] : leaves_.back();
  Leaf& larger = left_is_smaller ? leaves_.back() : leaves_[at];
  larger.histogram = std::move(leaf.histogram);
  prepare(smaller, &larger, slopes);
}

void TreeGrower::grow(std::span<const Slope> slopes) {
  rows_.resize(bins_.num_rows());
  std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
  tree_ = {};
  node_bins_.clear();
  values_.clear();
  leaves_.clear();
  Leaf root;
  root.rows = rows_;
  for (const Slope& slope : slopes) root.sum.add({slope.gradient, slope.curvature, 1});
  prepare(root, nullptr, slopes);
  leaves_.push_back(std::move(root));
  while (leaves_.size() < shape_.leaves) {
    const auto gain = [](const Leaf& leaf) { return leaf.best ? leaf.best->gain : 0; };
    const auto best =
        std::max_element(leaves_.begin(), leaves_.end(),
                         [&](const Leaf& a, const Leaf& b) { return gain(a) < gain(b); });
    if (!best->best) break;
    split(static_cast<Index>(best - leaves_.begin()), slopes);
  }
  for (Leaf& leaf : leaves_) {
    if (leaf.place) tree_.children[*leaf.place] = ~static_cast<std::int32_t>(values_.size());
    values_.push_back(-leaf.sum.gradient / (std::max(0.0, leaf.sum.curvature) + shape_.ridge));
    if (!leaf.histogram.empty()) spare_.push_back(std::move(leaf.histogram));
  }
  if (tree_.num_nodes() > 0) tree_.begin.push_back(static_cast<std::uint32_t>(tree_.num_nodes()));
}

}  // namespace trellis::rank
