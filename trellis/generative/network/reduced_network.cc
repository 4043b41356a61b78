#include "trellis/generative/network/reduced_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {

ReducedNetwork::ReducedNetwork(const NetworkGraph& graph, std::vector<Index> hidden)
    : ReducedNetwork(graph, std::move(hidden), std::vector<Shape>()) {}

// make_plan comes first, because it fills in the shapes.
ReducedNetwork::ReducedNetwork(const NetworkGraph& graph, std::vector<Index> hidden,
                               std::vector<Shape> shapes)
    : graph_(&graph), hidden_(std::move(hidden)), plan_(make_plan(graph, shapes)) {
  for (Index f = 0; f < families_.size(); ++f) add_entries(families_[f], shapes[f]);
}

// Finds the families with a hidden variable, and the graph of their hidden variables.
JunctionTreePlan ReducedNetwork::make_plan(const NetworkGraph& graph, std::vector<Shape>& shapes) {
  std::sort(hidden_.begin(), hidden_.end());
  if (!hidden_.empty() && hidden_.back() >= graph.num_variables()) {
    throw UsageError(
        fmt::format("variable {} of {} is hidden", hidden_.back(), graph.num_variables()));
  }
  if (std::adjacent_find(hidden_.begin(), hidden_.end()) != hidden_.end()) {
    throw UsageError("a variable is hidden twice");
  }
  std::vector<Index> number(graph.num_variables(), JunctionTreePlan::kNone), cardinalities;
  for (const Index v : hidden_) {
    number[v] = cardinalities.size();
    cardinalities.push_back(graph.num_values(v));
  }
  std::map<std::vector<Index>, Index> factors;  // by scope
  std::vector<std::vector<Index>> scopes;
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const bool touched = number[v] != JunctionTreePlan::kNone ||
                         std::any_of(graph.parents(v).begin(), graph.parents(v).end(),
                                     [&](Index u) { return number[u] != JunctionTreePlan::kNone; });
    if (!touched) {
      untouched_.push_back(v);
      continue;
    }
    Shape& shape = shapes.emplace_back(add_family(graph, v, number));
    if (shape.hidden.size() == 1) continue;
    std::vector<Index> scope = shape.hidden;
    std::sort(scope.begin(), scope.end());
    const auto [place, is_new] = factors.emplace(scope, scopes.size());
    if (is_new) scopes.push_back(std::move(scope));
    shape.factor = place->second;
  }
  return {std::move(cardinalities), std::move(scopes)};
}

ReducedNetwork::Shape ReducedNetwork::add_family(const NetworkGraph& graph, Index variable,
                                                 std::span<const Index> number) {
  Shape shape{{}, {}, JunctionTreePlan::kNone};
  Family family{};
  family.begin = graph.first_parameter(variable);
  family.observed_begin = observed_.size();
  const auto add = [&](Index member, Index stride) {
    if (number[member] == JunctionTreePlan::kNone) {
      observed_.push_back({member, stride});
    } else {
      shape.hidden.push_back(number[member]);
      shape.strides.push_back(stride);
    }
  };
  Index stride = graph.num_values(variable) * graph.num_rows(variable);
  for (const Index parent : graph.parents(variable)) {
    stride /= graph.num_values(parent);
    add(parent, stride);
  }
  add(variable, 1);
  family.observed_end = observed_.size();
  families_.push_back(family);
  return shape;
}

// All values of the family's hidden variables; the one with the largest stride changes slowest.
void ReducedNetwork::add_entries(Family& family, const Shape& shape) {
  family.entries_begin = entries_.size();
  std::vector<Index> values(shape.hidden.size(), 0);
  std::vector<Index> part_strides(values.size(), 1);  // within the factor, whose scope is sorted
  for (Index k = 0; k < values.size(); ++k) {
    for (const Index other : shape.hidden) {
      if (other > shape.hidden[k]) part_strides[k] *= plan_.num_values(other);
    }
  }
  const Index first = shape.factor == JunctionTreePlan::kNone ? plan_.variable_part(shape.hidden[0])
                                                              : plan_.factor_part(shape.factor);
  for (;;) {
    Index offset = 0, part = first;
    for (Index k = 0; k < values.size(); ++k) {
      offset += values[k] * shape.strides[k];
      part += values[k] * part_strides[k];
    }
    entries_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(part)});
    Index k = values.size();
    while (k > 0 && ++values[k - 1] == plan_.num_values(shape.hidden[k - 1])) values[--k] = 0;
    if (k == 0) break;
  }
  family.entries_end = entries_.size();
}

void ReducedNetwork::locate(std::span<const Label> row, std::span<std::uint32_t> places) const {
  assert(places.size() == families_.size());
  for (Index f = 0; f < families_.size(); ++f) {
    const Family& family = families_[f];
    Index place = family.begin;
    for (Index k = family.observed_begin; k < family.observed_end; ++k) {
      place += observed_[k].stride * static_cast<Index>(row[observed_[k].variable]);
    }
    places[f] = static_cast<std::uint32_t>(place);
  }
}

void ReducedNetwork::scores(std::span<const std::uint32_t> places, std::span<const double> theta,
                            std::span<double> s) const {
  std::fill(s.begin(), s.end(), 0.0);
  for (Index f = 0; f < families_.size(); ++f) {
    const double* table = theta.data() + places[f];
    for (Index e = families_[f].entries_begin; e < families_[f].entries_end; ++e) {
      s[entries_[e].part] += table[entries_[e].offset];
    }
  }
}

void ReducedNetwork::add_features(std::span<const std::uint32_t> places, std::span<const double> z,
                                  double scale, std::span<double> gradient) const {
  for (Index f = 0; f < families_.size(); ++f) {
    double* table = gradient.data() + places[f];
    for (Index e = families_[f].entries_begin; e < families_[f].entries_end; ++e) {
      table[entries_[e].offset] += scale * z[entries_[e].part];
    }
  }
}

// Families and their entries ascend in θ, as runs require.
void ReducedNetwork::features(std::span<const std::uint32_t> places, std::span<const double> z,
                              double scale, SparseVector& slope) const {
  slope.clear();
  for (Index f = 0; f < families_.size(); ++f) {
    for (Index e = families_[f].entries_begin; e < families_[f].entries_end; ++e) {
      const double value = scale * z[entries_[e].part];
      if (value != 0) slope.append(places[f] + entries_[e].offset, 1)[0] = value;
    }
  }
}

double ReducedNetwork::observed_score(std::span<const Label> row,
                                      std::span<const double> theta) const {
  double sum = 0;
  for (const Index v : untouched_) sum += theta[graph_->parameter(v, row)];
  return sum;
}

void ReducedNetwork::add_observed(std::span<const Label> row, double weight,
                                  std::span<double> counts) const {
  for (const Index v : untouched_) counts[graph_->parameter(v, row)] += weight;
}

}  // namespace trellis
