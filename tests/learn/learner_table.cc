#include "tests/learn/learner_table.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include <fmt/format.h>

#include "tests/learn/small_problems.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/learn/dual/structured_smo.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/learn/saddle_point/projected_gradient.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/part_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/label_set.h"
#include "trellis/structure/permutation.h"

namespace trellis::testing {
namespace {

constexpr const char* kNoSums = "there are no sums over its outputs, hence no smooth loss";
constexpr const char* kNoEntropy = "there are no sums over its outputs, hence no entropic steps";
constexpr const char* kNoKBest = "there is no search for its k best outputs";
constexpr const char* kNoProjection = "there is no projection onto its polytope";
constexpr const char* kNotFlat = "it is for flat labels, where the dual of an example is a simplex";

template <class Model>
class PlainParts final : public PartFacade<Model> {
 public:
  using PartFacade<Model>::PartFacade;
};

LearnControl to_the_gap() {
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = kTableGap;
  return control;
}

LearnerCell impossible(const char* reason) {
  return {false, reason};
}

// Runs a learner: a UsageError is its own word that it cannot.
template <class Run>
LearnerCell attempt(Index dimension, const Run& run) {
  std::vector<double> w(dimension, 0.0);
  try {
    const LearnSummary summary = run(w);
    return {true, {}, summary.objective, summary.bound, summary.gap};
  } catch (const UsageError& error) {
    return {false, error.what()};
  }
}

template <class Options>
Options with_lambda(Index Options::*limit, Index count) {
  Options options;
  options.lambda = kTableLambda;
  options.*limit = count;
  return options;
}

// The column of one structure, a learner at a time.
template <class Model>
class Column {
 public:
  using Structure = typename Model::Structure;
  using Weights = std::vector<double>;

  explicit Column(const Model& model) : model_(model), hinge_(model) {}

  LearnerCell run_perceptron() const {
    const HingeProblem<Model> mistakes(model_, 0);
    return attempt(model_.dimension(), [&](Weights& w) { return perceptron(mistakes, {}, w); });
  }
  LearnerCell run_kbest_mira() const {
    if constexpr (KBest<Structure>) {
      const KBestProblem<Model> problem(model_);
      const auto options = with_lambda(&KBestMiraOptions::max_epochs, 20);
      return attempt(model_.dimension(),
                     [&](Weights& w) { return kbest_mira(problem, options, w, to_the_gap()); });
    } else {
      return impossible(kNoKBest);
    }
  }
  LearnerCell run_sgd() const {
    return attempt(model_.dimension(), [&](Weights& w) {
      return sgd(hinge_, with_lambda(&SgdOptions::max_epochs, 20), w, to_the_gap());
    });
  }
  LearnerCell run_dca(DcaDual dual) const {
    DcaOptions options =
        with_lambda(&DcaOptions::max_epochs, dual == DcaDual::kOnline ? 20 : 30000);
    options.dual = dual;
    return attempt(model_.dimension(),
                   [&](Weights& w) { return dca(hinge_, options, w, to_the_gap()); });
  }
  LearnerCell run_lbfgs() const {
    if constexpr (Summer<Structure>) {
      const SmoothProblem<Model> problem(model_, 1, 1);
      return attempt(model_.dimension(), [&](Weights& w) {
        return lbfgs(static_cast<const SmoothConvexOracle&>(problem),
                     with_lambda(&LbfgsOptions::max_iterations, 200), w, to_the_gap());
      });
    } else {
      return impossible(kNoSums);
    }
  }
  LearnerCell run_bmrm() const {
    return attempt(model_.dimension(), [&](Weights& w) {
      return bmrm(hinge_, with_lambda(&BmrmOptions::max_iterations, 1000), w, to_the_gap());
    });
  }
  LearnerCell run_bcfw() const {
    BcfwOptions options = with_lambda(&BcfwOptions::max_epochs, 5000);
    options.cache_size = 20;
    return attempt(model_.dimension(),
                   [&](Weights& w) { return bcfw(hinge_, options, w, to_the_gap()); });
  }
  LearnerCell run_euclidean_extragradient() const {
    if constexpr (Projector<Structure>) {
      const EuclideanPartProblem<Model> problem(model_);
      return attempt(model_.dimension(), [&](Weights& w) {
        return extragradient(problem, with_lambda(&ExtragradientOptions::max_iterations, 5000), w,
                             to_the_gap());
      });
    } else {
      return impossible(kNoProjection);
    }
  }
  LearnerCell run_entropic_extragradient() const {
    if constexpr (Summer<Structure>) {
      const EntropicPartProblem<Model> problem(model_);
      return attempt(model_.dimension(), [&](Weights& w) {
        return extragradient(problem, with_lambda(&ExtragradientOptions::max_iterations, 5000), w,
                             to_the_gap());
      });
    } else {
      return impossible(kNoEntropy);
    }
  }
  LearnerCell run_projected_gradient() const {
    if constexpr (Projector<Structure>) {
      const EuclideanPartProblem<Model> problem(model_);
      return attempt(model_.dimension(), [&](Weights& w) {
        return projected_gradient(
            problem, with_lambda(&ProjectedGradientOptions::max_iterations, 300), w, to_the_gap());
      });
    } else {
      return impossible(kNoProjection);
    }
  }
  LearnerCell run_smo() const {
    if constexpr (std::is_same_v<Model, MulticlassModel>) {
      const LabelProblem problem(model_);
      return attempt(model_.dimension(), [&](Weights& w) {
        return smo(problem, with_lambda(&SmoOptions::max_epochs, 1000), w, to_the_gap());
      });
    } else {
      return impossible(kNotFlat);
    }
  }
  LearnerCell run_structured_smo() const {
    const PlainParts<Model> problem(model_);
    return attempt(model_.dimension(), [&](Weights& w) {
      return structured_smo(problem, with_lambda(&StructuredSmoOptions::max_epochs, 2000), w,
                            to_the_gap());
    });
  }
  LearnerCell run_reference_qp() const {
    const PlainParts<Model> problem(model_);
    return attempt(model_.dimension(),
                   [&](Weights& w) { return reference_qp(problem, {kTableLambda}, w); });
  }

