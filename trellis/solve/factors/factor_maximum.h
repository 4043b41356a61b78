// The best that one factor allows, where its links have scores c (factor_graph_layout.h):
//
//   max_{q legal}  Σ_l c_l q_l + Σ_p s_p z_p(q)      p the factor's own parts
//
// with q_l = 1 where the state of link l is on. Of K links and P own parts: TABLE O(P), SEQUENCE
// (Viterbi), HEAD (best path) O(P), TREE O(n²), or O(n³) where arcs must not cross, the others
// O(K), BUDGET O(K log K) at worst.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/maximum_arborescence.h"
#include "trellis/solve/arborescences/projective_arborescence.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class FactorMaximum {
 public:
  using Factor = FactorGraphLayout::Factor;

  // Writes the links whose states are on to `on`, ascending, counted from the factor's first.
  // Returns −∞ if no assignment is legal; then `on` is empty. `c` are the scores of the factor's
  // links, s those of all parts, of which it reads the factor's own. Ties go to states that are
  // off, and to earlier ones.
  double solve(const FactorGraphLayout& graph, const Factor& f, std::span<const double> c,
               std::span<const double> s, std::vector<std::uint32_t>& on);

 private:
  double table(const FactorGraphLayout& graph, const Factor& f, std::span<const double> c,
               std::span<const double> s, std::vector<std::uint32_t>& on);
  double sequence(const FactorGraphLayout& graph, const Factor& f, std::span<const double> c,
                  std::span<const double> s, std::vector<std::uint32_t>& on);
  double head(const Factor& f, std::span<const double> c, std::span<const double> s,
              std::vector<std::uint32_t>& on);
  double logical(const FactorGraphLayout& graph, const Factor& f, std::span<const double> c,
                 std::vector<std::uint32_t>& on);
  double tree(const FactorGraphLayout& graph, const Factor& f, std::span<const double> c,
              std::vector<std::uint32_t>& on);

  MaximumArborescence crossing_;
  ProjectiveArborescence projective_;
  std::vector<double> best_;          // of each state or place, of all that may come before it
  std::vector<std::uint32_t> from_;   // where that comes from
  std::vector<std::uint32_t> order_;  // of a BUDGET's literals
};

// visit(part) for each own part of the factor where the links `on` are on and no others.
template <class Visit>
void each_part_of_links(const FactorGraphLayout& graph, const FactorGraphLayout::Factor& f,
                        std::span<const std::uint32_t> on, const Visit& visit) {
  switch (f.kind) {
    case FactorKind::kTable: {
      Index place = 0, first = 0, next = 0;
      for (const std::uint32_t v : graph.scope(f)) {
        const bool is_on = next < on.size() && on[next] < first + graph.arity(v);
        const Index value = !is_on ? 0 : graph.is_switch(v) ? 1 : on[next] - first;
        next += is_on ? 1 : 0;
        first += graph.arity(v);
        place = place * graph.num_values(v) + value;
      }
      visit(f.parts_begin + place);
      break;
    }
    case FactorKind::kSequence: {
      const std::span<const std::uint32_t> scope = graph.scope(f);
      Index part = f.parts_begin, first = 0;
      for (Index t = 0; t + 1 < scope.size(); ++t) {
        const Index here = graph.arity(scope[t]), after = graph.arity(scope[t + 1]);
        visit(part + (on[t] - first) * after + (on[t + 1] - first - here));
        first += here;
        part += here * after;
      }
      break;
    }
    case FactorKind::kPair:
      if (on.size() == 2) visit(f.parts_begin);
      break;
    case FactorKind::kHead: {
      Index last = 0;
      for (const std::uint32_t k : on) {
        visit(FactorGraphLayout::head_part(f, last, k + 1));
        last = k + 1;
      }
      visit(FactorGraphLayout::head_part(f, last, f.links_end - f.links_begin + 1));
      break;
    }
    default:
      break;
  }
}

}  // namespace trellis
