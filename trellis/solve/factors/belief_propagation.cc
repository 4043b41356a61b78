#include "trellis/solve/factors/belief_propagation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <queue>
#include <ranges>

namespace trellis {
namespace {

std::span<const double> own_scores(const FactorGraphLayout::Factor& f, std::span<const double> s) {
  return s.subspan(f.parts_begin, f.parts_end - f.parts_begin);
}

}  // namespace

// Computes the messages of factor f into heard_. −∞ if no assignment is legal.
double BeliefPropagation::update(const FactorGraphLayout& layout, std::span<const double> s,
                                 Index f) {
  const FactorGraphLayout::Factor& factor = layout.factor(f);
  const std::span<const double> eta = messages_.gather(factor);
  heard_.resize(eta.size());
  return sums_.sum(layout, factor, eta, own_scores(factor, s), heard_);
}

bool BeliefPropagation::flood(const FactorGraphLayout& layout, std::span<const double> s,
                              double damping) {
  prepared_.resize(layout.num_links());
  for (Index f = 0; f < layout.num_factors(); ++f) {
    if (update(layout, s, f) == -kInfinity) return false;
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    const double change = messages_.prepare(
        factor, heard_, damping, std::span(prepared_).subspan(factor.links_begin, heard_.size()));
    convergence_.residual = std::max(convergence_.residual, change);
  }
  for (Index f = 0; f < layout.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    const std::span<double> old = messages_.of(factor);
    std::copy_n(prepared_.begin() + static_cast<std::ptrdiff_t>(factor.links_begin), old.size(),
                old.begin());
  }
  return true;
}

bool BeliefPropagation::sweep(const FactorGraphLayout& layout, std::span<const double> s,
                              double damping, bool backwards) {
  for (Index k = 0; k < layout.num_factors(); ++k) {
    const Index f = backwards ? layout.num_factors() - 1 - k : k;
    if (update(layout, s, f) == -kInfinity) return false;
    const double change = messages_.replace(layout.factor(f), heard_, damping);
    convergence_.residual = std::max(convergence_.residual, change);
  }
  return true;
}

// What a factor has not heard yet is at most the change of the messages to its variables. The queue
// keeps what was once true; an entry counts where it is still.
bool BeliefPropagation::pass_by_residual(const FactorGraphLayout& layout, std::span<const double> s,
                                         const BeliefOptions& options) {
  using Entry = std::pair<double, Index>;
  std::priority_queue<Entry> queue;
  urgency_.assign(layout.num_factors(), kInfinity);
  for (Index f = layout.num_factors(); f-- > 0;) queue.emplace(kInfinity, f);
  const Index most = options.max_iterations * layout.num_factors();
  Index updates = 0;
  while (!queue.empty() && updates < most) {
    const auto [urgency, f] = queue.top();
    queue.pop();
    if (urgency != urgency_[f]) continue;
    urgency_[f] = 0;
    if (update(layout, s, f) == -kInfinity) return false;
    const double change = messages_.replace(layout.factor(f), heard_, options.damping);
    if (++updates % layout.num_factors() == 0) messages_.collect(s);
    if (change <= options.tolerance) continue;
    if (options.damping > 0) queue.emplace(urgency_[f] = options.damping * change, f);
    for (const Literal& link : layout.links(layout.factor(f))) {
      const Index v = layout.variable_of(link.state);
      for (Index k = 0; k < layout.arity(v); ++k) {
        for (const std::uint32_t l : layout.links_of(layout.state(v, k))) {
          const Index other = layout.factor_of_link(l);
          if (other == f || urgency_[other] >= change) continue;
          queue.emplace(urgency_[other] = change, other);
        }
      }
    }
  }
  convergence_.iterations =
      (updates + layout.num_factors() - 1) / std::max<Index>(1, layout.num_factors());
  convergence_.residual = urgency_.empty() ? 0 : *std::ranges::max_element(urgency_);
  convergence_.converged = convergence_.residual <= options.tolerance;
  return true;
}

bool BeliefPropagation::pass_messages(const FactorGraphLayout& layout, std::span<const double> s,
                                      const BeliefOptions& options) {
  assert(s.size() == layout.num_parts());
  limit_ = FactorMessages::limit_for(layout, s);
  messages_.reset(layout, s, limit_);
  convergence_ = {};
  if (options.schedule == MessageSchedule::kResidual) {
    if (!pass_by_residual(layout, s, options)) return false;
    messages_.collect(s);
    return true;
  }
  while (!convergence_.converged && convergence_.iterations < options.max_iterations) {
    convergence_.residual = 0;
    const bool legal = options.schedule == MessageSchedule::kFlooding
                           ? flood(layout, s, options.damping)
                           : sweep(layout, s, options.damping, convergence_.iterations % 2 == 1);
    if (!legal) return false;
    messages_.collect(s);
    ++convergence_.iterations;
    convergence_.converged = convergence_.residual <= options.tolerance;
  }
  return true;
}

double BeliefPropagation::log_sum(const FactorGraphLayout& layout, std::span<const double> s,
                                  const BeliefOptions& options, std::span<double> marginals) {
  assert(marginals.size() == layout.num_parts());
  std::ranges::fill(marginals, 0.0);
  if (!pass_messages(layout, s, options)) return -kInfinity;
  double value = 0;
  for (Index v = 0; v < layout.num_variables(); ++v) value += messages_.log_sum_of_variable(v);
  for (Index f = 0; f < layout.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    const std::span<const double> eta = messages_.gather(factor);
    heard_.resize(eta.size());
    value +=
        sums_.sum(layout, factor, eta, own_scores(factor, s), heard_,
                  marginals.subspan(factor.parts_begin, factor.parts_end - factor.parts_begin));
    value -= messages_.log_sum_of_links(factor);
  }
  // s·b ≥ −Σ|s|, and Bethe's entropy of beliefs that agree is at least −Σ_links log arity.
  if (value < -limit_ / 2) {
    std::ranges::fill(marginals, 0.0);
    return -kInfinity;
  }
  for (Index v = 0; v < layout.num_variables(); ++v) {
    messages_.marginals(v, marginals.subspan(layout.state(v, 0), layout.arity(v)));
  }
  return value;
}

double BeliefPropagation::entropy(const FactorGraphLayout& layout, std::span<const double> s,
                                  const BeliefOptions& options) {
  if (!pass_messages(layout, s, options)) return 0;
  double entropy = 0;
  for (Index v = 0; v < layout.num_variables(); ++v) entropy += messages_.entropy_of_variable(v);
  for (Index f = 0; f < layout.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    const std::span<const double> eta = messages_.gather(factor);
    entropy += sums_.entropy(layout, factor, eta, own_scores(factor, s));
    entropy -= messages_.entropy_of_links(factor);
  }
  return entropy;
}

}  // namespace trellis
