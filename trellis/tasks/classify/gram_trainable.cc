#include "trellis/tasks/classify/gram_trainable.h"

#include <numeric>
#include <utility>
#include <vector>

#include "trellis/fit/run.h"
#include "trellis/frame/training/folds.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/kernels/gram_problem.h"

namespace trellis::classify {
namespace {

constexpr Index kMostGramValues = 64'000'000;  // floats
constexpr Index kMostGramInputs = 32'000'000;  // doubles, during the computation

class GramTrainable final : public DocumentTrainable {
 public:
  GramTrainable(const ClassifyData& data, const HeldOutSet* dev,
                const DocumentTrainableOptions& options)
      : DocumentTrainable(data, dev, options),
        pivots_(*options.kernel, without_bias(data.documents, data)),
        bias_(data.bias != kNoAttribute),
        gram_(table(data, dev, pivots_.rows(), options, bias_)),
        costs_(CostTable::weighted_hamming(options.costs)) {
    std::vector<Index> columns(dev == nullptr ? 0 : dev->documents.size());
    std::iota(columns.begin(), columns.end(), data.documents.size());
    std::vector<Label> gold;
    if (dev != nullptr) gold = dev->documents.labels;
    whole_ = trial({}, std::move(columns), std::move(gold));
    expand_dev(pivots_);
  }

  const Trial& whole() const override { return *whole_; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const std::span<const Label> labels = data_->documents.labels;
    std::vector<Index> held_out = deal_folds(labels, folds, options_.seed)[k];
    std::vector<Index> rest = without(held_out, labels.size());
    std::vector<Label> gold;
    for (const Index i : held_out) gold.push_back(labels[i]);
    return trial(std::move(rest), std::move(held_out), std::move(gold));
  }

  // A bias is a feature that is always 1: its weights are the sums of the coefficients.
  std::vector<double> model_weights(std::span<const double> w) const override {
    const Index labels = data_->labels.size();
    std::vector<double> weights(bias_ ? labels : 0);
    std::vector<double> beta(labels);
    for (Index i = 0; i < gram_.rows(); ++i) {
      gram_coefficients(w, gram_.columns(), i, beta);
      for (Index y = 0; bias_ && y < labels; ++y) weights[y] += beta[y];
      weights.insert(weights.end(), beta.begin(), beta.end());
    }
    return weights;
  }
  const KernelPivots* kernel() const override { return &pivots_; }

 private:
  static GramTable table(const ClassifyData& data, const HeldOutSet* dev, const SparseRows& rows,
                         const DocumentTrainableOptions& options, bool bias) {
    std::vector<float> x = rows.to_dense();
    if (dev != nullptr) {
      const std::vector<float> more = without_bias(dev->documents, data).to_dense();
      x.insert(x.end(), more.begin(), more.end());
    }
    return {*options.kernel, x, rows.width, rows.size(), bias ? 1.0 : 0.0, options.threads};
  }

  // Trains on `chosen` (none given: all) and evaluates on these columns.
  std::unique_ptr<Trial> trial(std::vector<Index> chosen, std::vector<Index> columns,
                               std::vector<Label> gold) const {
    auto fit = [this, chosen = std::move(chosen)](const FitCall& call) {
      const GramProblem problem(gram_, data_->documents.labels, costs_, call.choice.loss.gamma,
                                chosen);
      return run(problem, call);
    };
    auto judge = [this, columns = std::move(columns),
                  gold = std::move(gold)](std::span<const double> w) {
      return tally_on(columns, gold,
                      [&](Index j, std::span<double> s) { gram_scores(w, gram_.columns(), j, s); });
    };
    const Index dimension = GramProblem(gram_, data_->documents.labels, costs_).dimension();
    return std::make_unique<JudgedTrial>(dimension, std::move(fit), std::move(judge));
  }

  KernelPivots pivots_;  // all training documents
  bool bias_;
  GramTable gram_;
  CostTable costs_;
  std::unique_ptr<Trial> whole_;
};

}  // namespace

bool fits_gram(const ClassifyData& data, const HeldOutSet* dev) {
  const Index rows = data.documents.size();
  const Index columns = rows + (dev == nullptr ? 0 : dev->documents.size());
  return rows * columns <= kMostGramValues && columns * data.vocabulary.size() <= kMostGramInputs;
}

std::unique_ptr<DocumentTrainable> make_gram_trainable(const ClassifyData& data,
                                                       const HeldOutSet* dev,
                                                       const DocumentTrainableOptions& options) {
  return std::make_unique<GramTrainable>(data, dev, options);
}

}  // namespace trellis::classify
