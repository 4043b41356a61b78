#include "trellis/tasks/topics/train.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"

namespace trellis::topics::train_test {
namespace {

using testing::few_sweeps;
using testing::two_subjects;
using trellis::testing::TemporaryDirectory;

std::vector<TrainOptions> both_methods() {
  TrainOptions gibbs = few_sweeps(), cvb0 = few_sweeps();
  cvb0.learner.method = TopicMethod::kCvb0;
  cvb0.learner.tolerance = 0;
  return {gibbs, cvb0};
}

TEST(TrainTopics, FindsTheTwoSubjects) {
  const Corpus corpus = two_subjects();
  for (const TrainOptions& options : both_methods()) {
    const Trained trained = train(corpus, nullptr, options);
    for (const auto& words : trained.model->top_words(5)) {
      // All of one subject: the first five of the vocabulary, or the others.
      const auto of_the_sea = std::ranges::count_if(words, [](auto w) { return w < 5; });
      EXPECT_TRUE(of_the_sea == 0 || of_the_sea == 5) << to_string(options.learner.method);
    }
    EXPECT_EQ(trained.result.sweeps, 40U);
    EXPECT_EQ(trained.result.looks.size(), 4U);
    EXPECT_GT(trained.result.coherence_npmi, 0);
    EXPECT_TRUE(std::isfinite(trained.result.coherence_umass));
  }
}

TEST(TrainTopics, IsTheSameWhateverTheThreads) {
  const Corpus corpus = two_subjects(200);
  for (TrainOptions options : both_methods()) {
    options.learner.lda.blocks = 3;
    options.held_out = 0.2;
    const std::string first = train(corpus, nullptr, options).model->to_bytes();
    options.learner.threads = 3;
    EXPECT_EQ(train(corpus, nullptr, options).model->to_bytes(), first);
  }
}

// Asks to stop after so many looks.
struct Stopper {
  std::stop_source source;
  Index looks_left;
  TrainEvents events() {
    TrainEvents events;
    events.stop = source.get_token();
    events.on_epoch = [this](const EpochRecord&) {
      if (looks_left-- == 1) source.request_stop();
    };
    return events;
  }
};

TEST(TrainTopics, GoesOnToTheSameBytes) {
  const Corpus corpus = two_subjects();
  for (TrainOptions options : both_methods()) {
    options.held_out = 0.1;
    const TemporaryDirectory folder;
    const Trained whole = train(corpus, nullptr, options);
    options.checkpoint = folder.file("checkpoint");
    Stopper stopper{{}, 2};
    EXPECT_FALSE(train(corpus, nullptr, options, nullptr, stopper.events()).model);
    options.resume = true;
    Stopper again{{}, 3};  // the two that are told anew, and one more
    EXPECT_FALSE(train(corpus, nullptr, options, nullptr, again.events()).model);
    const Trained resumed = train(corpus, nullptr, options);
    EXPECT_EQ(resumed.model->to_bytes(), whole.model->to_bytes());
    ASSERT_EQ(resumed.result.looks.size(), whole.result.looks.size());
    for (Index n = 0; n < whole.result.looks.size(); ++n) {
      EXPECT_EQ(resumed.result.looks[n].loss, whole.result.looks[n].loss);
      EXPECT_EQ(resumed.result.looks[n].held_out.perplexity,
                whole.result.looks[n].held_out.perplexity);
    }
  }
}

TEST(TrainTopics, ACheckpointOfAnotherRunIsRefused) {
  const Corpus corpus = two_subjects();
  const TemporaryDirectory folder;
  TrainOptions options = few_sweeps();
  options.checkpoint = folder.file("checkpoint");
  Stopper stopper{{}, 1};
  EXPECT_FALSE(train(corpus, nullptr, options, nullptr, stopper.events()).model);
  options.resume = true;
  EXPECT_THROW(train(two_subjects(40, 2), nullptr, options), InputError);
  options.options_given = "\n--alpha 0.2";  // as the command says it
  EXPECT_THROW(train(corpus, nullptr, options), InputError);
}

TEST(TrainTopics, AChainIsGoneOnWithAsIfItHadNeverEnded) {
  const Corpus corpus = two_subjects();
  TrainOptions options = few_sweeps();
  options.learner.keep_chain = true;
  options.held_out = 0.1;
  const std::string whole = train(corpus, nullptr, options).model->to_bytes();
  options.sweeps = 25;
  const TopicModel part = *train(corpus, nullptr, options).model;
  EXPECT_EQ(part.chain()->sweeps, 25U);
  options.sweeps = 40;
  EXPECT_EQ(train(corpus, nullptr, options, &part).model->to_bytes(), whole);
}

TEST(TrainTopics, OnlyItsOwnChainIsGoneOnWith) {
  const Corpus corpus = two_subjects();
  TrainOptions options = few_sweeps();
  const TopicModel without = *train(corpus, nullptr, options).model;
  options.learner.keep_chain = true;
  const TopicModel with = *train(corpus, nullptr, options).model;
  options.sweeps = 50;
  EXPECT_NO_THROW(train(corpus, nullptr, options, &with));
  EXPECT_THROW(train(corpus, nullptr, options, &without), UsageError);
  EXPECT_THROW(train(two_subjects(40, 2), nullptr, options, &with), UsageError);
  TrainOptions other = options;
  other.sweeps = 40;
  EXPECT_THROW(train(corpus, nullptr, other, &with), UsageError);
  other = options;
  other.learner.lda.topics = 3;
  EXPECT_THROW(train(corpus, nullptr, other, &with), UsageError);
  other = options;
  other.held_out = 0.1;
  EXPECT_THROW(train(corpus, nullptr, other, &with), UsageError);
  other = options;
  other.learner.keep_chain = false;
  other.learner.method = TopicMethod::kCvb0;
  EXPECT_THROW(train(corpus, nullptr, other, &with), UsageError);
}

TEST(TrainTopics, HeldOutDocumentsAreFollowed) {
  const Corpus corpus = two_subjects(), other = two_subjects(20, 9);
  TrainOptions options = few_sweeps();
  const TrainResult result = train(corpus, &other, options).result;
  EXPECT_EQ(result.held_out_documents, 20U);
  // Five words of equal chances, of one subject: not ten.
  EXPECT_LT(result.looks.back().held_out.perplexity, 8);
  EXPECT_GT(result.looks.back().held_out.perplexity, 4.5);
  options.held_out = 0.5;
  EXPECT_THROW(train(corpus, &other, options), UsageError);
  EXPECT_EQ(train(corpus, nullptr, options).result.held_out_documents, 20U);
}

TEST(TrainTopics, Cvb0EndsAtItsTolerance) {
  TrainOptions options = both_methods()[1];
  options.learner.tolerance = 1e-2;
  options.sweeps = 1000;
  const TrainResult result = train(two_subjects(), nullptr, options).result;
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.sweeps, 1000U);
  EXPECT_TRUE(result.warnings().empty());
}

TEST(TrainTopics, RefusesWhatCannotBe) {
  const Corpus corpus = two_subjects();
  const auto refused = [&](auto change) {
    TrainOptions options = few_sweeps();
    change(options);
    EXPECT_THROW(train(corpus, nullptr, options), UsageError);
  };
  refused([](TrainOptions& o) { o.learner.lda.topics = 0; });
  refused([](TrainOptions& o) { o.learner.lda.topics = 11; });  // of ten words
  refused([](TrainOptions& o) { o.learner.lda.topics = 100000; });
  refused([](TrainOptions& o) { o.learner.lda.alpha = std::nan(""); });
  refused([](TrainOptions& o) { o.learner.lda.beta = 0; });
  refused([](TrainOptions& o) { o.learner.lda.beta = kInfinity; });
  refused([](TrainOptions& o) { o.sweeps = 0; });
  refused([](TrainOptions& o) { o.particles = 0; });
  refused([](TrainOptions& o) { o.held_out = 1; });
  refused([](TrainOptions& o) { o.held_out = std::nan(""); });
  refused([](TrainOptions& o) { o.learner.tolerance = std::nan(""); });
  refused([](TrainOptions& o) {
    o.learner.method = TopicMethod::kCvb0;
    o.learner.keep_chain = true;
  });
}

TEST(TrainTopics, EmptyDocumentsAreToldOf) {
  CorpusBuilder builder{VocabularyOptions{}};
  builder.add("boat");
  builder.add("tide");
  builder.end_document({});
  builder.end_document({});
  const Trained trained = train(builder.finish(TextOptions()), nullptr, few_sweeps());
  EXPECT_EQ(trained.result.empty, 1U);
  ASSERT_EQ(trained.result.warnings().size(), 1U);
  const Value record = parse_json(to_json(trained.result.record())).value();
  EXPECT_EQ(record.at("empty_documents"), 1);
  EXPECT_TRUE(record.at("perplexity").is_null());
}

}  // namespace
}  // namespace trellis::topics::train_test
