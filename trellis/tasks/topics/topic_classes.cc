#include "trellis/tasks/topics/topic_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/topics/disclda/transformation.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

constexpr double kStrong = 0.9, kWeak = 0.4;  // Σ_l T^y_kl, section 4.4.3
constexpr Index kMostPairs = 10'000'000;      // of classes and components: size of T by blocks
constexpr Index kMostSamples = 1000;

Transformation transformation_of(Index classes, const TopicBlocks& blocks,
                                 const std::vector<double>& parameters) {
  if (parameters.empty()) {
    return Transformation::blocks(classes, blocks.class_topics, blocks.shared_topics);
  }
  return SoftmaxTransformation(classes, blocks.num_topics(classes), blocks.num_components(),
                               parameters)
      .transformation();
}

void check_correlation(double correlation) {
  if (!(correlation >= 0 && correlation <= 1)) {
    throw UsageError(
        fmt::format("the correlation of a document's words is {}: expected 0 to 1", correlation));
  }
}

}  // namespace

void TopicBlocks::check(Index classes) const {
  constexpr Index kMost = WordTopics::kMostTopics;
  if (class_topics < 1) throw UsageError("--class-topics must be 1 or more");
  if (class_topics > kMost || shared_topics > kMost || classes > kMost ||
      num_topics(classes) > kMost || classes * num_components() > kMostPairs) {
    throw UsageError(fmt::format("{} classes with {} topics each and {} shared topics are too many",
                                 classes, class_topics, shared_topics));
  }
}

LdaModel lda_of(const KnownTopics& topics, double alpha) {
  std::vector<LdaModel::Entry> entries;
  entries.reserve(topics.entries().size());
  for (const KnownTopics::Entry& one : topics.entries()) entries.push_back({one.topic, one.count});
  return {std::vector<double>(topics.num_topics(), alpha),
          std::vector<double>(topics.num_words(), topics.beta()),
          {topics.begin().begin(), topics.begin().end()},
          std::move(entries)};
}

KnownTopics known_topics_of(const LdaModel& lda) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<KnownTopics::Entry> entries;
  for (Index w = 0; w < lda.num_words(); ++w) {
    for (const LdaModel::Entry& one : lda.entries(w)) entries.push_back({one.topic, one.count});
    begin.push_back(entries.size());
  }
  return {lda.num_topics(), lda.beta()[0], std::move(begin), std::move(entries)};
}

TopicClasses::TopicClasses(NameList names, const std::vector<double>& log_prior,
                           const TopicBlocks& blocks, std::vector<double> parameters, double alpha,
                           std::vector<KnownTopics> samples, double correlation)
    : names_(std::move(names)),
      blocks_(blocks),
      parameters_(std::move(parameters)),
      correlation_(correlation) {
  check_correlation(correlation);
  if (names_.size() < 2) throw UsageError("DiscLDA requires at least two classes");
  if (samples.empty()) throw UsageError("DiscLDA requires the topics of at least one sweep");
  blocks_.check(num_classes());
  const Transformation transformation = transformation_of(num_classes(), blocks_, parameters_);
  for (KnownTopics& topics : samples) {
    models_.push_back({transformation, std::move(topics), alpha, log_prior});
    models_.back().check();
    if (models_.back().topics.num_words() != models_.front().topics.num_words()) {
      throw UsageError("samples of DiscLDA's topics have different words");
    }
  }
  find_groups();
}

TopicClasses TopicClasses::with_correlation(double correlation) const {
  check_correlation(correlation);
  TopicClasses other = *this;
  other.correlation_ = correlation;
  return other;
}

void TopicClasses::find_groups() {
  const Index num_topics = blocks_.num_topics(num_classes());
  const Transformation& t = models_.front().transformation;
  std::vector<Index> strong(num_topics, 0), present(num_topics, 0);  // number of classes
  std::vector<std::uint32_t> owner(num_topics, kMixed);              // last class where strong
  std::vector<double> presence(num_topics);
  for (Index y = 0; y < num_classes(); ++y) {
    std::fill(presence.begin(), presence.end(), 0.0);
    for (Index l = 0; l < t.num_components(); ++l) {
      for (const Transformation::ColumnEntry& entry : t.column(y, l)) {
        presence[entry.topic] += entry.share;
      }
    }
    for (const std::uint32_t k : t.topics(y)) {
      if (presence[k] > kWeak) ++present[k];
      if (presence[k] < kStrong) continue;
      ++strong[k];
      owner[k] = static_cast<std::uint32_t>(y);
    }
  }
  groups_.assign(num_topics, kMixed);
  for (Index k = 0; k < num_topics; ++k) {
    if (strong[k] == num_classes()) groups_[k] = kShared;
    if (strong[k] == 1 && present[k] == 1) groups_[k] = owner[k];
  }
}

std::string_view TopicClasses::group(Index k) const {
  if (groups_[k] == kShared) return kSharedGroup;
  return groups_[k] == kMixed ? std::string_view() : names_[groups_[k]];
}

StoredClasses::StoredClasses(const TopicClasses& classes)
    : blocks(classes.blocks()),
      learned(classes.learned()),
      samples(classes.models().size()),
      names(classes.names()),
      log_prior(classes.models().front().log_prior),
      parameters(classes.parameters().begin(), classes.parameters().end()) {
  if (classes.correlation() != 0) correlation = {classes.correlation()};
}

void StoredClasses::describe_fields(ModelArchive& a) {
  a.record("classes", [&] {
    a.number("class_topics", blocks.class_topics, {}, "topics of each class");
    a.number("shared_topics", blocks.shared_topics, {}, "topics that all classes share");
    a.value("learned", learned, "whether the transformation is learned");
    a.number("samples", samples, {1, kMostSamples}, "sweeps whose counts are kept");
  });
}

void StoredClasses::describe_sections(ModelArchive& a) {
  a.name_list("classes", names, "of the classes");
  a.array("class_prior", log_prior, {.size = names.size()}, "log-probability of each class");
  a.where("classes.learned", learned, [&] {
    a.array("transformation", parameters, {}, "parameters t of class y, [k][l]");
    a.require(!parameters.empty(), "its transformation is missing");
  });
  a.optional("token_correlation", !correlation.empty(), 1, [&] {
    a.array("token_correlation", correlation, {.size = 1}, "by which p(y | w) is calibrated");
  });
}

TopicClasses StoredClasses::classes(const LdaModel& first, std::vector<KnownTopics> further) const {
  blocks.check(names.size());
  if (blocks.num_topics(names.size()) != first.num_topics()) {
    throw UsageError("its classes do not fit its topics");
  }
  const auto differ = [](std::span<const double> values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
  };
  if (differ(first.alpha()) || differ(first.beta())) {
    throw UsageError("DiscLDA has one prior for all topics, and one for all words");
  }
  further.insert(further.begin(), known_topics_of(first));
  return {names,
          log_prior,
          blocks,
          parameters,
          first.alpha().front(),
          std::move(further),
          correlation.empty() ? 0 : correlation.front()};
}

}  // namespace trellis::topics
