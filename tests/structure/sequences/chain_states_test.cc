#include "trellis/structure/sequences/chain_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "chain_instance.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using conformance::all_sequences;
using conformance::random_rules;
using State = ChainStates::State;
using Tuple = std::vector<Label>;

// O, B-X, I-X, B-Y, I-Y: I may only go on what has begun.
TransitionRules iob2_rules() {
  TransitionRules rules(5);
  for (const Label inside : {2, 4}) {
    rules.forbid_start(inside);
    for (Label from = 0; from < 5; ++from) {
      if (from != inside && from != inside - 1) rules.forbid(from, inside);
    }
  }
  return rules;
}

Tuple tuple_of(const ChainStates& states, State u) {
  const std::span<const Label> tuple = states.tuple(u);
  return Tuple(tuple.begin(), tuple.end());
}

// The histories that stand at the end of a legal beginning of 1 … `longest` labels.
std::set<Tuple> histories(const TransitionRules& rules, Index order, Index longest) {
  std::set<Tuple> found;
  for (Index length = 1; length <= longest; ++length) {
    for (const Tuple& y : all_sequences(rules.num_labels(), length)) {
      bool legal = rules.may_start(y[0]);
      for (Index t = 1; t < length; ++t) legal = legal && rules.may_follow(y[t - 1], y[t]);
      if (legal)
        found.insert(
            Tuple(y.end() - static_cast<std::ptrdiff_t>(std::min(length, order)), y.end()));
    }
  }
  return found;
}

TEST(ChainStates, NumbersOfAFullStateSpace) {
  const ChainStates first(TransitionRules(7), 1);
  EXPECT_EQ(first.num_states(), 7u);
  EXPECT_EQ(first.num_transitions(), 7u + 49);
  const ChainStates third(TransitionRules(4), 3);
  EXPECT_EQ(third.num_states(), 4u + 16 + 64);
  EXPECT_EQ(third.num_transitions(), 4u + 16 + 64 + 256);
}

TEST(ChainStates, StatesAreSortedByLengthThenByLabels) {
  Random random(3);
  for (int order = 1; order <= 4; ++order) {
    const ChainStates states(random_rules(3, random), order);
    for (State u = 1; u < states.num_states(); ++u) {
      const Tuple before = tuple_of(states, u - 1), mine = tuple_of(states, u);
      EXPECT_TRUE(before.size() < mine.size() || (before.size() == mine.size() && before < mine));
    }
  }
}

TEST(ChainStates, SuccessorsDropTheOldestLabelAndAddANewOne) {
  Random random(4);
  for (int order = 1; order <= 4; ++order) {
    for (int trial = 0; trial < 10; ++trial) {
      const ChainStates states(random_rules(1 + random.below(4), random), order);
      const TransitionRules& rules = states.rules();
      for (State u = 0; u < states.num_states(); ++u) {
        for (Label label = 0; label < static_cast<Label>(states.num_labels()); ++label) {
          const bool starts =
              states.length(u) > 1 || order == 1 || rules.may_start(states.label(u));
          const Index transition = states.transition(u, label);
          EXPECT_EQ(transition != ChainStates::kNone,
                    starts && rules.may_follow(states.label(u), label));
          if (transition == ChainStates::kNone) continue;
          Tuple expected = tuple_of(states, u);
          expected.push_back(label);
          if (expected.size() > static_cast<Index>(order)) expected.erase(expected.begin());
          const State v = states.successor(u, label);
          EXPECT_EQ(tuple_of(states, v), expected);
          EXPECT_EQ(states.label(v), label);
          EXPECT_EQ(transition, states.transition_begin(u) + (v - states.first_successor(u)));
        }
      }
    }
  }
}

TEST(ChainStates, TuplesThatCannotOccurAreNotThere) {
  Random random(5);
  for (int order = 2; order <= 4; ++order) {
    for (int trial = 0; trial < 10; ++trial) {
      const ChainStates states(random_rules(3, random), order);
      const auto size = static_cast<Index>(order);
      const std::set<Tuple> expected = histories(states.rules(), size, size + 3);
      Index single_labels = 0;
      for (State u = 0; u < states.num_states(); ++u) {
        if (states.length(u) == 1) {
          ++single_labels;  // there are all of them, so that initial transitions are labels
        } else {
          EXPECT_EQ(expected.count(tuple_of(states, u)), 1u);
        }
      }
      const auto longer = std::count_if(expected.begin(), expected.end(),
                                        [](const Tuple& tuple) { return tuple.size() > 1; });
      EXPECT_EQ(states.num_states(), single_labels + static_cast<Index>(longer));
    }
  }
}

TEST(ChainStates, Iob2RulesShrinkTheStateSpace) {
  const ChainStates states(iob2_rules(), 2);
  // Pairs: O and B may follow all five labels, each I two of them.
  EXPECT_EQ(states.num_states(), 5u + 3 * 5 + 2 * 2);
  EXPECT_EQ(states.rules().may_follow(0, 2), false);
  EXPECT_EQ(states.transition(0, 2), ChainStates::kNone);
  EXPECT_NE(states.transition(0, 1), ChainStates::kNone);
}

TEST(ChainStates, AStepHasEveryTransitionOnce) {
  Random random(6);
  for (int order = 1; order <= 4; ++order) {
    const ChainStates states(random_rules(3, random), order);
    for (Index t = 1; t <= 6; ++t) {
      const SegmentMatrix step = states.step(t);
      std::set<Index> seen;
      State next = states.states_begin(t);
      for (const SegmentMatrix::Group& group : step.groups) {
        EXPECT_EQ(group.first_column, next);
        next += group.width;
        for (const SegmentMatrix::Row& row : states.rows(group)) {
          EXPECT_EQ(row.entries, states.transition_begin(row.row));
          EXPECT_EQ(group.first_column, states.first_successor(row.row));
          EXPECT_EQ(group.width, states.num_successors(row.row));
          EXPECT_TRUE(seen.insert(row.row).second);
        }
        for (State v = group.first_column; v < next; ++v) {
          EXPECT_EQ(&states.predecessors(t, v), &group);
          EXPECT_EQ(states.slots()[group.diagonal + v - group.first_column], states.label(v));
        }
      }
      EXPECT_EQ(next, states.states_end(t));
      for (State u = states.states_begin(t - 1); u < states.states_end(t - 1); ++u) {
        EXPECT_EQ(seen.count(u), states.num_successors(u) > 0 ? 1u : 0u);
      }
    }
  }
}

TEST(ChainStates, RefusesWhatItCannotRepresent) {
  EXPECT_THROW(ChainStates(TransitionRules(3), 0), UsageError);
  EXPECT_THROW(ChainStates(TransitionRules(3), 5), UsageError);
  EXPECT_THROW(ChainStates(TransitionRules(0), 1), UsageError);
  EXPECT_THROW(ChainStates(TransitionRules(1000), 4), UsageError);
  EXPECT_THROW(ChainStates(TransitionRules(20000), 1), UsageError);
}

// Rules can make a large alphabet small enough.
TEST(ChainStates, WhatIsForbiddenDoesNotCount) {
  TransitionRules rules(600);
  for (Label a = 0; a < 600; ++a) {
    for (Label b = 0; b < 600; ++b) {
      if (b != a && b != (a + 1) % 600) rules.forbid(a, b);
    }
  }
  const ChainStates states(rules, 3);
  EXPECT_EQ(states.num_states(), 600u * (1 + 2 + 4));
}

}  // namespace
}  // namespace trellis
