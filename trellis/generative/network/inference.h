// Inference of the missing values of a row (kNoLabel) given the others: exact, by a junction tree
// over the missing ones, for any set of them.
//
// Rows that are impossible under the network (evidence of probability 0) are no error: the returned
// logarithm is −∞, and nothing else is written.
//
// A set of missing variables is compiled at its first row and kept for later rows. Use one object
// per thread; several may share one network.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/generative/network/reduced_network.h"

namespace trellis {

class NetworkInference {
 public:
  // The network must outlive the object.
  explicit NetworkInference(const BayesNetwork& network) : network_(&network) {}

  // Fills in the missing values that are jointly the most probable (MAP), and returns log P of the
  // whole row.
  double complete(std::span<Label> row);

  // Fills in a draw of the missing values given the others; false where the row is impossible.
  // Where distributions have less mass than one, what the network knows is drawn from as if it were
  // all.
  bool sample(std::span<Label> row, Random& random);

  // log of the sum of P over the missing values.
  double log_evidence(std::span<const Label> row);

  // That, and by variable P(value | observed values): for an observed one 1 at its value.
  double marginals(std::span<const Label> row, std::vector<std::vector<double>>& probabilities);

 private:
  // Compiled sets that are kept; when there are more, all are forgotten.
  static constexpr Index kMaxKept = 4096;

  // The network without what the row has, and in scores_ its scores.
  const ReducedNetwork& reduce(std::span<const Label> row);

  const BayesNetwork* network_;
  std::map<std::vector<Index>, std::unique_ptr<ReducedNetwork>> reduced_;  // by what is missing
  std::vector<Index> missing_;
  std::vector<std::uint32_t> places_;
  std::vector<double> scores_, parts_;
  JunctionTree::Scratch scratch_;
  JunctionTree::Output output_;
};

}  // namespace trellis
