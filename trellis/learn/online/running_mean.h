// The mean of the iterates w_1, w_2, … of an online learner, at the cost of the coordinates that a
// step changes (not of all).
//
// The weights are w_t = c_t v_t, where v_t changes by sparse steps, v_{t+1} = v_t + δ_t, and c_t is
// a scale (1 for most learners; SGD shrinks all weights by it). With M_t = c_1 + … + c_t,
//
//   Σ_{s≤T} w_s  =  M_T v_T + u,        u = − Σ_t M_t δ_t   (t < T)
//
// so each step adds a multiple of itself to u, and the mean is computed on demand. With c_t = 1
// this is w̄ = w − (1/T) Σ t δ_t, known from averaged perceptrons (Daumé 2006). Iterates can have
// weights m_t: then M_t = Σ m_s c_s, and the sum is divided by Σ m_t.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

class RunningMean {
 public:
  explicit RunningMean(Index dimension) : correction_(dimension, 0.0) {}

  // Adds the current weights to the mean. `scale` is c_t, `importance` m_t.
  void count(double scale = 1, double importance = 1);
  // v ← v + factor · direction is being done.
  void step(const SparseVector& direction, double factor) {
    direction.add_to(correction_, -mass_ * factor);
  }
  // v_j ← v_j + change is being done.
  void step(Index j, double change) { correction_[j] -= mass_ * change; }
  // The scale is being multiplied into v: `v` are the values before that, and from now on c is 1.
  void fold(std::span<const double> v);

  // mean ← the mean of the weights counted so far, or the weights themselves if none were;
  // `v` and `mean` may be the same memory. `scale` is the present c.
  void write(std::span<const double> v, double scale, std::span<double> mean) const;

  void save(Checkpoint& checkpoint, std::string_view prefix = "mean") const;
  void load(const Checkpoint& checkpoint, std::string_view prefix = "mean");

 private:
  double mass_ = 0;   // Σ m_t c_t since the last fold
  double count_ = 0;  // Σ m_t
  std::vector<double> correction_;
};

}  // namespace trellis
