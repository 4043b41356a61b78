#include "trellis/tasks/parse/page/parse_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/well_formed.h"
#include "trellis/tasks/parse/page/tree_album.h"

namespace trellis::report::parse_report_test {
namespace {

constexpr const char* kEvil = "</td><script>";

// A chain of `words` words, whose first `wrong` ones have another label in `system`.
struct Pair {
  parse::Sentence gold;
  parse::Sentence system;
};
Pair chain(Index words, Index wrong, Index line) {
  Pair pair;
  pair.gold.line = line;
  for (std::uint32_t m = 1; m <= words; ++m) {
    parse::Word word;
    word.form = m == words ? "." : fmt::format("w{}", m);
    word.coarse = m == words ? "PUNCT" : "NOUN";
    word.head = m - 1;
    word.label = m == 1 ? "root" : "dep";
    pair.gold.words.push_back(word);
  }
  pair.gold.comments = {"# sent_id = s" + std::to_string(line), "# text = …"};
  pair.system = pair.gold;
  for (Index i = 0; i < wrong; ++i) pair.system.words[i].label = "conj";
  return pair;
}

ParseReport full_report() {
  ParseReport report;
  report.title = "Evaluation of m";
  report.options = {{"learner", "dca"}};
  report.history = {{1, 2, 1, 1, 70, 0.5, 2}, {2, 1.5, 1.2, 0.3, 80, 1, 1.5}};
  report.evaluated_on = "dev.conllu";
  const auto add = [&](Pair pair, const std::vector<double>& probabilities) {
    report.scores.add(pair.gold, pair.system);
    report.trees.add(pair.gold, pair.system, probabilities);
  };
  add(chain(3, 0, 1), {0.5, 0.5, 0.5});
  Pair evil = chain(12, 3, 8);
  for (Index i = 0; i < 6; ++i) {
    evil.gold.words[i].form = evil.system.words[i].form = kEvil;
    evil.gold.words[i].coarse = evil.gold.words[i].label = kEvil;
  }
  add(evil, std::vector<double>(12, 0.25));
  Pair turned = chain(4, 0, 30);
  turned.system.words[3].head = 1;
  add(turned, {1, 1, 1, 1});
  return report;
}

std::string checked(const ParseReport& report) {
  const std::string html = parse_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  for (const char* reference : {"http:", "https:", "src=", "<script", "<link", "url(", "@import"}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
  return html;
}

TEST(ParseReport, ShowsAllThatItWasGiven) {
  const std::string text = visible_text(checked(full_report()));
  for (const char* word : {"Evaluation of m",
                           "On dev.conllu",
                           "UAS",
                           "LAS",
                           "18 of 19 words",
                           "16 of 16 words, without punctuation",
                           "Correct trees",
                           "2 of 3 sentences; 1 with all labels",
                           "Tags",
                           "13 of 19 coarse parts of speech",
                           "Options",
                           "Training",
                           "Scores by label",
                           "Scores by distance",
                           "3 to 6 words",
                           "to the left",
                           "Scores by part of speech",
                           "PUNCT",
                           "Scores by length of the sentence",
                           "Confusion",
                           "Trees",
                           "The hardest",
                           "line 8, s8: 12 words, 6 wrong labels",
                           "line 30, s30: 4 words, 1 wrong head",
                           "drawn at random",
                           "line 1, s1: 3 words, all correct",
                           "the higher its probability",
                           kEvil}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(ParseReport, LeavesOutWhatIsEmpty) {
  ParseReport report;
  report.title = "A model";
  const std::string text = visible_text(checked(report));
  for (const char* word :
       {"UAS", "Training", "Scores", "Confusion", "Trees", "Options", "Tags", "hardest"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(ParseReport, TreesWithoutAMistakeAreNotHard) {
  ParseReport report;
  const Pair pair = chain(3, 0, 1);
  report.scores.add(pair.gold, pair.system);
  report.trees.add(pair.gold, pair.system);
  const std::string text = visible_text(checked(report));
  EXPECT_EQ(text.find("hardest"), std::string::npos);
  EXPECT_EQ(text.find("more likely"), std::string::npos);
  EXPECT_EQ(text.find("coarse parts of speech"), std::string::npos);
  EXPECT_NE(text.find("line 1, s1: 3 words, all correct"), std::string::npos);
}

TEST(ParseReport, TheSameDataGiveTheSameBytes) {
  EXPECT_EQ(parse_report(full_report()), parse_report(full_report()));
}

std::vector<std::string> names(const std::vector<DependencyPicture>& pictures) {
  std::vector<std::string> out;
  for (const DependencyPicture& one : pictures) out.push_back(one.name);
  return out;
}

TEST(TreeAlbum, TheHardestComeFirst) {
  TreeAlbum album;
  // Shares of wrong words: 1/1, 6/10, 8/40, 0, 2/4, 6/10.
  const std::vector<std::pair<Index, Index>> shapes = {{1, 1},  {10, 6}, {40, 8},
                                                       {20, 0}, {4, 2},  {10, 6}};
  for (Index k = 0; k < shapes.size(); ++k) {
    const Pair pair = chain(shapes[k].first, shapes[k].second, k);
    album.add(pair.gold, pair.system);
  }
  EXPECT_EQ(names(album.hardest()),
            (std::vector<std::string>{"line 1, s1", "line 5, s5", "line 4, s4", "line 2, s2",
                                      "line 0, s0"}));
  EXPECT_EQ(names(album.sample()), std::vector<std::string>{"line 3, s3"});
}

TEST(TreeAlbum, KeepsFewOfManySentences) {
  TreeAlbum album;
  constexpr Index kMany = 1000;
  for (Index k = 0; k < kMany; ++k) {
    const Pair pair = chain(10, k * 37 % 11, k);
    album.add(pair.gold, pair.system);
  }
  EXPECT_EQ(album.num_sentences(), kMany);
  const auto hardest = album.hardest(), sample = album.sample();
  ASSERT_EQ(hardest.size(), TreeAlbum::kHardest);
  ASSERT_EQ(sample.size(), TreeAlbum::kSampled);
  std::set<Index> shown;
  for (const DependencyPicture& one : hardest) {
    EXPECT_EQ(one.gold->line * 37 % 11, 10);  // all words wrong
    shown.insert(one.gold->line);
  }
  for (Index k = 0; k < sample.size(); ++k) {
    if (k > 0) {
      EXPECT_LT(sample[k - 1].gold->line, sample[k].gold->line);
    }
    EXPECT_TRUE(shown.insert(sample[k].gold->line).second) << "shown twice";
  }
  EXPECT_GT(sample.back().gold->line, kMany / 2);  // from all of the file
  EXPECT_LT(sample.front().gold->line, kMany / 2);
}

TEST(TreeAlbum, CountsByLengthAndLabel) {
  TreeAlbum album;
  for (const Index words : {1, 5, 6, 23}) {
    const Pair pair = chain(words, 1, 1);
    album.add(pair.gold, pair.system);
  }
  ASSERT_EQ(album.by_length().size(), 3U);
  EXPECT_EQ(album.by_length().at(1).words, 6U);
  EXPECT_EQ(album.by_length().at(2).words, 6U);
  EXPECT_EQ(album.by_length().at(5).both, 22U);
  const ConfusionMatrix confusion = album.label_confusion();
  EXPECT_EQ(confusion.labels, (std::vector<std::string>{"conj", "dep", "root"}));
  EXPECT_EQ(confusion.counts, (std::vector<Index>{0, 0, 0, 0, 31, 0, 4, 0, 0}));
}

}  // namespace
}  // namespace trellis::report::parse_report_test
