#include "trellis/tasks/label/model/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::label {
namespace {

Value list_of(const std::vector<WeightedName>& features) {
  Value list = Value::list();
  for (const auto& feature : features) {
    list.push_back(Value::record({{"feature", feature.name}, {"weight", feature.weight}}));
  }
  return list;
}

std::vector<std::string> names_of_chain(const LabelModel& model) {
  std::vector<std::string> order;
  for (const std::uint32_t v : model.order) order.push_back(model.label_names[v]);
  return order;
}

std::string links_text(const LabelModel& model, Index top) {
  std::string text;
  const bool chain = model.form == ModelForm::kChain;
  if (chain) {
    text += fmt::format("\nthe chain: {}\n", fmt::join(names_of_chain(model), " "));
  }
  const auto links = strongest_links(model, top);
  if (links.empty()) return text;
  text +=
      chain ? "\nweights of earlier labels in the chain\n" : "\nlabels that attract each other\n";
  for (const LabelLink& link : links) {
    text += fmt::format("  {:>+11.4g}  {} {} {}\n", link.weight, model.label_names[link.from],
                        chain ? "→" : "–", model.label_names[link.to]);
  }
  return text;
}

}  // namespace

std::vector<LabelView> strongest_features(const LabelModel& model, Index top) {
  const Index num_labels = model.num_labels();
  const Index num_features = model.feature_names.size();
  std::vector<double> weights(num_features);
  const auto list = [&](const std::vector<Index>& places) {
    std::vector<WeightedName> features;
    for (const Index k : places) features.push_back({model.feature_names[k], weights[k]});
    return features;
  };
  std::vector<LabelView> views;
  for (Index v = 0; v < num_labels; ++v) {
    for (Index k = 0; k < num_features; ++k) weights[k] = model.weights[k * num_labels + v];
    LabelView view;
    view.label = model.label_names[v];
    view.threshold = model.thresholds[v];
    if (model.scaling.bias != 0) {
      view.constant = model.scaling.bias * model.weights[num_features * num_labels + v];
    }
    view.positive = list(strongest_positive(weights, top));
    view.negative = list(strongest_negative(weights, top));
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<LabelLink> strongest_links(const LabelModel& model, Index top) {
  std::vector<LabelLink> links;
  const auto add = [&](std::uint32_t from, std::uint32_t to, double weight) {
    if (weight != 0) links.push_back({from, to, weight});
  };
  for (Index p = 0; p < model.pairs.size(); ++p) {
    add(model.pairs[p].j, model.pairs[p].k, model.couplings[p]);
  }
  const Index num_labels = model.num_labels();
  for (Index k = 0; k < model.chain_weights.size(); ++k) {
    add(static_cast<std::uint32_t>(k % num_labels), static_cast<std::uint32_t>(k / num_labels),
        model.chain_weights[k]);
  }
  std::stable_sort(links.begin(), links.end(), [](const LabelLink& a, const LabelLink& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
  links.resize(std::min(top, links.size()));
  return links;
}

Value inspect_record(const LabelModel& model, Index top) {
  Value record;
  record["form"] = to_string(model.form);
  record["features"] = model.feature_names.size();
  record["bias"] = model.scaling.bias;
  record["centred"] = !model.scaling.mean.empty();
  record["scaled"] = !model.scaling.scale.empty();
  record["unit_length"] = model.scaling.unit_length;
  record["training"] = model.training;
  record["labels"] = Value::list();
  for (const LabelView& view : strongest_features(model, top)) {
    record["labels"].push_back(Value::record({{"label", view.label},
                                              {"threshold", view.threshold},
                                              {"constant", view.constant},
                                              {"for", list_of(view.positive)},
                                              {"against", list_of(view.negative)}}));
  }
  const char* links = model.form == ModelForm::kChain ? "chain_weights" : "couplings";
  record[links] = Value::list();
  for (const LabelLink& link : strongest_links(model, model.num_labels() * top)) {
    record[links].push_back(Value::record({{"from", model.label_names[link.from]},
                                           {"to", model.label_names[link.to]},
                                           {"weight", link.weight}}));
  }
  if (model.form == ModelForm::kChain) record["order"] = names_of_chain(model);
  return record;
}

std::string inspect_text(const LabelModel& model, const std::string& name, Index top) {
  std::string text = fmt::format("{}: {} labels, {} features, {}\n", name, model.num_labels(),
                                 model.feature_names.size(), to_string(model.form));
  text += provenance_text(model.training);
  for (const LabelView& view : strongest_features(model, top)) {
    text += fmt::format("\n{}  (above {:.4g}; of zeros {:+.4g})\n", view.label, view.threshold,
                        view.constant);
    for (const auto* features : {&view.positive, &view.negative}) {
      for (const auto& feature : *features) {
        text += fmt::format("  {:>+11.4g}  {}\n", feature.weight, feature.name);
      }
    }
  }
  return text + links_text(model, model.num_labels() * top);
}

}  // namespace trellis::label
