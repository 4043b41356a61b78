// What the conformance suite cannot see: long and large chains, ties, the domains of the sums,
// bits.
#include "trellis/structure/sequences/chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "chain_instance.h"
#include "tests/solve/vectors/each_target.h"
#include "tests/structure/structure_conformance.h"

namespace trellis {
namespace {

using namespace conformance;

constexpr Index kLong = 2000;

TEST(Chain, TransitionPartsAreGramsOfLabels) {
  for (const Index order : {Index{1}, Index{2}, Index{3}}) {
    const ChainStates states(TransitionRules(3), static_cast<int>(order));
    const Index length = 5;
    const Chain chain(states, length);
    std::vector<double> z(chain.num_parts());
    std::map<Index, std::vector<Label>> gram_of;
    for (const std::vector<Label>& y : all_sequences(3, length)) {
      chain.indicator(y, z);
      std::map<std::vector<Label>, double> counts;  // of the grams that end at each position
      for (Index t = 0; t < length; ++t) {
        const Index begin = t < order ? 0 : t - order;
        ++counts[std::vector<Label>(y.begin() + static_cast<std::ptrdiff_t>(begin),
                                    y.begin() + static_cast<std::ptrdiff_t>(t) + 1)];
        EXPECT_EQ(z[chain.node_part(t, y[t])], 1.0);
      }
      std::vector<double> expected, found;
      for (const auto& entry : counts) expected.push_back(entry.second);
      for (Index e = 0; e < states.num_transitions(); ++e) {
        const double count = z[chain.transition_part(0, e)];
        if (count > 0) found.push_back(count);
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Chain, TiesGoToTheSmallestStatesReadFromTheEnd) {
  const ChainStates states(TransitionRules(3));
  const Chain chain(states, 3);
  std::vector<double> s(chain.num_parts(), 0.0);
  Chain::Scratch scratch;
  Chain::Output y;
  chain.maximize(s, scratch, y);
  EXPECT_EQ(y, (Chain::Output{0, 0, 0}));
  // (2, 0, 0) and (0, 1, 0) are best: the last labels are equal, and 0 < 1 in the middle decides.
  s[chain.node_part(0, 2)] = 1;
  s[chain.node_part(1, 1)] = 1;
  s[chain.transition_part(1, states.transition(2, 1))] = -1;
  chain.maximize(s, scratch, y);
  EXPECT_EQ(y, (Chain::Output{2, 0, 0}));
}

// A textbook recursion on a chain with many labels.
TEST(Chain, MaximizeEqualsTheTextbookOnManyLabels) {
  Random random(21);
  Chain::Scratch scratch;
  for (const Index labels : std::vector<Index>{8, 9, 15, 22, 31, 33, 50}) {
    const Index length = 20;
    const ChainStates states((TransitionRules(labels)));
    const Chain chain(states, length);
    const std::vector<double> s = draw_scores(Scores::kSmall, chain.num_parts(), random);
    std::vector<double> best(labels);
    for (Label v = 0; v < static_cast<Label>(labels); ++v) {
      best[static_cast<Index>(v)] =
          s[chain.transition_part(0, static_cast<Index>(v))] + s[chain.node_part(0, v)];
    }
    for (Index t = 1; t < length; ++t) {
      std::vector<double> next(labels, kImpossible);
      for (ChainStates::State u = 0; u < labels; ++u) {
        for (Label v = 0; v < static_cast<Label>(labels); ++v) {
          double& entry = next[static_cast<Index>(v)];
          entry = std::max(entry, best[u] + s[chain.transition_part(t, states.transition(u, v))]);
        }
      }
      for (Label v = 0; v < static_cast<Label>(labels); ++v)
        next[static_cast<Index>(v)] += s[chain.node_part(t, v)];
      best = next;
    }
    double expected = kImpossible;
    for (ChainStates::State u = 0; u < labels; ++u) {
      expected = std::max(expected, best[u] + s[chain.final_part(u)]);
    }
    Chain::Output y;
    EXPECT_EQ(chain.maximize(s, scratch, y), expected);
    EXPECT_EQ(chain.score(s, y), expected);
  }
}

// log Σ exp by the textbook in the log domain, in long double.
long double reference_log_partition(const Chain& chain, const std::vector<double>& s) {
  const ChainStates& states = chain.states();
  std::vector<long double> before(states.num_states(), kImpossible);
  for (ChainStates::State u = 0; u < states.num_labels(); ++u) {
    before[u] = static_cast<long double>(s[chain.transition_part(0, u)]) + s[u];
  }
  for (Index t = 1; t < chain.length(); ++t) {
    std::vector<std::vector<long double>> terms(states.num_states());
    for (ChainStates::State u = states.states_begin(t - 1); u < states.states_end(t - 1); ++u) {
      for (Label label = 0; label < static_cast<Label>(states.num_labels()); ++label) {
        const Index e = states.transition(u, label);
        if (e == ChainStates::kNone) continue;
        terms[states.successor(u, label)].push_back(before[u] + s[chain.transition_part(t, e)] +
                                                    s[chain.node_part(t, label)]);
      }
    }
    for (ChainStates::State v = 0; v < states.num_states(); ++v) {
      before[v] = kImpossible;
      if (terms[v].empty()) continue;
      const long double top = *std::max_element(terms[v].begin(), terms[v].end());
      long double sum = 0;
      for (const long double term : terms[v]) sum += std::exp(term - top);
      before[v] = top + std::log(sum);
    }
  }
  long double top = kImpossible, sum = 0;
  const Index last = chain.length() - 1;
  for (ChainStates::State u = states.states_begin(last); u < states.states_end(last); ++u) {
    before[u] += s[chain.final_part(u)];
    top = std::max(top, before[u]);
  }
  for (ChainStates::State u = states.states_begin(last); u < states.states_end(last); ++u) {
    sum += std::exp(before[u] - top);
  }
  return top + std::log(sum);
}

void expect_marginals_add_up(const Chain& chain, const std::vector<double>& marginals) {
  const ChainStates& states = chain.states();
  for (Index t = 0; t < chain.length(); ++t) {
    double sum = 0;
    for (Label label = 0; label < static_cast<Label>(states.num_labels()); ++label) {
      const double m = marginals[chain.node_part(t, label)];
      EXPECT_GE(m, 0.0);
      sum += m;
    }
    EXPECT_NEAR(sum, 1.0, 1e-11) << "position " << t;
  }
  double transitions = 0, final_sum = 0;
  for (Index e = 0; e < states.num_transitions(); ++e) {
    transitions += marginals[chain.transition_part(0, e)];
  }
  for (ChainStates::State u = 0; u < states.num_states(); ++u)
    final_sum += marginals[chain.final_part(u)];
  EXPECT_NEAR(transitions, static_cast<double>(chain.length()), 1e-8);
  EXPECT_NEAR(final_sum, 1.0, 1e-11);
}

TEST(Chain, LongChainsNeitherOverflowNorUnderflow) {
  Random random(22);
  Chain::Scratch scratch;
  for (const int order : {1, 2}) {
    const ChainStates states(TransitionRules(5), order);
    const Chain chain(states, kLong);
    std::vector<double> marginals(chain.num_parts());
    for (const double scale : {1.0, 10.0, 1e3, 1e6, 1e9}) {
      std::vector<double> s = draw_scores(Scores::kSmall, chain.num_parts(), random);
      for (double& score : s) score *= scale;
      const double value = chain.log_partition(s, scratch, marginals);
      const auto expected = static_cast<double>(reference_log_partition(chain, s));
      EXPECT_NEAR(value, expected, 1e-11 * std::max(1.0, std::abs(expected)));
      expect_marginals_add_up(chain, marginals);
    }
  }
}

// A label with a score of −1000 is as good as forbidden, but too far away for plain exponentials;
// the same chain with that label really forbidden has them. Of 40 labels at 700 positions not even
// those of best scores are kept, and sums are in the log domain.
TEST(Chain, AllDomainsAgree) {
  struct Case {
    int order;
    Index labels, length;
  };
  Random random(23);
  Chain::Scratch scratch;
  for (const auto& [order, labels, length] :
       {Case{1, 4, kLong}, Case{1, 40, 700}, Case{2, 4, 60}, Case{3, 4, 60}}) {
    for (const Transitions transitions : {Transitions::kTied, Transitions::kPositionDependent}) {
      const ChainStates states(TransitionRules(labels), order);
      std::vector<std::uint8_t> allowed(length * labels, 1);
      allowed[7 * labels + 2] = 0;
      const Chain scaled(states, length, transitions, allowed), logs(states, length, transitions);
      std::vector<double> s = draw_scores(Scores::kSmall, logs.num_parts(), random);
      s[logs.node_part(7, 2)] = -1000;
      std::vector<double> a(s.size()), b(s.size());
      EXPECT_NEAR(scaled.log_partition(s, scratch, a), logs.log_partition(s, scratch, b), 1e-9);
      for (Index p = 0; p < s.size(); ++p) EXPECT_NEAR(a[p], b[p], 1e-10 * std::max(1.0, b[p]));
      EXPECT_NEAR(scaled.entropy(s, scratch), logs.entropy(s, scratch), 1e-9);
    }
  }
}

// Two labels that exclude each other: one far ahead in the first half, the other in the second. No
// part is out of range, but in the middle the message of the one that wins is e^−1000 of the
// other's.
TEST(Chain, ARivalFarBehindInTheMiddleIsNotLost) {
  Chain::Scratch scratch;
  for (const int order : {1, 2}) {
    for (const bool forbidden : {true, false}) {
      TransitionRules rules(2);
      if (forbidden) rules.forbid(0, 1), rules.forbid(1, 0);
      const ChainStates states(rules, order);
      const Chain chain(states, 20);
      std::vector<double> s(chain.num_parts(), 0.0);
      for (Index t = 0; t < 20; ++t) s[chain.node_part(t, t < 10 ? 0 : 1)] = 100;
      s[chain.node_part(19, 1)] = 100.5;
      if (!forbidden && order == 1) {
        s[chain.transition_part(0, states.transition(0, 1))] = -199;
        s[chain.transition_part(0, states.transition(1, 0))] = -199;
      }
      std::vector<double> marginals(s.size());
      const double value = chain.log_partition(s, scratch, marginals);
      if (forbidden) {
        EXPECT_NEAR(value, 1000.5 + std::log1p(std::exp(-0.5)), 1e-10);
        EXPECT_NEAR(marginals[chain.node_part(3, 1)], 1 / (1 + std::exp(-0.5)), 1e-12);
      } else {
        EXPECT_NEAR(value, static_cast<double>(reference_log_partition(chain, s)), 1e-10);
      }
      expect_marginals_add_up(chain, marginals);
    }
  }
}

// Rules under which sequences of even length exist, and none of odd length.
TEST(Chain, WhatCannotEndIsImpossible) {
  for (const int order : {1, 2, 3}) {
    TransitionRules rules(2);
    rules.forbid_start(1);
    rules.forbid_stop(0);
    rules.forbid(0, 0);
    rules.forbid(1, 1);
    const ChainStates states(rules, order);
    Chain::Scratch scratch;
    for (Index length = 1; length <= 8; ++length) {
      const Chain chain(states, length);
      const std::vector<double> s(chain.num_parts(), 0.5);
      std::vector<double> marginals(s.size());
      Chain::Output y;
      std::vector<ScoredOutput<Chain::Output>> best;
      chain.k_best(s, 10, scratch, best);
      if (length % 2 == 1) {
        EXPECT_EQ(chain.maximize(s, scratch, y), kImpossible);
        EXPECT_TRUE(y.empty());
        EXPECT_EQ(chain.log_partition(s, scratch, marginals), kImpossible);
        EXPECT_TRUE(best.empty());
      } else {
        EXPECT_DOUBLE_EQ(chain.maximize(s, scratch, y), static_cast<double>(length) + 0.5);
        EXPECT_DOUBLE_EQ(chain.log_partition(s, scratch, marginals),
                         static_cast<double>(length) + 0.5);
        EXPECT_EQ(best.size(), 1u);
        EXPECT_EQ(chain.entropy(s, scratch), 0.0);
      }
    }
  }
}

TEST(Chain, EntropyOfIndependentPositions) {
  const ChainStates states(TransitionRules(2), 2);
  Chain::Scratch scratch;
  const Chain chain(states, 7);
  std::vector<double> s(chain.num_parts(), 0.0);
  EXPECT_NEAR(chain.entropy(s, scratch), 7 * std::log(2.0), 1e-13);
  // Each position has nearly all its mass on label 0: far below the rounding of log Σ exp − s·E[z].
  for (Index t = 0; t < 7; ++t) s[chain.node_part(t, 0)] = 60;
  const double rest = std::exp(-60.0);
  EXPECT_NEAR(chain.entropy(s, scratch) / (7 * (rest + 60 * rest)), 1.0, 1e-12);
}

// The k best by lists of the k best at every state.
std::vector<double> reference_k_best(const Chain& chain, const std::vector<double>& s, Index k) {
  const ChainStates& states = chain.states();
  const auto keep_best = [k](std::vector<double>& list) {
    std::sort(list.rbegin(), list.rend());
    if (list.size() > k) list.resize(k);
  };
  std::vector<std::vector<double>> before(states.num_states());
  for (ChainStates::State u = 0; u < states.num_labels(); ++u) {
    before[u] = {s[chain.transition_part(0, u)] + s[u]};
  }
  for (Index t = 1; t < chain.length(); ++t) {
    std::vector<std::vector<double>> after(states.num_states());
    for (ChainStates::State u = states.states_begin(t - 1); u < states.states_end(t - 1); ++u) {
      for (Label label = 0; label < static_cast<Label>(states.num_labels()); ++label) {
        const Index e = states.transition(u, label);
        if (e == ChainStates::kNone) continue;
        for (const double value : before[u]) {
          after[states.successor(u, label)].push_back(value + s[chain.transition_part(t, e)] +
                                                      s[chain.node_part(t, label)]);
        }
      }
    }
    for (auto& list : after) keep_best(list);
    before.swap(after);
  }
  std::vector<double> all;
  const Index last = chain.length() - 1;
  for (ChainStates::State u = states.states_begin(last); u < states.states_end(last); ++u) {
    for (const double value : before[u]) all.push_back(value + s[chain.final_part(u)]);
  }
  keep_best(all);
  return all;
}

TEST(Chain, AThousandBestOfALongChain) {
  Random random(24);
  Chain::Scratch scratch;
  for (const int order : {1, 2}) {
    const ChainStates states(TransitionRules(order == 1 ? 6 : 4), order);
    const Chain chain(states, 10);
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kHuge}) {
      const std::vector<double> s = draw_scores(kind, chain.num_parts(), random);
      std::vector<ScoredOutput<Chain::Output>> best;
      chain.k_best(s, 1000, scratch, best);
      const std::vector<double> expected = reference_k_best(chain, s, 1000);
      ASSERT_EQ(best.size(), 1000u);
      std::set<Chain::Output> distinct;
      for (Index i = 0; i < best.size(); ++i) {
        EXPECT_NEAR(best[i].score, expected[i], 1e-13 * std::max(100.0, std::abs(expected[i])));
        distinct.insert(best[i].output);
      }
      EXPECT_EQ(distinct.size(), 1000u);
    }
  }
}

TEST(Chain, KBestOfATinyChainIsAllOfIt) {
  const ChainStates states(TransitionRules(2));
  const Chain chain(states, 3);
  Chain::Scratch scratch;
  std::vector<ScoredOutput<Chain::Output>> best(20);  // left over from another call
  chain.k_best(std::vector<double>(chain.num_parts(), 1.0), 1000, scratch, best);
  EXPECT_EQ(best.size(), 8u);
  chain.k_best(std::vector<double>(chain.num_parts(), 1.0), 0, scratch, best);
  EXPECT_TRUE(best.empty());
}

TEST(Chain, ScratchCanBeMovedAndServesAnyChain) {
  Random random(25);
  Chain::Scratch scratch;
  for (int trial = 0; trial < 40; ++trial) {
    ChainOptions options;
    options.order = 1 + trial % 3;
    options.max_length = trial % 5 == 0 ? 1 : 6;
    options.rules = trial % 2 == 0;
    const ChainInstance instance = make_chain(options, random);
    const std::vector<double> s = draw_scores(Scores::kSmall, instance.chain->num_parts(), random);
    std::vector<double> used(s.size()), fresh(s.size());
    Chain::Scratch new_scratch, moved = std::move(scratch);
    EXPECT_EQ(instance.chain->log_partition(s, moved, used),
              instance.chain->log_partition(s, new_scratch, fresh));
    EXPECT_EQ(used, fresh);
    scratch = std::move(moved);
  }
}

TEST(Chain, SameBitsOnEveryTarget) {
  const auto results = on_each_target([] {
    Random random(26);
    Chain::Scratch scratch;
    std::vector<double> all;
    for (int trial = 0; trial < 24; ++trial) {
      const int order = 1 + trial % 3;
      const Index labels =
          order == 1 ? 1 + random.below(40) : 1 + random.below(order == 2 ? 19 : 6);
      const ChainStates states(random_rules(labels, random), order);
      const Chain chain(states, 1 + random.below(25),
                        trial % 2 == 0 ? Transitions::kTied : Transitions::kPositionDependent);
      const Scores kind = trial % 4 == 3 ? Scores::kMixed : Scores::kSmall;
      const std::vector<double> s = draw_scores(kind, chain.num_parts(), random);
      std::vector<double> marginals(s.size());
      Chain::Output y;
      all.push_back(chain.maximize(s, scratch, y));
      all.insert(all.end(), y.begin(), y.end());
      all.push_back(chain.log_partition(s, scratch, marginals));
      all.insert(all.end(), marginals.begin(), marginals.end());
      all.push_back(chain.entropy(s, scratch));
      chain.sample(s, random, scratch, y);
      all.insert(all.end(), y.begin(), y.end());
    }
    std::vector<std::uint64_t> bits;
    for (const double value : all) bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace trellis
