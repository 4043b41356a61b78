#include "trellis/solve/factors/factor_messages.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

double FactorMessages::limit_for(const FactorGraphLayout& layout, std::span<const double> s) {
  double total = 0;
  for (const double score : s) total += std::abs(score);
  return 1000 + 4 * total + 4 * static_cast<double>(layout.num_links());
}

void FactorMessages::reset(const FactorGraphLayout& layout, std::span<const double> theta,
                           double limit) {
  layout_ = &layout;
  limit_ = limit;
  messages_.assign(layout.num_links(), 0.0);
  beliefs_.assign(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(layout.num_states()));
}

void FactorMessages::reset(const FactorGraphLayout& layout) {
  layout_ = &layout;
  messages_.assign(layout.num_links(), 0.0);
  beliefs_.assign(layout.num_states(), 0.0);
}

void FactorMessages::restart(std::span<const std::uint32_t> factors,
                             std::span<const std::uint32_t> variables,
                             std::span<const double> theta, double limit) {
  limit_ = limit;
  for (const std::uint32_t f : factors) std::ranges::fill(of(layout_->factor(f)), 0.0);
  Index next = 0;
  for (const std::uint32_t v : variables) {
    for (Index k = 0; k < layout_->arity(v); ++k) beliefs_[layout_->state(v, k)] = theta[next++];
  }
}

double FactorMessages::log_sum_of_others(Index state) {
  const Index v = layout_->variable_of(state);
  const std::span<const double> states = states_of(v);
  row_.assign(states.begin(), states.end());
  row_[state - layout_->state(v, 0)] = -kInfinity;
  return log_sum_exp(row_);
}

std::span<const double> FactorMessages::gather(const Factor& f) {
  eta_.resize(f.links_end - f.links_begin);
  for (Index l = f.links_begin; l < f.links_end; ++l) {
    const Index state = layout_->link(l).state;
    double& eta = eta_[l - f.links_begin];
    eta = beliefs_[state] - messages_[l];
    if (!has_scope(f) && is_of_many(l)) eta -= log_sum_of_others(state);
  }
  return eta_;
}

double FactorMessages::prepare(const Factor& f, std::span<const double> messages, double damping,
                               std::span<double> prepared) const {
  double change = 0;
  const auto put = [&](Index l, double message) {
    const double old = messages_[l];
    double& next = prepared[l - f.links_begin];
    next = std::clamp(message, -limit_, limit_);
    change = std::max(change, std::abs(next - old) / std::max(1.0, std::abs(next)));
    next += damping * (old - next);
  };
  for (Index l = f.links_begin; l < f.links_end;) {
    const Index v = layout_->variable_of(layout_->link(l).state);
    if (!has_scope(f) || layout_->is_switch(v)) {
      put(l, messages[l - f.links_begin]);
      ++l;
      continue;
    }
    const Index end = l + layout_->arity(v);
    const double largest = max_value(messages.subspan(l - f.links_begin, end - l));
    for (; l < end; ++l) put(l, messages[l - f.links_begin] - largest);
  }
  return change;
}

double FactorMessages::replace(const Factor& f, std::span<const double> messages, double damping) {
  row_.resize(messages.size());
  const double change = prepare(f, messages, damping, row_);
  for (Index l = f.links_begin; l < f.links_end; ++l) {
    const double next = row_[l - f.links_begin];
    beliefs_[layout_->link(l).state] += next - messages_[l];
    messages_[l] = next;
  }
  return change;
}

void FactorMessages::collect(std::span<const double> theta) {
  std::copy_n(theta.begin(), beliefs_.size(), beliefs_.begin());
  for (Index l = 0; l < messages_.size(); ++l) {
    beliefs_[layout_->link(l).state] += messages_[l];
  }
}

template <class Visit, class VisitOdds>
void FactorMessages::each_link_belief(const Factor& f, const Visit& visit,
                                      const VisitOdds& visit_odds) {
  for (Index l = f.links_begin; l < f.links_end;) {
    const Index v = layout_->variable_of(layout_->link(l).state);
    if (!has_scope(f) || layout_->is_switch(v)) {
      visit_odds(l, eta_[l - f.links_begin] + messages_[l]);
      ++l;
      continue;
    }
    row_.clear();
    for (const Index end = l + layout_->arity(v); l < end; ++l) {
      row_.push_back(eta_[l - f.links_begin] + messages_[l]);
    }
    visit(v, std::span<const double>(row_));
  }
}

double FactorMessages::log_sum_of_links(const Factor& f) {
  double total = 0;
  each_link_belief(
      f, [&](Index, std::span<const double> states) { total += log_sum_exp(states); },
      [&](Index, double log_odds) { total += softplus(log_odds); });
  return total;
}

double FactorMessages::log_sum_passed_by(const Factor& f, Index parent) {
  double total = 0;
  each_link_belief(
      f,
      [&](Index v, std::span<const double> states) {
        if (v == parent) total -= log_sum_exp(states);
      },
      [&](Index link, double log_odds) {
        const Index state = layout_->link(link).state, v = layout_->variable_of(state);
        if (v == parent) {
          total -= softplus(log_odds);
        } else if (!layout_->is_switch(v)) {
          total += log_sum_of_others(state);
        }
      });
  return total;
}

double FactorMessages::entropy_of_links(const Factor& f) {
  double total = 0;
  each_link_belief(
      f, [&](Index, std::span<const double> states) { total += softmax_entropy(states); },
      [&](Index, double log_odds) { total += binary_entropy(log_odds); });
  return total;
}

double FactorMessages::log_sum_of_variable(Index v) const {
  return layout_->is_switch(v) ? softplus(states_of(v)[0]) : log_sum_exp(states_of(v));
}

double FactorMessages::entropy_of_variable(Index v) const {
  return layout_->is_switch(v) ? binary_entropy(states_of(v)[0]) : softmax_entropy(states_of(v));
}

void FactorMessages::marginals(Index v, std::span<double> states) const {
  if (layout_->is_switch(v)) {
    states[0] = chance_of(states_of(v)[0]);
  } else {
    softmax(states_of(v), states);
  }
}

}  // namespace trellis
