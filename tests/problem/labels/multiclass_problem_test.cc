#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/multiclass_model.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis {
namespace {

// Three labels, full rows for four attributes, values and repeated attributes.
class MulticlassProblem : public ::testing::Test {
 protected:
  MulticlassProblem() {
    for (std::uint32_t a = 0; a < 4; ++a) {
      for (std::uint32_t j = 0; j < 3; ++j) targets_.push_back(j);
      begin_.push_back(targets_.size());
    }
    Random random(5);
    for (Index i = 0; i < 6; ++i) {
      std::vector<AttributeId> ids;
      std::vector<float> values;
      for (Index k = 0; k < 5; ++k) {
        ids.push_back(static_cast<AttributeId>(random.below(4)));
        values.push_back(static_cast<float>(random.normal()));
      }
      const std::vector<std::uint32_t> begin = {0, 5};
      attributes_.add(begin, ids, values);
      labels_.push_back(static_cast<Label>(random.below(3)));
    }
    const std::vector<AttributeId> same = {0, 1, 2, 3};
    attributes_.finish(same, 4);
    const std::vector<double> label_weights = {1, 2, 0.5};
    costs_ = std::make_unique<CostTable>(CostTable::weighted_hamming(label_weights));
    model_ = std::make_unique<MulticlassModel>(AttributeRows(begin_, targets_, 3), attributes_,
                                               labels_, *costs_);
  }

  std::vector<std::uint64_t> begin_ = {0};
  std::vector<std::uint32_t> targets_;
  AttributeStore attributes_;
  std::vector<Label> labels_;
  std::unique_ptr<CostTable> costs_;
  std::unique_ptr<MulticlassModel> model_;
};

TEST_F(MulticlassProblem, OraclesConform) {
  for (double beta : {0.5, 1.0, 4.0, 50.0, 1000.0}) {
    for (double gamma : {0.0, 1.0}) {
      const SmoothProblem smooth(*model_, beta, gamma);
      testing::expect_touching(smooth, 1);
      testing::expect_minorant(smooth, 2);
      testing::expect_gradient(smooth, 3, {}, std::min(1.0, 5 / beta));
    }
  }
  const HingeProblem hinge(*model_, 1);
  testing::expect_touching(hinge, 1);
  testing::expect_minorant(hinge, 2);
}

TEST_F(MulticlassProblem, HingeOfZeroWeightsIsTheGreatestCost) {
  const HingeProblem hinge(*model_, 1);
  const std::vector<double> w(hinge.dimension(), 0.0);
  const double cost_of_missing[] = {1, 2, 0.5};
  for (Index i = 0; i < hinge.num_examples(); ++i) {
    EXPECT_EQ(testing::value_at(hinge, i, w), cost_of_missing[labels_[i]]);
  }
}

}  // namespace
}  // namespace trellis
