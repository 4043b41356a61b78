#include "trellis/generative/network/inference.h"

#include <algorithm>
#include <cassert>

namespace trellis {

const ReducedNetwork& NetworkInference::reduce(std::span<const Label> row) {
  assert(row.size() == network_->graph().num_variables());
  missing_.clear();
  for (Index v = 0; v < row.size(); ++v) {
    if (row[v] == kNoLabel) missing_.push_back(v);
  }
  auto found = reduced_.find(missing_);
  if (found == reduced_.end()) {
    if (reduced_.size() == kMaxKept) reduced_.clear();
    found =
        reduced_.emplace(missing_, std::make_unique<ReducedNetwork>(network_->graph(), missing_))
            .first;
  }
  const ReducedNetwork& reduced = *found->second;
  places_.resize(reduced.num_families());
  scores_.resize(reduced.plan().num_parts());
  reduced.locate(row, places_);
  reduced.scores(places_, network_->theta(), scores_);
  return reduced;
}

double NetworkInference::complete(std::span<Label> row) {
  const ReducedNetwork& reduced = reduce(row);
  const double observed = reduced.observed_score(row, network_->theta());
  if (observed == kImpossible) return observed;
  const double best = reduced.structure().maximize(scores_, scratch_, output_);
  if (best == kImpossible) return best;
  for (Index k = 0; k < output_.size(); ++k) row[reduced.hidden()[k]] = output_[k];
  return network_->log_probability(row);
}

bool NetworkInference::sample(std::span<Label> row, Random& random) {
  const ReducedNetwork& reduced = reduce(row);
  if (reduced.observed_score(row, network_->theta()) == kImpossible) return false;
  reduced.structure().sample(scores_, random, scratch_, output_);
  if (output_.size() != reduced.hidden().size()) return false;
  for (Index k = 0; k < output_.size(); ++k) row[reduced.hidden()[k]] = output_[k];
  return true;
}

double NetworkInference::log_evidence(std::span<const Label> row) {
  const ReducedNetwork& reduced = reduce(row);
  return reduced.observed_score(row, network_->theta()) +
         reduced.structure().log_partition(scores_, scratch_);
}

double NetworkInference::marginals(std::span<const Label> row,
                                   std::vector<std::vector<double>>& probabilities) {
  const ReducedNetwork& reduced = reduce(row);
  const NetworkGraph& graph = network_->graph();
  parts_.resize(scores_.size());
  const double evidence = reduced.observed_score(row, network_->theta()) +
                          reduced.structure().log_partition(scores_, scratch_, parts_);
  if (evidence == kImpossible) return evidence;
  probabilities.resize(graph.num_variables());
  Index next = 0;  // among the hidden ones
  for (Index v = 0; v < graph.num_variables(); ++v) {
    probabilities[v].assign(graph.num_values(v), 0.0);
    if (row[v] != kNoLabel) {
      probabilities[v][static_cast<Index>(row[v])] = 1;
      continue;
    }
    const double* parts = parts_.data() + reduced.plan().variable_part(next++);
    std::copy(parts, parts + graph.num_values(v), probabilities[v].begin());
  }
  return evidence;
}

}  // namespace trellis
