#include "trellis/tasks/factors/inspect.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/tasks/strongest_weights.h"
#include "trellis/tasks/training/result.h"

namespace trellis::factors {

std::string inspect_text(const FactorsModel& model, const std::string& name, Index top) {
  const FactorFeatures& features = model.features();
  std::string text = fmt::format("{}: factor graphs, {} inference, {} weights\n", name,
                                 to_string(model.inference()), features.dimension());
  text += provenance_text(model.training());
  text += "\ndomains\n";
  for (Index d = 0; d < features.domains().size(); ++d) {
    const Domain& domain = features.domains()[d];
    text += fmt::format("  {}: {}{}\n", domain.name, domain.words(),
                        domain.is_switch ? ", a switch" : "");
  }
  text += "\nthe strongest weights\n";
  for (const Index k : strongest_weights(model.weights(), top)) {
    text += fmt::format("  {:+9.4g}  {}\n", model.weights()[k], features.weight_name(k));
  }
  return text;
}

std::string inspect_json(const FactorsModel& model, Index top) {
  const FactorFeatures& features = model.features();
  nlohmann::json json;
  json["inference"] = to_string(model.inference());
  json["weights"] = features.dimension();
  json["training"] = model.training();
  json["domains"] = nlohmann::json::array();
  for (Index d = 0; d < features.domains().size(); ++d) {
    const Domain& domain = features.domains()[d];
    json["domains"].push_back(
        {{"name", domain.name}, {"switch", domain.is_switch}, {"values", domain.values}});
  }
  json["features"] = nlohmann::json::array();
  for (const Index k : strongest_weights(model.weights(), top)) {
    json["features"].push_back(
        {{"feature", features.weight_name(k)}, {"weight", model.weights()[k]}});
  }
  return json.dump();
}

}  // namespace trellis::factors
