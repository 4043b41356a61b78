// Small random chains, and all their label sequences by brute force.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis::conformance {

struct ChainOptions {
  int order = 1;
  Transitions transitions = Transitions::kTied;
  bool rules = false;
  bool restricted = false;
  Index max_labels = 4;
  Index max_length = 5;
};

// A chain with what it refers to.
struct ChainInstance {
  std::unique_ptr<ChainStates> states;
  std::vector<std::uint8_t> allowed;
  std::unique_ptr<Chain> chain;
  std::vector<std::vector<Label>> outputs;  // all that is legal
};

inline TransitionRules random_rules(Index labels, Random& random) {
  TransitionRules rules(labels);
  for (Label a = 0; a < static_cast<Label>(labels); ++a) {
    if (random.below(4) == 0) rules.forbid_start(a);
    if (random.below(4) == 0) rules.forbid_stop(a);
    for (Label b = 0; b < static_cast<Label>(labels); ++b) {
      if (random.below(4) == 0) rules.forbid(a, b);
    }
  }
  return rules;
}

// Judges by the rules themselves, not by Chain::legal.
inline bool obeys(const ChainInstance& instance, const std::vector<Label>& y) {
  const TransitionRules& rules = instance.states->rules();
  if (!rules.may_start(y.front()) || !rules.may_stop(y.back())) return false;
  for (Index t = 0; t < y.size(); ++t) {
    if (t > 0 && !rules.may_follow(y[t - 1], y[t])) return false;
    const Index flag = t * rules.num_labels() + static_cast<Index>(y[t]);
    if (!instance.allowed.empty() && instance.allowed[flag] == 0) return false;
  }
  return true;
}

inline std::vector<std::vector<Label>> all_sequences(Index labels, Index length) {
  std::vector<std::vector<Label>> all;
  std::vector<Label> y(length, 0);
  for (;;) {
    all.push_back(y);
    Index t = length;
    while (t > 0 && static_cast<Index>(y[t - 1]) + 1 == labels) y[--t] = 0;
    if (t == 0) return all;
    ++y[t - 1];
  }
}

inline ChainInstance make_chain(const ChainOptions& options, Random& random) {
  ChainInstance instance;
  const Index labels = 1 + random.below(options.max_labels);
  const Index length = 1 + random.below(options.max_length);
  TransitionRules rules = options.rules ? random_rules(labels, random) : TransitionRules(labels);
  instance.states = std::make_unique<ChainStates>(std::move(rules), options.order);
  if (options.restricted) {
    instance.allowed.assign(length * labels, 1);
    for (std::uint8_t& flag : instance.allowed) flag = random.below(4) == 0 ? 0 : 1;
  }
  instance.chain =
      std::make_unique<Chain>(*instance.states, length, options.transitions, instance.allowed);
  for (std::vector<Label>& y : all_sequences(labels, length)) {
    if (obeys(instance, y)) instance.outputs.push_back(std::move(y));
  }
  return instance;
}

}  // namespace trellis::conformance
