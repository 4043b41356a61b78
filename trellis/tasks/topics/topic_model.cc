#include "trellis/tasks/topics/topic_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/topics/top_words.h"
#include "trellis/tasks/topics/topic_counts.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

void add_names(ModelWriter& writer, const std::string& section, const NameList& names) {
  writer.add_array<std::uint64_t>(section + "/offsets", names.offsets());
  writer.add_array<char>(section + "/bytes", names.bytes());
}

NameList read_names(const ModelReader& reader, const std::string& section) {
  return {NameView(reader.array<std::uint64_t>(section + "/offsets"),
                   reader.array<char>(section + "/bytes"), reader.name()),
          reader.name()};
}

std::vector<double> read_priors(const ModelReader& reader, const std::string& section) {
  const auto priors = reader.array<double>(section);
  const auto sensible = [](double p) { return p >= kLeastPrior && p <= kLargestPrior; };
  if (priors.empty() || !std::all_of(priors.begin(), priors.end(), sensible)) {
    throw UsageError("section '" + section + "' has a value that is not a valid prior");
  }
  return {priors.begin(), priors.end()};
}

// One value where all are equal, as they mostly are.
std::vector<double> stored_beta(const LdaModel& lda) {
  std::vector<double> beta(lda.beta().begin(), lda.beta().end());
  const bool one = std::all_of(beta.begin(), beta.end(), [&](double b) { return b == beta[0]; });
  if (one) beta.resize(1);
  return beta;
}

LdaModel read_lda(const ModelReader& reader, Index num_words, bool expected, PriorRows rows) {
  std::vector<double> alpha = read_priors(reader, "alpha");
  std::vector<double> beta = read_priors(reader, "beta");
  if (beta.size() == 1) beta.resize(num_words, beta[0]);
  if (alpha.size() > WordTopics::kMostTopics || beta.size() != num_words) {
    throw UsageError("the number of priors does not fit the topics and words");
  }
  return read_counts(reader, "counts", expected, std::move(alpha), std::move(beta), std::move(rows),
                     read_parts(reader, num_words));
}

std::optional<KeptChain> read_chain(const ModelReader& reader, const Value& meta) {
  if (!meta.contains("chain")) return std::nullopt;
  const Value& said = meta.at("chain");
  const auto topics = reader.array<std::uint16_t>("chain/topics");
  if (!said.at("sweeps").is_count() || !said.at("documents").is_count()) {
    throw UsageError("the description of its chain is not valid");
  }
  return KeptChain{{topics.begin(), topics.end()},
                   said.at("sweeps").get<Index>(),
                   said.at("documents").get<std::uint64_t>()};
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
  if (classes() != nullptr) return TopicKind::kDiscLda;
  return graph() != nullptr ? TopicKind::kWordLda : TopicKind::kLda;
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
  read_meta(reader, kKind, kVersion, [&](const Value& meta) {
    const auto kind = parse_named<TopicKind>(meta.at("kind").get<std::string>());
    const bool expected = meta.at("expected").get<bool>();
    TextOptions text = TextOptions::from_value(meta.at("text"));
    text.stop_words = read_names(reader, "stop_words");
    NameList words = read_names(reader, "words");
    const bool related = kind == TopicKind::kWordLda;
    LdaModel lda =
        read_lda(reader, words.size(), expected, related ? read_prior_rows(reader) : PriorRows());
    std::optional<WordGraph> graph;
    if (related) graph = read_graph(reader, words.size());
    std::optional<ModelLanguages> languages = read_languages(reader, words.size());
    std::optional<TopicClasses> classes;
    if (kind == TopicKind::kDiscLda) {
      classes = TopicClasses::read(reader, meta.at("classes"), lda, expected);
    }
    model.emplace(TopicModelParts{std::move(words), std::move(text), std::move(lda), expected,
                                  share(meta.at("training")), read_chain(reader, meta),
                                  std::move(classes), TopicClassifier::read(reader),
                                  std::move(graph), std::move(languages)});
  });
  model->name_ = reader.name();
  return *std::move(model);
}

template <class Put>
auto TopicModel::with_writer(const Put& put) const {
  const std::vector<double> beta = stored_beta(lda());
  // The writer keeps views of these.
  std::vector<StoredCounts> counts;
  counts.emplace_back(lda(), parts_->expected);
  if (classes() != nullptr) {
    for (const DiscLdaModel& sample : classes()->models().subspan(1)) {
      counts.emplace_back(lda_of(sample.topics, sample.alpha), parts_->expected);
    }
  }
  std::optional<StoredGraph> stored_graph;
  if (graph() != nullptr) stored_graph.emplace(*graph());
  ModelWriter writer(std::string(kKind), kVersion);
  Value meta = Value::record({{"kind", to_string(kind())},
                              {"expected", parts_->expected},
                              {"text", text().to_value()},
                              {"training", training()}});
  if (chain() != nullptr) {
    meta["chain"] = Value::record({{"sweeps", chain()->sweeps}, {"documents", chain()->documents}});
  }
  add_names(writer, "words", words());
  add_names(writer, "stop_words", text().stop_words);
  writer.add_array<double>("alpha", lda().alpha());
  writer.add_array<double>("beta", beta);
  for (Index i = 0; i < counts.size(); ++i) {
    counts[i].add_to(writer, TopicClasses::sample_section(i));
  }
  if (stored_graph) {
    add_prior_rows(writer, lda().prior().rows());
    stored_graph->add_to(writer);
  }
  if (lda().prior().parts().count > 1) {
    writer.add_array<std::uint8_t>("parts", lda().prior().parts().of_words);
  }
  if (languages() != nullptr) add_languages(writer, *languages());
  if (chain() != nullptr) writer.add_array<std::uint16_t>("chain/topics", chain()->topics);
  if (classes() != nullptr) meta["classes"] = classes()->add_to(writer);
  if (classifier() != nullptr) classifier()->add_to(writer);
  writer.add_json("meta", meta);
  return put(writer);
}

void TopicModel::write(const std::string& path) const {
  with_writer([&](const ModelWriter& writer) { writer.write(path); });
}

std::string TopicModel::to_bytes() const {
  return with_writer([](const ModelWriter& writer) { return writer.to_bytes(); });
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
