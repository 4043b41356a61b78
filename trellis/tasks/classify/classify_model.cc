#include "trellis/tasks/classify/classify_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::classify {
namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

Value meta(const ClassifyModelParts& parts) {
  Value meta;
  meta["labels"] = parts.labels;
  meta["format"] = to_string(parts.features.format);
  meta["columns"] = parts.columns ? parts.columns->to_string() : "";
  meta["lowercase"] = parts.features.lowercase;
  meta["ngrams"] = parts.features.ngrams;
  meta["weighting"] = to_string(parts.features.weighting);
  meta["normalize"] = parts.features.normalize;
  meta["bias"] = parts.features.bias;
  meta["beta"] = parts.beta;
  if (parts.kernel != nullptr) meta["kernel"] = to_string(parts.kernel->kernel());
  meta["training"] = *parts.training;
  return meta;
}

void add_kernel(const SparseRows& pivots, ModelWriter& writer) {
  writer.add_array<std::uint64_t>("pivot_ends", pivots.begin);
  writer.add_array<std::uint32_t>("pivot_ids", pivots.ids);
  writer.add_array<float>("pivot_values", pivots.values);
}

}  // namespace

std::string classify_model_bytes(const ClassifyModelParts& parts) {
  const bool scaled = parts.scale != nullptr && !parts.scale->empty();
  const std::uint32_t unscaled_version = parts.kernel == nullptr ? 1 : 2;
  ModelWriter writer(std::string(kClassifyModelKind),
                     scaled ? kClassifyModelVersion : unscaled_version);
  writer.add_json("meta", meta(parts));
  writer.add_array<std::uint64_t>("keys", parts.vocabulary->table().keys());
  writer.add_array<std::uint32_t>("ids", parts.vocabulary->table().ids());
  writer.add_array<char>("names", parts.vocabulary->names());
  writer.add_array<std::uint64_t>("name_ends", parts.vocabulary->name_ends());
  if (uses_idf(parts.features.weighting)) writer.add_array<double>("idf", parts.idf);
  if (scaled) {
    writer.add_array<double>("factors", parts.scale->factors());
    writer.add_array<double>("shifts", parts.scale->shifts());
  }
  if (parts.kernel != nullptr) add_kernel(parts.kernel->rows(), writer);
  writer.add_array<double>("weights", parts.weights);
  return writer.to_bytes();
}

ClassifyModel ClassifyModel::read(const std::string& path) {
  return ClassifyModel(ModelReader::open(path));
}

ClassifyModel ClassifyModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return ClassifyModel(ModelReader::from_bytes(bytes, name));
}

ClassifyModel::ClassifyModel(ModelReader reader) : reader_(std::move(reader)) {
  reader_.expect(kClassifyModelKind, kClassifyModelVersion);
  read_meta();
  read_arrays();
}

void ClassifyModel::refuse(const std::string& why) const {
  throw InputError(reader_.name(), 0, why);
}

void ClassifyModel::read_meta() {
  const Value meta = reader_.json("meta");
  try {
    labels_ = meta.at("labels").get<std::vector<std::string>>();
    read_features(meta);
    const Value& beta = meta.at("beta");
    if (!beta.is_null()) beta_ = beta.get<double>();
    training_ = std::make_shared<const Value>(meta.at("training"));
  } catch (const ValueError&) {
    refuse("the model's description is incomplete or damaged");
  } catch (const UsageError& error) {
    refuse(error.what());
  }
  if (labels_.empty()) refuse("the model has no label");
  if (beta_ && (!(*beta_ > 0) || std::isinf(*beta_))) refuse("the model's beta is not positive");
  for (const std::string& label : labels_) label_list_.add(label);
  if (label_list_.size() != labels_.size()) refuse("the model names a label twice");
}

