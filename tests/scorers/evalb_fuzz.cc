// Any bytes are two files of trees to EVALB, or an InputError; parameters, too. Shares are shares.
#include <cstddef>
#include <cstdint>

#include "tests/base/two_files.h"
#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/scorers/evalb.h"

namespace {

using namespace trellis;
using namespace trellis::grammar;
using testing::require;

void check(const EvalbSums& sums) {
  require(sums.errors + sums.skipped <= sums.sentences);
  require(sums.matched <= sums.gold && sums.matched <= sums.test);
  require(sums.right_tags <= sums.words && sums.complete <= sums.valid());
}

EvalbParameters parameters_of(std::string_view bytes) {
  try {
    return read_evalb_parameters(InputFile::from_bytes(bytes, "parameters"));
  } catch (const InputError&) {
    return EvalbParameters::collins();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [gold, test] = testing::two_files(data, size);
  Evalb evalb(parameters_of(gold));
  try {
    evalb.add(InputFile::from_bytes(gold, "gold"), InputFile::from_bytes(test, "test"));
  } catch (const InputError&) {
    return 0;
  }
  check(evalb.all());
  check(evalb.up_to_cutoff());
  require(!evalb.table().empty());
  return 0;
}
