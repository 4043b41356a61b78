#include "trellis/tasks/topics/output/mixtures.h"

#include "trellis/base/parallel.h"
#include "trellis/tasks/topics/document_inference.h"

namespace trellis::topics {

std::vector<double> mixtures_of(const TopicModel& model, const Documents& documents,
                                std::span<const Index> chosen, int threads) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> tokens;
  for (const Index d : chosen) {
    tokens.insert(tokens.end(), documents[d].begin(), documents[d].end());
    begin.push_back(tokens.size());
  }
  return infer_mixtures(model, {begin, tokens, documents.num_words}, {}, threads);
}

std::string group_of(const TopicModel& model, Index topic) {
  return model.classes() == nullptr ? "" : std::string(model.classes()->group(topic));
}

}  // namespace trellis::topics
