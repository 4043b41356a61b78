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
//   one()                          1
//   sum(x, n)                      Σ x_i
//   add_multiple(f, x, n, y)       y += f x
//   combine(...)                   out = (Σ_j c_j x_j + r · visits) / pivot over rows x_j
//   bool keep(d, share)            whether `share`, the product of pivots below 1, stays in range
//   bool keep_last(d, share)       the same for a last pivot
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
    if (block.size == 1) {
      *block.pivots = *block.root;
      if (!Arithmetic::keep_last(*block.root, share)) return false;
      *visits = Arithmetic::one() / *block.root;
      *x = Number();
      return true;
    }
    const size_t half = block.size / 2;
    return keep_first(block, half, share, memory, x, visits) &&
           keep_second(block, half, share, memory, x, visits);
  }

 private:
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
    for (size_t k = 0; k < count; ++k) {
      if (!eliminate(block, k, k + 1, block.size, share)) return false;
    }
    return true;
  }

  // Eliminates the words from `count` on, from the last.
  bool descend(const Block& block, size_t count, Number& share) const {
    for (size_t k = block.size; k-- > count;) {
      if (!eliminate(block, k, 0, k, share)) return false;
    }
    return true;
  }

  // Eliminates word k where [begin, end) remain.
  HWY_INLINE bool eliminate(const Block& block, size_t k, size_t begin, size_t end,
                            Number& share) const {
    const Number* heads = block.row(k) + begin;
    const size_t count = end - begin;
    Number d = Arithmetic::sum(heads, count);
    if (root_in_pivots_) d = d + block.root[k];
    block.pivots[k] = d;
    if (!Arithmetic::keep(d, share)) return false;
    const Number inverse = Arithmetic::one() / d;
    for (size_t m = begin; m < end; ++m) {
      const Number factor = block.row(m)[k] * inverse;
      Arithmetic::add_multiple(factor, heads, count, block.row(m) + begin);
      block.root[m] = block.root[m] + factor * block.root[k];
    }
    return true;
  }

  bool root_in_pivots_;
  size_t n_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#endif  // TRELLIS_SOLVE_TREE_ELIMINATION_INL_H_
