#include "trellis/tasks/align/metrics/threshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::align {
namespace {

constexpr std::string_view kRecallAim = "recall:";

struct SweptLink {
  double probability;
  bool sure;
  bool possible;
};

// Criteria by decreasing importance; higher is better.
using Merit = std::array<double, 3>;

Merit merit_of(const AlignmentCounts& counts, const ThresholdAim& aim) {
  switch (aim.kind) {
    case ThresholdAim::Kind::kF:
      return {counts.f(aim.beta), 0, 0};
    case ThresholdAim::Kind::kRecall:
      return {std::min(counts.recall(), aim.recall), counts.precision(), counts.recall()};
    case ThresholdAim::Kind::kAer:
      break;
  }
  return {-counts.aer(), 0, 0};
}

std::vector<SweptLink> by_falling_probability(std::span<const std::vector<ScoredLink>> scored,
                                              std::span<const GoldLinks> gold) {
  std::vector<SweptLink> links;
  for (Index i = 0; i < scored.size(); ++i) {
    for (const ScoredLink& s : scored[i]) {
      links.push_back(
          {s.probability, contains(gold[i].sure, s.link), contains(gold[i].possible, s.link)});
    }
  }
  std::sort(links.begin(), links.end(),
            [](const SweptLink& a, const SweptLink& b) { return a.probability > b.probability; });
  return links;
}

// Neighbouring doubles have no number between them; then the smallest kept one is returned.
double half_way(double kept, double dropped) {
  const double middle = kept / 2 + dropped / 2;
  return middle > dropped && middle <= kept ? middle : kept;
}

}  // namespace

ThresholdAim ThresholdAim::parse(std::string_view text) {
  if (text == "aer") return {};
  ThresholdAim aim;
  if (text.starts_with(kRecallAim)) {
    aim.kind = Kind::kRecall;
    const auto recall = parse_double(text.substr(kRecallAim.size()));
    if (recall && *recall >= 0 && *recall <= 1) {
      aim.recall = *recall;
      return aim;
    }
  } else if (text.starts_with('f')) {
    aim.kind = Kind::kF;
    const auto beta = parse_double(text.substr(1));
    if (beta && *beta > 0) {
      aim.beta = *beta;
      return aim;
    }
  }
  throw UsageError(fmt::format(
      "unknown aim of a threshold '{}': expected aer, f1 (or another beta) or recall:0.9", text));
}

std::string ThresholdAim::to_string() const {
  switch (kind) {
    case Kind::kF:
      return fmt::format("f{}", beta);
    case Kind::kRecall:
      return fmt::format("{}{}", kRecallAim, recall);
    case Kind::kAer:
      break;
  }
  return "aer";
}

ThresholdChoice choose_threshold(std::span<const std::vector<ScoredLink>> scored,
                                 std::span<const GoldLinks> gold, const ThresholdAim& aim) {
  assert(scored.size() == gold.size());
  const std::vector<SweptLink> links = by_falling_probability(scored, gold);
  AlignmentCounts counts;
  for (const GoldLinks& pair : gold) counts += count_links({}, pair);
  ThresholdChoice best;
  best.counts = counts;
  for (Index i = 0; i < links.size();) {
    const double probability = links[i].probability;
    for (; i < links.size() && links[i].probability == probability; ++i) {
      ++counts.found;
      counts.found_sure += links[i].sure ? 1 : 0;
      counts.found_possible += links[i].possible ? 1 : 0;
    }
    if (best.counts.found > 0 && merit_of(counts, aim) <= merit_of(best.counts, aim)) continue;
    best.counts = counts;
    best.threshold = half_way(probability, i < links.size() ? links[i].probability : 0);
  }
  best.reached = aim.kind != ThresholdAim::Kind::kRecall || best.counts.recall() >= aim.recall;
  return best;
}

}  // namespace trellis::align
