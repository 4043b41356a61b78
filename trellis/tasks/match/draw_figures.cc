#include "trellis/tasks/match/draw_figures.h"

#include <cmath>
#include <memory>
#include <vector>

#include "trellis/base/parallel.h"

namespace trellis::match {

DrawFigures draw_figures(const GraphModel<CoveringMatching>& model,
                         const MonteCarloOptions& options, double lambda, std::span<const double> w,
                         int threads) {
  const MonteCarloProblem<GraphModel<CoveringMatching>> problem(model, options);
  std::vector<MonteCarloAccuracy> accuracies(model.num_examples());
  std::vector<std::vector<double>> gradients(model.num_examples());
  std::vector<std::unique_ptr<Scratch>> scratch;
  for (int t = 0; t < resolve_threads(threads); ++t) scratch.push_back(problem.make_scratch());
  parallel_for(model.num_examples(), threads, [&](Index i, int worker) {
    Scratch& memory = *scratch[static_cast<Index>(worker)];
    accuracies[i] = problem.accuracy(i, w, memory);
    gradients[i].assign(w.size(), 0.0);
    problem.accumulate(i, w, memory, gradients[i]);
  });
  const auto n = static_cast<double>(model.num_examples());
  std::vector<double> gradient(w.size(), 0.0);
  double attempts = 0;
  double variance = 0;
  for (Index i = 0; i < model.num_examples(); ++i) {
    attempts += static_cast<double>(accuracies[i].attempts);
    variance += accuracies[i].gradient_variance / (n * n);
    for (Index k = 0; k < w.size(); ++k) gradient[k] += gradients[i][k] / n;
  }
  double squared_norm = 0;
  for (Index k = 0; k < w.size(); ++k) {
    const double g = gradient[k] + lambda * w[k];
    squared_norm += g * g;
  }
  return {options.draws, n * static_cast<double>(options.draws) / attempts, std::sqrt(squared_norm),
          std::sqrt(variance)};
}

}  // namespace trellis::match
