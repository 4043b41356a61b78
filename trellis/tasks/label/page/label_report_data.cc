#include "trellis/tasks/label/page/label_report_data.h"

#include <algorithm>
#include <limits>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/label/model/inspect.h"

namespace trellis::report {
namespace {

constexpr Index kFeaturesOfLabel = 8;
constexpr Index kLabelsWithFeatures = 60;
constexpr Index kLinkedLabels = 18;  // still readable as a matrix

// The labels of the strongest links, in the order of the model (of the chain, if it is one).
std::vector<std::uint32_t> linked_labels(const label::LabelModel& model) {
  std::vector<std::uint32_t> labels;
  const auto add = [&](std::uint32_t v) {
    if (labels.size() == kLinkedLabels) return;
    if (std::find(labels.begin(), labels.end(), v) == labels.end()) labels.push_back(v);
  };
  for (const label::LabelLink& link :
       label::strongest_links(model, kLinkedLabels * kLinkedLabels)) {
    add(link.from);
    add(link.to);
  }
  std::sort(labels.begin(), labels.end());
  if (model.form != label::ModelForm::kChain) return labels;
  std::vector<std::uint32_t> in_order;
  for (const std::uint32_t v : model.order) {
    if (std::binary_search(labels.begin(), labels.end(), v)) in_order.push_back(v);
  }
  return in_order;
}

WeightMatrix link_matrix(const label::LabelModel& model) {
  const std::vector<std::uint32_t> labels = linked_labels(model);
  WeightMatrix matrix;
  const bool chain = model.form == label::ModelForm::kChain;
  matrix.row_title = chain ? "given" : "label";
  matrix.column_title = chain ? "then" : "label";
  for (const std::uint32_t v : labels) matrix.rows.push_back(model.label_names[v]);
  matrix.columns = matrix.rows;
  matrix.weights.assign(labels.size() * labels.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<Index> place(model.num_labels(), labels.size());
  for (Index k = 0; k < labels.size(); ++k) place[labels[k]] = k;
  const auto put = [&](std::uint32_t from, std::uint32_t to, double weight) {
    if (place[from] == labels.size() || place[to] == labels.size()) return;
    matrix.weights[place[from] * labels.size() + place[to]] = weight;
  };
  for (Index p = 0; p < model.pairs.size(); ++p) {
    put(model.pairs[p].j, model.pairs[p].k, model.couplings[p]);
    put(model.pairs[p].k, model.pairs[p].j, model.couplings[p]);
  }
  for (Index k = 0; chain && k < model.order.size(); ++k) {
    for (Index j = 0; j < k; ++j) {
      put(model.order[j], model.order[k],
          model.chain_weights[model.order[k] * model.num_labels() + model.order[j]]);
    }
  }
  return matrix;
}

}  // namespace

LabelReport label_model_report(const label::LabelModel& model, const std::string& title) {
  LabelReport page;
  page.title = title;
  page.options.push_back({"form", std::string(to_string(model.form))});
  for (const auto& [key, value] : provenance_words(model.training)) {
    page.options.push_back({key, value});
  }
  const auto views = label::strongest_features(model, kFeaturesOfLabel);
  for (Index v = 0; v < std::min<Index>(views.size(), kLabelsWithFeatures); ++v) {
    for (const auto* features : {&views[v].positive, &views[v].negative}) {
      for (const auto& feature : *features) {
        page.features.push_back({views[v].label, feature.name, feature.weight});
      }
    }
  }
  page.links = link_matrix(model);
  page.links_lead =
      model.form == label::ModelForm::kChain
          ? "Weight that each label (row) has for the earlier labels of the chain: the labels with "
            "the largest weights, in the order of the chain."
          : "Score added when both labels are present: the labels with the largest couplings.";
  return page;
}

}  // namespace trellis::report
