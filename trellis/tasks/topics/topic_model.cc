#include "trellis/tasks/topics/topic_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/topics/top_words.h"
#include "trellis/tasks/topics/topic_counts.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

// One value where all are equal, as they mostly are.
std::vector<double> stored_beta(const LdaModel& lda) {
  std::vector<double> beta(lda.beta().begin(), lda.beta().end());
  const bool one = std::all_of(beta.begin(), beta.end(), [&](double b) { return b == beta[0]; });
  if (one) beta.resize(1);
  return beta;
}

TopicKind kind_of(const TopicModelParts& parts) {
  if (parts.classes) return TopicKind::kDiscLda;
  return parts.graph ? TopicKind::kWordLda : TopicKind::kLda;
}

// The priors and counts of a file, from which its models are made; kept until it is written.
struct StoredLda {
  std::vector<double> alpha, beta;
  StoredCounts counts;
  std::vector<StoredCounts> samples;  // further ones of DiscLDA
  PriorRows rows;
  WordParts parts;
  StoredClasses classes;

  explicit StoredLda(const TopicModelParts& m) {
    if (m.lda) {
      alpha.assign(m.lda->alpha().begin(), m.lda->alpha().end());
      beta = stored_beta(*m.lda);
      counts = StoredCounts(*m.lda, m.expected);
      rows = m.lda->prior().rows();
      parts = m.lda->prior().parts();
    }
    if (!m.classes) return;
    classes = StoredClasses(*m.classes);
    for (const DiscLdaModel& sample : m.classes->models().subspan(1)) {
      samples.emplace_back(lda_of(sample.topics, sample.alpha), m.expected);
    }
  }

  void describe_counts(ModelArchive& a, Index num_words, bool expected) {
    const Elements priors{.in = Range{kLeastPrior, kLargestPrior}};
    a.array("alpha", alpha, priors, "by topic");
    a.array("beta", beta, priors, "by word, or one for all");
    a.require(!alpha.empty() && alpha.size() <= WordTopics::kMostTopics &&
                  (beta.size() == 1 || beta.size() == num_words),
              "the number of priors does not fit the topics and words");
    if (a.reading()) {
      counts.expected = expected;
      samples.assign(classes.samples - 1, counts);
    }
    counts.describe(a, "counts", num_words, alpha.size());
    a.each(samples, 1, [&](StoredCounts& sample, const std::string& k) {
      sample.describe(a, "sample/" + k, num_words, alpha.size());
    });
  }

  void build(TopicModelParts& m, TopicKind kind) {
    if (beta.size() == 1) beta.resize(m.words.size(), beta[0]);
    m.lda = counts.model(alpha, beta, std::move(rows), std::move(parts));
    if (kind != TopicKind::kDiscLda) return;
    std::vector<KnownTopics> further;
    for (const StoredCounts& sample : samples) {
      further.push_back(known_topics_of(sample.model(alpha, beta)));
    }
    m.classes = classes.classes(*m.lda, std::move(further));
  }
};

void describe_fields(ModelArchive& a, TopicModelParts& m, TopicKind& kind) {
  a.choice("kind", kind, "how topics were learned");
  a.value("expected", m.expected, "whether counts are expectations");
  a.field(
      "text", "how words are found in a text", [&] { return m.text.to_value(); },
      [&](const Value& stored) { m.text = TextOptions::from_value(stored); }, "record");
  a.value("training", m.training, "how the model was made");
}

void describe_chain(ModelArchive& a, std::optional<KeptChain>& chain) {
  a.optional("chain", chain.has_value(), 1, [&] {
    if (!chain) chain.emplace();
    a.record("chain", [&] {
      a.number("sweeps", chain->sweeps, {}, "that it has made");
      a.number("documents", chain->documents, {}, "digest of the documents");
    });
    a.array("chain/topics", chain->topics, {}, "of every token");
  });
}

}  // namespace

