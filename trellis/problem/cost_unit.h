// The unit of some costs: the largest number that all of them are whole multiples of, to rounding
// (Euclid's algorithm on numbers such as 0.1, which are none in binary). Costs in units are levels,
// which dynamic programming can count (LevelMaximizer in structure/structure.h).
#pragma once

namespace trellis {

class CommonUnit {
 public:
  void add(double cost);  // ≥ 0
  // Whether there is one, of at least a 65535th of the largest cost.
  bool exists() const { return exists_; }
  double value() const { return unit_ > 0 ? unit_ : 1; }  // 1 where all costs are 0

 private:
  double unit_ = 0;
  double largest_ = 0;
  bool exists_ = true;
};

}  // namespace trellis
