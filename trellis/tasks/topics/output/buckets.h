// The topics of DiscLDA by whose they are, a bucket for each class and one for those that all
// share, and the words that tell each bucket (Lacoste-Julien 2009, table 4.3):
//
//   s^G_v = V / |G| Σ_{k ∈ G} φ_vk:   how much likelier than uniform word v is in bucket G.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/topics/topic_model.h"

namespace trellis::topics {

struct TopicBucket {
  std::string group;  // a class, or "shared"
  std::vector<Index> topics;
  struct Word {
    std::uint32_t word;
    double score;  // s^G_v
  };
  std::vector<Word> words;  // those with the largest scores, the largest first
};

// In the order of the classes, the shared topics last; a bucket without a topic is left out, as are
// topics that are nobody's. None of LDA.
std::vector<TopicBucket> topic_buckets(const TopicModel& model, Index words);

}  // namespace trellis::topics
