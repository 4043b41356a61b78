#include "trellis/tasks/topics/page/topics_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stop_token>
#include <string>

#include "tests/tasks/topics/small_topics.h"
#include "tests/well_formed.h"
#include "trellis/tasks/topics/document_inference.h"

namespace trellis::report::topics_page_test {
namespace {

struct Known {
  topics::Corpus corpus = topics::testing::two_subjects();
  topics::Trained trained =
      topics::train(corpus, nullptr, topics::testing::few_sweeps(), nullptr, {});
  const topics::TopicModel& model() const { return *trained.model; }
};

const Known& known() {
  static const Known made;
  return made;
}

TopicsPageOptions quick() {
  TopicsPageOptions options;
  options.map_iterations = 20;
  options.threads = 1;
  return options;
}

TEST(TopicsPage, HasTheTopicsOfTheModel) {
  const TopicsReport page = model_page(known().model(), "A model", quick(), {});
  ASSERT_EQ(page.topics.size(), 2U);
  EXPECT_EQ(page.topics[0].name, "0");  // as inspect calls it
  EXPECT_EQ(page.topics[1].group, "");
  EXPECT_NEAR(page.topics[0].prevalence + page.topics[1].prevalence, 1, 1e-12);
  double used = 0;
  for (const ReportedWord& word : page.topics[0].words) used += word.overall;
  EXPECT_GT(used, 0.4);
  EXPECT_FALSE(page.options.empty());
}

TEST(TopicsPage, TellsTrainingAndEvaluation) {
  TopicsReport page = model_page(known().model(), "A model", quick(), {});
  add_training(known().trained.result, page);
  ASSERT_EQ(page.sweeps.size(), 4U);
  EXPECT_EQ(page.sweeps[3].log_likelihood, -known().trained.result.looks[3].loss);
  EXPECT_TRUE(std::isfinite(page.sweeps[0].coherence));
  EXPECT_TRUE(std::isnan(page.sweeps[0].held_out));
  EXPECT_EQ(page.sweeps[3].coherence, known().trained.result.coherence_npmi);
  EXPECT_EQ(page.topics[1].coherence, known().trained.result.topic_npmi[1]);

  TopicsReport other = model_page(known().model(), "A model", quick(), {});
  const topics::Evaluation found = topics::evaluate(known().model(), known().corpus);
  add_evaluation(found, "notes", other);
  EXPECT_EQ(other.topics[0].coherence, found.topic_npmi[0]);
  EXPECT_EQ(other.subtitle.rfind("notes", 0), 0U);
}

TEST(TopicsPage, AMapHasTheDocumentsThatAreAskedFor) {
  for (const auto& [wanted, expected] :
       {std::pair<Index, Index>{100, 40}, {40, 40}, {7, 7}, {0, 0}}) {
    TopicsPageOptions options = quick();
    options.map_documents = wanted;
    TopicsReport page = model_page(known().model(), "A model", options, {});
    add_documents(known().model(), known().corpus, options, {}, page);
    ASSERT_EQ(page.documents.size(), expected);
    std::set<std::string> titles;
    for (const ReportedDocument& document : page.documents) titles.insert(document.title);
    EXPECT_EQ(titles.size(), expected);
    EXPECT_TRUE(expected == 0 || page.documents[0].title == "d0");
    EXPECT_EQ(find_markup_fault(topics_report(page)), "");
  }
}

TEST(TopicsPage, ADocumentHasItsClassAndTheTopicThatItHasMostOf) {
  TopicsReport page = model_page(known().model(), "A model", quick(), {});
  add_documents(known().model(), known().corpus, quick(), {}, page);
  const std::vector<Index> all = {0, 1, 2, 3};
  const auto mixtures =
      topics::infer_mixtures(known().model(), known().corpus.documents(), all, {}, 2);
  for (const Index d : all) {
    EXPECT_EQ(page.documents[d].topic, mixtures[2 * d + 1] > mixtures[2 * d] ? 1U : 0U);
    EXPECT_EQ(page.documents[d].label, known().corpus.labels()[d]);
  }
  EXPECT_EQ(page.classes, (std::vector<std::string>{"sea", "kitchen"}));
}

TEST(TopicsPage, EndsWhenItIsTold) {
  std::stop_source stop;
  TrainEvents events;
  events.stop = stop.get_token();
  Index iterations = 0;
  events.on_progress = [&](const std::string& message) {
    if (message.find("iteration") != std::string::npos && ++iterations == 3) stop.request_stop();
  };
  TopicsReport page = model_page(known().model(), "A model", quick(), events);
  add_documents(known().model(), known().corpus, quick(), events, page);
  EXPECT_EQ(iterations, 3U);
}

TEST(TopicsPage, TheSameBytesForAnyNumberOfThreads) {
  std::string pages[2];
  for (int t = 0; t < 2; ++t) {
    TopicsPageOptions options = quick();
    options.threads = t + 1;
    TopicsReport page = model_page(known().model(), "A model", options, {});
    add_training(known().trained.result, page);
    add_documents(known().model(), known().corpus, options, {}, page);
    pages[t] = topics_report(page);
  }
  EXPECT_EQ(pages[0], pages[1]);
}

}  // namespace
}  // namespace trellis::report::topics_page_test
