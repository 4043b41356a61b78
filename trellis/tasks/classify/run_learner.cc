#include "trellis/tasks/classify/run_learner.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::classify {
namespace {

constexpr std::array<std::pair<std::string_view, Learner>, 8> kLearners = {{
    {"smo", Learner::kSmo},
    {"dca", Learner::kDca},
    {"bcfw", Learner::kBcfw},
    {"bmrm", Learner::kBmrm},
    {"lbfgs", Learner::kLbfgs},
    {"sgd", Learner::kSgd},
    {"perceptron", Learner::kPerceptron},
    {"naive-bayes", Learner::kNaiveBayes},
}};

Index epochs_or(const TrainOptions& options, Index otherwise) {
  return options.epochs > 0 ? options.epochs : otherwise;
}

LearnSummary run_smo(const TrainOptions& options, double gamma, double lambda,
                     const MulticlassModel& model, std::span<double> w,
                     const LearnControl& control) {
  SmoOptions smo_options;
  smo_options.lambda = lambda;
  smo_options.max_epochs = epochs_or(options, smo_options.max_epochs);
  // Where a gap is asked for, nothing else ends the run.
  if (control.gap_tolerance > 0) smo_options.epsilon = std::numeric_limits<double>::min();
  return smo(LabelProblem(model, gamma), smo_options, w, control);
}

LearnSummary run_dca(const TrainOptions& options, double lambda, const ConvexOracle& problem,
                     std::span<double> w, const LearnControl& control) {
  DcaOptions dca_options;
  dca_options.lambda = lambda;
  dca_options.max_epochs = epochs_or(options, options.stored_dual ? 200 : 20);
  dca_options.dual = options.stored_dual ? DcaDual::kStored : DcaDual::kOnline;
  dca_options.average = options.average;
  return dca(problem, dca_options, w, control);
}

LearnSummary run_bcfw(const TrainOptions& options, double lambda, const ConvexOracle& problem,
                      std::span<double> w, const LearnControl& control) {
  BcfwOptions bcfw_options;
  bcfw_options.lambda = lambda;
  bcfw_options.max_epochs = epochs_or(options, 200);
  bcfw_options.average = options.average ? BcfwAverage::kWeighted : BcfwAverage::kNone;
  return bcfw(problem, bcfw_options, w, control);
}

LearnSummary run_bmrm(const TrainOptions& options, double lambda, const ConvexOracle& problem,
                      std::span<double> w, const LearnControl& control) {
  BmrmOptions bmrm_options;
  bmrm_options.lambda = lambda;
  bmrm_options.max_iterations = epochs_or(options, bmrm_options.max_iterations);
  return bmrm(problem, bmrm_options, w, control);
}

LearnSummary run_lbfgs(const TrainOptions& options, double lambda,
                       const SmoothProblem<MulticlassModel>& problem, std::span<double> w,
                       const LearnControl& control) {
  LbfgsOptions lbfgs_options;
  lbfgs_options.lambda = lambda;
  lbfgs_options.rho = options.l1 / static_cast<double>(problem.num_examples());
  lbfgs_options.max_iterations = epochs_or(options, lbfgs_options.max_iterations);
  lbfgs_options.epsilon = options.epsilon;
  lbfgs_options.delta = options.delta;
  return lbfgs(problem, lbfgs_options, w, control);
}

SgdSummary run_sgd(const TrainOptions& options, double lambda, const ConvexOracle& problem,
                   std::span<double> w, const LearnControl& control,
                   const std::function<double(std::span<const double>)>& held_out) {
  SgdOptions sgd_options;
  sgd_options.lambda = lambda;
  sgd_options.max_epochs = epochs_or(options, 20);
  sgd_options.eta = options.eta;
  sgd_options.held_out = held_out;
  return sgd(problem, sgd_options, w, control);
}

LearnSummary run_perceptron(const TrainOptions& options, double gamma, const MulticlassModel& model,
                            std::span<double> w, const LearnControl& control) {
  PerceptronOptions perceptron_options;
  perceptron_options.max_epochs = epochs_or(options, 20);
  perceptron_options.average = options.average;
  return perceptron(HingeProblem(model, gamma), perceptron_options, w, control);
}

void require_naive_bayes(const TrainOptions& options) {
  if (options.loss) {
    throw UsageError("naive Bayes counts instead of minimising a loss: leave --loss away");
  }
  if (options.c || options.l1 > 0 || !options.label_weights.empty()) {
    throw UsageError("naive Bayes has neither C nor L1 nor label weights: its one dial is alpha");
  }
  if (options.gap || options.certify) {
    throw UsageError("naive Bayes is an estimate in closed form: there is no gap to certify");
  }
}

}  // namespace

