// Any bytes are two treebanks to the scorer of CoNLL 2018, or an InputError; shares are shares.
#include <cstddef>
#include <cstdint>

#include "tests/base/two_files.h"
#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/scorers/ud_score.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  using namespace trellis::parse;
  const auto [gold, system] = testing::two_files(data, size);
  try {
    const UdScore score =
        ud_score(InputFile::from_bytes(gold, "gold"), InputFile::from_bytes(system, "system"));
    for (const UdCounts& counts : score.measures) {
      testing::require(counts.correct <= counts.gold && counts.correct <= counts.system);
      testing::require(counts.f1() >= 0 && counts.f1() <= 1);
    }
    testing::require(!score.official().empty() && !score.table().empty());
    testing::require(!score.count_table().empty());
  } catch (const InputError&) {
  }
  return 0;
}
