#include "trellis/tasks/topics/output/mixtures.h"

#include "trellis/base/parallel.h"
#include "trellis/topics/lda/infer.h"

namespace trellis::topics {

std::vector<double> mixtures_of(const TopicModel& model, const Documents& documents,
                                std::span<const Index> chosen, int threads) {
  const Index topics = model.num_topics();
  std::vector<double> mixtures(chosen.size() * topics);
  parallel_for(chosen.size(), resolve_threads(threads), [&](Index i, int) {
    infer_by_cvb0(KnownDocument(model.lda(), documents[chosen[i]]), Cvb0InferenceOptions(),
                  std::span(mixtures).subspan(i * topics, topics));
  });
  return mixtures;
}

std::string group_of(const TopicModel& model, Index /*topic*/) {
  switch (model.kind()) {
    case TopicKind::kLda:
      return {};
  }
  return {};
}

}  // namespace trellis::topics
