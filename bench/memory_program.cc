// The program of bench/memory.py: learns weights by one method and prints what it took; from n
// matchings of 25 × 25 that are made when they are looked at, or, with WEIGHTS, from n matchings of
// 12 × 12 that are stored, with so many weights.
//
//   memory_program extragradient|examples|stored|qp N ITERATIONS THREADS [WEIGHTS]
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/saddle_point/example_game.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/part_problem.h"
#include "trellis/structure/matchings/matching.h"

namespace {

using namespace trellis;

// Words of two sentences with five features per pair: one that says who belongs together, through
// noise, and four that do not. Nothing is kept: an example is its number.
class GeneratedMatchings {
 public:
  using Structure = Matching;
  struct Workspace {};
  static constexpr Index kWords = 25;
  static constexpr Index kFeatures = 5;

  explicit GeneratedMatchings(Index n) : n_(n) {}

  Index num_examples() const { return n_; }
  Index dimension() const { return kFeatures; }
  double example_weight(Index) const { return 1; }
  Matching structure(Index) const { return Matching(kWords, kWords); }
  std::vector<Label> gold(Index i) const {
    std::vector<Label> y(kWords);
    std::iota(y.begin(), y.end(), 0);
    Random random(1, i);
    for (Index j = kWords; j > 1; --j) std::swap(y[j - 1], y[random.below(j)]);
    for (Label& right : y) {
      if (random.below(5) == 0) right = kNoLabel;
    }
    return y;
  }
  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    for_each_edge(i, [&](Index p, const double* x) {
      s[p] = 0;
      for (Index k = 0; k < kFeatures; ++k) s[p] += w[k] * x[k];
    });
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    const std::vector<Label> y = gold(i);
    for (Index p = 0; p < s.size(); ++p) {
      s[p] += static_cast<Index>(y[p / kWords]) == p % kWords ? -scale : scale;
    }
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    for_each_edge(i, [&](Index p, const double* x) {
      for (Index k = 0; k < kFeatures; ++k) gradient[k] += scale * z[p] * x[k];
    });
  }
  void features(Index i, std::span<const double> z, double scale, Workspace&,
                SparseVector& slope) const {
    slope.clear();
    add_features(i, z, scale, slope.append(0, kFeatures));
  }

 private:
  template <class Visit>
  void for_each_edge(Index i, const Visit& visit) const {
    const std::vector<Label> y = gold(i);
    Random random(2, i);
    double x[kFeatures];
    for (Index p = 0; p < kWords * kWords; ++p) {
      for (double& value : x) value = random.uniform() - 0.5;
      if (static_cast<Index>(y[p / kWords]) == p % kWords) x[0] += 1;
      visit(p, x);
    }
  }

  Index n_;
};

// Matchings of 12 × 12 whose edges have one feature that tells and nine of many that do not, all of
// them stored.
BlockModel<Matching> stored_matchings(Index n, Index dimension) {
  constexpr Index kWords = 12, kEdges = kWords * kWords, kFeatures = 10;
  std::vector<BlockExample<Matching>> examples;
  for (Index i = 0; i < n; ++i) {
    Random random(3, i);
    const Matching matching(kWords, kWords);
    Matching::Output gold(kWords);
    std::iota(gold.begin(), gold.end(), 0);
    for (Index j = kWords; j > 1; --j) std::swap(gold[j - 1], gold[random.below(j)]);
    std::vector<double> truth(kEdges), costs(kEdges);
    matching.indicator(gold, truth);
    hamming_costs(truth, 1, 1, costs);
    FeatureRowsBuilder rows(dimension, false);
    std::vector<Index> ids(kFeatures);
    for (Index p = 0; p < kEdges; ++p) {
      rows.begin_row();
      ids[0] = 0;
      for (Index k = 1; k < kFeatures; ++k) ids[k] = 1 + random.below(dimension - 1);
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      for (const Index id : ids) {
        const double signal = id == 0 ? truth[p] : 0.0;
        rows.add(id, static_cast<float>(random.uniform() - 0.5 + signal));
      }
      ids.resize(kFeatures);
    }
    examples.push_back({matching, gold, {{std::move(rows).finish(), 0, 1, 0, 1}}, costs, 1});
  }
  return {dimension, std::move(examples)};
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double megabytes_now() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

struct Call {
  std::string method;
  Index iterations;
  int threads;
};

void learn(const EuclideanPartOracle& problem, const Call& call) {
  const double before = megabytes_now();
  std::vector<double> w(problem.dimension(), 0.0);
  LearnControl control;
  control.threads = call.threads;
  LearnSummary summary;
  ReferenceQpSize size;
  if (call.method == "qp") {
    ReferenceQpOptions options;
    options.max_nonzeros = options.max_factor_nonzeros = ~Index{0};
    options.max_work = kInfinity;
    summary = reference_qp(problem, {1e-3, 1e300}, w, options, control, &size);
  } else if (call.method == "examples") {
    ExampleGameOptions options;
    options.lambda = 1e-3;
    options.max_epochs = options.gap_every = call.iterations;
    control.certify = true;
    summary = example_game(problem, options, w, control);
  } else {
    ExtragradientOptions options;
    options.lambda = 1e-3;
    options.max_iterations = options.gap_every = call.iterations;
    control.certify = true;
    if (call.method == "stored") options.form = ExtragradientForm::kStored;
    summary = extragradient(problem, options, w, control);
  }
  const double vector = 8.0 * static_cast<double>(problem.dimension()) / (1 << 20);
  std::printf(
      "{\"megabytes\": %.3f, \"before\": %.3f, \"weight_vectors\": %.2f, \"seconds\": %.3f, "
      "\"objective\": %.9g, \"gap\": %.9g, \"termination\": \"%s\", \"variables\": %zu, "
      "\"nonzeros\": %zu}\n",
      peak_megabytes(), before, (peak_megabytes() - before) / vector, summary.seconds,
      summary.objective, summary.gap(), std::string(to_string(summary.termination)).c_str(),
      size.variables, size.nonzeros);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) return 2;
  const Index n = std::strtoull(argv[2], nullptr, 10);
  const Call call{argv[1], std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4])};
  if (argc == 6) {
    const BlockModel<Matching> model = stored_matchings(n, std::strtoull(argv[5], nullptr, 10));
    learn(EuclideanPartProblem<BlockModel<Matching>>(model), call);
  } else {
    const GeneratedMatchings model(n);
    learn(EuclideanPartProblem<GeneratedMatchings>(model), call);
  }
}
