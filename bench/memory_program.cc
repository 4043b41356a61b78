// The program of bench/memory.py: learns weights from n matchings of 25 × 25 that are made when
// they are looked at, by one method, and prints what it took.
//
//   memory_program extragradient|stored|qp N ITERATIONS
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/problem/part_problem.h"
#include "trellis/structure/matching.h"

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

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string method = argv[1];
  const GeneratedMatchings model(std::strtoull(argv[2], nullptr, 10));
  const EuclideanPartProblem<GeneratedMatchings> problem(model);
  std::vector<double> w(model.dimension(), 0.0);
  LearnControl control;
  control.threads = 2;
  LearnSummary summary;
  ReferenceQpSize size;
  if (method == "qp") {
    ReferenceQpOptions options;
    options.max_nonzeros = ~Index{0};
    summary = reference_qp(problem, {1e-3, 1e300}, w, options, control, &size);
  } else {
    ExtragradientOptions options;
    options.lambda = 1e-3;
    options.max_iterations = std::strtoull(argv[3], nullptr, 10);
    options.gap_every = options.max_iterations;
    control.certify = true;
    if (method == "stored") options.form = ExtragradientForm::kStored;
    summary = extragradient(problem, options, w, control);
  }
  std::printf(
      "{\"megabytes\": %.3f, \"seconds\": %.3f, \"objective\": %.9g, \"gap\": %.9g, "
      "\"variables\": %zu, \"nonzeros\": %zu}\n",
      peak_megabytes(), summary.seconds, summary.objective, summary.gap(), size.variables,
      size.nonzeros);
}
