// Any bytes are factor graphs, or an InputError; twice, the second time for the names of the first.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/factors/feature_map.h"
#include "trellis/tasks/factors/graph_file.h"

namespace {

using namespace trellis;
using namespace trellis::factors;

void attempt(std::string_view bytes, FactorFeatures& features) {
  try {
    GraphReader reader(InputFile::from_bytes(bytes, "fuzz"), features);
    for (GraphRecord graph; reader.read(graph);) {
      testing::require(graph.gold.size() == graph.layout.num_variables());
      testing::require(graph.factors.size() == graph.layout.num_factors());
      for (const WeightRow& row : graph.rows) {
        testing::require(row.part + row.size <= graph.layout.num_parts());
        testing::require(row.weight + (row.tied ? 1 : row.size) <= features.dimension());
      }
      const FeatureMap map(graph.rows);
    }
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  FactorFeatures features;
  attempt(bytes, features);
  const Index dimension = features.dimension();
  features.freeze();
  attempt(bytes, features);
  testing::require(features.dimension() == dimension);
  return 0;
}
