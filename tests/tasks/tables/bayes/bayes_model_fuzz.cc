// Any bytes loaded as a Bayesian network: an InputError, or a model that can be asked everything.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/generative/network/bif.h"
#include "trellis/generative/network/net_file.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/filling.h"
#include "trellis/tasks/tables/bayes/inspect.h"

namespace {

using namespace trellis;
using namespace trellis::bayes;
using testing::require;

void use(const BayesModel& model) {
  const NetworkGraph& graph = model.graph();
  require(!inspect_text(model, true).empty() && !to_json(inspect_record(model, true)).empty());
  if (model.network().theta().size() > 10000) return;  // takes its time
  NetworkInference inference(model.network());
  std::vector<Label> row(graph.num_variables(), kNoLabel);
  for (Index v = 0; v < row.size(); v += 2) row[v] = 0;
  std::vector<std::vector<double>> marginals;
  try {
    const double score = fill(inference, Decode::kMap, row, &marginals);
    require(!std::isnan(score) && score < 1e-6);
    if (score > -kInfinity) {
      for (Index v = 0; v < row.size(); ++v) {
        require(row[v] >= 0 && static_cast<Index>(row[v]) < graph.num_values(v));
        for (const double p : marginals[v]) require(p >= 0 && p <= 1 + 1e-6);
      }
    }
    for (const Index v : model.roles().targets) {
      require(model.costs(v).num_labels() == graph.num_values(v));
    }
    require(!sample_text(model, 2, {}, 1).empty());
    require(!to_bif(model.network()).empty() && !to_net(model.network()).empty());
  } catch (const UsageError&) {  // too entangled; names that files cannot hold
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(BayesModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
