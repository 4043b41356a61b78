// What results and model files of every task record about training.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/frame/training/training.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

// The keys that every `train --json` has; null: not computed. `gap` is relative to the objective,
// like --gap; `gap_absolute` is objective − bound; `certificate` names the proof of both.
struct RunSeconds {
  double read = 0;
  double total = 0;
};
// Convergence of the sums of an epoch, under the key "convergence"; nothing for exact sums.
void put_convergence(const InferenceTally& tally, Value& record);
// "sums of the last epoch: 12 of 1662 did not converge (residual at most 0.31, 0.0004 in the
// mean)"; empty where they are exact.
std::string convergence_text(const LearnSummary& summary);
void put_summary(const LearnSummary& summary, const RunSeconds& seconds, Value& record);
void put_learned(const Learned& learned, const RunSeconds& seconds, Value& record);
// The record of training in a model file: the same for two runs of one call.
void put_provenance(const LearnSummary& summary, Value& training);
void put_provenance(const Learned& learned, std::uint64_t seed, Value& training);
// The same for people: its keys in order, each with its value in words; and one line for each.
std::vector<std::pair<std::string, std::string>> provenance_words(const Value& training);
std::string provenance_text(const Value& training);

}  // namespace trellis
