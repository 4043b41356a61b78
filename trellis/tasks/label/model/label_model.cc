#include "trellis/tasks/label/model/label_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/tasks/linear_model.h"

namespace trellis::label {
namespace {

// Refuses parts that do not fit together, by a UsageError about the first fault. The same for
// models that are written and for those that are read.
class Check {
 public:
  explicit Check(const LabelModel& parts) : parts_(parts) {}

  void all() const {
    names();
    scaling();
    weights();
    pairs();
    chain();
  }

 private:
  static void require(bool holds, const char* otherwise) {
    if (!holds) throw UsageError(otherwise);
  }
  static void require_distinct(const char* what, const std::vector<std::string>& names) {
    std::unordered_set<std::string_view> known;
    for (const std::string& name : names) {
      if (!known.insert(name).second) {
        throw UsageError(fmt::format("the model names {} '{}' twice", what, name));
      }
    }
  }
  // Weights, thresholds and couplings: sums of their products with floats are finite.
  static bool moderate(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [](double x) { return std::abs(x) <= ModelReader::kLargestWeight; });
  }
  // rows · columns == size, without the product, which could overflow.
  static bool is_matrix(Index size, Index rows, Index columns) {
    return size % columns == 0 && size / columns == rows;
  }

  void names() const {
    constexpr Index kMost = std::numeric_limits<std::uint32_t>::max();
    require(!parts_.label_names.empty(), "the model has no label");
    require(parts_.label_names.size() < kMost && parts_.feature_names.size() < kMost - 1,
            "the model has too many labels or features");
    for (const std::string& name : parts_.label_names) {
      require(!label_name_fault(name), "the model has a label whose name is not valid");
    }
    for (const std::string& name : parts_.feature_names) {
      require(find_invalid_utf8(name) == std::string_view::npos,
              "the model has a feature whose name is not UTF-8");
    }
    require_distinct("label", parts_.label_names);
    require_distinct("feature", parts_.feature_names);
  }

  void scaling() const {
    for (const auto* numbers : {&parts_.scaling.mean, &parts_.scaling.scale}) {
      require(numbers->empty() || numbers->size() == parts_.feature_names.size(),
              "the model's scaling does not fit its features");
      require(moderate(*numbers), "a number of the model's scaling is too large or not a number");
    }
    constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
    require(std::abs(parts_.scaling.bias) <= kLargest,
            "the model's bias is too large or not a number");
  }

  void weights() const {
    require(is_matrix(parts_.weights.size(), parts_.num_rows(), parts_.num_labels()),
            "the model's weights do not fit its features and labels");
    require(parts_.thresholds.size() == parts_.num_labels(),
            "the model's thresholds do not fit its labels");
    require(moderate(parts_.weights), "a weight of the model is too large or not a number");
    require(moderate(parts_.thresholds), "a threshold of the model is too large or not a number");
  }

  void pairs() const {
    if (parts_.form != ModelForm::kPairwise) {
      return require(parts_.pairs.empty() && parts_.couplings.empty(),
                     "the model has couplings, but its form has none");
    }
    require(parts_.pairs.size() == parts_.couplings.size(),
            "the model's couplings do not fit its pairs of labels");
    for (const NodePair& pair : parts_.pairs) {
      require(pair.j < pair.k && pair.k < parts_.num_labels(),
              "a pair of the model is not two labels in ascending order");
    }
    std::vector<NodePair> sorted = parts_.pairs;
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
            "the model couples two labels twice");
    const bool attracting = std::all_of(parts_.couplings.begin(), parts_.couplings.end(),
                                        [](double a) { return a >= 0; });
    require(attracting && moderate(parts_.couplings),
            "a coupling of the model is negative, too large or not a number");
  }

  void chain() const {
    if (parts_.form != ModelForm::kChain) {
      return require(parts_.order.empty() && parts_.chain_weights.empty(),
                     "the model has chain weights, but is not a chain");
    }
    const Index num_labels = parts_.num_labels();
    constexpr auto kNowhere = std::numeric_limits<Index>::max();
    std::vector<Index> place(num_labels, kNowhere);
    for (Index k = 0; k < parts_.order.size(); ++k) {
      const std::uint32_t v = parts_.order[k];
      require(v < num_labels && place[v] == kNowhere, "the model's chain visits a label twice");
      place[v] = k;
    }
    require(parts_.order.size() == num_labels, "the model's chain does not contain all labels");
    require(is_matrix(parts_.chain_weights.size(), num_labels, num_labels),
            "the weights of the model's chain do not fit its labels");
    require(moderate(parts_.chain_weights),
            "a weight of the model's chain is too large or not a number");
    for (Index v = 0; v < num_labels; ++v) {
      for (Index u = 0; u < num_labels; ++u) {
        require(place[u] < place[v] || parts_.chain_weights[v * num_labels + u] == 0,
                "a label of the model's chain depends on a later label");
      }
    }
  }

