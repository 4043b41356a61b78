#include "trellis/tasks/label/model/label_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/label/reading/label_names.h"

namespace trellis::label {
namespace {

constexpr std::array<std::pair<std::string_view, ModelForm>, 3> kForms = {{
    {"independent", ModelForm::kIndependent},
    {"pairwise", ModelForm::kPairwise},
    {"chain", ModelForm::kChain},
}};

// What is wrong with the parts, as a sentence without its subject's article; the first fault wins.
// The same for models that are written and for those that are read.
class Check {
 public:
  explicit Check(const LabelModel& parts) : parts_(parts) {}

  // Empty: all is well.
  std::string fault() const {
    std::string fault = names();
    if (fault.empty()) fault = scaling();
    if (fault.empty()) fault = weights();
    if (fault.empty()) fault = pairs();
    if (fault.empty()) fault = chain();
    return fault;
  }

 private:
  static bool moderate(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [](double x) { return std::abs(x) <= kLargestWeight; });
  }
  // rows · columns == size, without the product, which could overflow.
  static bool is_matrix(Index size, Index rows, Index columns) {
    return size % columns == 0 && size / columns == rows;
  }

  std::string names() const {
    constexpr Index kMost = std::numeric_limits<std::uint32_t>::max();
    if (parts_.label_names.empty()) return "the model has no label";
    if (parts_.label_names.size() >= kMost || parts_.feature_names.size() >= kMost - 1) {
      return "the model has more labels or features than can be numbered";
    }
    std::unordered_set<std::string_view> known;
    for (const std::string& name : parts_.label_names) {
      if (label_name_fault(name)) return "the model has a label whose name cannot be one";
      if (!known.insert(name).second) return fmt::format("the model names label '{}' twice", name);
    }
    known.clear();
    for (const std::string& name : parts_.feature_names) {
      if (find_invalid_utf8(name) != std::string_view::npos) {
        return "the model has a feature whose name is not UTF-8";
      }
      if (!known.insert(name).second) {
        return fmt::format("the model names feature '{}' twice", name);
      }
    }
    return {};
  }

  std::string scaling() const {
    const FeatureScaling& scaling = parts_.scaling;
    for (const auto* numbers : {&scaling.mean, &scaling.scale}) {
      if (!numbers->empty() && numbers->size() != parts_.feature_names.size()) {
        return "the model's scaling does not fit its features";
      }
      if (!moderate(*numbers)) return "a number of the model's scaling is too large or no number";
    }
    if (!(std::abs(scaling.bias) <= static_cast<double>(std::numeric_limits<float>::max()))) {
      return "the model's bias is too large or no number";
    }
    return {};
  }

  std::string weights() const {
    const Index num_labels = parts_.num_labels();
    if (!is_matrix(parts_.weights.size(), parts_.num_rows(), num_labels)) {
      return "the model's weights do not fit its features and labels";
    }
    if (parts_.thresholds.size() != num_labels) {
      return "the model's thresholds do not fit its labels";
    }
    if (!moderate(parts_.weights)) return "a weight of the model is too large or no number";
    if (!moderate(parts_.thresholds)) return "a threshold of the model is too large or no number";
    return {};
  }

  std::string pairs() const {
    if (parts_.form != ModelForm::kPairwise) {
      const bool none = parts_.pairs.empty() && parts_.couplings.empty();
      return none ? std::string() : "the model has couplings, and its form has not";
    }
    if (parts_.pairs.size() != parts_.couplings.size()) {
      return "the model's couplings do not fit its pairs of labels";
    }
    for (const NodePair& pair : parts_.pairs) {
      if (pair.j >= pair.k || pair.k >= parts_.num_labels()) {
        return "a pair of the model is not of two labels, the first before the second";
      }
    }
    std::vector<NodePair> sorted = parts_.pairs;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return "the model couples two labels twice";
    }
    const bool attracting = std::all_of(parts_.couplings.begin(), parts_.couplings.end(),
                                        [](double a) { return a >= 0; });
    if (!attracting || !moderate(parts_.couplings)) {
      return "a coupling of the model is negative, too large or no number";
    }
    return {};
  }

  std::string chain() const {
    if (parts_.form != ModelForm::kChain) {
      const bool none = parts_.order.empty() && parts_.chain_weights.empty();
      return none ? std::string() : "the model has the weights of a chain, and is none";
    }
    const Index num_labels = parts_.num_labels();
    constexpr auto kNowhere = std::numeric_limits<Index>::max();
    std::vector<Index> place(num_labels, kNowhere);
    for (Index k = 0; k < parts_.order.size(); ++k) {
      const std::uint32_t v = parts_.order[k];
      if (v >= num_labels || place[v] != kNowhere) return "the model's chain visits a label twice";
      place[v] = k;
    }
    if (parts_.order.size() != num_labels) return "the model's chain leaves labels out";
    if (!is_matrix(parts_.chain_weights.size(), num_labels, num_labels)) {
      return "the weights of the model's chain do not fit its labels";
    }
    if (!moderate(parts_.chain_weights)) {
      return "a weight of the model's chain is too large or no number";
    }
    for (Index v = 0; v < num_labels; ++v) {
      for (Index u = 0; u < num_labels; ++u) {
        if (place[u] >= place[v] && parts_.chain_weights[v * num_labels + u] != 0) {
          return "a label of the model's chain sees one that comes later";
        }
      }
    }
    return {};
  }

