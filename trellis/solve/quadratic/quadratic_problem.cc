#include "trellis/solve/quadratic/quadratic_problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trellis {
namespace {

std::uint32_t narrow(Index value) {
  return static_cast<std::uint32_t>(value);
}

void list_places(const QuadraticParts& parts, QuadraticProblem& problem) {
  const Index left = parts.graph.rows, edges = parts.num_edges();
  problem.nodes.resize(edges);
  problem.places.resize(edges);
  problem.node_begin.assign(parts.num_nodes() + 1, 0);
  for (Index j = 0; j < left; ++j) {
    for (Index e = parts.graph.begin[j]; e < parts.graph.begin[j + 1]; ++e) {
      problem.nodes[e] = {narrow(j), narrow(left + parts.graph.column[e])};
      for (const std::uint32_t node : problem.nodes[e]) ++problem.node_begin[node + 1];
    }
  }
  for (Index n = 0; n < parts.num_nodes(); ++n) {
    problem.node_begin[n + 1] += problem.node_begin[n];
  }
  problem.place_edge.resize(2 * edges);
  problem.place_share.assign(2 * edges, 0.0);
  for (Index e = 0; e < edges; ++e) {
    for (Index end = 0; end < 2; ++end) {
      const std::uint32_t place = problem.node_begin[problem.nodes[e][end]]++;
      problem.places[e][end] = place;
      problem.place_edge[place] = narrow(e);
    }
  }
  // Each begin has moved to the end of its node.
  for (Index n = parts.num_nodes(); n > 0; --n) problem.node_begin[n] = problem.node_begin[n - 1];
  problem.node_begin[0] = 0;
}

bool exclusive(const QuadraticProblem& problem, const EdgePair& pair) {
  return problem.nodes[pair.a][0] == problem.nodes[pair.b][0] ||
         problem.nodes[pair.a][1] == problem.nodes[pair.b][1];
}

}  // namespace

double value_tolerance(std::span<const double> s) {
  double size = 0;
  for (const double score : s) size += std::abs(score);
  return 1e-13 * size;
}

void list_slots(QuadraticProblem& problem) {
  problem.slot_begin.assign(problem.num_edges() + 1, 0);
  for (const std::uint32_t e : problem.slot_edge) ++problem.slot_begin[e + 1];
  for (Index e = 0; e < problem.num_edges(); ++e) {
    problem.slot_begin[e + 1] += problem.slot_begin[e];
  }
  problem.edge_slots.resize(problem.slot_edge.size());
  for (Index slot = 0; slot < problem.slot_edge.size(); ++slot) {
    problem.edge_slots[problem.slot_begin[problem.slot_edge[slot]]++] = narrow(slot);
  }
  for (Index e = problem.num_edges(); e > 0; --e) problem.slot_begin[e] = problem.slot_begin[e - 1];
  problem.slot_begin[0] = 0;
}

void build_problem(const QuadraticParts& parts, std::span<const double> s, bool relaxed,
                   std::vector<double>& steps, QuadraticProblem& problem) {
  assert(s.size() == parts.num_parts());
  const Index edges = parts.num_edges(), nodes = parts.num_nodes(), most = parts.most_links;
  problem.names.resize(edges);
  for (Index e = 0; e < edges; ++e) problem.names[e] = narrow(e);
  problem.scores.assign(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(edges));
  list_places(parts, problem);
  problem.capacity.assign(nodes, narrow(most));
  problem.step_begin.resize(nodes);
  steps.resize(nodes * most);
  for (Index n = 0; n < nodes; ++n) {
    problem.step_begin[n] = narrow(n * most);
    steps[n * most] = 0;
    for (Index d = 2; d <= most; ++d) steps[n * most + d - 1] = -s[parts.degree_part(n, d)];
  }
  problem.steps = steps;
  problem.slot_edge.clear();
  problem.pair_scores.clear();
  for (Index p = 0; p < parts.pairs.size(); ++p) {
    const double score = s[parts.first_pair() + p];
    if (score == 0) continue;
    if (!relaxed && most == 1 && exclusive(problem, parts.pairs[p])) continue;
    problem.slot_edge.push_back(parts.pairs[p].a);
    problem.slot_edge.push_back(parts.pairs[p].b);
    problem.pair_scores.push_back(score);
  }
  problem.slot_share.assign(problem.slot_edge.size(), 0.0);
  list_slots(problem);
}

