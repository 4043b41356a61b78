#include "trellis/solve/matchings/fertility_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trellis {
namespace {

// Rounding must not give an arc a negative cost.
double at_least_zero(double cost) {
  return std::max(0.0, cost);
}

}  // namespace

void FertilityFlow::solve(const FertilityProblem& problem) {
  set_problem(problem);
  for (Index i = 0; i < left_nodes_; ++i) serve(i);
  leave_out_idle_links();
}

void FertilityFlow::set_problem(const FertilityProblem& problem) {
  assert(!problem.graph.complete() && problem.edges.size() == problem.graph.num_edges());
  assert(problem.fertilities.size() == problem.num_nodes() * (problem.most_links - 1));
  problem_ = problem;
  left_nodes_ = problem.graph.rows;
  outside_ = problem.num_nodes();
  taken_.assign(problem.edges.size(), 0);
  prices_.assign(outside_, 0.0);
  degree_.assign(outside_, 0);
  links_of_.resize(problem.graph.columns * problem.most_links);
  left_of_.resize(problem.edges.size());
  for (Index i = 0; i < left_nodes_; ++i) {
    std::fill(left_of_.begin() + static_cast<std::ptrdiff_t>(problem.graph.begin[i]),
              left_of_.begin() + static_cast<std::ptrdiff_t>(problem.graph.begin[i + 1]),
              static_cast<std::uint32_t>(i));
  }
  labels_.assign(outside_ + 1, {});
  touched_.clear();
  first_free_ = 0;
}

// Adds links while the price exceeds the penalty of the next link; each path lowers the price.
void FertilityFlow::serve(Index left) {
  double price = 0;
  for (Index e = problem_.graph.begin[left]; e < problem_.graph.begin[left + 1]; ++e) {
    price = std::max(price, problem_.edges[e] - prices_[right_node(e)]);
  }
  prices_[left] = price;
  for (;;) {
    const double wanted = prices_[left] - next_penalty(left);
    if (!(wanted > 0)) return;
    const bool found = search(left, outside_, wanted);
    move_prices();
    if (!found) {
      prices_[left] = next_penalty(left);
      return;
    }
    make_path(left);
  }
}

// Links that were added one by one may share a gain of a node that only one link can give.
void FertilityFlow::leave_out_idle_links() {
  for (Index e = 0; e < taken_.size(); ++e) {
    if (taken_[e] == 0) continue;
    const double gain = problem_.edges[e];
    const double left = last_penalty(left_of_[e]), right = last_penalty(right_node(e));
    if (gain - left - right > 1e-12 * std::abs(gain)) continue;
    ExactSum exact;
    for (const double term : {gain, -left, -right}) exact.add(term);
    if (!(exact.value() > 0)) remove_link(e);
  }
}

double FertilityFlow::score() const {
  ExactSum sum;
  add_score(sum);
  return sum.value();
}

void FertilityFlow::add_score(ExactSum& sum) const {
  for (Index e = 0; e < taken_.size(); ++e) {
    if (taken_[e] != 0) sum.add(problem_.edges[e]);
  }
  for (Index node = 0; node < outside_; ++node) {
    for (Index d = 2; d <= degree_[node]; ++d) sum.add(problem_.fertility(node, d));
  }
}

void FertilityFlow::resume(const FertilityProblem& problem, std::span<const std::uint8_t> taken,
                           std::span<const double> prices) {
  set_problem(problem);
  std::copy(prices.begin(), prices.end(), prices_.begin());
  for (Index e = 0; e < taken.size(); ++e) {
    if (taken[e] != 0) add_link(e);
  }
}

// A cycle: flow along the edge, or back, returns along the cheapest path.
bool FertilityFlow::find_exchange(Index edge, double limit) {
  first_free_ = edge + 1;
  const Index left = left_of_[edge], right = right_node(edge);
  const double gain = problem_.edges[edge] - prices_[left] - prices_[right];
  return taken_[edge] != 0 ? search(left, right, limit - gain) : search(right, left, limit + gain);
}

void FertilityFlow::add_exchange(Index edge, ExactSum& sum) const {
  sum.add(taken_[edge] != 0 ? -problem_.edges[edge] : problem_.edges[edge]);
  const Index source = taken_[edge] != 0 ? left_of_[edge] : right_node(edge);
  for (Index node = target_; node != source; node = labels_[node].origin) {
    const Index origin = labels_[node].origin;
    if (node == outside_) {  // a left node has one link less, or a right node one more
      sum.add(origin < left_nodes_ ? last_penalty(origin) : -next_penalty(origin));
    } else if (origin == outside_) {
      sum.add(node < left_nodes_ ? -next_penalty(node) : last_penalty(node));
    } else {
      const double score = problem_.edges[labels_[node].edge];
      sum.add(origin < left_nodes_ ? score : -score);
    }
  }
}

void FertilityFlow::make_exchange(Index edge) {
  const bool taken = taken_[edge] != 0;
  move_prices();
  // Removes first, so that a right node never has more links than allowed.
  if (taken) remove_link(edge);
  make_path(taken ? left_of_[edge] : right_node(edge));
  if (!taken) add_link(edge);
}

void FertilityFlow::add_link(Index edge) {
  const Index right = right_node(edge);
  taken_[edge] = 1;
  ++degree_[left_of_[edge]];
  links_of_[problem_.graph.column[edge] * problem_.most_links + degree_[right]++] =
      static_cast<std::uint32_t>(edge);
}

