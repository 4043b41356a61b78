#include <fmt/format.h>

#include "trellis/tasks/classify/train.h"

namespace trellis::classify {

Value TrainResult::record() const {
  Value record;
  if (naive_bayes) {
    put_summary(summary(), seconds, record);
    record["learner"] = kNaiveBayes;
  } else {
    put_learned(learned, seconds, record);
  }
  record["documents"] = documents;
  record["labels"] = labels;
  record["features"] = features;
  if (pivots > 0) record["pivots"] = pivots;
  record["weights"] = weights;
  if (lambda > 0) {
    const double n = static_cast<double>(documents);
    record["c"] = learned.choice.values.c.value_or(1 / (lambda * n));
    record["lambda"] = lambda;
  }
  if (dev) {
    record["best_epoch"] = learned.best_epoch;
    record["dev"] = dev->record();
  }
  return record;
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
