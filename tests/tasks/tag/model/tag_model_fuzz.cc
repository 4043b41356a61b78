// Any bytes loaded as a tagger: an InputError, or a model that can be asked everything. To get past
// the checksums the input is also tried with the checksums made right, as a hostile author would.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/model/inspect.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tag/output/explain.h"

namespace {

using trellis::Index;
using trellis::Label;
using trellis::tag::Tagger;
using trellis::tag::TagModel;
using trellis::tag::TagSequence;
using trellis::testing::require;

TagSequence sentence() {
  TagSequence sequence;
  sequence.columns.clear(1);
  for (const char* word : {"in", "Nice", "Lima", "the"}) {
    const std::vector<std::string_view> fields = {word, "O"};
    sequence.columns.add_token(fields);
  }
  return sequence;
}

void use(const TagModel& model) {
  static const TagSequence sequence = sentence();
  const Tagger tagger(model);
  Tagger::Scratch scratch;
  std::vector<Label> labels;
  tagger.tag(sequence, {}, scratch, labels);
  require(labels.empty() || labels.size() == sequence.num_tokens());
  for (const Label label : labels) require(static_cast<Index>(label) < model.labels().size());
  std::vector<double> probabilities;
  tagger.marginals(sequence, {}, scratch, probabilities);
  std::vector<trellis::ScoredOutput<std::vector<Label>>> best;
  tagger.n_best(sequence, {}, 3, scratch, best);
  // A kernel has no features to tell apart, and explain() says so.
  if (!labels.empty() && !model.voted() && model.kernel() == nullptr)
    explain(tagger, sequence, 1, scratch);
  strongest_features(model, 3);
  strongest_edge_features(model, 3);
  transition_table(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trellis::testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(TagModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
