#include "trellis/tasks/factors/inspect.h"

#include <fmt/format.h>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

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

Value inspect_record(const FactorsModel& model, Index top) {
  const FactorFeatures& features = model.features();
  Value record = model.meta();
  record.erase("types");
  record["weights"] = features.dimension();
  record["features"] = Value::list();
  for (const Index k : strongest_weights(model.weights(), top)) {
    record["features"].push_back(
        Value::record({{"feature", features.weight_name(k)}, {"weight", model.weights()[k]}}));
  }
  return record;
}

}  // namespace trellis::factors
