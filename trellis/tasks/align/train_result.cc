#include <fmt/format.h>

#include <algorithm>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

const Iteration* last_with_likelihood(const std::vector<Iteration>& iterations) {
  const auto last = std::find_if(iterations.rbegin(), iterations.rend(), [](const Iteration& one) {
    return one.stage != to_string(AlignerKind::kFertility);
  });
  return last == iterations.rend() ? nullptr : &*last;
}

// The objective is the negative log-likelihood per word, the mean of both directions, before the
// last iteration that has one.
Value TrainResult::record() const {
  Value record = Value::record({{"aligner", to_string(aligner)},
                                {"pairs", pairs},
                                {"source_tokens", source_tokens},
                                {"target_tokens", target_tokens},
                                {"source_words", source_words},
                                {"target_words", target_words},
                                {"entries", entries},
                                {"kept", kept},
                                {"sweeps", sweeps},
                                {"objective", nullptr},
                                {"bound", nullptr},
                                {"gap", nullptr},
                                {"epochs", iterations.size()},
                                {"seconds", seconds.total - seconds.read},
                                {"read_seconds", seconds.read},
                                {"total_seconds", seconds.total},
                                {"combination", to_string(decoding.combination)},
                                {"decode", to_string(decoding.decode)},
                                {"threshold", decoding.threshold}});
  if (bigrams) {
    record["statistics"] =
        Value::record({{"source_bigrams", bigrams->first}, {"target_bigrams", bigrams->second}});
  }
  if (const Iteration* last = last_with_likelihood(iterations)) {
    record["objective"] = -(last->forward + last->reverse) / 2;
  }
  record["iterations"] = Value::list();
  for (const Iteration& one : iterations) {
    record["iterations"].push_back(Value::record({{"stage", one.stage},
                                                  {"number", one.number},
                                                  {"forward", one.forward},
                                                  {"reverse", one.reverse},
                                                  {"aer", one.aer},
                                                  {"seconds", one.seconds}}));
  }
  if (dev) {
    record["dev"] = Value::record({{"aer", dev->aer()},
                                   {"precision", dev->precision()},
                                   {"recall", dev->recall()},
                                   {"f1", dev->f()},
                                   {"aim_reached", aim_reached}});
  }
  return record;
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  notes.push_back(fmt::format("{} sentence pairs, {} and {} words, {} and {} different words",
                              pairs, source_tokens, target_tokens, source_words, target_words));
  if (const Iteration* last = last_with_likelihood(iterations)) {
    notes.push_back(
        fmt::format("{} after {} iterations, {:.1f} s: perplexity {:.1f} forward, {:.1f} reverse{}",
                    to_string(aligner), iterations.size(), seconds.total,
                    portable_exp(-last->forward), portable_exp(-last->reverse),
                    last == &iterations.back() ? "" : " (of the " + last->stage + ")"));
  }
  if (bigrams) {
    notes.push_back(fmt::format("statistics of the text, with {} and {} pairs of consecutive words",
                                bigrams->first, bigrams->second));
  }
  if (dev) {
    std::string text = fmt::format("{}: AER {:.2f}, precision {:.2f}, recall {:.2f}", dev_name,
                                   100 * dev->aer(), 100 * dev->precision(), 100 * dev->recall());
    if (decoding.has_threshold()) text += fmt::format(", threshold {:.4g}", decoding.threshold);
    notes.push_back(text);
    if (!aim_reached) {
      notes.emplace_back(
          "no threshold reaches the requested recall: chose the threshold with the highest recall");
    }
  }
  return notes;
}

}  // namespace trellis::align
