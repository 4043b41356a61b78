// The minimum of a smooth function of a few thousand variables, by limited-memory BFGS (Liu &
// Nocedal 1989; Nocedal & Wright 2006, Algorithms 7.4 and 7.5) with the line search of
// line_search.h: the value falls at every iterate.
//
// For functions inside inference, which are minimised thousands of times: no threads, no
// checkpoints, and memory that is reused. (learn/batch/lbfgs.h is for training.)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/line_search.h"

namespace trellis {

struct SmoothMinimumOptions {
  Index history = 8;            // pairs that are remembered, at least 1
  Index max_evaluations = 100;  // at least 1
  double first_step = 1;        // the first of all, as a multiple of the gradient
};

// A function for the minimiser, which calls both functions at points x of its choice.
class SmoothFunction {
 public:
  virtual ~SmoothFunction() = default;
  // Returns f(x) and writes its gradient to `gradient`. +∞ if f is undefined at x.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;
  // The last evaluated point is the next iterate, better than those before. True ends the search.
  virtual bool accept() = 0;
};

// Reuses its memory in repeated calls; use one object per thread.
class SmoothMinimizer {
 public:
  // x: the start; on return, the best iterate. Returns f there. The first iterate is the start.
  double minimize(SmoothFunction& function, const SmoothMinimumOptions& options,
                  std::span<double> x);
  Index evaluations() const { return evaluations_; }

 private:
  struct Pair {
    std::vector<double> step, change;  // of x and of the gradient
    double inverse_curvature = 0;      // 1 / (step · change)
  };

  void choose_direction(const SmoothMinimumOptions& options);
  void remember(const SmoothMinimumOptions& options, std::span<const double> x);
  bool search(SmoothFunction& function, const SmoothMinimumOptions& options, std::span<double> x,
              double& value);

  Index evaluations_ = 0;
  Index pairs_used_ = 0, newest_ = 0;
  std::vector<Pair> pairs_;
  std::vector<double> gradient_, next_gradient_, direction_, point_, shares_;
};

}  // namespace trellis
