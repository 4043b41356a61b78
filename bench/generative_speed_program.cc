// Baum–Welch and Viterbi on a hidden Markov model and sequences from a file, one thread, timed.
//
//   generative_speed_program FILE ITERATIONS REPEATS
//
// FILE (generative_speed.py writes it): the numbers of states and of values; the initial
// distribution, a line; the transitions and then the observations of each state, a line each; then
// a sequence of values a line. Prints one line of JSON: of the fastest of REPEATS runs, the seconds
// of Baum–Welch from that model and how many E-steps it took, the log-likelihood that each saw;
// the seconds of Viterbi over all sequences, and the sum of their log-probabilities.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/generative/hmm/baum_welch.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/generative/hmm/hmm_inference.h"

namespace trellis {
namespace {

struct Task {
  Hmm start;
  std::vector<HmmSequence> sequences;
};

std::vector<std::string> numbered(Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(fmt::to_string(i));
  return names;
}

Task read(const char* path) {
  std::ifstream file(path);
  Index states = 0;
  Index values = 0;
  file >> states >> values;
  if (!file) throw InputError(path, 1, "expected the numbers of states and of values");
  HmmAlphabet alphabet{numbered(states), {{"value", numbered(values), false}}};
  // The tables stand in the order in which θ has them.
  std::vector<double> theta(Hmm::layout(alphabet).dimension());
  for (double& entry : theta) {
    file >> entry;
    entry = std::log(entry);
  }
  std::string line;
  std::getline(file, line);
  if (!file) throw InputError(path, 2, "expected probabilities");
  std::vector<HmmSequence> sequences;
  while (std::getline(file, line)) {
    HmmSequence& sequence = sequences.emplace_back();
    std::istringstream words(line);
    std::uint32_t value = 0;
    while (words >> value) sequence.observations.push_back(value);
  }
  return {Hmm(std::move(alphabet), std::move(theta)), std::move(sequences)};
}

struct Measured {
  double baum_welch = std::numeric_limits<double>::infinity();
  double viterbi = std::numeric_limits<double>::infinity();
  std::vector<double> log_likelihoods;
  double log_probability = 0;
};

void time_baum_welch(const Task& task, Index iterations, Measured& measured) {
  BaumWelchOptions options;
  options.max_iterations = iterations;
  options.tolerance = 0;
  const Stopwatch watch;
  BaumWelchResult result = baum_welch_from({&task.start, 1}, task.sequences, options);
  measured.baum_welch = std::min(measured.baum_welch, watch.seconds());
  measured.log_likelihoods = std::move(result.runs.front().objectives);
}

void time_viterbi(const Task& task, Measured& measured) {
  const Stopwatch watch;
  const HmmInference inference(task.start);
  HmmScratch scratch;
  std::vector<Label> path;
  double sum = 0;
  for (const HmmSequence& sequence : task.sequences) {
    sum += inference.viterbi(sequence, scratch, path);
  }
  measured.viterbi = std::min(measured.viterbi, watch.seconds());
  measured.log_probability = sum;
}

void measure(char** arguments) {
  const Task task = read(arguments[1]);
  const Index iterations = std::strtoull(arguments[2], nullptr, 10);
  const int repeats = std::atoi(arguments[3]);
  Measured measured;
  for (int i = 0; i < repeats; ++i) {
    time_baum_welch(task, iterations, measured);
    time_viterbi(task, measured);
  }
  fmt::print(R"({{"baum_welch": {:.6f}, "e_steps": {}, "log_likelihoods": [{:.17g}], )"
             R"("viterbi": {:.6f}, "log_probability": {:.17g}}})"
             "\n",
             measured.baum_welch, measured.log_likelihoods.size(),
             fmt::join(measured.log_likelihoods, ", "), measured.viterbi, measured.log_probability);
}

}  // namespace
}  // namespace trellis

int main(int count, char** arguments) {
  try {
    if (count != 4) throw trellis::UsageError("expected a file, iterations and repeats");
    trellis::measure(arguments);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "generative_speed_program: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
