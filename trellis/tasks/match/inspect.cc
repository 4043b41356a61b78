#include "trellis/tasks/match/inspect.h"

#include <fmt/format.h>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::match {
namespace {

// Writes a row of weights for each ring.
std::string wheel(const MatchModel& model) {
  const ContextOptions& contexts = model.features().contexts();
  std::string text =
      "\n"
      "weights of differences between shape contexts: rings down, from inside; sectors across, "
      "clockwise from the left\n";
  for (Index r = 0; r < contexts.rings; ++r) {
    for (Index s = 0; s < contexts.sectors; ++s) {
      text += fmt::format(" {:+9.3g}", model.weights()[r * contexts.sectors + s]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string inspect_text(const MatchModel& model, const std::string& name, Index top) {
  const MatchFeatures& features = model.features();
  std::string text =
      fmt::format("{}: {}, {} estimator, {} cover, {} weights\n", name,
                  features.pairs() ? "pairs of shapes" : "graphs", to_string(model.estimator()),
                  to_string(features.cover()), features.dimension());
  text += provenance_text(model.training());
  if (features.pairs()) text += wheel(model);
  text += "\nthe strongest weights: for a match (+) or against it (-)\n";
  for (const Index k : strongest_weights(model.weights(), top)) {
    text += fmt::format("  {:+9.4g}  {}\n", model.weights()[k], features.weight_name(k));
  }
  return text;
}

Value inspect_record(const MatchModel& model, Index top) {
  Value record;
  record["input"] = model.features().pairs() ? "pairs" : "graphs";
  record["estimator"] = to_string(model.estimator());
  record["cover"] = to_string(model.features().cover());
  record["weights"] = model.features().dimension();
  record["training"] = model.training();
  record["features"] = Value::list();
  for (const Index k : strongest_weights(model.weights(), top)) {
    record["features"].push_back(Value::record(
        {{"feature", model.features().weight_name(k)}, {"weight", model.weights()[k]}}));
  }
  return record;
}

}  // namespace trellis::match
