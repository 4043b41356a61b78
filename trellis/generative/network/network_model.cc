#include "trellis/generative/network/network_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

std::vector<CostTable> costs_of(const NetworkGraph& graph, const NetworkData& data,
                                std::vector<CostTable> costs) {
  data.require_complete(graph, "discriminative training requires rows without missing values");
  if (costs.empty()) {
    for (Index v = 0; v < graph.num_variables(); ++v) {
      costs.push_back(CostTable::hamming(graph.num_values(v)));
    }
  }
  if (costs.size() != graph.num_variables()) {
    throw UsageError(
        fmt::format("{} tables of costs for {} variables", costs.size(), graph.num_variables()));
  }
  for (Index v = 0; v < costs.size(); ++v) {
    if (costs[v].num_labels() == graph.num_values(v)) continue;
    throw UsageError(fmt::format("a table of costs of {} values for '{}', which has {}",
                                 costs[v].num_labels(), graph.variable(v).name,
                                 graph.num_values(v)));
  }
  return costs;
}

}  // namespace

NetworkModel::NetworkModel(const NetworkGraph& graph, const NetworkData& data,
                           std::vector<Index> hidden, NetworkModelOptions options)
    : graph_(&graph), costs_(costs_of(graph, data, std::move(options.costs))) {
  add_examples(
      data, [&](Index) -> const std::vector<Index>& { return hidden; }, options.merge_rows);
}

NetworkModel::NetworkModel(const NetworkGraph& graph, const NetworkData& data,
                           const std::vector<std::vector<Index>>& hidden_of_row,
                           NetworkModelOptions options)
    : graph_(&graph), costs_(costs_of(graph, data, std::move(options.costs))) {
  if (hidden_of_row.size() != data.size()) {
    throw UsageError(
        fmt::format("{} sets of hidden variables for {} rows", hidden_of_row.size(), data.size()));
  }
  add_examples(
      data, [&](Index i) -> const std::vector<Index>& { return hidden_of_row[i]; },
      options.merge_rows);
}

template <class HiddenOf>
void NetworkModel::add_examples(const NetworkData& data, const HiddenOf& hidden_of,
                                bool merge_rows) {
  std::map<std::vector<Index>, const ReducedNetwork*> reduced;  // by what is hidden, as it is told
  // All that the losses depend on: the hidden set, the places and the truth.
  std::map<std::vector<std::uint32_t>, Index> met;
  std::vector<std::uint32_t> key;
  for (Index i = 0; i < data.size(); ++i) {
    const auto [found, is_new] = reduced.emplace(hidden_of(i), nullptr);
    if (is_new) {
      if (found->first.empty()) throw UsageError(fmt::format("nothing is hidden in row {}", i + 1));
      reduced_.push_back(std::make_unique<ReducedNetwork>(*graph_, found->first));
      found->second = reduced_.back().get();
    }
    const ReducedNetwork& network = *found->second;
    Example example{&network, places_.size(), data.weight(i), {}};
    for (const Index v : network.hidden()) example.gold.push_back(data.row(i)[v]);
    key.assign(network.num_families(), 0);
    network.locate(data.row(i), key);
    if (merge_rows) {
      const Index num_families = key.size();
      for (const Index v : network.hidden()) key.push_back(static_cast<std::uint32_t>(v));
      for (const Label value : example.gold) key.push_back(static_cast<std::uint32_t>(value));
      const auto [place, is_first] = met.emplace(key, examples_.size());
      if (!is_first) {
        examples_[place->second].weight += example.weight;
        continue;
      }
      key.resize(num_families);
    }
    places_.insert(places_.end(), key.begin(), key.end());
    examples_.push_back(std::move(example));
  }
}

// Parts begin with the values of each hidden variable.
void NetworkModel::add_costs(Index i, double scale, std::span<double> s) const {
  const JunctionTreePlan& plan = reduced(i).plan();
  for (Index k = 0; k < plan.num_variables(); ++k) {
    double* parts = s.data() + plan.variable_part(k);
    const std::span<const double> row = costs(i, k);
    for (Index value = 0; value < row.size(); ++value) parts[value] += scale * row[value];
  }
}

}  // namespace trellis
