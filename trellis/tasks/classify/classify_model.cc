#include "trellis/tasks/classify/classify_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::classify {
namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

nlohmann::json meta(const ClassifyModelParts& parts) {
  nlohmann::json meta;
  meta["labels"] = std::vector<std::string>(parts.labels.begin(), parts.labels.end());
  meta["format"] = std::string(to_string(parts.features.format));
  meta["columns"] = parts.columns ? parts.columns->to_string() : "";
  meta["lowercase"] = parts.features.lowercase;
  meta["ngrams"] = parts.features.ngrams;
  meta["weighting"] = std::string(to_string(parts.features.weighting));
  meta["normalize"] = parts.features.normalize;
  meta["bias"] = parts.features.bias;
  meta["beta"] = parts.beta ? nlohmann::json(*parts.beta) : nlohmann::json(nullptr);
  meta["training"] = parts.training;
  return meta;
}

ModelWriter assemble(const ClassifyModelParts& parts) {
  ModelWriter writer(std::string(kClassifyModelKind), kClassifyModelVersion);
  writer.add_json("meta", meta(parts));
  writer.add_array<std::uint64_t>("keys", parts.vocabulary->table().keys());
  writer.add_array<std::uint32_t>("ids", parts.vocabulary->table().ids());
  writer.add_array<char>("names", parts.vocabulary->names());
  writer.add_array<std::uint64_t>("name_ends", parts.vocabulary->name_ends());
  if (uses_idf(parts.features.weighting)) writer.add_array<double>("idf", parts.idf);
  writer.add_array<double>("weights", parts.weights);
  return writer;
}

}  // namespace

void write_classify_model(const ClassifyModelParts& parts, const std::string& path) {
  assemble(parts).write(path);
}

std::string classify_model_bytes(const ClassifyModelParts& parts) {
  return assemble(parts).to_bytes();
}

ClassifyModel ClassifyModel::load(const std::string& path) {
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
  const nlohmann::json meta = reader_.json("meta");
  try {
    labels_ = meta.at("labels").get<std::vector<std::string>>();
    read_features(meta);
    const nlohmann::json& beta = meta.at("beta");
    if (!beta.is_null()) beta_ = beta.get<double>();
    training_ = meta.at("training");
  } catch (const nlohmann::json::exception&) {
    refuse("the model's description lacks something or has it in another form");
  } catch (const UsageError& error) {
    refuse(error.what());
  }
  if (labels_.empty()) refuse("the model has no label");
  if (beta_ && (!(*beta_ > 0) || std::isinf(*beta_))) refuse("the model's beta is not positive");
  for (const std::string& label : labels_) label_list_.add(label);
  if (label_list_.size() != labels_.size()) refuse("the model names a label twice");
}

void ClassifyModel::read_features(const nlohmann::json& meta) {
  const auto flag = [&](const char* key) {
    const nlohmann::json& value = meta.at(key);
    if (!value.is_boolean()) refuse(fmt::format("the model's {} is neither true nor false", key));
    return value.get<bool>();
  };
  features_.format = parse_input_format(meta.at("format").get<std::string>());
  features_.lowercase = flag("lowercase");
  features_.weighting = parse_weighting(meta.at("weighting").get<std::string>());
  features_.normalize = flag("normalize");
  features_.bias = flag("bias");
  const nlohmann::json& ngrams = meta.at("ngrams");
  // Anything else would be converted, and might then pass for what it is not.
  if (!ngrams.is_number_unsigned()) refuse("the model's ngrams is not a number from 0 on");
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
  weights_ = reader_.array<double>("weights");
  // Division, as a product could overflow.
  if (weights_.size() % labels_.size() != 0 || weights_.size() / labels_.size() != names_.size()) {
    refuse("the model's weights do not fit its features and labels");
  }
  if (!all_finite(weights_)) refuse("a weight of the model is not a finite number");
}

Vectorizer ClassifyModel::vectorizer() const {
  return {features_, ids_, idf_, features_.bias ? AttributeId{0} : kNoAttribute};
}

}  // namespace trellis::classify
