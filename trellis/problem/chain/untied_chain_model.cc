#include "trellis/problem/chain/untied_chain_model.h"

namespace trellis {

void UntiedChainModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  const Chain chain = model_->structure(i);
  if (chain.faces_by_zeros()) return model_->scores(i, w, s);  // untied already
  // The tied scores fit into the front: nodes, one table, final. Then the rest is moved to its
  // place, from the end on.
  const Index transitions = chain.states().num_transitions();
  const Index states = chain.states().num_states();
  const Index nodes = chain.length() * chain.states().num_labels();
  model_->scores(i, w, s.first(chain.num_parts()));
  const auto final_scores = s.subspan(nodes + transitions, states);
  const auto final_place = s.subspan(nodes + chain.length() * transitions, states);
  std::copy_backward(final_scores.begin(), final_scores.end(), final_place.end());
  const auto table = s.subspan(nodes, transitions);
  for (Index t = 1; t < chain.length(); ++t) {
    std::copy(table.begin(), table.end(), s.subspan(nodes + t * transitions, transitions).begin());
  }
}

void UntiedChainModel::tie(const Chain& chain, std::span<const double> untied,
                           std::vector<double>& tied) const {
  const Index transitions = chain.states().num_transitions();
  const Index states = chain.states().num_states();
  const Index nodes = chain.length() * chain.states().num_labels();
  tied.assign(chain.num_parts(), 0.0);
  std::copy_n(untied.begin(), nodes, tied.begin());
  for (Index t = 0; t < chain.length(); ++t) {
    const auto table = untied.subspan(nodes + t * transitions, transitions);
    for (Index e = 0; e < transitions; ++e) tied[nodes + e] += table[e];
  }
  const auto last = untied.subspan(nodes + chain.length() * transitions, states);
  std::copy(last.begin(), last.end(),
            tied.begin() + static_cast<std::ptrdiff_t>(nodes + transitions));
}

void UntiedChainModel::add_features(Index i, std::span<const double> z, double scale,
                                    std::span<double> gradient) const {
  const Chain chain = model_->structure(i);
  if (chain.faces_by_zeros()) return model_->add_features(i, z, scale, gradient);
  thread_local std::vector<double> tied;  // reused: one call needs a table or two
  tie(chain, z, tied);
  model_->add_features(i, tied, scale, gradient);
}

void UntiedChainModel::features(Index i, std::span<const double> z, double scale,
                                Workspace& workspace, SparseVector& slope) const {
  const Chain chain = model_->structure(i);
  if (chain.faces_by_zeros()) return model_->features(i, z, scale, workspace.features, slope);
  tie(chain, z, workspace.tied);
  model_->features(i, workspace.tied, scale, workspace.features, slope);
}

}  // namespace trellis
