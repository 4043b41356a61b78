#include "trellis/structure/graphs/junction_tree_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {

// The graph during elimination: neighbours as ascending lists, and the current cost of each
// variable to be eliminated next.
class JunctionTreePlan::Elimination {
 public:
  explicit Elimination(const JunctionTreePlan& plan)
      : plan_(plan), neighbours_(plan.num_variables()), costs_(plan.num_variables()) {
    for (const std::vector<Index>& scope : plan.scopes_) {
      for (const Index u : scope) {
        for (const Index v : scope) {
          if (u != v) neighbours_[u].push_back(v);
        }
      }
    }
    for (std::vector<Index>& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    for (Index v = 0; v < neighbours_.size(); ++v) {
      left_.push_back(v);
      update(v);
    }
  }

  bool done() const { return left_.empty(); }

  Clique next() {
    const auto best = std::min_element(left_.begin(), left_.end(), [&](Index u, Index v) {
      return std::tie(costs_[u].fill, costs_[u].cells, u) <
             std::tie(costs_[v].fill, costs_[v].cells, v);
    });
    const Index variable = *best;
    left_.erase(best);
    Clique clique{variable, std::move(neighbours_[variable])};
    connect(clique);
    return clique;
  }

  double cells(Index variable) const { return costs_[variable].cells; }

 private:
  struct Cost {
    Index fill = 0;    // edges that are missing among the neighbours
    double cells = 1;  // of the clique's table
  };

  bool adjacent(Index u, Index v) const {
    return std::binary_search(neighbours_[u].begin(), neighbours_[u].end(), v);
  }

  void update(Index v) {
    const std::vector<Index>& around = neighbours_[v];
    costs_[v] = {0, static_cast<double>(plan_.cardinalities_[v])};
    for (Index a = 0; a < around.size(); ++a) {
      costs_[v].cells *= static_cast<double>(plan_.cardinalities_[around[a]]);
      for (Index b = a + 1; b < around.size(); ++b) {
        costs_[v].fill += adjacent(around[a], around[b]) ? 0 : 1;
      }
    }
  }

  // Eliminates the variable and connects its neighbours with each other. Then updates their costs,
  // and those of variables with two neighbours that are newly connected.
  void connect(const Clique& clique) {
    std::vector<Index> changed = clique.separator;
    for (const Index u : clique.separator) {
      std::vector<Index>& list = neighbours_[u];
      list.erase(std::lower_bound(list.begin(), list.end(), clique.variable));
      const Index before = list.size();
      merged_.clear();
      std::set_union(list.begin(), list.end(), clique.separator.begin(), clique.separator.end(),
                     std::back_inserter(merged_));
      merged_.erase(std::lower_bound(merged_.begin(), merged_.end(), u));
      if (merged_.size() == before) continue;
      changed.insert(changed.end(), list.begin(), list.end());
      list = merged_;
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const Index u : changed) update(u);
  }

  const JunctionTreePlan& plan_;
  std::vector<std::vector<Index>> neighbours_;
  std::vector<Cost> costs_;
  std::vector<Index> left_;  // ascending
  std::vector<Index> merged_;
};

namespace {

// The buckets in postorder: children that need the longest stack first, so that a stack of buckets
// that wait for their parent never has more than ⌊log₂ n⌋ + 1 entries (Sethi & Ullman 1970).
std::vector<Index> postorder(const std::vector<Index>& parents) {
  const Index n = parents.size();
  std::vector<std::vector<Index>> children(n + 1);
  std::vector<Index> need(n + 1, 1);
  const auto below = [&](Index k) -> std::vector<Index>& {
    return children[k == JunctionTreePlan::kNone ? n : k];
  };
  for (Index k = 0; k <= n; ++k) {  // parents come after their children
    std::stable_sort(children[k].begin(), children[k].end(),
                     [&](Index a, Index b) { return need[a] > need[b]; });
    for (Index j = 0; j < children[k].size(); ++j) {
      need[k] = std::max(need[k], need[children[k][j]] + j);
    }
    if (k < n) below(parents[k]).push_back(k);
  }
  std::vector<Index> order, stack = {n};  // reversed: parents before children, the last child first
  while (!stack.empty()) {
    const Index k = stack.back();
    stack.pop_back();
    if (k < n) order.push_back(k);
    stack.insert(stack.end(), children[k].begin(), children[k].end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void require_scope(const std::vector<Index>& scope, Index num_variables) {
  if (scope.empty()) throw UsageError("a factor has no variables");
  std::vector<Index> sorted = scope;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() >= num_variables) {
    throw UsageError(fmt::format("a factor has variable {} of {}", sorted.back(), num_variables));
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw UsageError(fmt::format("a factor has variable {} twice", *twice));
}

}  // namespace

JunctionTreePlan::JunctionTreePlan(std::vector<Index> cardinalities,
                                   std::vector<std::vector<Index>> scopes)
    : cardinalities_(std::move(cardinalities)), scopes_(std::move(scopes)) {
  for (const std::vector<Index>& scope : scopes_) require_scope(scope, num_variables());
  Elimination elimination(*this);
  std::vector<Clique> cliques;
  double cells = 0;
  while (!elimination.done()) {
    cliques.push_back(elimination.next());
    cells += elimination.cells(cliques.back().variable);
    width_ = std::max(width_, cliques.back().separator.size());
    if (cells > static_cast<double>(kMaxCells)) {
      throw UsageError(fmt::format(
          "exact sums over these {} variables are too large: a clique of {} variables, and more "
          "than {} cells in all cliques",
          num_variables(), width_ + 1, kMaxCells));
    }
  }
  number_parts();

  // A bucket's parent is the variable of its separator that is eliminated first.
  std::vector<Index> place(num_variables());
  for (Index k = 0; k < cliques.size(); ++k) place[cliques[k].variable] = k;
  const auto first_of = [&](const std::vector<Index>& variables) {
    Index first = kNone;
    for (const Index v : variables) first = std::min(first, place[v]);
    return first;
  };
  std::vector<Index> parents;
  for (const Clique& clique : cliques) parents.push_back(first_of(clique.separator));
  const std::vector<Index> order = postorder(parents);
  std::vector<Index> rank(order.size());
  for (Index k = 0; k < order.size(); ++k) rank[order[k]] = k;

  std::vector<std::vector<Index>> factors(order.size()), children(order.size());
  for (Index f = 0; f < scopes_.size(); ++f) factors[rank[first_of(scopes_[f])]].push_back(f);
  for (Index k = 0; k < order.size(); ++k) {
    const Index parent = parents[order[k]];
    add_bucket(cliques[order[k]], parent == kNone ? kNone : rank[parent]);
    if (parent != kNone) children[rank[parent]].push_back(k);
  }
  for (Index k = 0; k < order.size(); ++k) add_terms(k, factors[k], children[k]);
}

void JunctionTreePlan::number_parts() {
  for (Index v = 0; v < num_variables(); ++v) {
    if (cardinalities_[v] == 0) throw UsageError(fmt::format("variable {} has no values", v));
    variable_part_.push_back(num_parts_);
    num_parts_ += cardinalities_[v];
  }
  for (const std::vector<Index>& scope : scopes_) {
    factor_part_.push_back(num_parts_);
    Index cells = 1;
    for (const Index v : scope) cells *= cardinalities_[v];  // within a clique: no overflow
    num_parts_ += cells;
  }
}

void JunctionTreePlan::add_bucket(const Clique& clique, Index parent) {
  Bucket bucket{};
  bucket.variable = clique.variable;
  bucket.num_values = cardinalities_[clique.variable];
  bucket.num_rows = 1;
  for (const Index v : clique.separator) bucket.num_rows *= cardinalities_[v];
  bucket.first_cell = num_cells_;
  bucket.first_row = num_rows_;
  bucket.parent = parent;
  bucket.separator_begin = separators_.size();
  separators_.insert(separators_.end(), clique.separator.begin(), clique.separator.end());
  bucket.separator_end = separators_.size();
  num_cells_ += bucket.num_rows * bucket.num_values;
  num_rows_ += bucket.num_rows;
  max_cells_ = std::max(max_cells_, bucket.num_rows * bucket.num_values);
  max_rows_ = std::max(max_rows_, bucket.num_rows);
  buckets_.push_back(bucket);
}

void JunctionTreePlan::add_terms(Index k, const std::vector<Index>& factors,
                                 const std::vector<Index>& children) {
  Bucket& bucket = buckets_[k];
  if (factors.size() + children.size() > (kMaxRowMaps - row_maps_.size()) / bucket.num_rows) {
    throw UsageError(fmt::format(
        "exact sums over these {} variables are too large: {} factors meet in a clique of {} cells",
        num_variables(), factors.size() + children.size(), bucket.num_rows * bucket.num_values));
  }
  bucket.factors_begin = factor_terms_.size();
  for (const Index f : factors) {
    factor_terms_.push_back(term_of(bucket, scopes_[f], f, factor_part_[f]));
  }
  bucket.factors_end = factor_terms_.size();
  bucket.messages_begin = message_terms_.size();
  for (const Index child : children) {
    message_terms_.push_back(
        term_of(bucket, separator(buckets_[child]), child, buckets_[child].first_row));
  }
  bucket.messages_end = message_terms_.size();
}

JunctionTreePlan::Term JunctionTreePlan::term_of(const Bucket& bucket, std::span<const Index> scope,
                                                 Index number, Index begin) {
  const auto stride_of = [&](Index variable) {
    Index stride = 0;  // that of a variable which is not in the scope
    for (const Index v : scope) stride = v == variable ? 1 : stride * cardinalities_[v];
    return stride;
  };
  const Term term{number, begin, stride_of(bucket.variable), row_maps_.size()};
  // Row by row, like an odometer: the last variable of the separator changes fastest.
  row_maps_.push_back(0);
  const std::span<const Index> variables = separator(bucket);
  Index block = 1;  // rows so far: all assignments of the variables after this one
  for (auto v = variables.rbegin(); v != variables.rend(); ++v) {
    const auto stride = static_cast<std::uint32_t>(stride_of(*v));
    for (Index i = block; i < block * cardinalities_[*v]; ++i) {
      row_maps_.push_back(row_maps_[term.rows + i - block] + stride);
    }
    block *= cardinalities_[*v];
  }
  return term;
}

}  // namespace trellis