  std::vector<LearnerCell> all() const {
    return {run_perceptron(),
            run_kbest_mira(),
            run_sgd(),
            run_dca(DcaDual::kOnline),
            run_dca(DcaDual::kStored),
            run_lbfgs(),
            run_bmrm(),
            run_bcfw(),
            run_euclidean_extragradient(),
            run_entropic_extragradient(),
            run_projected_gradient(),
            run_smo(),
            run_structured_smo(),
            run_reference_qp()};
  }

 private:
  const Model& model_;
  HingeProblem<Model> hinge_;
};

template <class Model>
void add_column(const std::string& structure, const Model& model, LearnerTable& table) {
  table.structures.push_back(structure);
  std::vector<LearnerCell> cells = Column<Model>(model).all();
  for (Index r = 0; r < table.rows.size(); ++r) table.rows[r].cells.push_back(cells[r]);
  table.reference.push_back(cells.back());
}

// "optimum", "near", "works", or the number of the reason why not.
std::string cell_text(const LearnerCell& cell, LearnerAim aim, std::vector<std::string>& reasons) {
  if (cell.works) {
    return aim == LearnerAim::kOptimum ? "optimum" : aim == LearnerAim::kNear ? "near" : "works";
  }
  auto place = std::find(reasons.begin(), reasons.end(), cell.reason);
  if (place == reasons.end()) place = reasons.insert(place, cell.reason);
  return fmt::format("no ({})", place - reasons.begin() + 1);
}

constexpr const char* kPreface =
    R"(# Learners and structures

Which learner trains which structure on the margin problem (structured SVM), and why not where it
cannot. The table is made by trying: `tests/learn/learner_table.cc` runs every learner on a small
problem of every structure, and a test fails when this page says something else. To write it anew,
run the test program `learn_test` with `TRELLIS_WRITE_DOCS=1` and `--gtest_filter='LearnerTable.*'`.

* **optimum**: reaches the optimum of the reference QP to any gap; the gap it reports is a proof.
* **near**: minimises the same objective and reports an honest gap, but does not close it.
* **works**: minimises something else: the perceptron has no penalty, L-BFGS wants a smooth loss.
* **no**: for the reason below the table.

Chains and trees stand here for their form with tables of their own at each position, node and edge
(parts are indicators); cuts have edge weights that must stay non-negative; matchings are
partial, permutations perfect; "pairwise" are sets of labels that attract each other.

)";

}  // namespace

LearnerTable try_all_learners() {
  LearnerTable table;
  table.rows = {{"`perceptron`", LearnerAim::kOther, {}},
                {"`kbest_mira`", LearnerAim::kNear, {}},
                {"`sgd`", LearnerAim::kNear, {}},
                {"`dca`, online", LearnerAim::kNear, {}},
                {"`dca`, stored dual", LearnerAim::kOptimum, {}},
                {"`lbfgs`", LearnerAim::kOther, {}},
                {"`bmrm`", LearnerAim::kOptimum, {}},
                {"`bcfw`", LearnerAim::kOptimum, {}},
                {"`extragradient`, Euclidean", LearnerAim::kOptimum, {}},
                {"`extragradient`, entropic", LearnerAim::kOptimum, {}},
                {"`projected_gradient`", LearnerAim::kNear, {}},
                {"`smo`", LearnerAim::kOptimum, {}},
                {"`structured_smo`", LearnerAim::kOptimum, {}},
                {"`reference_qp`", LearnerAim::kOptimum, {}}};
  add_column("multiclass", SmallMulticlass().model(), table);
  add_column("chain", SmallChain().model(), table);
  add_column("tree", SmallTree().model(), table);
  add_column("cut", SmallCut().model(), table);
  add_column("matching", SmallParts(Matching(3, 4)).model(), table);
  add_column("permutation", SmallParts(Permutation(4)).model(), table);
  add_column("label set", SmallParts(LabelSet(5)).model(), table);
  add_column("pairwise", SmallPairwiseLabels().model(), table);
  return table;
}

std::string describe(const LearnerTable& table) {
  std::vector<std::string> reasons;
  std::string page = kPreface;
  page += "| learner |";
  for (const std::string& structure : table.structures) page += fmt::format(" {} |", structure);
  page += "\n|---|";
  for (Index k = 0; k < table.structures.size(); ++k) page += "---|";
  page += "\n";
  for (const LearnerRow& row : table.rows) {
    page += fmt::format("| {} |", row.learner);
    for (const LearnerCell& cell : row.cells) {
      page += fmt::format(" {} |", cell_text(cell, row.aim, reasons));
    }
    page += "\n";
  }
  page += "\n";
  for (Index k = 0; k < reasons.size(); ++k) page += fmt::format("{}. {}\n", k + 1, reasons[k]);
  return page;
}

}  // namespace trellis::testing
