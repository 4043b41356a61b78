// Any bytes loaded as a topic model: an InputError, or a model that can be asked everything.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/output/inspect.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/corpus/corpus_builder.h"

namespace {

using namespace trellis;
using namespace trellis::topics;
using trellis::testing::require;

// A document with the first words and one that is new.
Corpus small_corpus(const TopicModel& model) {
  CorpusBuilder builder(model.words());
  for (std::uint32_t w = 0; w < model.words().size() && w < 4; ++w) builder.add(w, w + 1);
  builder.add(CorpusBuilder::kUnseen);
  builder.end_document({});
  return builder.finish(model.text());
}

void use(const TopicModel& model) {
  constexpr Index kMost = 1000;  // topics that a small machine looks at in a while
  if (model.num_topics() <= kMost && model.words().size() <= kMost) {
    const Corpus corpus = small_corpus(model);
    for (const auto& found : infer_documents(model, corpus.documents(), {}, 1)) {
      for (const double share : found.mixture) require(share >= -1e-9 && share <= 1 + 1e-9);
      for (const double p : found.posterior) require(p >= 0 && p <= 1 + 1e-9);
    }
    const Evaluation found = evaluate(model, corpus);
    require(std::isfinite(found.log_likelihood));
    for (const TableFormat format : {TableFormat::kText, TableFormat::kCsv, TableFormat::kJson}) {
      require(!inspect(model, "fuzz", {format, TopicOrder::kPrevalence, 3}).empty());
    }
  }
  if (const KeptChain* chain = model.chain()) {
    for (const std::uint16_t topic : chain->topics) require(topic < model.num_topics());
  }
  const std::string bytes = model.to_bytes();
  require(TopicModel::from_bytes(std::as_bytes(std::span(bytes)), "again").to_bytes() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trellis::testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(TopicModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
