#include "trellis/tasks/classify/document_trainable.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/fit/fit_kernel.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/chain/chain_feature_builder.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/labels/multiclass_model.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/gram_trainable.h"
#include "trellis/tasks/linear_scores.h"

namespace trellis::classify {
namespace {

// Each attribute has a row of all labels.
RowStorage full_rows(Index num_attributes, Index num_labels) {
  RowStorage rows;
  rows.num_dense = num_attributes;
  rows.begin.resize(num_attributes + 1);
  rows.targets.resize(num_attributes * num_labels);
  for (Index a = 0; a <= num_attributes; ++a) rows.begin[a] = a * num_labels;
  for (Index k = 0; k < rows.targets.size(); ++k) {
    rows.targets[k] = static_cast<std::uint32_t>(k % num_labels);
  }
  const Index words = AttributeRows::mask_words(num_labels);
  rows.masks.assign(num_attributes * words, ~std::uint64_t{0});
  if (num_labels % 64 == 0) return rows;
  const std::uint64_t last = (std::uint64_t{1} << (num_labels % 64)) - 1;
  for (Index a = 0; a < num_attributes; ++a) rows.masks[(a + 1) * words - 1] = last;
  return rows;
}

AttributeStore store_of(const Documents& documents, Index num_attributes) {
  AttributeStore store;
  for (Index i = 0; i < documents.size(); ++i) {
    const auto ids = documents.attributes(i);
    const std::uint32_t begin[2] = {0, static_cast<std::uint32_t>(ids.size())};
    store.add(begin, ids, documents.of(i));
  }
  std::vector<AttributeId> same(num_attributes);
  std::iota(same.begin(), same.end(), AttributeId{0});
  store.finish(same, num_attributes);
  return store;
}

Index bias_rows(const ClassifyData& data) {
  return data.bias == kNoAttribute ? 0 : 1;
}

std::vector<double> tally_of(std::span<const Label> predicted, std::span<const Label> gold) {
  double correct = 0;
  for (Index i = 0; i < gold.size(); ++i) correct += predicted[i] == gold[i] ? 1 : 0;
  return {correct, static_cast<double>(gold.size())};
}

// Features of documents or of a kernel: any learner, over rows of weights.
class RowTrainable final : public DocumentTrainable {
 public:
  RowTrainable(const ClassifyData& data, const HeldOutSet* dev,
               const DocumentTrainableOptions& options)
      : DocumentTrainable(data, dev, options) {
    if (options.kernel) map_documents(*options.kernel);
    const Documents& documents = map_ == nullptr ? data.documents : mapped_;
    const Index num_rows =
        map_ == nullptr ? data.vocabulary.size() : bias_rows(data) + pivots_.size();
    rows_ = full_rows(num_rows, data.labels.size());
    store_ = store_of(documents, num_rows);
    mapped_ = {};
    costs_ = std::make_unique<CostTable>(CostTable::weighted_hamming(options.costs));
    model_ = std::make_unique<MulticlassModel>(rows_.view(data.labels.size()), store_,
                                               data.documents.labels, *costs_);
    whole_ = trial_of(*model_, {}, dev_judge());
    if (map_ != nullptr) expand_dev(pivots_);
  }

  const Trial& whole() const override { return *whole_; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    std::vector<Index> held_out = deal_folds(data_->documents.labels, folds, options_.seed)[k];
    std::vector<Index> rest = without(held_out, model_->num_examples());
    return trial_of(*model_, std::move(rest),
                    [this, held_out = std::move(held_out)](std::span<const double> w) {
                      return tally_on(
                          held_out, [&](Index i, std::span<double> s) { model_->scores(i, w, s); });
                    });
  }

  std::vector<double> model_weights(std::span<const double> w) const override {
    std::vector<double> weights(w.begin(), w.end());
    const Index labels = data_->labels.size();
    if (map_ != nullptr) {
      map_->to_coefficients(std::span(weights).subspan(bias_rows(*data_) * labels), labels);
    }
    return weights;
  }
  const KernelPivots* kernel() const override { return map_ == nullptr ? nullptr : &pivots_; }
  double residual() const override { return map_ == nullptr ? 0 : map_->residual(); }

