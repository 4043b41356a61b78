#include "trellis/tasks/factors/factors_model.h"

#include <cstdint>
#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::factors {
namespace {

void require(bool holds, const char* otherwise) {
  if (!holds) throw UsageError(otherwise);
}

// The first is `switch`, which is there without being declared.
void read_domains(const Value& list, Domains& domains) {
  require(!list.empty() && list.at(0).at("name") == Domains::kSwitch,
          "the first domain of the model is not the domain of switches");
  for (Index d = 0; d < list.size(); ++d) {
    const Value& domain = list.at(d);
    const auto name = domain.at("name").get<std::string>();
    if (domain.at("switch").get<bool>()) {
      domains.declare_switch(name);
    } else {
      domains.declare(name, domain.at("values").get<std::vector<std::string>>());
    }
    require(domains.size() == d + 1, "the model has a domain twice");
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

void read_types(const Value& list, FactorFeatures& features) {
  for (const Value& type : list.items()) {
    const auto kind = parse_named<ScoreKind>(type.at("kind").text());
    const std::string& name = type.at("name").text();
    auto domains = type.at("domains").get<std::vector<std::uint32_t>>();
    require(fit_together(kind, name, domains, features.domains()),
            "a type of the model has invalid domains");
    const Index before = features.num_types();
    require(features.type(kind, name, std::move(domains)) == before, "the model has a type twice");
  }
}

Value domains_value(const Domains& domains) {
  Value list = Value::list();
  for (Index d = 0; d < domains.size(); ++d) {
    list.push_back(Value::record({{"name", domains[d].name},
                                  {"switch", domains[d].is_switch},
                                  {"values", domains[d].values}}));
  }
  return list;
}

Value types_value(const FactorFeatures& features) {
  Value list = Value::list();
  for (Index t = 0; t < features.num_types(); ++t) {
    const ScoreType& type = features.score_type(t);
    list.push_back(Value::record(
        {{"kind", to_string(type.kind)}, {"name", type.name}, {"domains", type.domains}}));
  }
  return list;
}

FactorsParts frozen(FactorsParts parts) {
  parts.features.freeze();
  return parts;
}

}  // namespace

FactorsModel::FactorsModel(FactorsParts parts) : LinearModel(frozen(std::move(parts))) {}

void FactorsModel::describe(ModelArchive& a, FactorsParts& m) {
  FactorFeatures& f = m.features;
  a.field(
      "domains", "of each its name, switch (whether it is one of switches) and values",
      [&] { return domains_value(f.domains()); },
      [&](const Value& stored) { read_domains(stored, f.domains()); }, "list of records");
  a.field(
      "types", "of each its kind, name and the numbers of its domains",
      [&] { return types_value(f); }, [&](const Value& stored) { read_types(stored, f); },
      "list of records");
  a.choice("inference", m.inference, "what the weights were learned with");
  NameView runs = f.run_names().view();
  a.name_list("attributes", runs, "of runs of weights: the number of a type and an attribute");
  a.check([&] { f.add_runs(runs); });
  a.weights("weights", m.weights, f.dimension(), "run after run, one for each score of its type");
  a.value("training", m.training, "how the model was made");
}

}  // namespace trellis::factors
