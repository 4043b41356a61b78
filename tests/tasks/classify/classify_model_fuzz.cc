// Any bytes loaded as a classifier: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/inspect.h"

namespace {

using namespace trellis;
using namespace trellis::classify;
using testing::require;

void use(const ClassifyModel& model) {
  Example example;
  example.text = "Apples and pears, the robin";
  example.values = {{1, 1.0F}, {5, 2.0F}};
  const Classifier classifier(model);
  Classifier::Scratch scratch(model);
  std::vector<double> scores;
  classifier.scores(example, "fuzz", scratch, scores);
  require(scores.size() == model.labels().size());
  require(static_cast<Index>(best_label(scores)) < model.labels().size());
  require(classifier.top(scores, 2).size() <= 2);
  std::vector<double> p;
  if (model.beta()) classifier.probabilities(scores, p);
  strongest_features(model, 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(ClassifyModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