void ClassifyModel::read_features(const Value& meta) {
  const auto flag = [&](const char* key) {
    const Value& value = meta.at(key);
    if (!value.is_bool()) refuse(fmt::format("the model's {} is neither true nor false", key));
    return value.get<bool>();
  };
  features_.format = parse_named<InputFormat>(meta.at("format").get<std::string>());
  features_.lowercase = flag("lowercase");
  features_.weighting = parse_named<Weighting>(meta.at("weighting").get<std::string>());
  features_.normalize = flag("normalize");
  features_.bias = flag("bias");
  const Value& ngrams = meta.at("ngrams");
  if (!ngrams.is_count()) refuse("the model's ngrams is not a number of at least 0");
  features_.ngrams = ngrams.get<Index>();
  if (features_.ngrams < 1 || features_.ngrams > FeatureOptions::kMaxNgrams) {
    refuse(fmt::format("the model's n-grams are of {} words", features_.ngrams));
  }
  if (features_.format == InputFormat::kText) {
    columns_ = TextColumns::parse(meta.at("columns").get<std::string>());
  }
}

void ClassifyModel::read_arrays() {
  names_ = NameView(reader_.array<std::uint64_t>("name_ends"), reader_.array<char>("names"),
                    reader_.name());
  ids_ = FingerprintView(reader_.array<std::uint64_t>("keys"), reader_.array<std::uint32_t>("ids"),
                         names_.size(), reader_.name());
  if (features_.bias && names_.empty()) refuse("the model has no bias, and should");
  if (uses_idf(features_.weighting)) {
    idf_ = reader_.array<double>("idf", names_.size());
    if (!all_finite(idf_)) refuse("an idf of the model is not a finite number");
  }
  read_scale();
  const Value meta = reader_.json("meta");
  if (reader_.version() == 2 || (reader_.version() > 2 && meta.contains("kernel"))) {
    read_kernel(meta);
  }
  const Index rows =
      kernel_ == nullptr ? names_.size() : kernel_->size() + (features_.bias ? 1 : 0);
  // Division, as a product could overflow.
  weights_ = reader_.weights("weights");
  if (weights_.size() % labels_.size() != 0 || num_rows() != rows) {
    refuse("the model's weights do not fit its features and labels");
  }
}

void ClassifyModel::read_scale() {
  std::span<const double> factors, shifts;
  if (reader_.version() > 2) {
    factors = reader_.array<double>("factors", names_.size());
    shifts = reader_.array<double>("shifts", names_.size());
  }
  if (!all_finite(factors) || !all_finite(shifts)) {
    refuse("the scale of a column of the model is not a finite number");
  }
  if (features_.bias && !factors.empty() && (factors[0] != 1 || shifts[0] != 0)) {
    refuse("the model scales its bias");
  }
  scale_ = std::make_shared<const ColumnScale>(std::vector<double>(factors.begin(), factors.end()),
                                               std::vector<double>(shifts.begin(), shifts.end()));
}

void ClassifyModel::read_kernel(const Value& meta) {
  const auto ends = reader_.array<std::uint64_t>("pivot_ends");
  const auto ids = reader_.array<std::uint32_t>("pivot_ids");
  const auto values = reader_.array<float>("pivot_values", ids.size());
  if (ends.empty() || ends.front() != 0 || ends.back() != ids.size() ||
      !std::is_sorted(ends.begin(), ends.end())) {
    refuse("the model's pivots do not fill their section");
  }
  for (Index p = 0; p + 1 < ends.size(); ++p) {
    const auto of = ids.subspan(ends[p], ends[p + 1] - ends[p]);
    const bool ascending =
        std::adjacent_find(of.begin(), of.end(), std::greater_equal<>()) == of.end();
    if (!ascending || (!of.empty() && of.back() >= names_.size())) {
      refuse("a pivot of the model has an unknown or repeated feature");
    }
  }
  if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); })) {
    refuse("a pivot of the model is not a vector of finite numbers");
  }
  try {
    kernel_ =
        std::make_shared<const KernelPivots>(parse_kernel(meta.at("kernel").get<std::string>()),
                                             SparseRows{names_.size(),
                                                        {ends.begin(), ends.end()},
                                                        {ids.begin(), ids.end()},
                                                        {values.begin(), values.end()}});
  } catch (const ValueError&) {
    refuse("the model's kernel is not described");
  } catch (const UsageError& error) {
    refuse(error.what());
  }
}

Vectorizer ClassifyModel::vectorizer() const {
  return {features_, ids_, idf_, *scale_, features_.bias ? AttributeId{0} : kNoAttribute};
}

}  // namespace trellis::classify