  const LabelModel& parts_;
};

nlohmann::json meta(const LabelModel& parts) {
  nlohmann::json meta;
  meta["form"] = std::string(to_string(parts.form));
  meta["unit_length"] = parts.scaling.unit_length;
  meta["bias"] = parts.scaling.bias;
  meta["training"] = parts.training;
  return meta;
}

// The writer and the memory that its sections lie in.
struct Assembly {
  explicit Assembly(const LabelModel& parts)
      : writer(std::string(kLabelModelKind), kLabelModelVersion) {
    if (const std::string fault = Check(parts).fault(); !fault.empty()) throw UsageError(fault);
    for (const std::string& name : parts.label_names) labels.add(name);
    for (const std::string& name : parts.feature_names) features.add(name);
    writer.add_json("meta", meta(parts));
    writer.add_array<char>("labels", labels.bytes());
    writer.add_array<std::uint64_t>("label_ends", labels.offsets());
    writer.add_array<char>("features", features.bytes());
    writer.add_array<std::uint64_t>("feature_ends", features.offsets());
    const auto add = [&](std::string_view name, const auto& numbers) {
      using Number = typename std::decay_t<decltype(numbers)>::value_type;
      writer.add_array<Number>(name, numbers);
    };
    if (!parts.scaling.mean.empty()) add("mean", parts.scaling.mean);
    if (!parts.scaling.scale.empty()) add("scale", parts.scaling.scale);
    add("weights", parts.weights);
    add("thresholds", parts.thresholds);
    if (parts.form == ModelForm::kPairwise) {
      add("pairs", parts.pairs);
      add("couplings", parts.couplings);
    }
    if (parts.form == ModelForm::kChain) {
      add("order", parts.order);
      add("chain_weights", parts.chain_weights);
    }
  }

  NameList labels;
  NameList features;
  ModelWriter writer;
};

class Loader {
 public:
  explicit Loader(const ModelReader& reader) : reader_(reader) {}

  LabelModel load() {
    reader_.expect(kLabelModelKind, kLabelModelVersion);
    read_meta();
    parts_.label_names = names("labels", "label_ends");
    parts_.feature_names = names("features", "feature_ends");
    if (reader_.has("mean")) read("mean", parts_.scaling.mean);
    if (reader_.has("scale")) read("scale", parts_.scaling.scale);
    read("weights", parts_.weights);
    read("thresholds", parts_.thresholds);
    // Those of another form are read as well, to be refused.
    const bool pairwise = parts_.form == ModelForm::kPairwise;
    if (pairwise || reader_.has("pairs")) read("pairs", parts_.pairs);
    if (pairwise || reader_.has("couplings")) read("couplings", parts_.couplings);
    const bool chain = parts_.form == ModelForm::kChain;
    if (chain || reader_.has("order")) read("order", parts_.order);
    if (chain || reader_.has("chain_weights")) read("chain_weights", parts_.chain_weights);
    if (const std::string fault = Check(parts_).fault(); !fault.empty()) refuse(fault);
    return std::move(parts_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(reader_.name(), 0, why);
  }

  void read_meta() {
    const nlohmann::json meta = reader_.json("meta");
    try {
      parts_.form = form(meta.at("form").get<std::string>());
      // Anything else would be converted, and might then pass for what it is not.
      if (!meta.at("unit_length").is_boolean() || !meta.at("bias").is_number()) {
        refuse("the model's unit_length or bias is of another kind");
      }
      parts_.scaling.unit_length = meta.at("unit_length").get<bool>();
      parts_.scaling.bias = meta.at("bias").get<double>();
      parts_.training = meta.at("training");
    } catch (const nlohmann::json::exception&) {
      refuse("the model's description lacks something or has it in another form");
    }
  }

  ModelForm form(std::string_view name) const {
    for (const auto& [known, form] : kForms) {
      if (known == name) return form;
    }
    refuse(fmt::format("the model is of an unknown form '{}'", name));
  }

  std::vector<std::string> names(std::string_view bytes, std::string_view ends) const {
    const NameView view(reader_.array<std::uint64_t>(ends), reader_.array<char>(bytes),
                        reader_.name());
    std::vector<std::string> names;
    names.reserve(view.size());
    for (Index i = 0; i < view.size(); ++i) names.emplace_back(view[i]);
    return names;
  }

  template <class Number>
  void read(std::string_view section, std::vector<Number>& numbers) const {
    const std::span<const Number> stored = reader_.array<Number>(section);
    numbers.assign(stored.begin(), stored.end());
  }

  const ModelReader& reader_;
  LabelModel parts_;
};

}  // namespace

std::string_view to_string(ModelForm form) {
  for (const auto& [name, known] : kForms) {
    if (known == form) return name;
  }
  return "";
}

std::string LabelModel::to_bytes() const {
  return Assembly(*this).writer.to_bytes();
}

void LabelModel::write(const std::string& path) const {
  Assembly(*this).writer.write(path);
}

LabelModel LabelModel::read(const std::string& path) {
  return Loader(ModelReader::open(path)).load();
}

LabelModel LabelModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return Loader(ModelReader::from_bytes(bytes, name)).load();
}

}  // namespace trellis::label