 private:
  void map_documents(const Kernel& kernel) {
    const SparseRows x = without_bias(data_->documents, *data_);
    KernelMapOptions map_options;
    map_options.max_rank = options_.kernel_rank;
    map_options.threads = options_.threads;
    map_ = std::make_unique<KernelMap>(map_rows(kernel, x, map_options));
    pivots_ = KernelPivots(kernel, choose_rows(x, map_->pivots()));
    FeatureVector vector;
    const Index first = bias_rows(*data_);
    for (Index i = 0; i < x.size(); ++i) {
      vector.ids.assign(first, 0);
      vector.values.assign(first, 1.0F);
      const std::span<const double> phi = map_->features(i);
      for (Index p = 0; p < phi.size(); ++p) {
        if (phi[p] == 0) continue;
        vector.ids.push_back(static_cast<AttributeId>(first + p));
        vector.values.push_back(static_cast<float>(phi[p]));
      }
      mapped_.add(vector, data_->documents.labels[i]);
    }
  }

  std::unique_ptr<KernelMap> map_;  // null: no kernel
  KernelPivots pivots_;
  Documents mapped_;  // φ of the documents, until they are stored
  RowStorage rows_;
  AttributeStore store_;
  std::unique_ptr<CostTable> costs_;
  std::unique_ptr<MulticlassModel> model_;
  std::unique_ptr<Trial> whole_;
};

// Chosen documents with a kernel without explicit features.
class ImplicitModel {
 public:
  ImplicitModel(const ClassifyData& data, const SparseRows& x, std::span<const Index> chosen,
                const DocumentTrainableOptions& options)
      : num_labels_(data.labels.size()), bias_(bias_rows(data) > 0) {
    const CostTable costs = CostTable::weighted_hamming(options.costs);
    const Index weights = x.width * num_labels_;
    std::vector<BlockExample<Multiclass>> examples;
    for (const Index i : chosen) {
      const Label gold = data.documents.labels[i];
      BlockExample<Multiclass> example{Multiclass(num_labels_), gold, {}, {}, 1};
      example.blocks.push_back({row_of(x, i), 0, num_labels_, 0, 1});
      if (bias_) example.blocks.push_back({FeatureRows::constant(1), 0, num_labels_, weights, 1});
      const std::span<const double> row = costs.row(gold);
      example.costs.assign(row.begin(), row.end());
      examples.push_back(std::move(example));
    }
    blocks_ = std::make_unique<BlockModel<Multiclass>>(weights + (bias_ ? num_labels_ : 0),
                                                       std::move(examples));
    const KernelBlock kernel{0, *options.kernel};
    model_ =
        std::make_unique<KernelModel<Multiclass>>(*blocks_, std::span(&kernel, 1), options.threads);
  }

  static FeatureRows row_of(const SparseRows& x, Index i) {
    const auto ids = x.ids_of(i);
    const auto values = x.values_of(i);
    return FeatureRows::sparse(x.width, {0, static_cast<std::uint32_t>(ids.size())},
                               {ids.begin(), ids.end()}, {values.begin(), values.end()});
  }

  const KernelModel<Multiclass>& model() const { return *model_; }
  std::span<const double> bias(std::span<const double> w) const {
    return bias_ ? w.last(num_labels_) : std::span<const double>();
  }
  void scores(const FeatureRows& x, std::span<const double> w, std::span<double> s) const {
    std::fill(s.begin(), s.end(), 0.0);
    if (bias_) std::copy(bias(w).begin(), bias(w).end(), s.begin());
    KernelGroup::Workspace workspace;
    model_->group(0).add_scores(x, model_->coefficients(0, w), 1, workspace, s);
  }

 private:
  Index num_labels_;
  bool bias_;
  std::unique_ptr<BlockModel<Multiclass>> blocks_;
  std::unique_ptr<KernelModel<Multiclass>> model_;
};

class ImplicitTrainable final : public DocumentTrainable {
 public:
  ImplicitTrainable(const ClassifyData& data, const HeldOutSet* dev,
                    const DocumentTrainableOptions& options)
      : DocumentTrainable(data, dev, options),
        pivots_(*options.kernel, without_bias(data.documents, data)) {
    std::vector<Index> all(data.documents.size());
    std::iota(all.begin(), all.end(), Index{0});
    model_ = std::make_shared<const ImplicitModel>(data, pivots_.rows(), all, options);
    whole_ = trial(model_, dev_judge());
    expand_dev(pivots_);
  }

