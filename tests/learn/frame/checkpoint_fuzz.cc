// Any bytes loaded as a checkpoint: an InputError, or one that can be asked everything, whoever
// asks.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/learn/frame/checkpoint_file.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/frame/trace.h"

namespace {

using namespace trellis;

template <class Ask>
void attempt(const Ask& ask) {
  try {
    ask();
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
}

void use(Checkpoint checkpoint) {
  constexpr Index kDimension = 4;
  for (const auto& named : checkpoint.all_integers()) {
    const auto& name = named.first;
    std::vector<SparseVector> vectors(2);
    attempt([&] { checkpoint.get_sparse(name, kDimension, vectors); });
    for (const SparseVector& vector : vectors) {
      std::vector<double> dense(kDimension);
      vector.add_to(dense, 1);
    }
  }
  LearnControl control;
  control.checkpoint = &checkpoint;
  for (const auto& [name, text] : checkpoint.all_texts()) {
    attempt([&, identity = text] { Trace(control, identity).resume(); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(checkpoint_from_bytes(bytes, "fuzz"));
  });
  return 0;
}
