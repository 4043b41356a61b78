#include "trellis/tasks/classify/classify_model.h"

#include <utility>

#include "trellis/base/error.h"

namespace trellis::classify {
namespace {

template <class T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

void describe_features(ModelArchive& a, ClassifyParts& m) {
  FeatureOptions& f = m.features;
  a.choice("format", f.format, "of the files that it reads");
  a.field(
      "columns", "of text, such as label,text",
      [&] { return Value(m.columns ? m.columns->to_string() : ""); },
      [&](const Value& stored) {
        if (f.format == InputFormat::kText) m.columns = TextColumns::parse(stored.text());
      });
  a.value("lowercase", f.lowercase, "whether words are taken in lower case");
  a.number("ngrams", f.ngrams, {1, FeatureOptions::kMaxNgrams}, "maximum number of words in a row");
  a.choice("weighting", f.weighting, "how the occurrences of a feature count");
  a.value("normalize", f.normalize, "whether vectors are scaled to length 1");
  a.value("bias", f.bias, "whether feature 0 is a constant");
  a.field(
      "beta", "scale of scores whose softmax are probabilities; or null", [&] { return m.beta; },
      [&](const Value& stored) {
        if (!stored.is_null()) m.beta = stored.get<double>();
        a.require(!m.beta || (*m.beta > 0 && *m.beta <= kFinite.high),
                  "the beta of the model is not positive");
      },
      "number");
}

void describe_kernel(ModelArchive& a, ClassifyParts& m) {
  a.field(
      "kernel", "linear, poly:D:O or rbf:G", [&] { return Value(to_string(*m.kernel)); },
      [&](const Value& stored) { m.kernel = parse_kernel(stored.text()); });
  a.lists("pivot_ends", m.pivot_ends, "pivot_ids", m.pivot_ids, {},
          {.ascending = true, .in = Range{0, static_cast<double>(m.names.size()) - 1}},
          "features of the pivots");
  a.array("pivot_values", m.pivot_values, {.size = m.pivot_ids.size(), .in = kFinite},
          "their values");
}

}  // namespace

void ClassifyModel::describe(ModelArchive& a, ClassifyParts& m) {
  a.names("labels", m.labels, {.low = 1}, "the labels");
  describe_features(a, m);
  a.value("training", m.training, "how the model was made");
  a.array("keys", m.keys, {}, "fingerprints of features, hashed to their slots");
  a.array("ids", m.ids, {}, "by slot: the feature");
  a.name_list("names", "name_ends", m.names, "of the features");
  a.require(!m.features.bias || !m.names.empty(), "the model has no bias, and should");
  const Elements by_feature{.size = m.names.size(), .in = kFinite};
  a.where("weighting tfidf or log-tfidf", uses_idf(m.features.weighting),
          [&] { a.array("idf", m.idf, by_feature, "by feature"); });
  a.optional("factors", !m.factors.empty(), 3, [&] {
    a.array("factors", m.factors, by_feature, "by feature: scale of its column");
    a.array("shifts", m.shifts, by_feature, "by feature: shift of its column");
    a.check([&] {
      a.require(!m.features.bias || (m.factors[0] == 1 && m.shifts[0] == 0),
                "the model scales its bias");
    });
  });
  a.optional("kernel", m.kernel.has_value(), 2, [&] { describe_kernel(a, m); });
  a.weights("weights", m.weights, {},
            "a row of one for each label, for each feature; with a kernel, for the bias, if there "
            "is one, and each pivot");
  a.check([&] {
    const Index rows = !m.kernel ? m.names.size() : m.pivot_ends.size() - (m.features.bias ? 0 : 1);
    // Division, as a product could overflow.
    a.require(m.weights.size() % m.labels.size() == 0 && m.weights.size() / m.labels.size() == rows,
              "the model's weights do not fit its features and labels");
  });
}

ClassifyModel ClassifyModel::from_parts(ClassifyParts parts) {
  const std::string bytes =
      ModelArchive::to_bytes(kKind, [&](ModelArchive& a) { describe(a, parts); });
  return from_bytes(std::as_bytes(std::span(bytes)), "the model");
}

ClassifyModel ClassifyModel::read(const std::string& path) {
  return ClassifyModel(ModelReader::open(path));
}

ClassifyModel ClassifyModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return ClassifyModel(ModelReader::from_bytes(bytes, name));
}

ClassifyModel::ClassifyModel(ModelReader reader) : reader_(std::move(reader)) {
  ModelArchive::read(kKind, reader_, [&](ModelArchive& a) { describe(a, parts_); });
  ids_ = FingerprintView(parts_.keys, parts_.ids, parts_.names.size(), name());
  for (const std::string& label : labels()) label_list_.add(label);
  scale_ = std::make_shared<const ColumnScale>(copy_of(parts_.factors), copy_of(parts_.shifts));
  if (!parts_.kernel) return;
  kernel_ = std::make_shared<const KernelPivots>(
      *parts_.kernel, SparseRows{parts_.names.size(), copy_of(parts_.pivot_ends),
                                 copy_of(parts_.pivot_ids), copy_of(parts_.pivot_values)});
}

Vectorizer ClassifyModel::vectorizer() const {
  return {features(), ids_, parts_.idf, *scale_, features().bias ? AttributeId{0} : kNoAttribute};
}

}  // namespace trellis::classify
