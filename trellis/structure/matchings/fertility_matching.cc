#include "trellis/structure/matchings/fertility_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

FertilityMatching::FertilityMatching(const MatchingEdges& edges, Index most_links)
    : graph_(edges.graph()), most_links_(most_links) {
  if (!edges.parts().empty()) {
    throw UsageError("the edges of a matching with fertilities must be sorted by left, then right");
  }
  if (num_edges() > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError(fmt::format("{} edges are too many for a matching", num_edges()));
  }
  if (most_links < 1 || most_links > kMostLinks) {
    throw UsageError(
        fmt::format("a node cannot have up to {} links: expected 1 to {}", most_links, kMostLinks));
  }
}

template <class Visit>
void FertilityMatching::each_link(const Output& y, const Visit& visit) const {
  Index left = 0;
  for (const std::uint32_t e : y) {
    if (e >= graph_.begin[left + 1]) {
      const auto after = std::upper_bound(graph_.begin.begin() + static_cast<std::ptrdiff_t>(left),
                                          graph_.begin.end(), Index{e});
      left = static_cast<Index>(after - graph_.begin.begin()) - 1;
    }
    visit(Index{e}, left, num_left() + graph_.column[e]);
  }
}

bool FertilityMatching::legal(const Output& y) const {
  const bool ascending = std::adjacent_find(y.begin(), y.end(), std::greater_equal<>()) == y.end();
  if (!ascending || (!y.empty() && y.back() >= num_edges())) return false;
  std::vector<Index> links(num_nodes(), 0);
  bool within = true;
  each_link(y, [&](Index, Index left, Index right) {
    within = within && ++links[left] <= most_links_ && ++links[right] <= most_links_;
  });
  return within;
}

// The first fertility part of a node counts its links, until all are seen.
void FertilityMatching::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (const std::uint32_t e : y) z[e] = 1;
  if (most_links_ == 1) return;
  each_link(y, [&](Index, Index left, Index right) {
    z[fertility_part(left, 2)] += 1;
    z[fertility_part(right, 2)] += 1;
  });
  for (Index node = 0; node < num_nodes(); ++node) {
    const auto links = static_cast<Index>(z[fertility_part(node, 2)]);
    for (Index d = 2; d <= most_links_; ++d) z[fertility_part(node, d)] = d <= links ? 1 : 0;
  }
}

double FertilityMatching::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  ExactSum sum;
  for (const std::uint32_t e : y) sum.add(s[e]);
  if (most_links_ == 1) return sum.value();
  std::vector<Index> links(num_nodes(), 0);
  each_link(y, [&](Index, Index left, Index right) {
    for (const Index node : {left, right}) {
      if (++links[node] > 1) sum.add(s[fertility_part(node, links[node])]);
    }
  });
  return sum.value();
}

FertilityProblem FertilityMatching::problem(std::span<const double> s) const {
  assert(s.size() == num_parts());
  for (Index node = 0; node < num_nodes(); ++node) {
    double before = 0;
    for (Index d = 2; d <= most_links_; ++d) {
      const double score = s[fertility_part(node, d)];
      if (!(score <= before)) {
        const bool left = node < num_left();
        throw UsageError(fmt::format(
            "the {} link of {} node {} has the score {}: expected a score ≤ {}, as penalties grow",
            d == 2   ? "2nd"
            : d == 3 ? "3rd"
                     : fmt::format("{}th", d),
            left ? "left" : "right", left ? node : node - num_left(), score, before));
      }
      before = score;
    }
  }
  return {graph_, most_links_, s.first(num_edges()), s.subspan(num_edges())};
}

double FertilityMatching::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  scratch.flow.solve(problem(s));
  y.clear();
  const std::span<const std::uint8_t> taken = scratch.flow.taken();
  for (Index e = 0; e < taken.size(); ++e) {
    if (taken[e] != 0) y.push_back(static_cast<std::uint32_t>(e));
  }
  return scratch.flow.score();
}

void FertilityMatching::k_best(std::span<const double> s, Index k, Scratch& scratch,
                               std::vector<ScoredOutput<Output>>& best) const {
  scratch.k_best.solve(problem(s), k, scratch.best);
  best.resize(scratch.best.size());
  for (Index i = 0; i < best.size(); ++i) {
    best[i].output.swap(scratch.best[i].edges);
    best[i].score = scratch.best[i].score;
  }
}

ProjectionResult FertilityMatching::project(std::span<const double> v, Scratch& scratch,
                                            std::span<double> z) const {
  std::vector<std::uint32_t>& key = scratch.projection_key;
  key.clear();
  const auto add = [&](Index value) { key.push_back(static_cast<std::uint32_t>(value)); };
  for (const Index size : {num_left(), num_right(), most_links_}) add(size);
  for (const Index place : graph_.begin) add(place);
  key.insert(key.end(), graph_.column.begin(), graph_.column.end());
  const auto program = [&] { return linear_program(); };
  return scratch.projections.find(key, program).project(v, z);
}

LinearProgram FertilityMatching::linear_program() const {
  LinearProgram program;
  program.num_parts = program.num_variables = num_parts();
  program.upper_bounds.assign(num_parts(), 1.0);
  program.rows.resize(num_nodes());
  for (Index node = 0; node < num_nodes(); ++node) {
    program.rows[node].lower = -std::numeric_limits<double>::infinity();
    program.rows[node].upper = 1;
  }
  for (Index i = 0; i < num_left(); ++i) {
    for (Index e = graph_.begin[i]; e < graph_.begin[i + 1]; ++e) {
      program.rows[i].terms.push_back({e, 1.0});
      program.rows[num_left() + graph_.column[e]].terms.push_back({e, 1.0});
    }
  }
  for (Index node = 0; node < num_nodes(); ++node) {
    for (Index d = 2; d <= most_links_; ++d) {
      program.rows[node].terms.push_back({fertility_part(node, d), -1.0});
    }
  }
  return program;
}

}  // namespace trellis
