#include "trellis/tasks/match/match_trainable.h"

#include <algorithm>
#include <cmath>

namespace trellis::match {

std::vector<double> tally_of(const MatchScores& found) {
  return {static_cast<double>(found.wrong()), static_cast<double>(found.nodes())};
}
std::vector<double> tally_of(const MatchScores& found, const MatchScores& unlearned,
                             std::span<const Index> chosen) {
  std::vector<double> tally = tally_of(found);
  tally.resize(5, 0.0);
  for (Index k = 0; k < found.graphs().size(); ++k) {
    const auto& other = unlearned.graphs()[chosen.empty() ? k : chosen[k]];
    const double gain =
        static_cast<double>(other.wrong) - static_cast<double>(found.graphs()[k].wrong);
    tally[2] += gain;
    tally[3] += gain * gain;
    tally[4] += 1;
  }
  return tally;
}

double accuracy_of(std::span<const double> tally) {
  const double nodes = std::max(1.0, tally[1]);
  double wrong = tally[0];
  if (tally.size() > 2) {
    const double gain = tally[2];
    const double variance = std::max(0.0, tally[3] - gain * gain / tally[4]);
    if (gain > 0 && gain < 2 * std::sqrt(variance)) wrong += gain;
  }
  return 100 - 100 * wrong / nodes;
}

HeldTo held_to(Centre centre, const CentreOption& said, const MatchFeatures& features,
               const Lesson& lesson) {
  switch (centre) {
    case Centre::kUnlearned: {
      const double scale = unlearned_scale(lesson.examples(), lesson.scale(), lesson.threads());
      std::vector<double> weights(lesson.dimension(), -scale);
      return {"unlearned", lesson.normalized(std::move(weights)), scale};
    }
    case Centre::kModel:
      return {said.name, lesson.normalized(weights_for(features, *said.model))};
    default:
      return {"none", {}};
  }
}

}  // namespace trellis::match
