// Any bytes are label sets that somebody predicted, or a matrix of them, or an InputError; which
// have figures. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/sets/judged_sets.h"
#include "trellis/scorers/sklearn_scores.h"
#include "trellis/tasks/label/metrics/label_scores.h"

namespace {

using namespace trellis;
using namespace trellis::label;

void require(bool condition) {
  if (!condition) std::abort();
}

JudgedSets small_truth() {
  JudgedSets sets;
  sets.label_names = {"a", "b", "7"};
  for (const std::vector<std::uint32_t>& labels :
       std::vector<std::vector<std::uint32_t>>{{0, 2}, {}, {1}}) {
    sets.truth.append(labels);
  }
  return sets;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto file = [&] { return InputFile::from_bytes(bytes, "fuzz"); };
  JudgedSets sets = small_truth();
  try {
    if ((data[0] & 2) != 0) {
      if (read_set_matrix(file(), sets.predicted) != 3 || sets.predicted.size() != 3) return 0;
    } else if ((data[0] & 4) != 0) {
      sets.scores = read_score_matrix(file(), 3, 3);
      sets.predicted = sets.truth;
    } else {
      read_predicted_sets(file(), (data[0] & 1) != 0, sets);
    }
    require(sets.predicted.size() == 3);
    score_label_sets(sets.label_names, sets.truth, sets.predicted, sets.scores);
    require(sklearn_scores(sets).starts_with("hamming_loss "));
  } catch (const InputError&) {
  }
  return 0;
}
