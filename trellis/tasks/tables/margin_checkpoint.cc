#include "trellis/tasks/tables/margin_checkpoint.h"

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::generative {
namespace {

constexpr Index kNumbersOfAnIteration = 10;

void append(const MarginIteration& one, std::vector<double>& numbers) {
  numbers.insert(
      numbers.end(),
      {static_cast<double>(one.iteration), static_cast<double>(one.centre_changes),
       static_cast<double>(one.vertices), one.objective, one.bound, one.proximal_upper,
       one.proximal_lower, one.seconds_master, one.seconds_directions, one.seconds_centre});
}

MarginIteration iteration_at(std::span<const double> n) {
  return {static_cast<Index>(n[0]),
          static_cast<Index>(n[1]),
          static_cast<Index>(n[2]),
          n[3],
          n[4],
          n[5],
          n[6],
          n[7],
          n[8],
          n[9]};
}

std::vector<double> sized(const Checkpoint& checkpoint, std::string_view name, Index size) {
  std::vector<double> values(size);
  checkpoint.get(name, values);
  return values;
}

}  // namespace

void put_state(const MarginState& state, Checkpoint& checkpoint) {
  checkpoint.put("margin/centre", state.centre);
  checkpoint.put("margin/best", state.best);
  checkpoint.put("margin/lambda", state.lambda);
  checkpoint.put("margin/bound_mu", state.bound.mu);
  std::vector<double> numbers = {state.centre_value, state.tolerance, state.bound.omega,
                                 state.bound.value};
  append(state.last, numbers);
  checkpoint.put("margin/numbers", numbers);
  std::vector<std::uint64_t> sizes, idle;
  std::vector<double> mu, weights;
  for (const std::vector<MarginVertex>& set : state.sets) {
    sizes.push_back(set.size());
    for (const MarginVertex& vertex : set) {
      idle.push_back(vertex.idle);
      weights.insert(weights.end(), {vertex.omega, vertex.alpha});
      mu.insert(mu.end(), vertex.mu.begin(), vertex.mu.end());
    }
  }
  checkpoint.put_integers("margin/sets", sizes);
  checkpoint.put_integers("margin/idle", idle);
  checkpoint.put("margin/weights", weights);
  checkpoint.put("margin/mu", mu);
}

MarginState get_state(const Checkpoint& checkpoint, Index dimension) {
  MarginState state;
  state.centre = sized(checkpoint, "margin/centre", dimension);
  state.best = sized(checkpoint, "margin/best", dimension);
  state.lambda = checkpoint.doubles("margin/lambda");
  state.bound.mu = sized(checkpoint, "margin/bound_mu", dimension);
  const std::vector<double> numbers =
      sized(checkpoint, "margin/numbers", 4 + kNumbersOfAnIteration);
  state.centre_value = numbers[0];
  state.tolerance = numbers[1];
  state.bound.omega = numbers[2];
  state.bound.value = numbers[3];
  state.last = iteration_at(std::span(numbers).subspan(4));
  Index vertices = 0;
  const std::vector<std::uint64_t>& idle = checkpoint.integers("margin/idle");
  const std::vector<double> weights = sized(checkpoint, "margin/weights", 2 * idle.size());
  const std::vector<double> mu = sized(checkpoint, "margin/mu", dimension * idle.size());
  for (const std::uint64_t size : checkpoint.integers("margin/sets")) {
    std::vector<MarginVertex> set;
    for (Index k = 0; k < size; ++k, ++vertices) {
      if (vertices >= idle.size()) {
        throw InputError("the checkpoint", 0, "has fewer vertices than declared");
      }
      const auto begin = mu.begin() + static_cast<std::ptrdiff_t>(vertices * dimension);
      set.push_back({{begin, begin + static_cast<std::ptrdiff_t>(dimension)},
                     weights[2 * vertices],
                     weights[2 * vertices + 1],
                     static_cast<Index>(idle[vertices])});
    }
    state.sets.push_back(std::move(set));
  }
  return state;
}

void put_history(const std::vector<MarginIteration>& history, Checkpoint& checkpoint) {
  std::vector<double> numbers;
  for (const MarginIteration& one : history) append(one, numbers);
  checkpoint.put("margin/history", numbers);
}

std::vector<MarginIteration> get_history(const Checkpoint& checkpoint) {
  const std::vector<double>& numbers = checkpoint.doubles("margin/history");
  std::vector<MarginIteration> history;
  for (Index at = 0; at + kNumbersOfAnIteration <= numbers.size(); at += kNumbersOfAnIteration) {
    history.push_back(iteration_at(std::span(numbers).subspan(at)));
  }
  return history;
}

void put_result(const MarginResult& result, Checkpoint& checkpoint) {
  checkpoint.put("margin/theta", result.theta);
  const double numbers[] = {result.objective, result.bound, result.gap,
                            static_cast<double>(result.iterations), result.converged ? 1.0 : 0.0};
  checkpoint.put("margin/result", numbers);
}

MarginResult get_result(const Checkpoint& checkpoint, Index dimension) {
  MarginResult result;
  result.theta = sized(checkpoint, "margin/theta", dimension);
  const std::vector<double> numbers = sized(checkpoint, "margin/result", 5);
  result.objective = numbers[0];
  result.bound = numbers[1];
  result.gap = numbers[2];
  result.iterations = static_cast<Index>(numbers[3]);
  result.converged = numbers[4] != 0;
  return result;
}

}  // namespace trellis::generative
