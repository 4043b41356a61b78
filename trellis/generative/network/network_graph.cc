#include "trellis/generative/network/network_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// A cycle among variables that are left when all that could be sorted is, as "a -> b -> a".
std::string describe_cycle(const std::vector<NetworkVariable>& variables,
                           const NetworkParents& parents, const std::vector<Index>& waiting) {
  Index v = 0;
  while (waiting[v] == 0) ++v;
  std::vector<Index> path;  // from child to parent
  for (std::vector<bool> seen(variables.size()); !seen[v];) {
    seen[v] = true;
    path.push_back(v);
    v = *std::find_if(parents[v].begin(), parents[v].end(),
                      [&](Index u) { return waiting[u] > 0; });
  }
  std::string text = variables[v].name;
  for (Index k = path.size(); k-- > 0;) {
    text += " -> " + variables[path[k]].name;
    if (path[k] == v) break;
  }
  return text;
}

}  // namespace

NetworkGraph::NetworkGraph(std::vector<NetworkVariable> variables, NetworkParents parents)
    : variables_(std::move(variables)), parents_(std::move(parents)) {
  require_variables();
  require_parents();
  sort_variables();
  lay_out_tables();
}

void NetworkGraph::require_variables() {
  for (Index v = 0; v < variables_.size(); ++v) {
    const auto& [name, values] = variables_[v];
    if (name.empty()) throw UsageError(fmt::format("variable {} has no name", v));
    if (!numbers_.emplace(name, v).second) {
      throw UsageError(fmt::format("there are two variables '{}'", name));
    }
    if (values.empty()) throw UsageError(fmt::format("variable '{}' has no values", name));
    std::unordered_set<std::string_view> seen;
    for (const std::string& value : values) {
      if (value.empty()) throw UsageError(fmt::format("variable '{}' has an empty value", name));
      if (!seen.insert(value).second) {
        throw UsageError(fmt::format("variable '{}' has the value '{}' twice", name, value));
      }
    }
  }
}

void NetworkGraph::require_parents() const {
  if (parents_.size() != variables_.size()) {
    throw UsageError(
        fmt::format("{} lists of parents for {} variables", parents_.size(), variables_.size()));
  }
  for (Index v = 0; v < variables_.size(); ++v) {
    std::vector<Index> sorted = parents_[v];
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty() && sorted.back() >= variables_.size()) {
      throw UsageError(fmt::format("variable '{}' has the parent {} of {}", variables_[v].name,
                                   sorted.back(), variables_.size()));
    }
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw UsageError(fmt::format("variable '{}' has the parent '{}' twice", variables_[v].name,
                                   variables_[*twice].name));
    }
  }
}

// Of those whose parents are all sorted, the first comes next.
void NetworkGraph::sort_variables() {
  std::vector<Index> waiting(variables_.size());  // for so many parents
  NetworkParents children(variables_.size());
  std::priority_queue<Index, std::vector<Index>, std::greater<>> ready;
  for (Index v = 0; v < variables_.size(); ++v) {
    waiting[v] = parents_[v].size();
    if (waiting[v] == 0) ready.push(v);
    for (const Index u : parents_[v]) children[u].push_back(v);
  }
  while (!ready.empty()) {
    const Index v = ready.top();
    ready.pop();
    order_.push_back(v);
    for (const Index child : children[v]) {
      if (--waiting[child] == 0) ready.push(child);
    }
  }
  if (order_.size() < variables_.size()) {
    throw UsageError("the network has a cycle: " + describe_cycle(variables_, parents_, waiting));
  }
}

void NetworkGraph::lay_out_tables() {
  for (Index v = 0; v < variables_.size(); ++v) {
    first_distribution_.push_back(distributions_.num());
    Index cells = num_values(v);
    for (const Index u : parents_[v]) {
      if (cells > kMaxParameters / num_values(u))
        cells = kMaxParameters;
      else
        cells *= num_values(u);
    }
    if (distributions_.dimension() + cells >= kMaxParameters) {
      throw UsageError(fmt::format(
          "the tables of the network are too large: more than {} cells with that of '{}', which "
          "has {} parents",
          kMaxParameters, variables_[v].name, parents_[v].size()));
    }
    for (Index row = 0; row < cells / num_values(v); ++row) distributions_.add(num_values(v));
  }
  first_distribution_.push_back(distributions_.num());
}

std::optional<Index> NetworkGraph::find(std::string_view name) const {
  const auto found = numbers_.find(std::string(name));
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::optional<Label> NetworkGraph::find_value(Index v, std::string_view value) const {
  const std::vector<std::string>& values = variables_[v].values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) return std::nullopt;
  return static_cast<Label>(found - values.begin());
}

}  // namespace trellis
