#include "trellis/solve/factors/mixture_start.h"

#include <algorithm>
#include <ranges>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kMirrorStep = 0.5;
constexpr double kLeastMarginal = 1e-8;  // of those that others are fitted to

}  // namespace

void MixtureStart::find_largest(const ForestMixture& mixture) {
  const ForestCover& cover = mixture.cover();
  const FactorGraphLayout& layout = cover.layout();
  largest_ = static_cast<Index>(std::ranges::max_element(mixture.rho()) - mixture.rho().begin());
  in_largest_.assign(mixture.num_entries(), false);
  for (const ForestCover::Piece& piece : cover.pieces()) {
    for (Index k = 0; k < piece.num_states && piece.forest == largest_; ++k) {
      in_largest_[piece.states_begin + k] = true;
    }
  }
  for (Index v = 0; v < layout.num_variables(); ++v) {
    for (Index k = 0; k < layout.arity(v) && cover.alone(largest_, v); ++k) {
      in_largest_[mixture.alone_entry(layout.state(v, k))] = true;
    }
  }
}

void MixtureStart::read_marginals(const ForestMixture& mixture) {
  log_odds_.resize(mixture.cover().layout().num_states());
  log_chances_.resize(log_odds_.size());
  for (Index e = 0; e < mixture.num_entries(); ++e) {
    if (!in_largest_[e]) continue;
    const double p = std::clamp(mixture.chances()[e], kLeastMarginal, 1 - kLeastMarginal);
    log_chances_[mixture.state_of(e)] = portable_log(p);
    log_odds_[mixture.state_of(e)] = portable_log(p) - portable_log(1 - p);
  }
}

void MixtureStart::fit_factors(const ForestMixture& mixture) {
  const FactorGraphLayout& layout = mixture.cover().layout();
  for (const ForestCover::Piece& piece : mixture.cover().pieces()) {
    if (piece.forest == largest_) continue;
    for (const std::uint32_t number : mixture.cover().factors(piece)) {
      const FactorGraphLayout::Factor& f = layout.factor(number);
      fit_.fit(layout, f, mixture.own_scores().subspan(f.parts_begin, f.parts_end - f.parts_begin),
               log_odds_, log_chances_,
               std::span(messages_).subspan(f.links_begin, f.links_end - f.links_begin));
    }
  }
}

// θ of the others, and what they and the step leave. What the largest forest does not take goes to
// the others in equal parts.
void MixtureStart::share_scores(ForestMixture& mixture) {
  const ForestCover& cover = mixture.cover();
  const FactorGraphLayout& layout = cover.layout();
  const std::span<double> theta = mixture.theta();
  const std::span<const double> weights = mixture.weights();
  entries_.resize(layout.num_states());
  for (Index e = 0; e < theta.size(); ++e) {
    if (in_largest_[e]) continue;
    const Index v = layout.variable_of(mixture.state_of(e));
    theta[e] = (layout.is_switch(v) ? log_odds_ : log_chances_)[mixture.state_of(e)];
  }
  for (const ForestCover::Piece& piece : cover.pieces()) {
    if (piece.forest == largest_) continue;
    for (Index k = 0; k < piece.num_states; ++k) {
      entries_[mixture.state_of(piece.states_begin + k)] = piece.states_begin + k;
    }
    for (const std::uint32_t number : cover.factors(piece)) {
      const FactorGraphLayout::Factor& f = layout.factor(number);
      for (Index l = f.links_begin; l < f.links_end; ++l) {
        theta[entries_[layout.link(l).state]] -= messages_[l];
      }
    }
  }
  left_.assign(mixture.scores().begin(),
               mixture.scores().begin() + static_cast<std::ptrdiff_t>(layout.num_states()));
  others_.assign(layout.num_states(), 0.0);
  for (Index e = 0; e < theta.size(); ++e) {
    if (in_largest_[e]) continue;
    left_[mixture.state_of(e)] -= weights[e] * theta[e];
    others_[mixture.state_of(e)] += weights[e];
  }
  for (Index e = 0; e < theta.size(); ++e) {
    if (!in_largest_[e]) continue;
    double& left = left_[mixture.state_of(e)];
    const bool shared = others_[mixture.state_of(e)] > 0;
    theta[e] += (shared ? kMirrorStep : 1) * (left / weights[e] - theta[e]);
    left -= weights[e] * theta[e];
  }
  for (Index e = 0; e < theta.size(); ++e) {
    const Index state = mixture.state_of(e);
    if (!in_largest_[e] && others_[state] > 0) theta[e] += left_[state] / others_[state];
  }
}

void MixtureStart::improve(Index rounds, ForestMixture& mixture, double& value) {
  find_largest(mixture);
  messages_.assign(mixture.cover().layout().num_links(), 0.0);
  best_.assign(mixture.theta().begin(), mixture.theta().end());
  for (Index round = 0; round < rounds; ++round) {
    read_marginals(mixture);
    fit_factors(mixture);
    share_scores(mixture);
    const double next = mixture.sum();
    if (!(next < value)) continue;
    value = next;
    std::ranges::copy(mixture.theta(), best_.begin());
  }
  std::ranges::copy(best_, mixture.theta().begin());
}

}  // namespace trellis
