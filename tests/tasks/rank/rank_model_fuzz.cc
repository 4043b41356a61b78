// Any bytes loaded as a ranker: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/rank/predict.h"
#include "trellis/tasks/rank/rank_model.h"

namespace {

using namespace trellis;
using namespace trellis::rank;
using testing::require;

void use(const RankModel& model) {
  Query query;
  query.id = std::string("q");  // gcc 12 finds a fault in the assignment of a literal
  query.grades = {0, 2};
  query.lines = {1, 2};
  query.notes = {"", ""};
  query.values = {{1, 1.0F}, {5, 2.0F}, {1, -3.0F}};
  query.begin = {0, 2, 3};
  const auto scores = score_queries(model, {&query, 1}, 1);
  require(scores.size() == 1 && scores[0].size() == 2);
  for (Index w = 0; w < model.weights().size(); ++w) {
    require(!model.features().weight_name(w).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(RankModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