  const Trial& whole() const override { return *whole_; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    std::vector<Index> held_out = deal_folds(data_->documents.labels, folds, options_.seed)[k];
    const auto model = std::make_shared<const ImplicitModel>(
        *data_, pivots_.rows(), without(held_out, data_->documents.size()), options_);
    return trial(model, [this, model, held_out = std::move(held_out)](std::span<const double> w) {
      return tally_on(held_out, [&](Index i, std::span<double> s) {
        model->scores(ImplicitModel::row_of(pivots_.rows(), i), w, s);
      });
    });
  }
  std::vector<double> model_weights(std::span<const double> w) const override {
    const std::span<const double> bias = model_->bias(w);
    std::vector<double> weights(bias.begin(), bias.end());
    const std::span<const double> alpha = model_->model().coefficients(0, w);
    weights.insert(weights.end(), alpha.begin(), alpha.end());
    return weights;
  }
  const KernelPivots* kernel() const override { return &pivots_; }

 private:
  static std::unique_ptr<Trial> trial(const std::shared_ptr<const ImplicitModel>& model,
                                      Judge judge) {
    auto fit = [model](const FitCall& call) { return fit_kernel(model->model(), call); };
    return std::make_unique<JudgedTrial>(model->model().dimension(), std::move(fit),
                                         std::move(judge));
  }

  KernelPivots pivots_;  // all training documents
  std::shared_ptr<const ImplicitModel> model_;
  std::unique_ptr<Trial> whole_;
};

}  // namespace

SparseRows without_bias(const Documents& documents, const ClassifyData& data) {
  SparseRows rows;
  rows.width = data.vocabulary.size();
  const Index first = bias_rows(data);
  for (Index i = 0; i < documents.size(); ++i) {
    rows.add(documents.attributes(i).subspan(first), documents.of(i).subspan(first));
  }
  return rows;
}

void DocumentTrainable::expand_dev(const KernelPivots& kernel) {
  if (dev_ == nullptr) return;
  std::vector<double> products;
  FeatureVector vector;
  for (Index i = 0; i < dev_->size(); ++i) {
    expand_vector(kernel, data_->bias, dev_->attributes(i), dev_->of(i), products, vector.values);
    vector.ids.resize(vector.values.size());
    std::iota(vector.ids.begin(), vector.ids.end(), AttributeId{0});
    expanded_.add(vector, dev_->labels[i]);
  }
  dev_ = &expanded_;
}

Judge DocumentTrainable::dev_judge() const {
  return [this](std::span<const double> w) {
    return tally_of(best_labels(*dev_, model_weights(w), data_->labels.size(), options_.threads),
                    dev_->labels);
  };
}

std::vector<double> DocumentTrainable::tally_on(std::span<const Index> documents,
                                                const Scores& scores) const {
  std::vector<Label> gold;
  for (const Index i : documents) gold.push_back(data_->documents.labels[i]);
  return tally_on(documents, gold, scores);
}

std::vector<double> DocumentTrainable::tally_on(std::span<const Index> documents,
                                                std::span<const Label> gold,
                                                const Scores& scores) const {
  std::vector<double> s(data_->labels.size());
  std::vector<Label> predicted;
  for (const Index i : documents) {
    scores(i, s);
    predicted.push_back(best_label(s));
  }
  return tally_of(predicted, gold);
}

std::vector<Label> best_labels(const Documents& documents, std::span<const double> weights,
                               Index num_labels, int threads) {
  std::vector<Label> best(documents.size());
  std::vector<std::vector<double>> scores(static_cast<Index>(resolve_threads(threads)),
                                          std::vector<double>(num_labels));
  parallel_for(documents.size(), threads, [&](Index i, int worker) {
    std::vector<double>& s = scores[static_cast<Index>(worker)];
    add_up_scores(documents.attributes(i), documents.of(i), weights, s);
    best[i] = best_label(s);
  });
  return best;
}

std::unique_ptr<DocumentTrainable> make_trainable(const ClassifyData& data, const HeldOutSet* dev,
                                                  const DocumentTrainableOptions& options) {
  if (options.gram) return make_gram_trainable(data, dev, options);
  if (options.implicit) return std::make_unique<ImplicitTrainable>(data, dev, options);
  return std::make_unique<RowTrainable>(data, dev, options);
}

}  // namespace trellis::classify
