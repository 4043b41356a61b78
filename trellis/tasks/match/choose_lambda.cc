#include "trellis/tasks/match/choose_lambda.h"

#include <algorithm>
#include <numeric>

#include "trellis/base/random.h"

namespace trellis::match {
namespace {

constexpr std::string_view kWrong = "match/wrong";  // by candidate and part, of finished runs
constexpr std::string_view kNodes = "match/nodes";

struct Part {
  std::vector<Index> train;
  std::vector<Index> held_out;
};

std::vector<Part> parts_of(const std::vector<std::vector<Index>>& folds, Index num_examples) {
  std::vector<Index> all(num_examples);
  std::iota(all.begin(), all.end(), Index{0});
  if (folds.empty()) return {{all, {}}};
  std::vector<Part> parts;
  for (const std::vector<Index>& fold : folds) {
    Part part;
    part.held_out = fold;
    std::set_difference(all.begin(), all.end(), fold.begin(), fold.end(),
                        std::back_inserter(part.train));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

bool try_lambdas(std::span<const double> lambdas, const std::vector<std::vector<Index>>& folds,
                 Index num_examples, const TrainAndScore& run, Checkpoint& checkpoint,
                 std::vector<LambdaFigure>& figures, const OnFigure& on_figure) {
  const std::vector<Part> parts = parts_of(folds, num_examples);
  std::vector<double> wrong;
  std::vector<double> nodes;
  if (checkpoint.has(kWrong)) {
    wrong = checkpoint.doubles(kWrong);
    nodes.resize(wrong.size());
    checkpoint.get(kNodes, nodes);
  }
  const auto save = [&] {
    checkpoint.put(kWrong, wrong);
    checkpoint.put(kNodes, nodes);
  };
  const auto figure = [&](Index l) {
    const auto sum = [&](const std::vector<double>& values) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(l * parts.size());
      return std::accumulate(first, first + static_cast<std::ptrdiff_t>(parts.size()), 0.0);
    };
    return LambdaFigure{lambdas[l], 100 * sum(wrong) / std::max(1.0, sum(nodes))};
  };
  for (Index job = wrong.size(); job < lambdas.size() * parts.size(); ++job) {
    const Part& part = parts[job % parts.size()];
    MatchScores scores;
    if (!run(lambdas[job / parts.size()], part.train, part.held_out, scores)) {
      save();
      return false;
    }
    wrong.push_back(static_cast<double>(scores.wrong()));
    nodes.push_back(static_cast<double>(scores.nodes()));
    if (on_figure && wrong.size() % parts.size() == 0) on_figure(figure(job / parts.size()));
  }
  save();
  figures.clear();
  for (Index l = 0; l < lambdas.size(); ++l) figures.push_back(figure(l));
  return true;
}

double best_lambda(std::span<const LambdaFigure> figures) {
  const auto best = std::min_element(
      figures.begin(), figures.end(), [](const LambdaFigure& a, const LambdaFigure& b) {
        return a.hamming != b.hamming ? a.hamming < b.hamming : a.lambda > b.lambda;
      });
  return best->lambda;
}

std::vector<std::vector<Index>> deal_folds(Index num_examples, Index folds, std::uint64_t seed) {
  const std::vector<Index> order = random_permutation(num_examples, Random(seed));
  std::vector<std::vector<Index>> dealt(folds);
  for (Index k = 0; k < order.size(); ++k) dealt[k % folds].push_back(order[k]);
  for (std::vector<Index>& fold : dealt) std::sort(fold.begin(), fold.end());
  return dealt;
}

}  // namespace trellis::match
