#include "trellis/tasks/factors/factors_model.h"

#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::factors {
namespace {

// The first is `switch`, which is there without being declared.
void read_domains(const ModelReader& reader, const Value& meta, Domains& domains) {
  const Value& list = meta.at("domains");
  if (list.empty() || list.at(0).at("name") != Domains::kSwitch) {
    refuse(reader, "the first domain of the model is not the domain of switches");
  }
  for (Index d = 0; d < list.size(); ++d) {
    const Value& domain = list.at(d);
    const auto name = domain.at("name").get<std::string>();
    if (domain.at("switch").get<bool>()) {
      domains.declare_switch(name);
    } else {
      domains.declare(name, domain.at("values").get<std::vector<std::string>>());
    }
    if (domains.size() != d + 1) refuse(reader, "the model has a domain twice");
  }
}

// Whether a type of that kind can be of these domains.
bool fit_together(ScoreKind kind, const std::string& name,
                  const std::vector<std::uint32_t>& domains, const Domains& known) {
  for (const std::uint32_t d : domains) {
    if (d >= known.size()) return false;
  }
  switch (kind) {
    case ScoreKind::kVariable:
      return domains.size() == 1 && known[domains[0]].name == name;
    case ScoreKind::kTable:
      return !domains.empty();
    case ScoreKind::kSequence:
      return domains.size() == 1 && !known[domains[0]].is_switch;
    default:
      return domains.empty();
  }
}

void read_types(const ModelReader& reader, const Value& meta, FactorFeatures& features) {
  for (const Value& type : meta.at("types").items()) {
    const auto kind = parse_named<ScoreKind>(type.at("kind").get<std::string>());
    const auto name = type.at("name").get<std::string>();
    std::vector<std::uint32_t> domains;
    for (const Value& d : type.at("domains").items()) {
      if (!d.is_count() || d.get<std::uint64_t>() >= features.domains().size()) {
        refuse(reader, "a type of the model has an unknown domain");
      }
      domains.push_back(d.get<std::uint32_t>());
    }
    if (!fit_together(kind, name, domains, features.domains())) {
      refuse(reader, "a type of the model has invalid domains");
    }
    const Index before = features.num_types();
    if (features.type(kind, name, std::move(domains)) != before) {
      refuse(reader, "the model has a type twice");
    }
  }
}

FactorFeatures read_features(const ModelReader& reader, const Value& meta) {
  FactorFeatures features;
  read_domains(reader, meta, features.domains());
  read_types(reader, meta, features);
  features.add_runs(NameView(reader.array<std::uint64_t>("attributes/offsets"),
                             reader.array<char>("attributes/bytes"), reader.name()));
  return features;
}

Value describe(const FactorsModel& model) {
  const FactorFeatures& features = model.features();
  Value meta;
  meta["domains"] = Value::list();
  for (Index d = 0; d < features.domains().size(); ++d) {
    const Domain& domain = features.domains()[d];
    meta["domains"].push_back(Value::record(
        {{"name", domain.name}, {"switch", domain.is_switch}, {"values", domain.values}}));
  }
  meta["types"] = Value::list();
  for (Index t = 0; t < features.num_types(); ++t) {
    const ScoreType& type = features.score_type(t);
    meta["types"].push_back(Value::record(
        {{"kind", to_string(type.kind)}, {"name", type.name}, {"domains", type.domains}}));
  }
  meta["inference"] = to_string(model.inference());
  meta["training"] = model.training();
  return meta;
}

}  // namespace

FactorsModel::FactorsModel(const FactorFeatures& features, Inference inference,
                           std::vector<double> weights, const Value& training)
    : LinearModel(features.frozen_copy(), std::move(weights), training), inference_(inference) {}

FactorsModel FactorsModel::from_file(const ModelReader& reader, const Value& meta) {
  const FactorFeatures features = read_features(reader, meta);
  const auto stored = reader.weights("weights", features.dimension());
  const auto inference = parse_named<Inference>(meta.at("inference").get<std::string>());
  return FactorsModel(features, inference, {stored.begin(), stored.end()}, meta.at("training"));
}

ModelWriter FactorsModel::writer() const {
  ModelWriter writer{std::string(kKind), kVersion};
  writer.add_json("meta", describe(*this));
  writer.add_array<std::uint64_t>("attributes/offsets", features().run_names().offsets());
  writer.add_array<char>("attributes/bytes", features().run_names().bytes());
  writer.add_array<double>("weights", weights());
  return writer;
}

}  // namespace trellis::factors
