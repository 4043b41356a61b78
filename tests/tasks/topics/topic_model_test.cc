#include "trellis/tasks/topics/topic_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/tasks/linear_model.h"

namespace trellis::topics::topic_model_test {
namespace {

using testing::few_sweeps;
using testing::two_subjects;

NameList three_words() {
  NameList words;
  for (const char* word : {"tide", "oven", "boat"}) words.add(word);
  return words;
}

// tide and boat are of topic 1, oven of topic 0.
LdaModel small_lda() {
  return {{0.5, 0.25}, {0.1, 0.1, 0.1}, {0, 2, 3, 4}, {{0, 1}, {1, 6}, {0, 3}, {1, 9}}};
}

TopicModel model_of(NameList words, const LdaModel& lda, bool expected = false,
                    std::optional<KeptChain> chain = std::nullopt) {
  return TopicModel({std::move(words), TextOptions(), lda, expected,
                     share(Value::record({{"seed", 1}})), std::move(chain), std::nullopt,
                     std::nullopt});
}

TopicModel small_model() {
  return model_of(three_words(), small_lda());
}

TopicModel again(const TopicModel& model) {
  const std::string bytes = model.to_bytes();
  return TopicModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
}

TEST(TopicModel, ForemostWordsAreThoseWithTheLargestProbability) {
  const TopicModel model = small_model();
  const auto tops = model.top_words(2);
  EXPECT_EQ(tops[0], (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(tops[1], (std::vector<std::uint32_t>{2, 0}));
  // By the prior alone where a topic lacks a word, and no word twice.
  EXPECT_EQ(model.top_words(9)[0], (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_TRUE(model.top_words(0)[0].empty());
}

TEST(TopicModel, PrevalencesAreSharesOfTheText) {
  const std::vector<double> shares = small_model().prevalence();
  EXPECT_DOUBLE_EQ(shares[0], 4.0 / 19);
  EXPECT_DOUBLE_EQ(shares[1], 15.0 / 19);
}

TEST(TopicModel, IsTheSameAfterReading) {
  const Corpus corpus = two_subjects();
  TrainOptions options = few_sweeps();
  options.learner.keep_chain = true;
  for (const TopicMethod method : {TopicMethod::kGibbs, TopicMethod::kCvb0}) {
    options.learner.method = method;
    options.learner.keep_chain = method == TopicMethod::kGibbs;
    const TopicModel model = *train(corpus, nullptr, options).model;
    const trellis::testing::TemporaryDirectory folder;
    model.write(folder.file("m"));
    const TopicModel read = TopicModel::read(folder.file("m"));
    EXPECT_EQ(read.to_bytes(), model.to_bytes());
    EXPECT_EQ(read.name(), folder.file("m"));
    EXPECT_EQ(read.training(), model.training());
    EXPECT_EQ(read.text().to_value(), model.text().to_value());
    EXPECT_EQ(read.chain() != nullptr, options.learner.keep_chain);
    std::vector<double> phi(2), phi_read(2);
    for (Index w = 0; w < model.words().size(); ++w) {
      EXPECT_EQ(read.words()[w], model.words()[w]);
      model.lda().word_probabilities(w, phi);
      read.lda().word_probabilities(w, phi_read);
      EXPECT_EQ(phi, phi_read);
    }
  }
}

TEST(TopicModel, PriorsOfEachWordAreKept) {
  LdaModel lda({0.5}, {0.1, 0.2, 0.3}, {0, 1, 1, 2}, {{0, 4}, {0, 2}});
  const TopicModel model = model_of(three_words(), lda);
  const TopicModel read = again(model);
  EXPECT_TRUE(std::equal(lda.beta().begin(), lda.beta().end(), read.lda().beta().begin()));
}

TEST(TopicModel, ExpectationsAreKeptToTheBit) {
  LdaModel lda({0.5, 1}, {0.1, 0.1, 0.1}, {0, 1, 1, 2}, {{0, 1.0 / 3}, {1, 2.75}});
  const TopicModel read = again(model_of(three_words(), lda, true));
  EXPECT_EQ(read.lda().entries(0)[0].count, 1.0 / 3);
}

TEST(TopicModel, RefusesPartsThatDoNotGoTogether) {
  NameList two;
  two.add("a");
  two.add("b");
  const auto make = [&](NameList words, std::optional<KeptChain> chain) {
    model_of(std::move(words), small_lda(), false, std::move(chain));
  };
  EXPECT_NO_THROW(make(three_words(), std::nullopt));
  EXPECT_THROW(make(two, std::nullopt), UsageError);
  EXPECT_NO_THROW(make(three_words(), KeptChain{{0, 1}, 3, 7}));
  EXPECT_THROW(make(three_words(), KeptChain{{0, 2}, 3, 7}), UsageError);
}

// A model file of these sections, all of them right but for what `spoil` does.
struct Sections {
  Value meta = Value::record({{"kind", "lda"},
                              {"expected", false},
                              {"text", TextOptions().to_value()},
                              {"training", Value::record()}});
  std::vector<double> alpha = {0.5, 0.25}, beta = {0.1};
  std::vector<std::uint64_t> begin = {0, 2, 3, 4};
  std::vector<std::uint16_t> topics = {0, 1, 0, 1}, chain;
  std::vector<std::uint32_t> values = {1, 6, 3, 9};
  std::vector<double> expectations;
  NameList words = three_words(), stop_words;
  std::string kind = "topics";
  std::uint32_t version = 1;

  std::string bytes() const {
    ModelWriter writer(kind, version);
    writer.add_json("meta", meta);
    for (const auto& [name, list] : {std::pair("words", &words), {"stop_words", &stop_words}}) {
      writer.add_array<std::uint64_t>(std::string(name) + "/offsets", list->offsets());
      writer.add_array<char>(std::string(name) + "/bytes", list->bytes());
    }
    writer.add_array<double>("alpha", alpha);
    writer.add_array<double>("beta", beta);
    writer.add_array<std::uint64_t>("counts/begin", begin);
    writer.add_array<std::uint16_t>("counts/topics", topics);
    if (expectations.empty()) {
      writer.add_array<std::uint32_t>("counts/values", values);
    } else {
      writer.add_array<double>("counts/values", expectations);
    }
    if (meta.contains("chain")) writer.add_array<std::uint16_t>("chain/topics", chain);
    return writer.to_bytes();
  }
  TopicModel read() const {
    const std::string written = bytes();
    return TopicModel::from_bytes(std::as_bytes(std::span(written)), "m");
  }
};

TEST(TopicModel, RefusesFilesThatAreNotWhole) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(Sections().read());
  const std::vector<std::function<void(Sections&)>> spoil = {
      [](Sections& s) { s.kind = "tag"; },
      [](Sections& s) { s.version = 2; },
      [](Sections& s) { s.meta["kind"] = "cake"; },
      [](Sections& s) { s.meta.erase("expected"); },
      [](Sections& s) { s.meta["text"]["ngrams"] = 99; },
      [](Sections& s) { s.meta.erase("training"); },
      [](Sections& s) { s.alpha[1] = 0; },
      [](Sections& s) { s.alpha[1] = kNan; },
      [](Sections& s) { s.alpha.clear(); },
      [](Sections& s) { s.alpha.resize(100000, 0.1); },
      [](Sections& s) { s.beta[0] = kInfinity; },
      [](Sections& s) {
        s.beta = {0.1, 0.1};
      },
      [](Sections& s) {
        s.begin = {0, 2, 1, 4};
      },
      [](Sections& s) {
        s.begin = {0, 2, 3, 5};
      },
      [](Sections& s) { s.begin.pop_back(); },
      [](Sections& s) { s.topics[1] = 2; },
      [](Sections& s) { s.topics[1] = 0; },
      [](Sections& s) { s.values[2] = 0; },
      [](Sections& s) { s.values.pop_back(); },
      [](Sections& s) { s.meta["expected"] = true; },
      [](Sections& s) {
        s.meta["expected"] = true;
        s.expectations = {1, kNan, 3, 4};
      },
      [](Sections& s) { s.words = NameList(); },
      [](Sections& s) {
        s.meta["chain"] = Value::record({{"sweeps", -1}, {"documents", 1}});
      },
      [](Sections& s) {
        s.meta["chain"] = Value::record({{"sweeps", 1}, {"documents", 1}});
        s.chain = {0, 2};
      },
  };
  for (Index k = 0; k < spoil.size(); ++k) {
    Sections sections;
    spoil[k](sections);
    EXPECT_THROW(sections.read(), InputError) << k;
  }
}

TEST(TopicModel, DigestsTellDocumentsApart) {
  const std::vector<std::uint64_t> begin = {0, 1, 3}, other_begin = {0, 2, 3};
  const std::vector<std::uint32_t> tokens = {0, 1, 2}, other_tokens = {0, 2, 1};
  NameList words = three_words(), other_words = three_words();
  other_words.add("cake");
  std::set<std::uint64_t> digests;
  digests.insert(digest_of({begin, tokens, 3}, words.view()));
  digests.insert(digest_of({other_begin, tokens, 3}, words.view()));
  digests.insert(digest_of({begin, other_tokens, 3}, words.view()));
  digests.insert(digest_of({begin, tokens, 3}, other_words.view()));
  EXPECT_EQ(digests.size(), 4U);
}

}  // namespace
}  // namespace trellis::topics::topic_model_test
