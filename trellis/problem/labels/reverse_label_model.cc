#include "trellis/problem/labels/reverse_label_model.h"

#include <utility>

#include "trellis/problem/labels/true_sets.h"
#include "trellis/solve/measures/measure_product.h"

namespace trellis {

ReverseLabelModel::ReverseLabelModel(std::shared_ptr<const RowProducts> rows,
                                     std::vector<std::span<const std::uint32_t>> instances,
                                     SetMeasure measure, ArgmaxAlgorithm algorithm)
    : rows_(std::move(rows)),
      instances_(std::move(instances)),
      measure_(measure),
      algorithm_(algorithm),
      gold_(true_sets(instances_, rows_->num_rows())) {
  measure_.validate();
}

ReverseLabelModel::ReverseLabelModel(const FeatureRows& rows,
                                     std::vector<std::span<const std::uint32_t>> instances,
                                     SetMeasure measure, ArgmaxAlgorithm algorithm)
    : ReverseLabelModel(std::make_shared<RowProducts>(rows), std::move(instances), measure,
                        algorithm) {}

void ReverseLabelModel::scores(Index n, std::span<const double> w, std::span<double> s) const {
  rows_->multiply(w.subspan(n * rows_->width(), rows_->width()), s);
}

void ReverseLabelModel::add_features(Index n, std::span<const double> z, double scale,
                                     std::span<double> gradient) const {
  rows_->add_transposed(z, scale, gradient.subspan(n * rows_->width(), rows_->width()));
}

void ReverseLabelModel::features(Index n, std::span<const double> z, double scale, Workspace&,
                                 SparseVector& slope) const {
  slope.clear();
  rows_->add_transposed(z, scale, slope.append(n * rows_->width(), rows_->width()));
}

double ReverseLabelModel::maximize_augmented(Index n, double gamma, std::span<const double> s,
                                             LabelSet::Scratch& scratch, Workspace&,
                                             LabelSet::Output& y) const {
  y.resize(s.size());
  return measure_argmax(measure_, gamma, s, instances_[n], scratch.measure, y, algorithm_);
}

RescaledMaximum ReverseLabelModel::maximize_rescaled(Index n, double gamma,
                                                     std::span<const double> s,
                                                     LabelSet::Scratch& scratch, Workspace&,
                                                     LabelSet::Output& y) const {
  y.resize(s.size());
  const MeasureProduct best =
      measure_product_argmax(measure_, gamma, s, instances_[n], scratch.measure, y);
  return {best.value, best.loss};
}

}  // namespace trellis
