// What figs. 2.7 and 2.8 of Lacoste-Julien 2009 plot, for any structure with features in blocks:
// training hinge loss, and validation and test error, against the norm of the weights, along the
// paths of the dual extragradient, the averaged projected gradient and the averaged perceptron, and
// at points of the regularisation path. Printed as one JSON object per line.
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/learn/saddle_point/projected_gradient.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/part_problem.h"

namespace trellis::bench {

// The share of wrong entries of the predicted outputs (labels of nodes, partners of nodes).
template <PartModel M>
double error_rate(const M& model, std::span<const double> w) {
  typename M::Structure::Scratch scratch;
  typename M::Structure::Output y;
  std::vector<double> s;
  Index wrong = 0;
  Index all = 0;
  for (Index i = 0; i < model.num_examples(); ++i) {
    s.resize(model.structure(i).num_parts());
    model.scores(i, w, s);
    model.structure(i).maximize(s, scratch, y);
    for (Index j = 0; j < y.size(); ++j, ++all) wrong += y[j] != model.gold(i)[j] ? 1U : 0U;
  }
  return static_cast<double>(wrong) / static_cast<double>(all);
}

template <PartModel M>
class SaddlePaths {
 public:
  SaddlePaths(const M& train, const M& valid, const M& test, int threads)
      : train_(train),
        valid_(valid),
        test_(test),
        hinge_(train),
        parts_(train),
        risk_(hinge_, threads),
        threads_(threads) {}

  // The paper's algorithm: step 1/‖F‖₂, unregularised, from w = 0.
  void dual_extragradient(Index iterations) {
    ExtragradientOptions options;
    options.max_iterations = iterations;
    options.adaptive = options.accelerate = false;
    options.balance = 1;
    run("dual-ex", [&](std::span<double> w, const LearnControl& control) {
      extragradient(parts_, options, w, control);
    });
  }

  // The gap function (2.18) of iteration t in a ball: by the paper's steps, and by those that the
  // proof of learn/saddle_point/extragradient.h governs.
  void rates(double radius, Index iterations) {
    for (const bool governed : {false, true}) {
      ExtragradientOptions options;
      options.max_iterations = iterations;
      options.ball = WeightBall::kEuclidean;
      options.radius = radius;
      options.adaptive = options.accelerate = governed;
      options.balance = governed ? 0 : 1;
      LearnControl control;
      control.threads = threads_;
      control.certify = true;
      control.observer = [&](EpochRecord& record, std::span<const double>) {
        std::printf("{\"method\": \"%s\", \"iteration\": %zu, \"gap\": %.9g}\n",
                    governed ? "rate, governed steps" : "rate, steps 1/|F|", record.epoch,
                    (record.objective - record.bound) * static_cast<double>(train_.num_examples()));
        return true;
      };
      std::vector<double> w(train_.dimension(), 0.0);
      extragradient(parts_, options, w, control);
    }
  }

  void projected_gradient_path(Index iterations) {
    ProjectedGradientOptions options;
    options.max_iterations = iterations;
    options.balance = 1;
    run("proj-grad", [&](std::span<double> w, const LearnControl& control) {
      projected_gradient(parts_, options, w, control);
    });
  }

  void averaged_perceptron(Index epochs) {
    const HingeProblem<M> mistakes(train_, 0);
    PerceptronOptions options;
    options.max_epochs = epochs;
    run("ave-perc", [&](std::span<double> w, const LearnControl& control) {
      perceptron(mistakes, options, w, control);
    });
  }

  // The optimum for each λ, by the bundle method to a relative gap of 1e-4.
  void regularisation_points(const std::vector<double>& lambdas) {
    for (const double lambda : lambdas) {
      BmrmOptions options;
      options.lambda = lambda;
      LearnControl control;
      control.threads = threads_;
      control.certify = true;
      control.gap_tolerance = 1e-4;
      std::vector<double> w(train_.dimension(), 0.0);
      bmrm(hinge_, options, w, control);
      report("reg-path", 0, w);
    }
  }

 private:
  template <class Learn>
  void run(const std::string& name, const Learn& learn) {
    LearnControl control;
    control.threads = threads_;
    Index next = 1;
    control.observer = [&](EpochRecord& record, std::span<const double> w) {
      if (record.epoch < next) return true;
      next = record.epoch + std::max<Index>(1, record.epoch / 8);  // as even on a log scale as seen
      report(name, record.epoch, w);
      return true;
    };
    std::vector<double> w(train_.dimension(), 0.0);
    learn(w, control);
  }

  void report(const std::string& name, Index iteration, std::span<const double> w) {
    std::vector<double> slope(w.size());
    const double loss = *risk_.evaluate(w, slope) * static_cast<double>(train_.num_examples());
    std::printf(
        "{\"method\": \"%s\", \"iteration\": %zu, \"norm\": %.9g, \"hinge\": %.9g, "
        "\"valid\": %.9g, \"test\": %.9g}\n",
        name.c_str(), iteration, std::sqrt(inner_product(w, w)), loss, error_rate(valid_, w),
        error_rate(test_, w));
    std::fflush(stdout);
  }

  const M& train_;
  const M& valid_;
  const M& test_;
  HingeProblem<M> hinge_;
  EuclideanPartProblem<M> parts_;
  Risk risk_;
  int threads_;
};

}  // namespace trellis::bench
