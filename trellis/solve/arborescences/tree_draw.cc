#include "trellis/solve/arborescences/tree_draw.h"

#include <algorithm>

#include "trellis/solve/draw.h"

namespace trellis {
namespace {

constexpr std::uint8_t kAbove = 0, kBelow = 1, kUnknown = 2;

// In units of the largest.
void to_doubles(std::span<const WideNumber> numbers, std::span<double> out) {
  std::int64_t largest = numbers[0].exponent();
  for (const WideNumber& x : numbers) largest = std::max(largest, x.exponent());
  for (Index i = 0; i < numbers.size(); ++i) out[i] = numbers[i].in_units_of(largest);
}

void to_doubles(std::span<const double> numbers, std::span<double> out) {
  std::copy(numbers.begin(), numbers.end(), out.begin());
}

}  // namespace

template <class Number>
void TreeDraw<Number>::prepare(const TreeMatrix<Number>& eliminated,
                               std::span<const Number> weights, RootInPivots root_in_pivots) {
  n_ = eliminated.n;
  root_in_pivots_ = root_in_pivots == RootInPivots::kYes;
  weights_.assign(weights.begin(), weights.end());
  eliminated_.resize(n_ * (n_ + 1));
  for (Index m = 0; m < n_; ++m) {
    Number* row = &eliminated_[m * (n_ + 1)];
    std::copy_n(&eliminated.weights[m * n_], n_, row);
    row[n_] = eliminated.root[m];
  }
  pivots_ = eliminated.pivots;
  for (auto* vector : {&heads_, &way_}) vector->resize(n_);
  below_.resize(n_);
}

template <class Number>
Index TreeDraw<Number>::draw_number(Random& random) {
  chances_.resize(numbers_.size());
  to_doubles(numbers_, chances_);
  return trellis::draw(chances_, random);
}

// For an arc to m at the time when the words before `before` were eliminated: does it stand for
// itself, or for a path through one of these?
template <class Number>
void TreeDraw<Number>::draw_way(Index m, Index before, Random& random) {
  const Index j = heads_[m];
  numbers_.assign(1, weight(m, j));
  for (Index k = 0; k < before; ++k) numbers_.push_back(gone(m, k) * (gone(k, j) / pivots_[k]));
  const Index drawn = draw_number(random);
  way_[m] = drawn == 0 ? kDirect : static_cast<std::uint32_t>(drawn - 1);
}

// Which of the words behind k hang below one whose head is k.
template <class Number>
void TreeDraw<Number>::mark_below(Index k) {
  std::fill(below_.begin() + static_cast<std::ptrdiff_t>(k) + 1, below_.end(), kUnknown);
  for (Index start = k + 1; start < n_; ++start) {
    climb_.clear();
    Index at = start;
    while (at != n_ && at != k && below_[at] == kUnknown) {
      climb_.push_back(static_cast<std::uint32_t>(at));
      at = heads_[at];
    }
    const std::uint8_t found = at == n_ ? kAbove : at == k ? kBelow : below_[at];
    for (const std::uint32_t word : climb_) below_[word] = found;
  }
}

template <class Number>
void TreeDraw<Number>::draw_head(Index k, Random& random) {
  numbers_.assign(n_ - k, Number());  // words behind k, and the root
  bool any = false;
  for (Index j = k + 1; j < n_; ++j) {
    if (below_[j] != kAbove) continue;
    numbers_[j - k - 1] = gone(k, j);
    any = true;
  }
  if (root_in_pivots_ || !any) numbers_.back() = gone(k, n_);
  heads_[k] = static_cast<std::uint32_t>(k + 1 + draw_number(random));
}

template <class Number>
void TreeDraw<Number>::draw(Random& random, std::span<std::uint32_t> heads) {
  for (Index k = n_; k-- > 0;) {
    bool any = false;
    for (Index m = k + 1; m < n_; ++m) {
      if (way_[m] != k) continue;
      any = true;
      heads_[m] = static_cast<std::uint32_t>(k);
      draw_way(m, k, random);
    }
    if (any) {
      mark_below(k);
    } else {
      std::fill(below_.begin() + static_cast<std::ptrdiff_t>(k) + 1, below_.end(), kAbove);
    }
    draw_head(k, random);
    draw_way(k, k, random);
  }
  std::copy(heads_.begin(), heads_.end(), heads.begin());
}

template class TreeDraw<double>;
template class TreeDraw<WideNumber>;

}  // namespace trellis
