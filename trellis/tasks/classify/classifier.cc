#include "trellis/tasks/classify/classifier.h"

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/linear_scores.h"

namespace trellis::classify {

Label best_label(std::span<const double> scores) {
  return static_cast<Label>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

void expand_vector(const KernelPivots& kernel, AttributeId bias, std::span<const AttributeId> ids,
                   std::span<const float> values, std::vector<double>& products,
                   std::vector<float>& out) {
  // The bias is feature 0, so it comes first.
  const Index first = bias == kNoAttribute ? 0 : 1;
  ids = ids.subspan(first);
  values = values.subspan(first);
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * value;
  out.assign(first + kernel.size(), 1.0F);
  kernel.expand(ids, values, 1, squares, products, std::span(out).subspan(first));
}

void Classifier::scores(const Example& example, const std::string& file, Scratch& scratch,
                        std::vector<double>& scores) const {
  vectorizer_.vectorize(example, file, scratch.vector);
  const FeatureVector& x = scratch.vector.vector;
  scores.resize(model_->labels().size());
  if (model_->kernel() == nullptr) {
    add_up_scores(x.ids, x.values, model_->weights(), scores);
    return;
  }
  const AttributeId bias = model_->features().bias ? AttributeId{0} : kNoAttribute;
  expand_vector(*model_->kernel(), bias, x.ids, x.values, scratch.products, scratch.values);
  add_up_scores(scratch.values, model_->weights(), scores);
}

void Classifier::probabilities(std::span<const double> scores, std::vector<double>& p) const {
  if (!model_->beta()) {
    throw UsageError(
        "the scores of this model are not log-probabilities: train with a finite beta (--loss "
        "maxent) or with naive Bayes, or use --scores");
  }
  p.assign(scores.begin(), scores.end());
  scale(*model_->beta(), p);
  softmax(p, p);
}

std::vector<Label> Classifier::top(std::span<const double> scores, Index k) const {
  std::vector<Label> order(scores.size());
  std::iota(order.begin(), order.end(), Label{0});
  k = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                    [&](Label a, Label b) {
                      const double x = scores[static_cast<Index>(a)];
                      const double y = scores[static_cast<Index>(b)];
                      return x != y ? x > y : a < b;
                    });
  order.resize(k);
  return order;
}

}  // namespace trellis::classify