bool QuadraticReduction::fill_nodes(const QuadraticProblem& problem, std::span<EdgeState> states,
                                    double& gained) {
  used_.assign(problem.num_nodes(), 0);
  for (Index e = 0; e < states.size(); ++e) {
    if (states[e] != EdgeState::kIn) continue;
    for (const std::uint32_t node : problem.nodes[e]) {
      if (used_[node] == problem.capacity[node]) return false;
      gained -= problem.step(node, used_[node]++);
    }
  }
  for (Index e = 0; e < states.size(); ++e) {
    if (states[e] != EdgeState::kFree) continue;
    for (const std::uint32_t node : problem.nodes[e]) {
      if (used_[node] == problem.capacity[node]) states[e] = EdgeState::kOut;
    }
  }
  return true;
}

void QuadraticReduction::keep_edges(const QuadraticProblem& problem,
                                    std::span<const EdgeState> states, QuadraticProblem& rest) {
  rest.names.clear();
  rest.scores.clear();
  rest.nodes.clear();
  new_edge_.assign(problem.num_edges(), QuadraticProblem::kNone);
  for (Index e = 0; e < states.size(); ++e) {
    if (states[e] != EdgeState::kFree) continue;
    new_edge_[e] = narrow(rest.names.size());
    rest.names.push_back(problem.names[e]);
    rest.scores.push_back(problem.scores[e]);
    rest.nodes.push_back(problem.nodes[e]);
  }
}

void QuadraticReduction::keep_nodes(const QuadraticProblem& problem, QuadraticProblem& rest) {
  rest.steps = problem.steps;
  rest.node_begin.assign(1, 0);
  rest.capacity.clear();
  rest.step_begin.clear();
  rest.place_edge.clear();
  rest.place_share.clear();
  rest.places.resize(rest.names.size());
  new_node_.resize(problem.num_nodes());
  for (Index n = 0; n < problem.num_nodes(); ++n) {
    const Index first = rest.place_edge.size();
    for (Index place = problem.node_begin[n]; place < problem.node_begin[n + 1]; ++place) {
      const std::uint32_t old = problem.place_edge[place];
      if (new_edge_[old] == QuadraticProblem::kNone) continue;
      const Index end = problem.nodes[old][0] == n ? 0 : 1;
      rest.places[new_edge_[old]][end] = narrow(rest.place_edge.size());
      rest.place_edge.push_back(new_edge_[old]);
      rest.place_share.push_back(problem.place_share[place]);
    }
    if (rest.place_edge.size() == first) continue;
    new_node_[n] = narrow(rest.capacity.size());
    rest.node_begin.push_back(narrow(rest.place_edge.size()));
    rest.capacity.push_back(problem.capacity[n] - used_[n]);
    rest.step_begin.push_back(problem.step_begin[n] + used_[n]);
  }
  for (std::array<std::uint32_t, 2>& nodes : rest.nodes) {
    for (std::uint32_t& node : nodes) node = new_node_[node];
  }
}

// Returns the score of the pairs whose edges are both in.
double QuadraticReduction::keep_pairs(const QuadraticProblem& problem,
                                      std::span<const EdgeState> states,
                                      QuadraticProblem& rest) const {
  double both = 0;
  rest.slot_edge.clear();
  rest.slot_share.clear();
  rest.pair_scores.clear();
  for (Index p = 0; p < problem.num_pairs(); ++p) {
    const std::uint32_t a = problem.slot_edge[2 * p], b = problem.slot_edge[2 * p + 1];
    if (states[a] == EdgeState::kOut || states[b] == EdgeState::kOut) continue;
    const double score = problem.pair_scores[p];
    if (states[a] == EdgeState::kIn && states[b] == EdgeState::kIn) {
      both += score;
    } else if (states[a] == EdgeState::kIn) {
      rest.scores[new_edge_[b]] += score;
    } else if (states[b] == EdgeState::kIn) {
      rest.scores[new_edge_[a]] += score;
    } else {
      rest.slot_edge.push_back(new_edge_[a]);
      rest.slot_edge.push_back(new_edge_[b]);
      rest.slot_share.push_back(problem.slot_share[2 * p]);
      rest.slot_share.push_back(problem.slot_share[2 * p + 1]);
      rest.pair_scores.push_back(score);
    }
  }
  return both;
}

bool QuadraticReduction::reduce(const QuadraticProblem& problem, std::span<EdgeState> states,
                                double& gained, std::vector<std::uint32_t>& taken,
                                QuadraticProblem& rest) {
  assert(&problem != &rest && states.size() == problem.num_edges());
  if (!fill_nodes(problem, states, gained)) return false;
  for (Index e = 0; e < states.size(); ++e) {
    if (states[e] != EdgeState::kIn) continue;
    gained += problem.scores[e];
    taken.push_back(problem.names[e]);
  }
  keep_edges(problem, states, rest);
  keep_nodes(problem, rest);
  gained += keep_pairs(problem, states, rest);
  list_slots(rest);
  return true;
}

}  // namespace trellis
