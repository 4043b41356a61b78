// Any bytes loaded as a labeller: an InputError, or a model that can be asked everything.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/label/model/inspect.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/model/labeller.h"

namespace {

using namespace trellis;
using namespace trellis::label;
using testing::require;

void use(const LabelModel& model) {
  LabelData data;
  data.file = "fuzz";
  data.feature_names = {"x", "y"};
  data.features = FeatureRows::sparse(2, {0, 2, 2}, {0, 1}, {1.0F, -3e38F});
  data.labels.append({});
  data.labels.append({});
  try {
    const Labelling labelling = label_instances(model, data, 1);
    require(labelling.labels.size() == 2);
    require(labelling.scores.size() == 2 * model.num_labels());
    for (const double score : labelling.scores) require(std::isfinite(score));
  } catch (const InputError&) {  // the model's scaling does not fit these numbers
  }
  require(strongest_features(model, 3).size() == model.num_labels());
  strongest_links(model, 3);
  require(!model.to_bytes().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(LabelModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