std::string_view to_string(Learner learner) {
  for (const auto& [name, value] : kLearners) {
    if (value == learner) return name;
  }
  return "";
}

Learner parse_learner(std::string_view name) {
  for (const auto& [known, value] : kLearners) {
    if (known == name) return value;
  }
  throw UsageError(fmt::format(
      "unknown learner '{}': expected smo, dca, bcfw, bmrm, lbfgs, sgd, perceptron or naive-bayes",
      name));
}

Learner default_learner(const std::optional<Loss>& loss) {
  if (!loss) return Learner::kSmo;
  if (!loss->hinge()) return Learner::kLbfgs;
  return loss->gamma == 0 ? Learner::kPerceptron : Learner::kSmo;
}

Loss default_loss(Learner learner) {
  if (learner == Learner::kPerceptron) return Loss::named("perceptron");
  if (learner == Learner::kLbfgs || learner == Learner::kSgd) return Loss::named("crf");
  return Loss::named("svm");
}

void require_cell(const TrainOptions& options, Learner learner, const Loss& loss) {
  const std::string_view name = to_string(learner);
  if (learner == Learner::kNaiveBayes) return require_naive_bayes(options);
  if (options.complement) {
    throw UsageError(fmt::format("only naive Bayes has a complement, not {}", name));
  }
  loss.validate();
  if (learner == Learner::kLbfgs && loss.hinge()) {
    throw UsageError(
        "lbfgs needs a gradient, which the hinge (beta = inf) does not have: choose a finite beta, "
        "or smo, dca, bcfw, bmrm, sgd or perceptron");
  }
  const bool needs_hinge = learner == Learner::kSmo || learner == Learner::kPerceptron;
  if (needs_hinge && !loss.hinge()) {
    throw UsageError(
        fmt::format("{} lives off the best wrong label, so it needs the hinge (beta = inf: svm or "
                    "perceptron): for beta = {} choose lbfgs, dca, bcfw, bmrm or sgd",
                    name, loss.beta));
  }
  const bool needs_margin = learner != Learner::kPerceptron && learner != Learner::kSgd;
  if (needs_margin && loss.hinge() && loss.gamma == 0) {
    throw UsageError(
        fmt::format("without a margin (gamma = 0) the hinge of weights that are 0 is 0, and {} "
                    "takes no step: choose the learner perceptron, or a gamma above 0",
                    name));
  }
  if (options.l1 > 0 && learner != Learner::kLbfgs) {
    throw UsageError(
        fmt::format("only lbfgs (as OWL-QN) minimises with an L1 penalty, not {}", name));
  }
  if (options.stored_dual && learner != Learner::kDca) {
    throw UsageError(fmt::format("only dca has a dual to store, not {}", name));
  }
}

double resolve_gap(const TrainOptions& options, Learner learner, const Loss& loss) {
  if (options.gap) return *options.gap;
  const bool to_optimum = learner == Learner::kSmo || learner == Learner::kBcfw ||
                          learner == Learner::kBmrm ||
                          (learner == Learner::kDca && options.stored_dual);
  return to_optimum && loss.hinge() ? 1e-3 : 0;
}

LearnerRun run_learner(const TrainOptions& options, Learner learner, const Loss& loss,
                       double lambda, const MulticlassModel& model, std::span<double> w,
                       const LearnControl& control,
                       const std::function<double(std::span<const double>)>& held_out) {
  LearnerRun run;
  switch (learner) {
    case Learner::kSmo:
      run.summary = run_smo(options, loss.gamma, lambda, model, w, control);
      break;
    case Learner::kDca:
      run.summary =
          loss.hinge()
              ? run_dca(options, lambda, HingeProblem(model, loss.gamma), w, control)
              : run_dca(options, lambda, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kBcfw:
      run.summary =
          loss.hinge()
              ? run_bcfw(options, lambda, HingeProblem(model, loss.gamma), w, control)
              : run_bcfw(options, lambda, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kBmrm:
      run.summary =
          loss.hinge()
              ? run_bmrm(options, lambda, HingeProblem(model, loss.gamma), w, control)
              : run_bmrm(options, lambda, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kLbfgs:
      run.summary =
          run_lbfgs(options, lambda, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kSgd: {
      const SgdSummary summary =
          loss.hinge()
              ? run_sgd(options, lambda, HingeProblem(model, loss.gamma), w, control, held_out)
              : run_sgd(options, lambda, SmoothProblem(model, loss.beta, loss.gamma), w, control,
                        held_out);
      run.eta = summary.eta;
      run.summary = summary;
      break;
    }
    case Learner::kPerceptron:
      run.summary = run_perceptron(options, loss.gamma, model, w, control);
      break;
    case Learner::kNaiveBayes:
      throw UsageError("naive Bayes is not run step by step");
  }
  return run;
}

}  // namespace trellis::classify
