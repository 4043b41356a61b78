// Mixtures, evaluations and tables as users see them.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/data/json.h"
#include "trellis/formats/examples/example_reader.h"
#include "trellis/tasks/topics/corpus_files.h"
#include "trellis/tasks/topics/output/csv.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/output/inspect.h"
#include "trellis/tasks/topics/output/predict.h"
#include "trellis/topics/corpus/read_corpus.h"

namespace trellis::topics::output_test {
namespace {

using testing::few_sweeps;
using testing::two_subjects;

class TopicsOutput : public ::testing::Test {
 protected:
  const Corpus corpus_ = two_subjects();
  const TopicModel model_ = *train(corpus_, nullptr, few_sweeps()).model;

  std::string predicted(const Corpus& corpus, const PredictOptions& options,
                        PredictCounts* counts = nullptr) const {
    const trellis::testing::TemporaryDirectory folder;
    OutputFile out(folder.file("out"));
    const PredictCounts found = predict(model_, corpus, options, out);
    if (counts != nullptr) *counts = found;
    out.commit();
    return read_file(folder.file("out"));
  }
  std::vector<std::string> lines(const PredictOptions& options) const {
    std::istringstream text(predicted(corpus_, options));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(TopicsOutput, MixturesAreDistributionsAndTellTheSubjectsApart) {
  for (const Inference inference : {Inference::kCvb0, Inference::kGibbs}) {
    PredictOptions options;
    options.format = MixtureFormat::kJson;
    options.inference.method = inference;
    double first = 0;
    const std::vector<std::string> found = lines(options);
    ASSERT_EQ(found.size(), corpus_.documents().size());
    for (Index d = 0; d < found.size(); ++d) {
      const Value record = parse_json(found[d]).value();
      EXPECT_EQ(record.at("id"), "d" + std::to_string(d));
      EXPECT_EQ(record.at("label"), d % 2 == 0 ? "sea" : "kitchen");
      EXPECT_EQ(record.at("words"), 8);
      const auto mixture = record.at("mixture").get<std::vector<double>>();
      EXPECT_NEAR(mixture[0] + mixture[1], 1, 1e-12);
      if (d == 0) first = mixture[0];
      EXPECT_EQ(mixture[0] > 0.5, (first > 0.5) == (d % 2 == 0));
    }
  }
}

TEST_F(TopicsOutput, ThreadsDoNotChangeMixtures) {
  PredictOptions options;
  options.inference.method = Inference::kGibbs;
  options.format = MixtureFormat::kCsv;
  options.threads = 1;
  const std::vector<std::string> first = lines(options);
  options.threads = 3;
  EXPECT_EQ(lines(options), first);
}

TEST_F(TopicsOutput, TextHasTheForemostTopics) {
  PredictOptions options;
  options.top = 1;
  const std::string line = lines(options).front();
  EXPECT_EQ(line.substr(0, 3), "d0\t");
  EXPECT_EQ(std::count(line.begin(), line.end(), ':'), 1);
  EXPECT_GT(*parse_double(line.substr(line.find(':') + 1)), 0.5);
}

TEST_F(TopicsOutput, CsvHasAHeaderAndAColumnForEachTopic) {
  PredictOptions options;
  options.format = MixtureFormat::kCsv;
  const std::vector<std::string> found = lines(options);
  EXPECT_EQ(found.front(), "id,label,words,topic_0,topic_1");
  EXPECT_EQ(found.size(), corpus_.documents().size() + 1);
  EXPECT_EQ(found[1].substr(0, 9), "d0,sea,8,");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("plain"), "plain");
}

TEST_F(TopicsOutput, ClassifyReadsTheLibsvmRows) {
  PredictOptions options;
  options.format = MixtureFormat::kLibsvm;
  const std::string text = predicted(corpus_, options);
  classify::ExampleReader reader(InputFile::from_bytes(text, "rows"), {});
  classify::Example example;
  Index rows = 0;
  while (reader.read(example)) {
    EXPECT_EQ(example.label, rows % 2 == 0 ? "sea" : "kitchen");
    ASSERT_EQ(example.values.size(), 2U);
    EXPECT_NEAR(example.values[0].value + example.values[1].value, 1, 1e-6);
    ++rows;
  }
  EXPECT_EQ(rows, corpus_.documents().size());
}

TEST_F(TopicsOutput, LabelsThatLibsvmCannotHaveAreRefused) {
  CorpusBuilder builder(model_.words());
  builder.add("boat");
  builder.end_document({"x", "two words", ""});
  PredictOptions options;
  options.format = MixtureFormat::kLibsvm;
  EXPECT_THROW(predicted(builder.finish(TextOptions()), options), InputError);
}

TEST_F(TopicsOutput, DocumentsWithoutAKnownWordHaveTheMeanOfThePrior) {
  CorpusBuilder builder(model_.words());
  builder.add("zebra");
  builder.end_document({});
  PredictOptions options;
  options.format = MixtureFormat::kJson;
  PredictCounts counts;
  const Value record =
      parse_json(predicted(builder.finish(TextOptions()), options, &counts)).value();
  EXPECT_EQ(record.at("id"), "1");
  EXPECT_TRUE(record.at("label").is_null());
  const LdaModel& lda = model_.lda();
  EXPECT_NEAR(record.at("mixture").at(0).get<double>(), lda.alpha()[0] / lda.alpha_sum(), 1e-12);
  EXPECT_EQ(counts.empty, 1U);
  EXPECT_EQ(counts.unseen, 1U);
  EXPECT_FALSE(counts.to_text().empty());
}

TEST_F(TopicsOutput, DocumentsOfOtherWordsAreRefused) {
  CorpusBuilder builder{VocabularyOptions{}};
  builder.add("zebra");
  builder.end_document({});
  const Corpus other = builder.finish(TextOptions());
  EXPECT_THROW(predicted(other, {}), UsageError);
  EXPECT_THROW(evaluate(model_, other), UsageError);
}

TEST_F(TopicsOutput, FilesAreReadAsAStream) {
  const trellis::testing::TemporaryDirectory folder;
  const std::string path = folder.make("notes.tsv", "a\tsea\tThe boat and the tide\nb\tx\tOven\n");
  const auto found = [&](const std::string& file, bool at_once) {
    PredictOptions options;
    options.at_once = at_once;
    OutputFile out(folder.file("out"));
    const PredictCounts counts = predict(model_, CorpusFiles{{file}, {}}, options, out);
    EXPECT_EQ(counts.documents, 2U);
    EXPECT_EQ(counts.words, 3U);
    EXPECT_EQ(counts.unseen, 3U);  // this model has no stop words: the, and, the
    out.commit();
    return read_file(folder.file("out"));
  };
  const std::string text = found(path, false);
  EXPECT_EQ(text.substr(0, 2), "a\t");
  EXPECT_EQ(found(path, true), text);
  // A corpus that was written before gives the same.
  read_corpus({path}, {}, model_.text()).write(folder.file("corpus"));
  EXPECT_EQ(found(folder.file("corpus"), false), text);
}

TEST_F(TopicsOutput, EvaluationKnowsGoodTopicsFromBadOnes) {
  const Corpus other = two_subjects(30, 5);
  TrainOptions one_topic = few_sweeps();
  one_topic.learner.lda.topics = 1;
  const TopicModel bad = *train(corpus_, nullptr, one_topic).model;
  for (const Estimator estimator : {Estimator::kParticleFilter, Estimator::kLeftToRight}) {
    EvaluateOptions options;
    options.estimator = estimator;
    options.coherent_words = 5;
    const Evaluation good = evaluate(model_, other, options);
    EXPECT_NEAR(good.perplexity, std::exp(-good.log_likelihood), 1e-9);
    EXPECT_LT(good.perplexity, evaluate(bad, other, options).perplexity);
    EXPECT_GT(good.coherence_npmi, evaluate(bad, other, options).coherence_npmi);
    EXPECT_EQ(good.topic_npmi.size(), 2U);
    const Value record = good.record();
    EXPECT_EQ(record.at("tokens"), 240);
    EXPECT_EQ(record.at("perplexity"), good.perplexity);
  }
}

TEST_F(TopicsOutput, ADocumentOfNothingHasNoLikelihoodToLose) {
  CorpusBuilder builder(model_.words());
  builder.end_document({});
  const Evaluation found = evaluate(model_, builder.finish(TextOptions()));
  EXPECT_EQ(found.tokens, 0U);
  EXPECT_EQ(found.perplexity, 1);
  EXPECT_TRUE(parse_json(to_json(found.record())).value().at("coherence_npmi").is_null());
}

TEST_F(TopicsOutput, TablesHaveTheWordsAndTheirProbabilities) {
  InspectOptions options;
  options.format = TableFormat::kJson;
  options.top = 10;
  const Value record = parse_json(inspect(model_, "m", options)).value();
  ASSERT_EQ(record.at("topics").size(), 2U);
  double shares = 0;
  for (const Value& topic : record.at("topics").items()) {
    shares += topic.at("prevalence").get<double>();
    double all = 0, before = 1;
    for (const Value& word : topic.at("words").items()) {
      EXPECT_LE(word.at("probability").get<double>(), before);
      before = word.at("probability").get<double>();
      all += before;
    }
    EXPECT_NEAR(all, 1, 1e-9);  // all ten words
  }
  EXPECT_NEAR(shares, 1, 1e-12);
  EXPECT_GE(record.at("topics").at(0).at("prevalence").get<double>(),
            record.at("topics").at(1).at("prevalence").get<double>());
  options.order = TopicOrder::kNumber;
  const Value by_number = parse_json(inspect(model_, "m", options)).value();
  EXPECT_EQ(by_number.at("topics").at(0).at("topic"), 0);
  options.format = TableFormat::kCsv;
  const std::string csv = inspect(model_, "m", options);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "topic,prevalence,alpha,rank,word,probability,count");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 21);
}

}  // namespace
}  // namespace trellis::topics::output_test
