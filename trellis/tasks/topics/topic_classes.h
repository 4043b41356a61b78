// The classes of a DiscLDA model: names, frequencies, their transformation of a document's mixture
// (T), and Φ after one or several sweeps of the chain: the mean of several predictions is better
// than one (Lacoste-Julien 2009, section 4.5.2).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/frame/model_schema.h"
#include "trellis/topics/disclda/disclda_model.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

// The number of topics that each class has for itself (B_c), and that classes share (B_s).
struct TopicBlocks {
  Index class_topics = 5, shared_topics = 10;

  Index num_topics(Index classes) const { return classes * class_topics + shared_topics; }
  Index num_components() const { return class_topics + shared_topics; }
  // Throws UsageError if a class has no topic, or there are too many topics.
  void check(Index classes) const;
};

// Φ in the form of LDA (counts, and priors for each topic and word), and back.
LdaModel lda_of(const KnownTopics& topics, double alpha);
KnownTopics known_topics_of(const LdaModel& lda);

class TopicClasses;

// As a model file has them, except for the counts of further samples.
struct StoredClasses {
  TopicBlocks blocks;
  bool learned = false;
  Index samples = 1;
  NameList names;
  std::vector<double> log_prior, parameters, correlation;

  StoredClasses() = default;
  explicit StoredClasses(const TopicClasses& classes);
  void describe_fields(ModelArchive& a);
  void describe_sections(ModelArchive& a);
  // `first` is the model of the first sample. Throws UsageError.
  TopicClasses classes(const LdaModel& first, std::vector<KnownTopics> further) const;
};

class TopicClasses {
 public:
  // T by blocks or, if parameters are given, learned. One model for each of `samples`, the last
  // sweep's first. Throws UsageError if the parts do not fit together.
  TopicClasses(NameList names, const std::vector<double>& log_prior, const TopicBlocks& blocks,
               std::vector<double> parameters, double alpha, std::vector<KnownTopics> samples,
               double correlation = 0);

  const NameList& names() const { return names_; }
  Index num_classes() const { return names_.size(); }
  const TopicBlocks& blocks() const { return blocks_; }
  bool learned() const { return !parameters_.empty(); }
  std::span<const double> parameters() const { return parameters_; }
  std::span<const DiscLdaModel> models() const { return models_; }
  // Calibrates p(y | w): 0 to 1; 0: no calibration.
  double correlation() const { return correlation_; }
  TopicClasses with_correlation(double correlation) const;

  static constexpr std::string_view kSharedGroup = "shared";
  // The owner of topic k: "shared", a class's name, or "" if a learned T divides it. Topics are
  // strong in a class if Σ_l T^y_kl ≥ 0.9. A topic that is strong in all classes is shared; one
  // that is strong in one and at most 0.4 in each other belongs to that class (section 4.4.3).
  std::string_view group(Index k) const;

 private:
  static constexpr std::uint32_t kShared = ~std::uint32_t{0}, kMixed = kShared - 1;
  void find_groups();

  NameList names_;
  TopicBlocks blocks_;
  std::vector<double> parameters_;
  std::vector<DiscLdaModel> models_;
  double correlation_;
  std::vector<std::uint32_t> groups_;  // by topic: a class, kShared or kMixed
};

}  // namespace trellis::topics
