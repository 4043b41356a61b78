// The recursion of tree_elimination.h over any arithmetic, compiled once for each target (hence no
// #pragma once).

#if defined(TRELLIS_SOLVE_TREE_ELIMINATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRELLIS_SOLVE_TREE_ELIMINATION_INL_H_
#undef TRELLIS_SOLVE_TREE_ELIMINATION_INL_H_
#else
#define TRELLIS_SOLVE_TREE_ELIMINATION_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

// A square of weights within a larger one, with what belongs to its words.
template <class Number>
struct Square {
  Number* a;  // row m begins at a + m · stride
  size_t stride;
  size_t size;
  Number* root;
  Number* pivots;

  HWY_INLINE Number* row(size_t m) const { return a + m * stride; }
  // Its first `count` words, or all but these.
  HWY_INLINE Square first(size_t count) const { return {a, stride, count, root, pivots}; }
  HWY_INLINE Square from(size_t count) const {
    return {row(count) + count, stride, size - count, root + count, pivots + count};
  }
};

// Arithmetic has a Number, and
//   one()                            1
//   sum(x, n)                        Σ x_i
//   add_multiples<count>(f, x, n, y) y += f_0 x_0, then y += f_1 x_1, …, over rows x_t
//   combine(...)                     out = (Σ_j c_j x_j + r · visits) / pivot over rows x_j
//   bool keep(d, share)              whether `share`, the product of pivots below 1, is in range
//   bool keep_last(d, share)         the same for a last pivot
template <class Arithmetic>
class WordElimination {
 public:
  using Number = typename Arithmetic::Number;
  using Block = Square<Number>;

  HWY_INLINE WordElimination(bool root_in_pivots, size_t n)
      : root_in_pivots_(root_in_pivots), n_(n) {}

  // All words, in their order.
  bool run(const Block& block) const {
    Number share = Arithmetic::one();
    if (!ascend(block, block.size - 1, share)) return false;
    const Number last = block.root[block.size - 1];
    block.pivots[block.size - 1] = last;
    return Arithmetic::keep_last(last, share);
  }

  // x and G_mm of the words of `block`, the others being gone. x points at their diagonal block.
  bool settle(const Block& block, Number share, Number* memory, Number* x, Number* visits) const {
    if (block.size == 1) return settle_one(block, share, x, visits);
    const size_t half = block.size / 2;
    return keep_first(block, half, share, memory, x, visits) &&
           keep_second(block, half, share, memory, x, visits);
  }

 private:
  HWY_INLINE bool settle_one(const Block& block, Number share, Number* x, Number* visits) const {
    *block.pivots = *block.root;
    if (!Arithmetic::keep_last(*block.root, share)) return false;
    *visits = Arithmetic::one() / *block.root;
    *x = Number();
    return true;
  }

  bool keep_first(const Block& block, size_t half, Number share, Number* memory, Number* x,
                  Number* visits) const {
    const size_t size = block.size;
    const Block copy{memory + 2 * size, size, size, memory, memory + size};
    for (size_t m = 0; m < size; ++m) std::copy_n(block.row(m), size, copy.row(m));
    std::copy_n(block.root, size, copy.root);
    if (!descend(copy, half, share)) return false;
    if (!settle(copy.first(half), share, memory + (2 + size) * size, x, visits)) return false;
    for (size_t k = half; k < size; ++k) {
      Arithmetic::combine(copy.row(k), k, x, n_, copy.root[k], visits, copy.pivots[k], x + k * n_,
                          half);
    }
    return true;
  }

  bool keep_second(const Block& block, size_t half, Number share, Number* memory, Number* x,
                   Number* visits) const {
    if (!ascend(block, half, share)) return false;
    if (!settle(block.from(half), share, memory, x + half * n_ + half, visits + half)) {
      return false;
    }
    for (size_t k = half; k-- > 0;) {
      Arithmetic::combine(block.row(k) + k + 1, block.size - k - 1, x + (k + 1) * n_ + half, n_,
                          block.root[k], visits + half, block.pivots[k], x + k * n_ + half,
                          block.size - half);
    }
    return true;
  }

  // Eliminates the first `count` words, from the first on.
  bool ascend(const Block& block, size_t count, Number& share) const {
    size_t k = 0;
    for (; k + kPanel <= count; k += kPanel) {
      if (!eliminate<kPanel, true>(block, k, share)) return false;
    }
    for (; k < count; ++k) {
      if (!eliminate<1, true>(block, k, share)) return false;
    }
    return true;
  }

  // Eliminates the words from `count` on, from the last.
  bool descend(const Block& block, size_t count, Number& share) const {
    size_t k = block.size;
    for (; k >= count + kPanel; k -= kPanel) {
      if (!eliminate<kPanel, false>(block, k - 1, share)) return false;
    }
    for (; k > count; --k) {
      if (!eliminate<1, false>(block, k - 1, share)) return false;
    }
    return true;
  }

  // Eliminates kCount words from word k on, upwards or downwards; those behind them are gone. They
  // are eliminated from each other first, and then together from the words that remain, which
  // changes no operation but reads and writes those once.
  template <size_t kCount, bool kUp>
  HWY_INLINE bool eliminate(const Block& block, size_t k, Number& share) const {
    const auto word = [=](size_t t) { return kUp ? k + t : k - t; };
    const auto begin_after = [&](size_t t) { return kUp ? word(t) + 1 : 0; };
    const auto end_after = [&](size_t t) { return kUp ? block.size : word(t); };
    Number inverses[kCount];
    for (size_t t = 0; t < kCount; ++t) {
      const size_t pivot = word(t), begin = begin_after(t), count = end_after(t) - begin;
      Number d = Arithmetic::sum(block.row(pivot) + begin, count);
      if (root_in_pivots_) d = d + block.root[pivot];
      block.pivots[pivot] = d;
      if (!Arithmetic::keep(d, share)) return false;
      inverses[t] = Arithmetic::one() / d;
      for (size_t later = t + 1; later < kCount; ++later) {
        const size_t m = word(later);
        const Number factor = block.row(m)[pivot] * inverses[t];
        const Number* heads = block.row(pivot) + begin;
        Arithmetic::template add_multiples<1>(&factor, &heads, count, block.row(m) + begin);
        block.root[m] = block.root[m] + factor * block.root[pivot];
      }
    }
    const size_t begin = begin_after(kCount - 1), end = end_after(kCount - 1);
    const Number* heads[kCount];
    for (size_t t = 0; t < kCount; ++t) heads[t] = block.row(word(t)) + begin;
    for (size_t m = begin; m < end; ++m) {
      Number* row = block.row(m);
      Number factors[kCount];
      for (size_t t = 0; t < kCount; ++t) {
        for (size_t before = 0; before < t; ++before) {
          row[word(t)] = row[word(t)] + factors[before] * block.row(word(before))[word(t)];
        }
        factors[t] = row[word(t)] * inverses[t];
        block.root[m] = block.root[m] + factors[t] * block.root[word(t)];
      }
      Arithmetic::template add_multiples<kCount>(factors, heads, end - begin, row + begin);
    }
    return true;
  }

  static constexpr size_t kPanel = 4;

  bool root_in_pivots_;
  size_t n_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#endif  // TRELLIS_SOLVE_TREE_ELIMINATION_INL_H_