  const LabelModel& parts_;
};

// visit(section, its numbers, whether every model of this form has it): what is written and read
// alike. Those of another form are read where a file has them, to be refused.
template <class Parts, class Visit>
void each_array(Parts& parts, const Visit& visit) {
  const bool pairwise = parts.form == ModelForm::kPairwise;
  const bool chain = parts.form == ModelForm::kChain;
  visit("mean", parts.scaling.mean, false);
  visit("scale", parts.scaling.scale, false);
  visit("weights", parts.weights, true);
  visit("thresholds", parts.thresholds, true);
  visit("pairs", parts.pairs, pairwise);
  visit("couplings", parts.couplings, pairwise);
  visit("order", parts.order, chain);
  visit("chain_weights", parts.chain_weights, chain);
}

// The writer and the memory that its sections lie in.
struct Assembly {
  explicit Assembly(const LabelModel& parts)
      : writer(std::string(kLabelModelKind), kLabelModelVersion) {
    Check(parts).all();
    for (const std::string& name : parts.label_names) labels.add(name);
    for (const std::string& name : parts.feature_names) features.add(name);
    writer.add_json("meta", Value::record({{"form", to_string(parts.form)},
                                           {"unit_length", parts.scaling.unit_length},
                                           {"bias", parts.scaling.bias},
                                           {"training", parts.training}}));
    writer.add_array<char>("labels", labels.bytes());
    writer.add_array<std::uint64_t>("label_ends", labels.offsets());
    writer.add_array<char>("features", features.bytes());
    writer.add_array<std::uint64_t>("feature_ends", features.offsets());
    each_array(parts, [&](std::string_view section, const auto& numbers, bool always) {
      using Number = typename std::decay_t<decltype(numbers)>::value_type;
      if (always || !numbers.empty()) writer.add_array<Number>(section, numbers);
    });
  }

  NameList labels;
  NameList features;
  ModelWriter writer;
};

std::vector<std::string> load_names(const ModelReader& reader, std::string_view bytes,
                                    std::string_view ends) {
  const NameView view(reader.array<std::uint64_t>(ends), reader.array<char>(bytes), reader.name());
  std::vector<std::string> names;
  names.reserve(view.size());
  for (Index i = 0; i < view.size(); ++i) names.emplace_back(view[i]);
  return names;
}

LabelModel load_parts(const ModelReader& reader, const Value& meta) {
  LabelModel parts;
  parts.form = parse_named<ModelForm>(meta.at("form").get<std::string>());
  // Anything else would be converted, and might then pass for what it is not.
  if (!meta.at("unit_length").is_bool() || !meta.at("bias").is_number()) {
    refuse(reader, "the model's unit_length or bias is of another kind");
  }
  parts.scaling.unit_length = meta.at("unit_length").get<bool>();
  parts.scaling.bias = meta.at("bias").get<double>();
  parts.training = meta.at("training");
  parts.label_names = load_names(reader, "labels", "label_ends");
  parts.feature_names = load_names(reader, "features", "feature_ends");
  each_array(parts, [&](std::string_view section, auto& numbers, bool always) {
    using Number = typename std::decay_t<decltype(numbers)>::value_type;
    if (!always && !reader.has(section)) return;
    const std::span<const Number> stored = reader.array<Number>(section);
    numbers.assign(stored.begin(), stored.end());
  });
  Check(parts).all();
  return parts;
}

LabelModel load(const ModelReader& reader) {
  LabelModel parts;
  read_meta(reader, kLabelModelKind, kLabelModelVersion,
            [&](const Value& meta) { parts = load_parts(reader, meta); });
  return parts;
}

}  // namespace

std::string LabelModel::to_bytes() const {
  return Assembly(*this).writer.to_bytes();
}

void LabelModel::write(const std::string& path) const {
  Assembly(*this).writer.write(path);
}

LabelModel LabelModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

LabelModel LabelModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

}  // namespace trellis::label
