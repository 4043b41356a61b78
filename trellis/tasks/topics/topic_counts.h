// How often each word has each topic, as a model file has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/model_schema.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

struct StoredCounts {
  bool expected = false;  // values are expectations
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint16_t> topics;  // rising for each word
  std::vector<std::uint32_t> whole;
  std::vector<double> expectations;

  explicit StoredCounts(bool are_expected = false) : expected(are_expected) {}
  StoredCounts(const LdaModel& lda, bool are_expected);
  void describe(ModelArchive& a, const std::string& name, Index num_words, Index num_topics);
  // Topics with these priors.
  LdaModel model(std::vector<double> alpha, std::vector<double> beta, PriorRows rows = {},
                 WordParts parts = {}) const;
};

}  // namespace trellis::topics
