#include "trellis/tasks/label/model/label_model.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "trellis/formats/sets/label_data.h"

namespace trellis::label {
namespace {

constexpr Range kFloats{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};

void describe_pairs(ModelArchive& a, LabelModel& m) {
  a.array("pairs", m.pairs, {}, "of labels, ascending");
  a.array("couplings", m.couplings,
          {.size = m.pairs.size(), .in = Range{0, ModelReader::kLargestWeight}}, "by pair");
  a.check([&] {
    for (const NodePair& pair : m.pairs) {
      a.require(pair.j < pair.k && pair.k < m.num_labels(),
                "a pair of the model is not two labels in ascending order");
    }
    std::vector<NodePair> sorted = m.pairs;
    std::sort(sorted.begin(), sorted.end());
    a.require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
              "the model couples two labels twice");
  });
}

void describe_chain(ModelArchive& a, LabelModel& m) {
  const Index num_labels = m.num_labels();
  a.array("order", m.order, {.size = num_labels}, "the labels as the chain visits them");
  a.array("chain_weights", m.chain_weights, {.size = num_labels * num_labels, .in = kWeights},
          "[label][label before it]");
  a.check([&] {
    constexpr auto kNowhere = std::numeric_limits<Index>::max();
    std::vector<Index> place(num_labels, kNowhere);
    for (Index k = 0; k < num_labels; ++k) {
      const std::uint32_t v = m.order[k];
      a.require(v < num_labels && place[v] == kNowhere, "the model's chain visits a label twice");
      place[v] = k;
    }
    for (Index v = 0; v < num_labels; ++v) {
      for (Index u = 0; u < num_labels; ++u) {
        a.require(place[u] < place[v] || m.chain_weights[v * num_labels + u] == 0,
                  "a label of the model's chain depends on a later label");
      }
    }
  });
}

ModelArchive::Describe description_of(LabelModel& model) {
  return [&](ModelArchive& a) { LabelModel::describe(a, model); };
}

LabelModel load(const ModelReader& reader) {
  LabelModel model;
  ModelArchive::read(LabelModel::kKind, reader, description_of(model));
  return model;
}

}  // namespace

void LabelModel::describe(ModelArchive& a, LabelModel& m) {
  FeatureScaling& scaling = m.scaling;
  a.choice("form", m.form, "how labels depend on each other");
  a.value("unit_length", scaling.unit_length, "whether vectors are scaled to length 1");
  a.number("bias", scaling.bias, kFloats, "value of the constant feature; 0: none");
  a.value("training", m.training, "how the model was made");
  a.name_list("labels", "label_ends", m.label_names, "of the labels");
  a.require(!m.label_names.empty(), "the model has no label");
  a.require(std::ranges::none_of(
                m.label_names, [](const auto& name) { return label_name_fault(name).has_value(); }),
            "the model has a label whose name is not valid");
  a.name_list("features", "feature_ends", m.feature_names, "of the features");
  const Elements by_feature{.size = m.feature_names.size(), .in = kWeights};
  a.optional("mean", !scaling.mean.empty(), 1,
             [&] { a.array("mean", scaling.mean, by_feature, "subtracted from each feature"); });
  a.optional("scale", !scaling.scale.empty(), 1,
             [&] { a.array("scale", scaling.scale, by_feature, "factor of each feature"); });
  a.weights("weights", m.weights, m.num_rows() * m.num_labels(),
            "[feature][label]; the last row is that of the bias, if there is one");
  a.weights("thresholds", m.thresholds, m.num_labels(), "by label: given to what scores more");
  const bool pairwise = m.form == ModelForm::kPairwise, chain = m.form == ModelForm::kChain;
  a.where("form pairwise", pairwise, [&] { describe_pairs(a, m); });
  a.require(pairwise || (m.pairs.empty() && m.couplings.empty()),
            "the model has couplings, but its form has none");
  a.where("form chain", chain, [&] { describe_chain(a, m); });
  a.require(chain || (m.order.empty() && m.chain_weights.empty()),
            "the model has chain weights, but is not a chain");
}

std::string LabelModel::to_bytes() const {
  return ModelArchive::to_bytes(kKind, description_of(const_cast<LabelModel&>(*this)));
}

void LabelModel::write(const std::string& path) const {
  ModelArchive::write(kKind, path, description_of(const_cast<LabelModel&>(*this)));
}

LabelModel LabelModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

LabelModel LabelModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

}  // namespace trellis::label
