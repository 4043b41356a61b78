// The limited memory of L-BFGS: the last m pairs s = x⁺ − x and y = g⁺ − g, and the product of the
// inverse Hessian that they imply with a vector (Nocedal & Wright 2006, Algorithm 7.4).
//
// No vector beyond the 2m of the pairs is needed: the slots of the oldest pair hold the point and
// the gradient at which a line search starts, and turn into the new pair in place when it ends. The
// product takes 2m + 1 passes over memory, each of which adds one vector and takes the scalar
// product that the next one needs.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

class LbfgsMemory {
 public:
  // capacity m > 0.
  LbfgsMemory(Index dimension, Index capacity, int threads);

  bool empty() const { return size_ == 0; }
  void forget() { size_ = 0; }

  // Puts (x, g) where the next pair will be; if the memory is full, the oldest pair is dropped.
  void begin_pair(std::span<const double> x, std::span<const double> g);
  // What begin_pair put, until end_pair.
  std::span<const double> point() const { return s_[next_]; }
  std::span<const double> gradient() const { return y_[next_]; }
  // Turns it into (x − point, g − gradient), and keeps that as the newest pair unless the curvature
  // ⟨s, y⟩ is not safely positive (then the inverse Hessian would not be).
  void end_pair(std::span<const double> x, std::span<const double> g);

  // q ← H q.
  void multiply(std::span<double> q) const;

  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  // The slot of the pair that is `age` steps old; 0 is the newest.
  Index slot(Index age) const { return (next_ + capacity_ - 1 - age) % capacity_; }

  Index capacity_;
  Blocks blocks_;
  std::vector<std::vector<double>> s_;
  std::vector<std::vector<double>> y_;
  std::vector<double> curvature_;     // ⟨s, y⟩
  std::vector<double> squared_norm_;  // ‖y‖²
  Index next_ = 0;
  Index size_ = 0;
};

}  // namespace trellis
