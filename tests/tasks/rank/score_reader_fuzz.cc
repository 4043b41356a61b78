// Any bytes are scores of the documents, or an InputError; whose ranking has figures, by our own
// counting and by the scripts'.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/queries/score_reader.h"
#include "trellis/scorers/letor_scripts.h"
#include "trellis/tasks/rank/predict.h"

namespace {

using namespace trellis;
using namespace trellis::rank;

constexpr std::string_view kGraded =
    "2 qid:1 1:1 #docid = a\n0 qid:1 1:2 #docid = b\n1 qid:2 1:3 #docid = c\n";

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto graded = [] { return InputFile::from_bytes(kGraded, "graded"); };
  const auto scores = [&] { return ScoreReader(InputFile::from_bytes(bytes, "fuzz")); };
  try {
    const RankScores found = evaluate(graded(), scores(), {});
    require(found.queries().size() == 2 && found.ndcg(1) >= 0 && found.ndcg(1) <= 1 + 1e-12);
  } catch (const InputError&) {
  }
  for (const Convention convention : {Convention::kLetor3, Convention::kMslr}) {
    try {
      require(!letor_scores(graded(), scores(), convention, true).empty());
    } catch (const InputError&) {
    }
  }
  return 0;
}
