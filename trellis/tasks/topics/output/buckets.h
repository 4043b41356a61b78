// The topics of DiscLDA by owner, with a bucket for each class and one for shared topics, and the
// characteristic words of each bucket (Lacoste-Julien 2009, table 4.3):
//
//   s^G_v = V / |G| Σ_{k ∈ G} φ_vk:   probability of word v in bucket G relative to uniform.
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
  std::vector<Word> words;  // largest scores first
};

// In the order of the classes, shared topics last; empty buckets and topics without an owner are
// left out. Empty for LDA.
std::vector<TopicBucket> topic_buckets(const TopicModel& model, Index words);

}  // namespace trellis::topics
