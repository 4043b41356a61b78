#include "trellis/tasks/topics/topic_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/topics/top_words.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

// Between these, products of probabilities and priors are numbers, however long a document is.
constexpr double kLeastPrior = 1e-12, kLargestPrior = 1e12, kLargestCount = 1e15;

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
    throw UsageError("section '" + section + "' has something that is no prior");
  }
  return {priors.begin(), priors.end()};
}

// The counts as a file has them; must live until it is written.
struct StoredCounts {
  std::vector<double> beta;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint16_t> topics;
  std::vector<std::uint32_t> whole;
  std::vector<double> expected;

  StoredCounts(const LdaModel& lda, bool expectations)
      : beta(lda.beta().begin(), lda.beta().end()) {
    const bool one = std::all_of(beta.begin(), beta.end(), [&](double b) { return b == beta[0]; });
    if (one) beta.resize(1);
    std::vector<LdaModel::Entry> row;
    for (Index w = 0; w < lda.num_words(); ++w) {
      row.assign(lda.entries(w).begin(), lda.entries(w).end());
      std::sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.topic < b.topic; });
      for (const LdaModel::Entry& entry : row) {
        if (entry.count == 0) continue;
        topics.push_back(static_cast<std::uint16_t>(entry.topic));
        if (expectations) {
          expected.push_back(entry.count);
        } else {
          whole.push_back(static_cast<std::uint32_t>(entry.count));
        }
      }
      begin.push_back(topics.size());
    }
  }
};

template <class Value>
std::vector<LdaModel::Entry> read_entries(const ModelReader& reader, Index num_topics,
                                          std::span<const std::uint64_t> begin) {
  const auto topics = reader.array<std::uint16_t>("counts/topics");
  const auto values = reader.array<Value>("counts/values", topics.size());
  if (begin.front() != 0 || begin.back() != topics.size() ||
      !std::is_sorted(begin.begin(), begin.end())) {
    throw UsageError("the counts of words do not follow each other");
  }
  std::vector<LdaModel::Entry> entries;
  entries.reserve(topics.size());
  for (Index w = 0; w + 1 < begin.size(); ++w) {
    for (Index x = begin[w]; x < begin[w + 1]; ++x) {
      const auto count = static_cast<double>(values[x]);
      if (topics[x] >= num_topics || (x > begin[w] && topics[x] <= topics[x - 1]) ||
          !(count > 0 && count <= kLargestCount)) {
        throw UsageError("a word has a count that it cannot have");
      }
      entries.push_back({topics[x], count});
    }
  }
  return entries;
}

LdaModel read_lda(const ModelReader& reader, Index num_words, bool expected) {
  std::vector<double> alpha = read_priors(reader, "alpha");
  std::vector<double> beta = read_priors(reader, "beta");
  if (beta.size() == 1) beta.resize(num_words, beta[0]);
  if (alpha.size() > WordTopics::kMostTopics || beta.size() != num_words) {
    throw UsageError("there are not as many priors as topics and words");
  }
  const auto begin = reader.array<std::uint64_t>("counts/begin", num_words + 1);
  std::vector<LdaModel::Entry> entries =
      expected ? read_entries<double>(reader, alpha.size(), begin)
               : read_entries<std::uint32_t>(reader, alpha.size(), begin);
  return {std::move(alpha), std::move(beta), {begin.begin(), begin.end()}, std::move(entries)};
}

std::optional<KeptChain> read_chain(const ModelReader& reader, const nlohmann::json& meta) {
  if (!meta.contains("chain")) return std::nullopt;
  const nlohmann::json& said = meta.at("chain");
  const auto topics = reader.array<std::uint16_t>("chain/topics");
  if (!said.at("sweeps").is_number_unsigned() || !said.at("documents").is_number_unsigned()) {
    throw UsageError("its chain is not told as it should be");
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

TopicModel::TopicModel(TopicKind kind, NameList words, TextOptions text, LdaModel lda,
                       bool expected, const nlohmann::json& training,
                       std::optional<KeptChain> chain)
    : kind_(kind),
      expected_(expected),
      words_(std::make_shared<const NameList>(std::move(words))),
      text_(std::make_shared<const TextOptions>(std::move(text))),
      lda_(std::make_shared<const LdaModel>(std::move(lda))),
      training_(share(training)) {
  text_->check();
  if (words_->empty()) throw UsageError("a topic model needs a word");
  if (words_->size() != lda_->num_words()) {
    throw UsageError("a topic model needs counts for each of its words, and for no other");
  }
  if (!chain) return;
  const auto unknown = [&](std::uint16_t k) { return k >= num_topics(); };
  if (std::any_of(chain->topics.begin(), chain->topics.end(), unknown)) {
    throw UsageError("a token of the chain has a topic that does not exist");
  }
  chain_ = std::make_shared<const KeptChain>(*std::move(chain));
}

TopicModel TopicModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

TopicModel TopicModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

TopicModel TopicModel::load(const ModelReader& reader) {
  std::optional<TopicModel> model;
  read_meta(reader, kKind, kVersion, [&](const nlohmann::json& meta) {
    const auto kind = parse_named<TopicKind>(meta.at("kind").get<std::string>());
    const bool expected = meta.at("expected").get<bool>();
    TextOptions text = TextOptions::from_json(meta.at("text"));
    text.stop_words = read_names(reader, "stop_words");
    NameList words = read_names(reader, "words");
    LdaModel lda = read_lda(reader, words.size(), expected);
    model.emplace(kind, std::move(words), std::move(text), std::move(lda), expected,
                  meta.at("training"), read_chain(reader, meta));
  });
  model->name_ = reader.name();
  return *std::move(model);
}

template <class Put>
auto TopicModel::with_writer(const Put& put) const {
  const StoredCounts counts(*lda_, expected_);
  ModelWriter writer(std::string(kKind), kVersion);
  nlohmann::json meta = {{"kind", to_string(kind_)},
                         {"expected", expected_},
                         {"text", text_->to_json()},
                         {"training", *training_}};
  if (chain_ != nullptr) {
    meta["chain"] = {{"sweeps", chain_->sweeps}, {"documents", chain_->documents}};
  }
  writer.add_json("meta", meta);
  add_names(writer, "words", *words_);
  add_names(writer, "stop_words", text_->stop_words);
  writer.add_array<double>("alpha", lda_->alpha());
  writer.add_array<double>("beta", counts.beta);
  writer.add_array<std::uint64_t>("counts/begin", counts.begin);
  writer.add_array<std::uint16_t>("counts/topics", counts.topics);
  if (expected_) {
    writer.add_array<double>("counts/values", counts.expected);
  } else {
    writer.add_array<std::uint32_t>("counts/values", counts.whole);
  }
  if (chain_ != nullptr) writer.add_array<std::uint16_t>("chain/topics", chain_->topics);
  return put(writer);
}

void TopicModel::write(const std::string& path) const {
  with_writer([&](const ModelWriter& writer) { writer.write(path); });
}

std::string TopicModel::to_bytes() const {
  return with_writer([](const ModelWriter& writer) { return writer.to_bytes(); });
}

std::vector<double> TopicModel::prevalence() const {
  std::vector<double> shares(lda_->totals().begin(), lda_->totals().end());
  const double all = sum(shares);
  if (all > 0) scale(1 / all, shares);
  return shares;
}

std::vector<std::vector<std::uint32_t>> TopicModel::top_words(Index count) const {
  return topics::top_words(*lda_, count);
}

}  // namespace trellis::topics
