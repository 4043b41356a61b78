#include "trellis/topics/relevance.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr double kLeastShare = std::numeric_limits<double>::min();  // whose logarithm is known

}  // namespace

double relevance(double in_topic, double overall, double lambda) {
  if (in_topic < kLeastShare) return -kInfinity;
  return portable_log(in_topic) - (1 - lambda) * portable_log(std::max(overall, kLeastShare));
}

std::vector<Index> relevant_words(std::span<const double> in_topic, std::span<const double> overall,
                                  Index count) {
  assert(in_topic.size() == overall.size());
  struct Candidate {
    Index word;
    double log_share, log_overall, relevance;
  };
  std::vector<Candidate> candidates;
  for (Index w = 0; w < in_topic.size(); ++w) {
    if (in_topic[w] < kLeastShare) continue;
    const double log_overall = portable_log(std::max(overall[w], kLeastShare));
    candidates.push_back({w, portable_log(in_topic[w]), log_overall, 0});
  }
  count = std::min<Index>(count, candidates.size());
  std::vector<bool> chosen(in_topic.size(), false);
  for (int step = 0; step <= kLambdaSteps; ++step) {
    const double lambda = static_cast<double>(step) / kLambdaSteps;
    for (Candidate& c : candidates) c.relevance = c.log_share - (1 - lambda) * c.log_overall;
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(
        candidates.begin(), end, candidates.end(), [](const Candidate& a, const Candidate& b) {
          return a.relevance != b.relevance ? a.relevance > b.relevance : a.word < b.word;
        });
    for (auto c = candidates.begin(); c != end; ++c) chosen[c->word] = true;
  }
  std::vector<Index> words;
  for (Index w = 0; w < chosen.size(); ++w) {
    if (chosen[w]) words.push_back(w);
  }
  return words;
}

}  // namespace trellis::topics
