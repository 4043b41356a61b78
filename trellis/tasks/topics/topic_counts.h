// The counts of each word in each topic, in a model file:
//
//   NAME/begin     uint64: the first count of each word, and the end
//   NAME/topics    uint16: the topics of the counts, ascending for each word
//   NAME/values    uint32, or float64 for expected counts
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

// The counts of a model in the form of the file; must outlive the writing.
class StoredCounts {
 public:
  StoredCounts(const LdaModel& lda, bool expectations);
  void add_to(ModelWriter& writer, const std::string& name) const;

 private:
  bool expectations_;
  std::vector<std::uint64_t> begin_ = {0};
  std::vector<std::uint16_t> topics_;
  std::vector<std::uint32_t> whole_;
  std::vector<double> expected_;
};

// Topics with these priors. Throws UsageError or InputError for an invalid file.
LdaModel read_counts(const ModelReader& reader, const std::string& name, bool expectations,
                     std::vector<double> alpha, std::vector<double> beta, PriorRows rows = {},
                     WordParts parts = {});

}  // namespace trellis::topics
