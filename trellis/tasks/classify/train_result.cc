#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/tasks/classify/train.h"

namespace trellis::classify {

std::string TrainResult::to_json() const {
  nlohmann::json json;
  if (naive_bayes) {
    put_summary(summary(), seconds, json);
    json["learner"] = kNaiveBayes;
  } else {
    put_learned(learned, seconds, json);
  }
  json["documents"] = documents;
  json["labels"] = labels;
  json["features"] = features;
  if (pivots > 0) json["pivots"] = pivots;
  json["weights"] = weights;
  if (lambda > 0) {
    const double n = static_cast<double>(documents);
    json["c"] = learned.choice.values.c.value_or(1 / (lambda * n));
    json["lambda"] = lambda;
  }
  if (dev) {
    json["best_epoch"] = learned.best_epoch;
    json["dev"] = dev->to_json();
  }
  return json.dump();
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (learned.fitted.eta > 0) notes.push_back(fmt::format("eta {}", learned.fitted.eta));
  if (dev) {
    notes.push_back(fmt::format("best on {}: accuracy {:.2f} (epoch {})", dev_name, dev->accuracy(),
                                learned.best_epoch));
  }
  return notes;
}

}  // namespace trellis::classify
