#include "trellis/tasks/align/page/align_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::align_report_test {
namespace {

constexpr const char* kEvil = "</td><script>";

AlignReport full_report() {
  AlignReport report;
  report.title = "Training of m";
  report.options = {{"aligner", "hmm"}};
  report.iterations = {{"model1", 1, -6, -7, 40, 0.5},
                       {"model1", 2, -5, -6, 30, 1},
                       {"hmm", 3, -4, -5.5, 20, 2},
                       {"hmm", 4, -3.5, -5, 12.5, 3}};
  report.evaluated_on = "dev.en";
  const align::GoldLinks gold{{{0, 0}}, {{0, 0}, {1, 1}}, {}};
  report.scores.add(Links{{0, 0}, {1, 0}}, gold);
  report.scores.add(Links{{0, 0}}, gold);
  report.pair_names = {"line 1", "line 2"};
  AlignmentGrid grid;
  grid.name = "line 1";
  grid.source = {kEvil, "b"};
  grid.target = {"x", kEvil};
  grid.found = {{{0, 0}, 0.9}, {{1, 0}, 0.6}};
  grid.gold = gold;
  report.grids = {grid};
  report.source_errors = {{kEvil, 4, 1, 5, 2}};
  report.target_errors = {{"x", 3, 2, 1, 0}};
  report.lexicon = {{kEvil, "maison", 0.75, 0.5}};
  report.source_alone = {{"do", 0.25}};
  report.target_alone = {{kEvil, 0.125}};
  report.source_fertile = {{kEvil, 2.125, 0.0625, 0.375}};
  report.target_fertile = {{"ne", 1, 0, 1}};
  report.forward_jumps = {{-1, 0.1}, {0, 0.2}, {1, 0.6}};
  report.reverse_jumps = {{-1, 0.2}, {0, 0.1}, {1, 0.6}};
  return report;
}

std::string checked(const AlignReport& report) {
  const std::string html = align_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  for (const char* reference : {"http:", "https:", "src=", "<script", "<link", "url(", "@import"}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
  return html;
}

TEST(AlignReport, ShowsAllThatItWasGiven) {
  const std::string text = visible_text(checked(full_report()));
  for (const char* word : {"Training of m",
                           "On dev.en",
                           "AER",
                           "Precision",
                           "Without mistakes",
                           "Perplexity",
                           "33.12",
                           "Log-likelihood per word",
                           "iteration 3, hmm, target given source −4",
                           "AER on the dev set",
                           "All iterations",
                           "Sentence pairs",
                           "found, but wrong",
                           "Words with the most mistakes",
                           "Scores by pair",
                           "Strongest translations",
                           "maison",
                           "0.7500",
                           "Jumps",
                           "distance 1, target given source 0.6",
                           "Words aligned to nothing",
                           "0.1250",
                           "Fertilities",
                           "0.0625",
                           kEvil}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(AlignReport, LeavesOutWhatIsEmpty) {
  AlignReport report;
  report.title = "A model";
  const std::string text = visible_text(checked(report));
  for (const char* word : {"AER", "Perplexity", "Training", "Sentence pairs", "mistakes", "Scores",
                           "translations", "Jumps", "nothing", "Fertilities", "Options"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(AlignReport, TellsTheStagesApart) {
  const std::string html = checked(full_report());
  EXPECT_EQ(count_of(html, "class=\"border\""), 2);  // of the likelihood, and of the AER
  EXPECT_EQ(count_of(html, "class=\"part\""), 4);
  // The likelihood of another model is another curve: two for each direction, and one of the AER.
  EXPECT_EQ(count_of(html, "<path class=\"line\""), 2 * 2 + 1 + 2 /* the legend */);
}

TEST(AlignReport, IterationsWithoutDevHaveNoAer) {
  AlignReport report = full_report();
  for (align::Iteration& one : report.iterations) one.aer = std::nan("");
  const std::string html = checked(report);
  EXPECT_EQ(visible_text(html).find("AER on the dev set"), std::string::npos);
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST(AlignReport, TheSameDataGiveTheSameBytes) {
  EXPECT_EQ(align_report(full_report()), align_report(full_report()));
}

align::SentencePair pair_of(std::string_view source, std::string_view target, Index line) {
  align::SentencePair pair;
  pair.assign(source, target, line);
  return pair;
}

align::LabelledPairs small_gold() {
  align::LabelledPairs labelled;
  align::GoldPairs& gold = labelled.gold;
  gold.pairs.push_back(pair_of("the house", "das haus", 1));
  gold.pairs.push_back(pair_of("a <book>", "ein <buch>", 2));
  gold.pairs.push_back(pair_of("", "", 3));
  gold.links = {
      {{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {}}, {{{0, 1}, {1, 0}}, {{0, 1}, {1, 0}}, {}}, {}};
  labelled.extras.resize(3);
  return labelled;
}

align::Trained trained_on(const align::GoldPairs& pairs) {
  align::Vocabularies words;
  Bitext bitext;
  std::vector<WordId> source, target;
  const auto add = [&](const align::SentencePair& pair) {
    words.add(pair.source(), pair.target(), source, target);
    bitext.add(source, target);
  };
  add(pair_of("the book", "das <buch>", 1));
  for (const align::SentencePair& pair : pairs.pairs) add(pair);
  align::TrainOptions options;
  options.threads = 1;
  return align::train(bitext, std::move(words), &pairs, options);
}

TEST(AlignReport, IsMadeOfATrainingAndAnEvaluation) {
  const align::LabelledPairs gold = small_gold();
  const align::Trained trained = trained_on(gold.gold);
  ASSERT_TRUE(trained.model);
  const align::AlignModel& model = *trained.model;
  AlignReport page = model_page(align::PairAligner(model), "Training of m");
  add_training(trained.result, page);
  add_lexicon(model, 10, "", page);
  add_evaluation(align::PairAligner(model), gold, "dev.en", 1, page);
  ASSERT_EQ(page.grids.size(), 3U);
  EXPECT_EQ(page.grids.front().name, "line 2");  // whose gold links are perverse
  EXPECT_EQ(page.scores.pairs().size(), 3U);
  EXPECT_EQ(page.iterations.size(), trained.result.iterations.size());
  EXPECT_FALSE(page.lexicon.empty());
  EXPECT_FALSE(page.forward_jumps.empty());
  const std::string html = checked(page);
  for (const char* word : {"4 sentence pairs", "<buch>", "product", "model1", "hmm"}) {
    EXPECT_NE(visible_text(html).find(word), std::string::npos) << word;
  }
}

TEST(AlignReport, OfAWordShowsItsTranslationsAlone) {
  const align::Trained trained = trained_on(small_gold().gold);
  ASSERT_TRUE(trained.model);
  AlignReport page = model_page(align::PairAligner(*trained.model), "The model m");
  add_lexicon(*trained.model, 10, "house", page);
  EXPECT_FALSE(page.lexicon.empty());
  for (const align::Translation& one : page.lexicon) EXPECT_EQ(one.source, "house");
  EXPECT_TRUE(page.source_alone.empty());
  EXPECT_TRUE(page.forward_jumps.empty());
}

TEST(AlignReport, NewPairsAreDrawnWithoutGoldUpToALimit) {
  const align::LabelledPairs gold = small_gold();
  const align::Trained trained = trained_on(gold.gold);
  ASSERT_TRUE(trained.model);
  const align::AlignModel& model = *trained.model;
  AlignReport page = model_page(align::PairAligner(model), "Links by m");
  const auto found = align::align_all(align::PairAligner(model), gold, 1);
  for (Index k = 0; k < kMaxPairsInReport + 3; ++k) {
    add_pair(align::PairAligner(model), gold.gold.pairs[k % 2], found[k % 2], page);
  }
  EXPECT_EQ(page.grids.size(), kMaxPairsInReport);
  const std::string html = checked(page);
  EXPECT_EQ(visible_text(html).find("missed"), std::string::npos);
  // What is found is told with the probability that it has among all cells.
  for (const AlignmentGrid& grid : page.grids) {
    for (const ScoredLink& one : grid.found) {
      EXPECT_NE(std::find(grid.cells.begin(), grid.cells.end(), one), grid.cells.end());
    }
  }
}

}  // namespace
}  // namespace trellis::report::align_report_test
