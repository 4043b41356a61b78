// Calibration of DiscLDA's class probabilities: training, model files, and what it changes.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/tasks/topics/disclda_training.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/output/inspect.h"
#include "trellis/tasks/topics/train.h"

namespace trellis::topics::class_calibration_test {
namespace {

// Documents of six words, each of which occurs ten times, and is one of the other class's in three
// cases of ten: DiscLDA takes the occurrences for independent, and is too sure.
Corpus bursty(Index documents, std::uint64_t seed) {
  constexpr Index kOfAClass = 30;
  NameList words;
  for (Index w = 0; w < 2 * kOfAClass; ++w) words.add("w" + std::to_string(w));
  CorpusBuilder builder(words);
  for (Index d = 0; d < documents; ++d) {
    Random random(seed, d);
    for (Index i = 0; i < 6; ++i) {
      const Index y = random.uniform() < 0.7 ? d % 2 : 1 - d % 2;
      builder.add(static_cast<std::uint32_t>(y * kOfAClass + random.below(kOfAClass)), 10);
    }
    builder.end_document({"", d % 2 == 0 ? "sea" : "kitchen", ""});
  }
  return builder.finish(TextOptions());
}

TrainOptions by_blocks(double validation = 0.2) {
  TrainOptions options = testing::few_sweeps();
  options.kind = TopicKind::kDiscLda;
  options.disclda.blocks = {2, 1};
  options.disclda.samples = 2;
  options.disclda.validation = validation;
  return options;
}

TrainOptions learned() {
  TrainOptions options = by_blocks();
  options.disclda.learned = true;
  options.disclda.rounds = 2;
  options.disclda.gradient_steps = 2;
  return options;
}

TEST(ClassCalibration, MakesNewLabelsLikelierAndPredictsTheSame) {
  const Corpus corpus = bursty(200, 1), others = bursty(200, 2);
  const TopicModel plain = *train(corpus, nullptr, by_blocks(0)).model;
  const Trained trained = train(corpus, nullptr, by_blocks());
  const TopicModel& model = *trained.model;
  EXPECT_EQ(plain.classes()->correlation(), 0);
  EXPECT_GT(model.classes()->correlation(), 0.02);
  EXPECT_EQ(trained.result.correlation, model.classes()->correlation());
  const Evaluation before = evaluate(plain, others), after = evaluate(model, others);
  EXPECT_GT(after.classes->log_likelihood, before.classes->log_likelihood + 0.1);
  EXPECT_EQ(after.classes->scores.error(), before.classes->scores.error());
  EXPECT_EQ(after.perplexity, before.perplexity);
  const auto found = infer_documents(plain, others.documents(), {}, 1);
  const auto calibrated = infer_documents(model, others.documents(), {}, 1);
  for (Index d = 0; d < found.size(); ++d) {
    EXPECT_EQ(calibrated[d].mixture, found[d].mixture);
    EXPECT_EQ(calibrated[d].predicted, found[d].predicted);
    EXPECT_NEAR(calibrated[d].posterior[0] + calibrated[d].posterior[1], 1, 1e-12);
    EXPECT_NEAR(calibrated[d].log_posterior[0] - calibrated[d].log_posterior[1],
                (found[d].log_posterior[0] - found[d].log_posterior[1]) /
                    (1 + 59 * model.classes()->correlation()),
                1e-9);
  }
}

TEST(ClassCalibration, IsFittedOfLearnedTransformationsToo) {
  const TopicModel model = *train(bursty(200, 1), nullptr, learned()).model;
  EXPECT_GT(model.classes()->correlation(), 0.02);
}

TEST(ClassCalibration, IsKeptInTheModelFileAndShown) {
  const TopicModel model = *train(bursty(60, 1), nullptr, by_blocks()).model;
  const std::string bytes = model.to_bytes();
  const TopicModel read = TopicModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  EXPECT_EQ(read.classes()->correlation(), model.classes()->correlation());
  EXPECT_EQ(read.to_bytes(), bytes);
  EXPECT_NE(inspect(read, "m", {}).find("correlation of the words of a document"),
            std::string::npos);
  const TopicClasses& classes = *model.classes();
  for (const double wrong : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(classes.with_correlation(wrong), UsageError) << wrong;
  }
}

// A model of before there was calibration.
TEST(ClassCalibration, IsNoneOfModelsWithoutIt) {
  std::ifstream file(TRELLIS_SOURCE_DIR "/tests/tasks/topics/topic_model_fuzz/disclda.model",
                     std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const TopicModel model = TopicModel::from_bytes(std::as_bytes(std::span(bytes)), "old");
  EXPECT_EQ(model.classes()->correlation(), 0);
  EXPECT_EQ(model.to_bytes(), bytes);
}

TEST(ClassCalibration, AnInterruptedCalibrationGoesOnToTheSameBytes) {
  const Corpus corpus = bursty(60, 1);
  TrainOptions options = by_blocks();
  const std::string whole = train(corpus, nullptr, options).model->to_bytes();
  for (const Index sweeps : {1, 20, 38}) {  // of the first chain
    const trellis::testing::TemporaryDirectory folder;
    options.checkpoint = folder.file("state");
    options.resume = false;
    std::stop_source source;
    Index left = sweeps;
    TrainEvents events;
    events.stop = source.get_token();
    events.on_progress = [&](const std::string&) {
      if (--left == 0) source.request_stop();
    };
    EXPECT_FALSE(train(corpus, nullptr, options, nullptr, events).model);
    options.resume = true;
    options.learner.threads = 2;
    EXPECT_EQ(train(corpus, nullptr, options).model->to_bytes(), whole) << sweeps;
  }
}

TEST(ClassCalibration, LeavesOutClassesThatWereNotLearned) {
  const Corpus corpus = bursty(200, 1), others = bursty(60, 2);
  const NameList words(corpus.words(), "words");
  CorpusBuilder builder(words);
  for (Index d = 0; d < corpus.documents().size(); ++d) {
    for (const std::uint32_t w : corpus.documents()[d]) builder.add(w);
    builder.end_document({"", d == 7 ? "forest" : d % 2 == 0 ? "sea" : "kitchen", ""});
  }
  const TopicModel model = *train(builder.finish(TextOptions()), nullptr, by_blocks(0)).model;
  const std::vector<std::uint32_t> two = {0, 1}, three = {0, 1, 2};  // sea, kitchen, forest
  const Documents all = others.documents();
  std::vector<std::uint32_t> labels;
  for (std::uint32_t d = 0; d < 60; ++d) labels.push_back(d == 59 ? 2 : d % 2);
  const auto fit = [&](const std::vector<std::uint32_t>& learned, Index documents) {
    const Documents some = {all.begin.first(documents + 1), all.tokens.first(all.begin[documents]),
                            all.num_words};
    return fit_correlation(*model.classes(), learned, some, std::span(labels).first(documents), {},
                           1);
  };
  EXPECT_GT(fit(two, 59), 0);
  EXPECT_EQ(fit(two, 60), fit(two, 59));
  EXPECT_NE(fit(three, 60), fit(three, 59));
  EXPECT_EQ(fit({}, 60), 0);
}

TEST(ClassCalibration, RefusesSharesThatCannotBe) {
  for (const double share : {-0.1, 1.0, 0.001, std::nan("")}) {
    EXPECT_THROW(train(bursty(20, 1), nullptr, by_blocks(share)), UsageError) << share;
  }
  TrainOptions options = learned();
  options.disclda.validation = 0;
  EXPECT_THROW(train(bursty(20, 1), nullptr, options), UsageError);
}

}  // namespace
}  // namespace trellis::topics::class_calibration_test
