// Any bytes are two files of links to the shared tasks' scorer, or an InputError; there is a text
// of what is found.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tests/base/two_files.h"
#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/scorers/naacl_score.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  using namespace trellis::align;
  const auto [gold, submission] = testing::two_files(data, size);
  try {
    const NaaclScore score = naacl_score(InputFile::from_bytes(gold, "gold"),
                                         InputFile::from_bytes(submission, "submission"));
    for (const NaaclFigures& figures : {score.sure, score.probable}) {
      testing::require(figures.precision >= 0 && figures.precision <= 1);
      // The script counts a link twice that is submitted as sure and as possible.
      testing::require(figures.recall >= 0 && figures.recall <= 2);
    }
    testing::require(score.sure.recall <= 1);
    testing::require(std::isfinite(score.aer) && !score.to_text().empty());
  } catch (const InputError&) {
  }
  return 0;
}
