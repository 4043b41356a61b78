// DiscLDA and classifiers of mixtures: training, model files, and what they say of documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stop_token>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/output/buckets.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/output/inspect.h"
#include "trellis/tasks/topics/train.h"

namespace trellis::topics::classes_test {
namespace {

using trellis::testing::TemporaryDirectory;

// As testing::two_subjects, with as many words again that both subjects use: the last five.
Corpus two_subjects(Index documents = 40, std::uint64_t seed = 1) {
  const Corpus subjects = testing::two_subjects(documents, seed);
  NameList words(subjects.words(), "words");
  for (const char* word : {"morning", "people", "little", "began", "always"}) words.add(word);
  CorpusBuilder builder(words);
  for (Index d = 0; d < documents; ++d) {
    Random random(seed + 1000, d);
    for (const std::uint32_t w : subjects.documents()[d]) {
      builder.add(w);
      builder.add(static_cast<std::uint32_t>(10 + random.below(5)));
    }
    builder.end_document({subjects.ids()[d], d % 2 == 0 ? "sea" : "kitchen", ""});
  }
  return builder.finish(TextOptions());
}

TrainOptions by_blocks() {
  TrainOptions options = testing::few_sweeps();
  options.kind = TopicKind::kDiscLda;
  options.disclda.blocks = {1, 1};
  options.disclda.samples = 3;
  options.disclda.lag = 5;
  return options;
}

TrainOptions learned() {
  TrainOptions options = by_blocks();
  options.disclda.learned = true;
  options.disclda.rounds = 3;
  options.disclda.gradient_steps = 2;
  return options;
}

TrainOptions with_classifier(TrainOptions options) {
  options.classifier = ClassifierKind::kSvm;
  return options;
}

std::vector<TrainOptions> all_kinds() {
  return {by_blocks(), learned(), with_classifier(by_blocks()),
          with_classifier(testing::few_sweeps())};
}

TopicModel again(const TopicModel& model) {
  const std::string bytes = model.to_bytes();
  return TopicModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
}

TEST(TopicClasses, AreTold) {
  const Corpus corpus = two_subjects(), others = two_subjects(20, 2);
  for (const TrainOptions& options : all_kinds()) {
    const TopicModel model = *train(corpus, nullptr, options).model;
    const Evaluation found = evaluate(model, others);
    ASSERT_TRUE(found.classes);
    EXPECT_EQ(found.classes->scores.num_examples(), 20U);
    EXPECT_EQ(found.classes->scores.error(), 0);
    EXPECT_EQ(found.classes->scores.macro_f1(), 100);
    EXPECT_EQ(std::isfinite(found.classes->log_likelihood), model.classes() != nullptr);
    EXPECT_TRUE(std::isfinite(found.perplexity));
  }
}

TEST(TopicClasses, HaveTopicsOfTheirOwn) {
  const TopicModel model = *train(two_subjects(), nullptr, by_blocks()).model;
  ASSERT_EQ(model.num_topics(), 3U);
  EXPECT_EQ(model.classes()->group(0), "sea");
  EXPECT_EQ(model.classes()->group(1), "kitchen");
  EXPECT_EQ(model.classes()->group(2), TopicClasses::kSharedGroup);
  const std::vector<TopicBucket> buckets = topic_buckets(model, 5);
  ASSERT_EQ(buckets.size(), 3U);
  // A class's own topics lack the other's words.
  for (const TopicBucket::Word& one : buckets[0].words) EXPECT_NE(one.word / 5, 1U);
  for (const TopicBucket::Word& one : buckets[1].words) EXPECT_NE(one.word / 5, 0U);
  // s^G_v = V / |G| Σ φ_vk.
  std::vector<double> phi(3);
  model.lda().word_probabilities(buckets[0].words[0].word, phi);
  EXPECT_NEAR(buckets[0].words[0].score, 15 * phi[0], 1e-12);
  EXPECT_NE(inspect(model, "m", {}).find("kitchen"), std::string::npos);
}

TEST(TopicClasses, ModelsAreTheSameWhenReadAgain) {
  const Corpus corpus = two_subjects();
  for (const TrainOptions& options : all_kinds()) {
    const TopicModel model = *train(corpus, nullptr, options).model;
    const TopicModel read = again(model);
    EXPECT_EQ(read.to_bytes(), model.to_bytes());
    const auto before = infer_documents(model, corpus.documents(), {}, 1);
    const auto after = infer_documents(read, corpus.documents(), {}, 2);
    for (Index d = 0; d < before.size(); ++d) {
      EXPECT_EQ(after[d].mixture, before[d].mixture);
      EXPECT_EQ(after[d].posterior, before[d].posterior);
      EXPECT_EQ(after[d].predicted, before[d].predicted);
    }
  }
}

TEST(TopicClasses, KeepSeveralSweeps) {
  TrainOptions options = by_blocks();
  EXPECT_EQ(train(two_subjects(), nullptr, options).model->classes()->models().size(), 3U);
  options.disclda.samples = 100;  // more than the chain has
  EXPECT_EQ(train(two_subjects(), nullptr, options).model->classes()->models().size(), 8U);
  EXPECT_EQ(train(two_subjects(), nullptr, learned()).model->classes()->models().size(), 1U);
}

TEST(TopicClasses, AreTheMeansOfWhatTheirSweepsSay) {
  const Corpus corpus = two_subjects();
  TrainOptions options = by_blocks();
  options.disclda.validation = 0;  // as the sweeps say
  const TopicModel model = *train(corpus, nullptr, options).model;
  const auto found = infer_documents(model, corpus.documents(), {}, 1);
  const DiscLdaPredictions means =
      predict(model.classes()->models(), corpus.documents(), ClassInferenceOptions(), 1);
  for (Index d = 0; d < found.size(); ++d) {
    for (Index y = 0; y < 2; ++y) {
      EXPECT_NEAR(found[d].posterior[y], means.posteriors[d * 2 + y], 1e-12);
    }
    for (Index k = 0; k < 3; ++k) {
      EXPECT_DOUBLE_EQ(found[d].mixture[k], means.representations[d * 3 + k]);
    }
  }
}

TEST(TopicClasses, EveryInferenceFindsThem) {
  const Corpus corpus = two_subjects();
  const TopicModel model = *train(corpus, nullptr, by_blocks()).model;
  const auto errors = [&](const InferenceOptions& options) {
    const auto found = infer_documents(model, corpus.documents(), options, 1);
    Index wrong = 0;
    for (Index d = 0; d < found.size(); ++d) {
      wrong += found[d].predicted == static_cast<Label>(d % 2) ? 0 : 1;
    }
    return wrong;
  };
  InferenceOptions options;
  EXPECT_EQ(errors(options), 0U);
  // The bound of the mean field and the harmonic mean are known to be rough.
  options.method = Inference::kMeanField;
  EXPECT_LE(errors(options), 8U);
  options.method = Inference::kGibbs;
  for (const BridgeTo to : {BridgeTo::kReferenceClass, BridgeTo::kVariational}) {
    options.bridge_to = to;
    for (const Bridge bridge : {Bridge::kGeometric, Bridge::kOptimal, Bridge::kHarmonic}) {
      options.bridge = bridge;
      EXPECT_LE(errors(options), bridge == Bridge::kHarmonic ? 8U : 0U) << to_string(bridge);
    }
  }
}

TEST(TopicClasses, AreTheSameWhateverTheThreads) {
  const Corpus corpus = two_subjects(200);
  for (TrainOptions options : all_kinds()) {
    options.learner.lda.blocks = 3;
    options.held_out = 0.2;
    const std::string first = train(corpus, nullptr, options).model->to_bytes();
    options.learner.threads = 3;
    EXPECT_EQ(train(corpus, nullptr, options).model->to_bytes(), first);
  }
}

TEST(TopicClasses, AnInterruptedRunGoesOnToTheSameBytes) {
  const Corpus corpus = two_subjects();
  for (TrainOptions options : all_kinds()) {
    options.held_out = 0.2;
    const TopicModel whole = *train(corpus, nullptr, options).model;
    // After each look, of the chain and of the rounds.
    for (Index looks = 1; looks <= 6; ++looks) {
      const TemporaryDirectory folder;
      options.checkpoint = folder.file("state");
      std::stop_source source;
      Index left = looks;
      TrainEvents events;
      events.stop = source.get_token();
      events.on_epoch = [&](const EpochRecord&) {
        if (--left == 0) source.request_stop();
      };
      const Trained first = train(corpus, nullptr, options, nullptr, events);
      options.resume = true;
      const Trained second = train(corpus, nullptr, options);
      EXPECT_EQ(second.model->to_bytes(), whole.to_bytes()) << looks;
      options.resume = false;
    }
    options.checkpoint.clear();
  }
}

TEST(TopicClasses, OtherLabelsAreAnotherRun) {
  const Corpus corpus = two_subjects();
  const NameList words(corpus.words(), "words");
  CorpusBuilder builder(words);
  for (Index d = 0; d < corpus.documents().size(); ++d) {
    for (const std::uint32_t w : corpus.documents()[d]) builder.add(w);
    builder.end_document({"", d < 20 ? "sea" : "kitchen", ""});
  }
  const Corpus relabelled = builder.finish(TextOptions());
  const TemporaryDirectory folder;
  TrainOptions options = by_blocks();
  options.checkpoint = folder.file("state");
  std::stop_source source;
  TrainEvents events;
  events.stop = source.get_token();
  events.on_epoch = [&](const EpochRecord&) { source.request_stop(); };
  EXPECT_FALSE(train(corpus, nullptr, options, nullptr, events).model);
  options.resume = true;
  EXPECT_THROW(train(relabelled, nullptr, options), InputError);
}

Corpus labelled(std::span<const std::string> labels) {
  NameList words;
  for (const char* word : {"a", "b", "c", "d", "e", "f"}) words.add(word);
  CorpusBuilder builder(words);
  for (Index d = 0; d < labels.size(); ++d) {
    for (Index i = 0; i < 4; ++i) builder.add(static_cast<std::uint32_t>((d + i) % 6));
    builder.end_document({"", labels[d], ""});
  }
  return builder.finish(TextOptions());
}

TEST(TopicClasses, NeedLabels) {
  const std::vector<std::string> none(4), one(4, "x"), some = {"x", "y", "", "y"};
  for (const TrainOptions& options : {by_blocks(), with_classifier(testing::few_sweeps())}) {
    EXPECT_THROW(train(labelled(none), nullptr, options), UsageError);
    EXPECT_THROW(train(labelled(one), nullptr, options), UsageError);
  }
  EXPECT_THROW(train(labelled(some), nullptr, by_blocks()), UsageError);
  EXPECT_NO_THROW(train(labelled(some), nullptr, with_classifier(testing::few_sweeps())));
}

TEST(TopicClasses, OneWithoutADocumentIsToldOf) {
  std::vector<std::string> labels(10, "x");
  labels[9] = "y";
  std::fill(labels.begin() + 5, labels.end() - 1, "z");
  TrainOptions options = by_blocks();
  options.held_out = 0.3;
  bool missed = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    options.learner.lda.seed = seed;
    const Trained trained = train(labelled(labels), nullptr, options);
    missed |= trained.result.unseen_classes == std::vector<std::string>{"y"};
    EXPECT_EQ(trained.model->classes()->num_classes(), 3U);
  }
  EXPECT_TRUE(missed);
}

TEST(TopicClasses, LabelsThatTheModelDoesNotKnowAreErrors) {
  const TopicModel model = *train(two_subjects(), nullptr, by_blocks()).model;
  CorpusBuilder builder(model.words());
  for (const char* label : {"sea", "forest", ""}) {
    builder.add("boat");
    builder.end_document({"", label, ""});
  }
  const Evaluation found = evaluate(model, builder.finish(TextOptions()));
  EXPECT_EQ(found.classes->scores.num_examples(), 2U);
  EXPECT_EQ(found.classes->unknown, 1U);
  EXPECT_EQ(found.classes->scores.error(), 50);
}

TEST(TopicClasses, RefuseWhatCannotBe) {
  const auto refused = [](auto change) {
    TrainOptions options = learned();
    change(options);
    EXPECT_THROW(train(two_subjects(), nullptr, options), UsageError);
  };
  refused([](TrainOptions& o) { o.disclda.blocks.class_topics = 0; });
  refused([](TrainOptions& o) { o.disclda.blocks.class_topics = 8; });  // 17 topics, 15 words
  refused([](TrainOptions& o) { o.disclda.blocks.shared_topics = 70000; });
  refused([](TrainOptions& o) { o.disclda.samples = 0; });
  refused([](TrainOptions& o) { o.disclda.lag = 0; });
  refused([](TrainOptions& o) { o.disclda.rate = std::nan(""); });
  refused([](TrainOptions& o) { o.disclda.decay = -1; });
  refused([](TrainOptions& o) { o.disclda.contrast = 0; });
  refused([](TrainOptions& o) { o.disclda.validation = 1; });
  refused([](TrainOptions& o) { o.disclda.gradient_steps = 0; });
  refused([](TrainOptions& o) { o.learner.lda.alpha = std::nan(""); });
  refused([](TrainOptions& o) { o.learner.keep_chain = true; });
  refused([](TrainOptions& o) { o.learner.method = TopicMethod::kCvb0; });
  const TopicModel lda = *train(two_subjects(), nullptr, testing::few_sweeps()).model;
  EXPECT_THROW(DocumentInference(lda, {Inference::kMeanField, {}, {}}), UsageError);
}

TEST(TopicClasses, ManyClassesTakeMemoryForWhatTheyHave) {
  constexpr Index kMany = 30000;  // squared, these would be gigabytes
  NameList names;
  for (Index y = 0; y < kMany; ++y) names.add(std::to_string(y));
  const KnownTopics topics(kMany, 0.1, {0, 1}, {{7, 3.0}});
  const TopicClasses classes(names, std::vector<double>(kMany, -10), {1, 0}, {}, 0.1, {topics});
  EXPECT_EQ(classes.group(7), "7");
}

// The parts of a model in sections of a file, one of them spoiled.
TEST(TopicClasses, FilesWhosePartsDoNotFitAreRefused) {
  const TopicModel model = *train(two_subjects(), nullptr, learned()).model;
  const std::string bytes = model.to_bytes();
  const auto rewritten = [&](const std::string& spoiled, auto change) {
    const ModelReader reader = ModelReader::from_bytes(std::as_bytes(std::span(bytes)), "m");
    ModelWriter writer("topics", 1);
    Value meta = reader.json("meta");
    std::vector<double> numbers;
    if (spoiled == "meta") change(meta, numbers);
    writer.add_json("meta", meta);
    for (const char* name :
         {"words/offsets", "words/bytes", "stop_words/offsets", "stop_words/bytes", "alpha", "beta",
          "counts/begin", "counts/topics", "counts/values", "classes/offsets", "classes/bytes",
          "class_prior", "transformation"}) {
      if (spoiled != name) {
        writer.add(name, reader.section(name));
        continue;
      }
      const auto values = reader.array<double>(name);
      numbers.assign(values.begin(), values.end());
      change(meta, numbers);
      writer.add_array<double>(name, numbers);
    }
    const std::string changed = writer.to_bytes();
    return TopicModel::from_bytes(std::as_bytes(std::span(changed)), "changed");
  };
  using Numbers = std::vector<double>;
  EXPECT_NO_THROW(rewritten("", [](Value&, Numbers&) {}));
  const auto refuses = [&](const std::string& name, auto change) {
    EXPECT_THROW(rewritten(name, change), InputError) << name;
  };
  refuses("meta", [](Value& m, Numbers&) { m.erase("classes"); });
  refuses("meta", [](Value& m, Numbers&) { m["classes"]["class_topics"] = 2; });
  refuses("meta", [](Value& m, Numbers&) { m["classes"]["class_topics"] = 1ULL << 62; });
  refuses("meta", [](Value& m, Numbers&) { m["classes"]["shared_topics"] = -1; });
  refuses("meta", [](Value& m, Numbers&) { m["classes"]["samples"] = 2; });
  refuses("meta", [](Value& m, Numbers&) { m["classes"]["samples"] = 1ULL << 62; });
  refuses("class_prior", [](Value&, Numbers& n) { n.pop_back(); });
  refuses("class_prior", [](Value&, Numbers& n) { n[0] = std::nan(""); });
  refuses("transformation", [](Value&, Numbers& n) { n.pop_back(); });
  refuses("transformation", [](Value&, Numbers& n) { n.clear(); });
  refuses("transformation", [](Value&, Numbers& n) { n[0] = std::nan(""); });
  refuses("alpha", [](Value&, Numbers& n) { n[0] *= 2; });
}

}  // namespace
}  // namespace trellis::topics::classes_test
