// How often each word has each topic, as a model file has it:
//
//   NAME/begin     uint64: where the counts of each word begin, and the end
//   NAME/topics    uint16: their topics, rising for each word
//   NAME/values    uint32, or float64 where they are expectations
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

// The counts of a model in the form of the file; must live until it is written.
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

// Topics with these priors. Throws UsageError or InputError where the file has something else.
LdaModel read_counts(const ModelReader& reader, const std::string& name, bool expectations,
                     std::vector<double> alpha, std::vector<double> beta, PriorRows rows = {},
                     WordParts parts = {});

}  // namespace trellis::topics