std::uint64_t digest_of(const Documents& documents, const NameView& words) {
  std::uint64_t digest = fingerprint({words.bytes().data(), words.bytes().size()});
  for (const std::uint64_t offset : words.offsets()) digest = combine(digest, offset);
  for (const std::uint64_t begin : documents.begin) digest = combine(digest, begin);
  for (const std::uint32_t word : documents.tokens) digest = combine(digest, word);
  return digest;
}

TopicModel::TopicModel(TopicModelParts parts)
    : parts_(std::make_shared<const TopicModelParts>(std::move(parts))) {
  text().check();
  if (words().empty()) throw UsageError("a topic model requires at least one word");
  if (words().size() != lda().num_words()) {
    throw UsageError("a topic model requires counts for exactly its words");
  }
  if (classes() != nullptr) {
    const KnownTopics& topics = classes()->models().front().topics;
    if (topics.num_words() != words().size() || topics.num_topics() != num_topics()) {
      throw UsageError("the classes do not fit the words or topics of the topic model");
    }
  }
  if (graph() != nullptr && graph()->num_words() != words().size()) {
    throw UsageError("the word graph does not fit the words of the topic model");
  }
  if (languages() != nullptr && languages()->words.num_words() != words().size()) {
    throw UsageError("the languages do not fit the words of the topic model");
  }
  if (chain() == nullptr) return;
  const auto unknown = [&](std::uint16_t k) { return k >= num_topics(); };
  if (std::any_of(chain()->topics.begin(), chain()->topics.end(), unknown)) {
    throw UsageError("a token of the chain has a topic that does not exist");
  }
}

TopicKind TopicModel::kind() const {
  return kind_of(*parts_);
}

const NameList* TopicModel::class_names() const {
  if (classifier() != nullptr) return &classifier()->names();
  return classes() != nullptr ? &classes()->names() : nullptr;
}

TopicModel TopicModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

TopicModel TopicModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

TopicModel TopicModel::load(const ModelReader& reader) {
  std::optional<TopicModel> model;
  ModelArchive::read(kKind, reader, [&](ModelArchive& a) {
    TopicModelParts parts;
    describe(a, parts);
    model.emplace(std::move(parts));
  });
  model->name_ = reader.name();
  return *std::move(model);
}

void TopicModel::describe(ModelArchive& a, TopicModelParts& m) {
  TopicKind kind = kind_of(m);
  describe_fields(a, m, kind);
  const auto stored = std::make_shared<StoredLda>(m);
  a.keep(stored);
  a.name_list("words", m.words, "the vocabulary");
  a.name_list("stop_words", m.text.stop_words, "words that are left out");
  const auto disclda = [&](const std::function<void()>& part) {
    a.where("kind disclda", kind == TopicKind::kDiscLda, part);
  };
  disclda([&] { stored->classes.describe_fields(a); });
  stored->describe_counts(a, m.words.size(), m.expected);
  a.where("kind wordlda", kind == TopicKind::kWordLda, [&] {
    describe_prior_rows(a, stored->rows);
    describe_graph(a, m.graph, m.words.size());
  });
  describe_parts(a, stored->parts, m.words.size());
  describe_languages(a, m.languages, m.words.size());
  describe_chain(a, m.chain);
  disclda([&] { stored->classes.describe_sections(a); });
  TopicClassifier::describe(a, m.classifier);
  a.check([&] { stored->build(m, kind); });
}

// A writer does not change the parts.
ModelArchive::Describe TopicModel::description() const {
  return [this](ModelArchive& a) { describe(a, const_cast<TopicModelParts&>(*parts_)); };
}

void TopicModel::write(const std::string& path) const {
  ModelArchive::write(kKind, path, description());
}

std::string TopicModel::to_bytes() const {
  return ModelArchive::to_bytes(kKind, description());
}

std::vector<double> TopicModel::prevalence() const {
  std::vector<double> shares(lda().totals().begin(), lda().totals().end());
  const double all = sum(shares);
  if (all > 0) scale(1 / all, shares);
  return shares;
}

std::vector<std::vector<std::uint32_t>> TopicModel::top_words(Index count) const {
  return topics::top_words(lda(), count);
}

}  // namespace trellis::topics
