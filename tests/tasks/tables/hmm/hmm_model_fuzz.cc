// Any bytes loaded as a hidden Markov model: an InputError, or a model that can be asked
// everything.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/generative/hmm/hmm_inference.h"
#include "trellis/tasks/tables/hmm/inspect.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"

namespace {

using namespace trellis;
using namespace trellis::hmm;
using testing::require;

void use(const SequenceModel& model) {
  const Hmm& hmm = model.hmm();
  if (hmm.num_states() > 1000) return;  // takes its time
  const HmmInference inference(hmm);
  HmmScratch scratch;
  HmmSequence x;
  for (Index t = 0; t < 3; ++t) {
    for (Index k = 0; k < hmm.num_channels(); ++k) {
      x.observations.push_back(static_cast<std::uint32_t>(t % hmm.num_values(k)));
    }
  }
  std::vector<Label> path;
  const double best = inference.viterbi(x, scratch, path);
  require(!std::isnan(best) && (best == -kInfinity || path.size() == 3));
  std::vector<double> marginals(3 * hmm.num_states());
  require(!std::isnan(inference.posteriors(x, scratch, marginals)));
  for (const double p : marginals) require(p >= 0 && p <= 1 + 1e-6);
  require(!inspect_text(model, true).empty() && !to_json(inspect_record(model, true)).empty());
  try {
    sample_text(model, 1, 3, 1);
  } catch (const UsageError&) {  // no mass
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(SequenceModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
