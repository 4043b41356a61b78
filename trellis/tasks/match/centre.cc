#include "trellis/tasks/match/centre.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/tasks/match/graph_model.h"

namespace trellis::match {
namespace {

bool alike(const ContextOptions& a, const ContextOptions& b) {
  return a.rings == b.rings && a.sectors == b.sectors && a.inner == b.inner && a.outer == b.outer &&
         a.difference == b.difference && a.outline == b.outline;
}

// The derivative of the risk along a ray.
class SlopeAlong {
 public:
  SlopeAlong(const Oracle& oracle, std::span<const double> direction, int threads)
      : risk_(oracle, threads),
        direction_(direction),
        w_(direction.size()),
        slope_(direction.size()) {}

  double at(double length) {
    for (Index k = 0; k < w_.size(); ++k) w_[k] = length * direction_[k];
    risk_.evaluate(w_, slope_);
    return inner_product(slope_, direction_);
  }

 private:
  Risk risk_;
  std::span<const double> direction_;
  std::vector<double> w_;
  std::vector<double> slope_;
};

// The score of the true matching minus the mean over its graph's matchings; mean over examples.
// Requires complete graphs, whose matchings all have equally many edges.
double truth_above_mean(const GraphModel<Matching>& model, std::span<const double> w) {
  std::vector<double> s;
  double sum = 0;
  for (Index i = 0; i < model.num_examples(); ++i) {
    const Matching& structure = model.structure(i);
    s.resize(structure.num_parts());
    model.scores(i, w, s);
    const double mean = std::accumulate(s.begin(), s.end(), 0.0) / static_cast<double>(s.size());
    const Index edges = std::min(structure.num_left(), structure.num_right());
    sum += structure.score(s, model.gold(i)) - mean * static_cast<double>(edges);
  }
  return sum / static_cast<double>(model.num_examples());
}

constexpr int kDoublings = 40;
constexpr int kHalvings = 8;  // to 0.5 %

}  // namespace

bool has_unlearned_score(Cover cover, bool pairs) {
  return pairs && cover == Cover::kPerfect;
}

CentreOption parse_centre(const std::string& said) {
  if (said == "auto") return {Centre::kAutomatic, said, nullptr};
  if (said == "none") return {Centre::kNone, said, nullptr};
  if (said == "unlearned") return {Centre::kUnlearned, said, nullptr};
  return {Centre::kModel, said, std::make_shared<const MatchModel>(MatchModel::read(said))};
}

void require_centre(const CentreOption& option, Cover cover, bool pairs) {
  if (option.kind != Centre::kUnlearned || has_unlearned_score(cover, pairs)) return;
  throw UsageError(pairs ? "--centre unlearned cannot be combined with --cover partial: its best "
                           "matchings are empty; choose --centre none or a model"
                         : "--centre unlearned requires pairs of shapes: for graphs choose "
                           "--centre none or a model");
}

std::vector<Centre> centres(const CentreOption& option, const MatchFeatures& features) {
  if (option.kind != Centre::kAutomatic) return {option.kind};
  if (!has_unlearned_score(features)) return {Centre::kNone};
  return {Centre::kUnlearned, Centre::kNone};
}

std::vector<double> weights_for(const MatchFeatures& features, const MatchModel& model) {
  const MatchFeatures& other = model.features();
  if (features.pairs() != other.pairs()) {
    throw UsageError(
        fmt::format("the model of --centre was trained on {}, but the training data are {}",
                    other.pairs() ? "pairs of shapes" : "graphs",
                    other.pairs() ? "graphs" : "pairs of shapes"));
  }
  if (features.pairs() ? !alike(features.contexts(), other.contexts())
                       : features.graphs().named != other.graphs().named) {
    throw UsageError(
        features.pairs()
            ? "the model of --centre has other shape contexts: give the same --rings, --sectors, "
              "--inner, --outer, --difference and --outline as for that model"
            : "either the model of --centre or the graphs have named features, but not both");
  }
  std::vector<double> weights(features.dimension(), 0.0);
  const std::span<const double> known = model.weights();
  if (features.pairs() || !features.graphs().named) {
    // Pairs have a bias after the bins for partial matchings, and none otherwise.
    if (!features.pairs() && known.size() != weights.size()) {
      throw UsageError(fmt::format("the model of --centre has {} features, but the graphs have {}",
                                   known.size(), weights.size()));
    }
    std::copy_n(known.begin(), std::min(known.size(), weights.size()), weights.begin());
    return weights;
  }
  for (Index k = 0; k < weights.size(); ++k) {
    const std::uint32_t at = other.graphs().names.find(features.graphs().names[k]);
    if (at != NameList::kNone) weights[k] = known[at];
  }
  return weights;
}

double unlearned_scale(std::span<const MatchExample> examples, std::span<const double> scale,
                       int threads) {
  std::vector<double> direction;
  for (const double one : scale) direction.push_back(-1 / one);
  const GraphModel<Matching> model(examples, direction.size(), Cover::kPerfect);
  const HingeProblem<GraphModel<Matching>> problem(model);
  SlopeAlong slope(problem, direction, threads);
  // The risk is convex along the ray. For a score of little value its minimum is 0, which is no
  // score; so the search starts where the truth exceeds the mean of all matchings by 1.
  double low = 1 / truth_above_mean(model, direction);
  if (!(std::isfinite(low) && low > 0)) return 1;
  double high = low;
  for (int k = 0; k < kDoublings && slope.at(high) < 0; ++k) low = std::exchange(high, 2 * high);
  for (int k = 0; k < kHalvings && low < high; ++k) {
    const double middle = std::sqrt(low * high);
    (slope.at(middle) < 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace trellis::match
