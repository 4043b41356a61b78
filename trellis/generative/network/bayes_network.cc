#include "trellis/generative/network/bayes_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

BayesNetwork::BayesNetwork(std::shared_ptr<const NetworkGraph> graph, std::vector<double> theta)
    : graph_(std::move(graph)), theta_(std::move(theta)) {
  if (theta_.size() != distributions().dimension()) {
    throw UsageError(fmt::format("{} log-probabilities for {} cells of tables", theta_.size(),
                                 distributions().dimension()));
  }
  if (std::any_of(theta_.begin(), theta_.end(), [](double value) { return std::isnan(value); })) {
    throw UsageError("a log-probability is not a number");
  }
  for (Index v = 0; v < graph_->num_variables(); ++v) {
    for (Index row = 0; row < graph_->num_rows(v); ++row) {
      const double total = mass(graph_->first_distribution(v) + row);
      if (total == 0 || total > 1 + kMassTolerance) {
        throw UsageError(fmt::format("the probabilities of '{}' sum to {} in row {} of its table",
                                     graph_->variable(v).name, total, row));
      }
    }
  }
}

double BayesNetwork::log_probability(std::span<const Label> row) const {
  double sum = 0;
  for (Index v = 0; v < graph_->num_variables(); ++v) sum += theta_[graph_->parameter(v, row)];
  return sum;
}

double BayesNetwork::mass(Index distribution) const {
  double sum = 0;
  for (Index k = distributions().begin(distribution); k < distributions().end(distribution); ++k) {
    sum += portable_exp(theta_[k]);
  }
  return sum;
}

double BayesNetwork::missing_mass() const {
  double missing = 0;
  for (Index i = 0; i < distributions().num(); ++i) missing = std::max(missing, 1 - mass(i));
  return missing;
}

void BayesNetwork::sample(Random& random, std::span<Label> row) const {
  assert(row.size() == graph_->num_variables());
  std::vector<double> probabilities;
  for (const Index v : graph_->order()) {
    row[v] = 0;
    const auto given = std::span(theta_).subspan(graph_->parameter(v, row), graph_->num_values(v));
    probabilities.resize(given.size());
    softmax(given, probabilities);
    row[v] = static_cast<Label>(draw(probabilities, random));
  }
}

}  // namespace trellis
