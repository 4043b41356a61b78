// A factor graph as a structure that looks at every assignment: what exact and approximate ones are
// measured by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/structure/structure.h"

namespace trellis::testing {

class EnumeratedGraph {
 public:
  using Output = std::vector<std::uint32_t>;
  struct Scratch {};

  explicit EnumeratedGraph(const FactorGraphLayout& layout) : layout_(&layout) {
    Output values(layout.num_variables(), 0);
    for (bool more = true; more;) {
      if (layout.legal(values)) legal_.push_back(values);
      more = false;
      for (Index v = 0; v < values.size() && !more; ++v) {
        more = ++values[v] < layout.num_values(v);
        if (!more) values[v] = 0;
      }
    }
  }

  const std::vector<Output>& outputs() const { return legal_; }
  Index num_parts() const { return layout_->num_parts(); }
  void indicator(const Output& y, std::span<double> z) const { layout_->indicator(y, z); }
  double score(std::span<const double> s, const Output& y) const {
    std::vector<double> z(num_parts());
    indicator(y, z);
    double sum = 0;
    for (Index p = 0; p < z.size(); ++p) sum += s[p] * z[p];
    return sum;
  }
  double maximize(std::span<const double> s, Scratch&, Output& y) const {
    double best = kImpossible;
    for (const Output& one : legal_) {
      const double value = score(s, one);
      if (value <= best) continue;
      best = value;
      y = one;
    }
    return best;
  }
  LinearProgram linear_program() const { return {}; }

 private:
  const FactorGraphLayout* layout_;
  std::vector<Output> legal_;
};

static_assert(Maximizer<EnumeratedGraph>);

}  // namespace trellis::testing
