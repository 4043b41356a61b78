// Any bytes loaded as a matcher: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/matcher.h"

namespace {

using namespace trellis;
using namespace trellis::match;
using testing::require;

// A graph of one edge, or two points of two shapes.
MatchExample smallest(const MatchFeatures& features) {
  MatchExample example;
  const Index n = features.pairs() ? 2 : 1;
  example.num_left = example.num_right = n;
  if (features.pairs()) {
    PointSet shape;
    shape.points = {{0, 0}, {3, 1}};
    shape.ids = {0, 1};
    const ContextTable table(shape, features.contexts());
    const bool bias = features.cover() == Cover::kPartial;
    example.features = EdgeFeatures::of_contexts(
        std::make_shared<const ContextTable>(bias ? table.with_bias(1) : table),
        std::make_shared<const ContextTable>(bias ? table.with_bias(0) : table),
        features.contexts().difference);
  } else {
    example.features = EdgeFeatures::of_rows(
        FeatureRows::dense(features.dimension(), std::vector<float>(features.dimension(), 1)));
  }
  return example;
}

void use(const MatchModel& model) {
  require(model.weights().size() == model.features().dimension());
  for (Index k = 0; k < model.weights().size(); ++k) model.features().weight_name(k);
  const MatchExample example = smallest(model.features());
  Matcher::Scratch scratch;
  Matching::Output found;
  Matcher(model).match(example, scratch, found);
  require(found.size() == example.num_left);
  const std::string bytes = model.to_bytes();
  const MatchModel again = MatchModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  require(again.to_bytes() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(MatchModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
