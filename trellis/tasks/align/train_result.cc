#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {
namespace {

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

const Iteration* last_with_likelihood(const std::vector<Iteration>& iterations) {
  const auto last = std::find_if(iterations.rbegin(), iterations.rend(), [](const Iteration& one) {
    return one.stage != to_string(AlignerKind::kFertility);
  });
  return last == iterations.rend() ? nullptr : &*last;
}

// The objective is the mean of both directions' negative log-likelihood a word, before the last
// iteration that has one.
std::string TrainResult::to_json() const {
  nlohmann::json json = {{"aligner", to_string(aligner)},
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
                         {"threshold", decoding.threshold}};
  if (bigrams) {
    json["statistics"] = {{"source_bigrams", bigrams->first}, {"target_bigrams", bigrams->second}};
  }
  if (const Iteration* last = last_with_likelihood(iterations)) {
    json["objective"] = -(last->forward + last->reverse) / 2;
  }
  json["iterations"] = nlohmann::json::array();
  for (const Iteration& one : iterations) {
    json["iterations"].push_back({{"stage", one.stage},
                                  {"number", one.number},
                                  {"forward", one.forward},
                                  {"reverse", one.reverse},
                                  {"aer", number(one.aer)},
                                  {"seconds", one.seconds}});
  }
  if (dev) {
    json["dev"] = {{"aer", dev->aer()},
                   {"precision", dev->precision()},
                   {"recall", dev->recall()},
                   {"f1", dev->f()},
                   {"aim_reached", aim_reached}};
  }
  return json.dump();
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  notes.push_back(fmt::format("{} sentence pairs, {} and {} words, {} and {} different", pairs,
                              source_tokens, target_tokens, source_words, target_words));
  if (const Iteration* last = last_with_likelihood(iterations)) {
    notes.push_back(
        fmt::format("{} after {} iterations, {:.1f} s: perplexity {:.1f} forward, {:.1f} reverse{}",
                    to_string(aligner), iterations.size(), seconds.total,
                    portable_exp(-last->forward), portable_exp(-last->reverse),
                    last == &iterations.back() ? "" : " (of the " + last->stage + ")"));
  }
  if (bigrams) {
    notes.push_back(
        fmt::format("statistics of the text, with {} and {} pairs of words that follow "
                    "each other",
                    bigrams->first, bigrams->second));
  }
  if (dev) {
    std::string text = fmt::format("{}: AER {:.2f}, precision {:.2f}, recall {:.2f}", dev_name,
                                   100 * dev->aer(), 100 * dev->precision(), 100 * dev->recall());
    if (decoding.has_threshold()) text += fmt::format(", threshold {:.4g}", decoding.threshold);
    notes.push_back(text);
    if (!aim_reached) {
      notes.emplace_back("no threshold reaches the recall asked for: this is the most there is");
    }
  }
  return notes;
}

}  // namespace trellis::align