void FertilityFlow::remove_link(Index edge) {
  const Index right = right_node(edge);
  std::uint32_t* links = &links_of_[problem_.graph.column[edge] * problem_.most_links];
  taken_[edge] = 0;
  --degree_[left_of_[edge]];
  std::uint32_t* last = links + --degree_[right];
  *std::find(links, last, static_cast<std::uint32_t>(edge)) = *last;
}

double FertilityFlow::next_penalty(Index node) const {
  const Index d = degree_[node] + 1;
  return d <= problem_.most_links ? -problem_.fertility(node, d) : kInfinity;
}

double FertilityFlow::last_penalty(Index node) const {
  return degree_[node] > 0 ? -problem_.fertility(node, degree_[node]) : -kInfinity;
}

// Afterwards every node nearer than end_ has its distance.
bool FertilityFlow::search(Index source, Index target, double limit) {
  for (const std::uint32_t node : touched_) labels_[node].distance = kInfinity;
  touched_.clear();
  heap_.clear();
  target_ = target;
  end_ = limit;
  if (source < left_nodes_) {
    reach_left(source, 0, source, 0);
  } else {
    reach_right(source, 0, source, 0);
  }
  for (Entry nearest; pop(nearest);) {
    if (nearest.node < left_nodes_) {
      scan_left(nearest.node, nearest.distance);
    } else if (nearest.node < outside_) {
      scan_right(nearest.node, nearest.distance);
    } else {
      scan_outside(nearest.distance);
    }
  }
  return labels_[target].distance < kInfinity;
}

void FertilityFlow::scan_left(Index node, double distance) {
  const Index last = problem_.graph.begin[node + 1];
  const double base = distance + prices_[node];
  const double* prices = prices_.data() + left_nodes_;
  for (Index e = std::max(first_free_, problem_.graph.begin[node]); e < last; ++e) {
    const Index column = problem_.graph.column[e];
    const double to = std::max(distance, base + prices[column] - problem_.edges[e]);
    if (to < end_ && taken_[e] == 0) reach_right(left_nodes_ + column, to, node, e);
  }
}

void FertilityFlow::scan_right(Index node, double distance) {
  const std::uint32_t* links = &links_of_[(node - left_nodes_) * problem_.most_links];
  for (Index c = 0; c < degree_[node]; ++c) {
    const Index e = links[c];
    if (e < first_free_) continue;
    const Index left = left_of_[e];
    reach_left(left, distance + at_least_zero(problem_.edges[e] - prices_[left] - prices_[node]),
               node, e);
  }
}

void FertilityFlow::scan_outside(double distance) {
  for (Index i = 0; i < left_nodes_; ++i) {
    reach_left(i, distance + at_least_zero(next_penalty(i) - prices_[i]), outside_, 0);
  }
  for (Index node = left_nodes_; node < outside_; ++node) {
    reach_right(node, distance + at_least_zero(prices_[node] - last_penalty(node)), outside_, 0);
  }
}

// From either side the path to the outside is tried immediately: it often ends the search.
void FertilityFlow::reach_left(Index node, double distance, Index origin, Index edge) {
  if (!reach(node, distance, origin, edge) || origin == outside_) return;
  reach(outside_, distance + at_least_zero(prices_[node] - last_penalty(node)), node, 0);
}

void FertilityFlow::reach_right(Index node, double distance, Index origin, Index edge) {
  if (!reach(node, distance, origin, edge) || origin == outside_) return;
  reach(outside_, distance + at_least_zero(next_penalty(node) - prices_[node]), node, 0);
}

bool FertilityFlow::reach(Index node, double distance, Index origin, Index edge) {
  Label& label = labels_[node];
  if (!(distance < std::min(end_, label.distance))) return false;
  if (label.distance == kInfinity) touched_.push_back(static_cast<std::uint32_t>(node));
  label = {distance, static_cast<std::uint32_t>(origin), static_cast<std::uint32_t>(edge)};
  if (node == target_) {
    end_ = distance;
  } else {
    heap_.push_back({distance, static_cast<std::uint32_t>(node)});
    std::push_heap(heap_.begin(), heap_.end(), Farther());
  }
  return true;
}

// The nearest node, if it is nearer than the end. Entries with an outdated distance are skipped.
bool FertilityFlow::pop(Entry& nearest) {
  while (!heap_.empty()) {
    nearest = heap_.front();
    if (!(nearest.distance < end_)) return false;
    std::pop_heap(heap_.begin(), heap_.end(), Farther());
    heap_.pop_back();
    if (nearest.distance == labels_[nearest.node].distance) return true;
  }
  return false;
}

// Prices of nodes rise by their distance, at most that of the end; the outside keeps the price 0.
void FertilityFlow::move_prices() {
  const double outside = std::min(end_, labels_[outside_].distance);
  const auto move = [&](Index node) {
    const double by = std::min(end_, labels_[node].distance) - outside;
    prices_[node] += node < left_nodes_ ? by : -by;
  };
  if (outside < end_) {
    for (Index node = 0; node < outside_; ++node) move(node);
  } else {
    for (const std::uint32_t node : touched_) {
      if (node != outside_) move(node);
    }
  }
}

// Backwards from the target, so that a right node loses a link before it gets another.
void FertilityFlow::make_path(Index source) {
  for (Index node = target_; node != source; node = labels_[node].origin) {
    const Index origin = labels_[node].origin, edge = labels_[node].edge;
    if (node == outside_ || origin == outside_) continue;
    if (origin < left_nodes_) {
      add_link(edge);
    } else {
      remove_link(edge);
    }
  }
}

}  // namespace trellis
