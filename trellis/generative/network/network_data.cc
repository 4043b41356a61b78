#include "trellis/generative/network/network_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <unordered_map>

#include "trellis/base/error.h"

namespace trellis {

void NetworkData::add(std::span<const Label> row, double weight) {
  assert(row.size() == num_variables_);
  values_.insert(values_.end(), row.begin(), row.end());
  weights_.push_back(weight);
}

double NetworkData::total_weight() const {
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  return sum;
}

NetworkData NetworkData::merged() const {
  NetworkData result(num_variables_);
  std::unordered_map<std::string_view, Index> places;  // by the bytes of a row of ours
  for (Index i = 0; i < size(); ++i) {
    const std::span<const Label> values = row(i);
    const std::string_view key(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    const auto [place, is_new] = places.emplace(key, result.size());
    if (is_new) {
      result.add(values, weights_[i]);
    } else {
      result.weights_[place->second] += weights_[i];
    }
  }
  return result;
}

void NetworkData::require_fit(const NetworkGraph& graph) const {
  if (num_variables_ != graph.num_variables()) {
    throw UsageError(fmt::format("rows of {} values for a network of {} variables", num_variables_,
                                 graph.num_variables()));
  }
  for (Index i = 0; i < size(); ++i) {
    if (!(weights_[i] > 0)) {
      throw UsageError(fmt::format("row {} has the weight {}", i + 1, weights_[i]));
    }
    for (Index v = 0; v < num_variables_; ++v) {
      const Label value = row(i)[v];
      if (value != kNoLabel && (value < 0 || static_cast<Index>(value) >= graph.num_values(v))) {
        throw UsageError(fmt::format("row {} has value {} of '{}', which has {}", i + 1, value,
                                     graph.variable(v).name, graph.num_values(v)));
      }
    }
  }
}

void NetworkData::require_complete(const NetworkGraph& graph, std::string_view what) const {
  require_fit(graph);
  const auto missing = std::find(values_.begin(), values_.end(), kNoLabel);
  if (missing == values_.end()) return;
  const auto place = static_cast<Index>(missing - values_.begin());
  throw UsageError(fmt::format("row {} has no value of '{}': {}", place / num_variables_ + 1,
                               graph.variable(place % num_variables_).name, what));
}

}  // namespace trellis
