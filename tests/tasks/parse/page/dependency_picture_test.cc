#include "trellis/tasks/parse/page/dependency_picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/well_formed.h"
#include "trellis/base/random.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"

namespace trellis::report::dependency_picture_test {
namespace {

struct Arc {
  std::uint32_t head;
  std::string label;
};

parse::Sentence sentence(const std::vector<std::string>& forms, const std::vector<Arc>& arcs) {
  parse::Sentence out;
  for (Index i = 0; i < forms.size(); ++i) {
    parse::Word word;
    word.form = forms[i];
    word.coarse = "NOUN";
    word.head = arcs[i].head;
    word.label = arcs[i].label;
    out.words.push_back(word);
  }
  return out;
}

// Word 1 is right, 2 right from the root, 3 has a wrong label and 4 a wrong head.
DependencyPicture small_picture() {
  DependencyPicture picture;
  picture.name = "line 7";
  const std::vector<std::string> forms = {"She", "saw", "him", "here"};
  picture.system = sentence(forms, {{2, "nsubj"}, {0, "root"}, {2, "iobj"}, {3, "nmod"}});
  picture.gold = sentence(forms, {{2, "nsubj"}, {0, "root"}, {2, "obj"}, {2, "advmod"}});
  picture.probabilities = {0.9, 1, 0.5, 0.25};
  return picture;
}

std::string drawn(const DependencyPicture& picture) {
  const std::string markup = dependency_picture(picture).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_EQ(markup.find("nan"), std::string::npos);
  EXPECT_EQ(markup.find("inf"), std::string::npos);
  return markup;
}

int lines(const std::string& markup, const std::string& style) {
  return count_of(markup, "<g class=\"arc " + style + "\"");
}

double width_of(const std::string& markup) {
  return std::stod(markup.substr(markup.find(" width=\"", markup.find("role=\"img\"")) + 8));
}

parse::Sentence random_heads(Index words, Random& random) {
  parse::Sentence out;
  for (std::uint32_t m = 1; m <= words; ++m) {
    parse::Word word;
    word.form = fmt::format("w{}", m);
    do {
      word.head = static_cast<std::uint32_t>(random.below(words + 1));
    } while (word.head == m);
    word.label = random.uniform() < 0.5 ? "a" : "b";
    out.words.push_back(word);
  }
  return out;
}

TEST(DependencyPicture, JudgesEachArc) {
  using enum ArcVerdict;
  const std::vector<TreeArc> arcs = tree_arcs(small_picture());
  const std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, ArcVerdict>> expected = {
      {{2, 1}, kRight},     {{0, 2}, kRight},  {{2, 3}, kWrongLabel},
      {{3, 4}, kWrongHead}, {{2, 4}, kMissed},
  };
  ASSERT_EQ(arcs.size(), expected.size());
  for (Index k = 0; k < arcs.size(); ++k) {
    EXPECT_EQ(arcs[k].head, expected[k].first.first) << k;
    EXPECT_EQ(arcs[k].modifier, expected[k].first.second) << k;
    EXPECT_EQ(arcs[k].verdict, expected[k].second) << k;
  }
}

// Verdicts and scores are two tellings of one thing.
TEST(DependencyPicture, VerdictsAddUpToTheScores) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Index words = 1 + random.below(12);
    DependencyPicture picture{"", random_heads(words, random), random_heads(words, random), {}};
    parse::AttachmentCounts counts;
    Index missed = 0;
    for (const TreeArc& arc : tree_arcs(picture)) {
      if (arc.verdict == ArcVerdict::kMissed) {
        ++missed;
        continue;
      }
      ++counts.words;
      counts.heads += arc.verdict != ArcVerdict::kWrongHead ? 1 : 0;
      counts.both += arc.verdict == ArcVerdict::kRight ? 1 : 0;
    }
    const auto expected =
        parse::attachment_counts(*picture.gold, picture.system, parse::Punctuation::kScored);
    EXPECT_EQ(counts.words, expected.words);
    EXPECT_EQ(counts.heads, expected.heads);
    EXPECT_EQ(counts.both, expected.both);
    EXPECT_EQ(missed, expected.words - expected.heads);
  }
}

TEST(DependencyPicture, ArcsStandAboveThoseTheySpanAndBesideThoseTheyCross) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Index words = 1 + random.below(20);
    const DependencyPicture picture{
        "", random_heads(words, random), random_heads(words, random), {}};
    const std::vector<TreeArc> arcs = tree_arcs(picture);
    for (const TreeArc& a : arcs) {
      EXPECT_GE(a.level, 1);
      for (const TreeArc& b : arcs) {
        if (&a == &b) continue;
        if (a.head == 0) {
          EXPECT_TRUE(b.head == 0 ? a.level == b.level : a.level > b.level);
          continue;
        }
        if (b.head == 0) continue;
        const bool overlap = a.left() < b.right() && b.left() < a.right();
        if (overlap) {
          EXPECT_NE(a.level, b.level);
        }
        const bool inside = a.left() <= b.left() && b.right() <= a.right();
        if (inside && a.right() - a.left() > b.right() - b.left()) {
          EXPECT_GT(a.level, b.level);
        }
      }
    }
  }
}

// A chain of arcs between neighbours, however long, is one row of arcs.
TEST(DependencyPicture, NeighboursNeedNoHeight) {
  DependencyPicture picture;
  for (std::uint32_t m = 1; m <= 30; ++m) {
    parse::Word word;
    word.form = "w";
    word.head = m - 1;
    picture.system.words.push_back(word);
  }
  for (const TreeArc& arc : tree_arcs(picture)) EXPECT_EQ(arc.level, arc.head == 0 ? 2 : 1);
}

TEST(DependencyPicture, DrawsWhatIsRightAndWhatIsWrong) {
  const std::string markup = drawn(small_picture());
  EXPECT_EQ(lines(markup, "sound"), 2);
  EXPECT_EQ(lines(markup, "misnamed"), 1);
  EXPECT_EQ(lines(markup, "stray"), 1);
  EXPECT_EQ(lines(markup, "lost"), 1);
  const std::string text = visible_text(markup);
  for (const char* words : {"line 7: 4 words, 1 wrong head, 1 wrong label",
                            "saw → She, nsubj: correct; probability 0.900",
                            "root → saw, root: correct; probability 1.000",
                            "saw → him, iobj: wrong label, gold is obj; probability 0.500",
                            "him → here, nmod: wrong head; probability 0.250",
                            "saw → here, advmod: missed", "✗ nmod", "iobj ≠ obj"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
}

TEST(DependencyPicture, WithoutGoldNothingIsWrong) {
  DependencyPicture picture = small_picture();
  picture.gold.reset();
  picture.probabilities.clear();
  const std::string markup = drawn(picture);
  EXPECT_EQ(lines(markup, "sound"), 4);
  for (const char* style : {"misnamed", "stray", "lost"}) EXPECT_EQ(lines(markup, style), 0);
  const std::string text = visible_text(markup);
  EXPECT_NE(text.find("saw → him, iobj: found"), std::string::npos);
  EXPECT_EQ(text.find("probability"), std::string::npos);
}

TEST(DependencyPicture, LikelyArcsAreDrawnMoreStrongly) {
  DependencyPicture picture = small_picture();
  picture.gold.reset();
  double last = 0;
  for (const double p : {-1.0, 0.0, 0.3, 1.0, 2.0}) {
    picture.probabilities.assign(4, p);
    const std::string markup = drawn(picture);
    const double opacity = std::stod(markup.substr(markup.find("opacity=\"") + 9));
    EXPECT_GE(opacity, std::max(last, 0.2));
    EXPECT_LE(opacity, 1);
    last = opacity;
  }
  EXPECT_EQ(last, 1);
}

TEST(DependencyPicture, WrongTagsAreTold) {
  DependencyPicture picture = small_picture();
  picture.gold->words[1].coarse = "VERB";
  const std::string markup = drawn(picture);
  EXPECT_EQ(count_of(markup, "class=\"pos stray\""), 1);
  EXPECT_NE(visible_text(markup).find("NOUN ≠ VERB"), std::string::npos);
}

// An arc's label has its own width between the words, so that labels of a row never overlap.
TEST(DependencyPicture, LongLabelsMakeRoom) {
  DependencyPicture picture = small_picture();
  const double before = width_of(drawn(picture));
  picture.gold->words[0].label = picture.system.words[0].label = "nsubj:passive";
  EXPECT_GT(width_of(drawn(picture)), before + 20);
}

// Labels of root arcs stand above their arcs, which need not be in the middle of the word.
TEST(DependencyPicture, EveryLabelIsInside) {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Index words = 1 + random.below(6);
    DependencyPicture picture{"", random_heads(words, random), random_heads(words, random), {}};
    for (parse::Word& word : picture.system.words) word.label = "parataxis:root";
    const std::string markup = drawn(picture);
    const double width = width_of(markup);
    std::size_t at = 0;
    while ((at = markup.find("class=\"ground\" x=\"", at)) != std::string::npos) {
      const double x = std::stod(markup.substr(at + 18));
      const double extent = std::stod(markup.substr(markup.find(" width=\"", at) + 8));
      EXPECT_GE(x, 0);
      EXPECT_LE(x + extent, width);
      ++at;
    }
  }
}

TEST(DependencyPicture, VeryLongSentencesAreCutAndThatIsStated) {
  Random random(3);
  DependencyPicture picture;
  picture.system = random_heads(4000, random);
  picture.system.words[3].head = 3999;  // leads out of what is shown
  const std::string markup = drawn(picture);
  EXPECT_EQ(count_of(markup, "class=\"form\""), static_cast<int>(kMaxTreeWords));
  EXPECT_LE(count_of(markup, "<g class=\"arc"), static_cast<int>(kMaxTreeWords) - 1);
  EXPECT_NE(visible_text(markup).find("The first 150 of 4\u202F000 words"), std::string::npos);
}

TEST(DependencyPicture, LongWordsAreCutAndShownWholeInTheirTitle) {
  DependencyPicture picture = small_picture();
  const std::string word(3000, 'w');
  picture.system.words[0].form = picture.gold->words[0].form = word;
  picture.system.words[2].label = picture.gold->words[2].label = word;
  const std::string markup = drawn(picture);
  EXPECT_LE(width_of(markup), 900);
  EXPECT_NE(markup.find("<title>1 " + word + "</title>"), std::string::npos);
  EXPECT_NE(markup.find("www…</text>"), std::string::npos);
}

TEST(DependencyPicture, EverythingIsEscaped) {
  DependencyPicture picture = small_picture();
  const std::string evil = "</title><script>\"&";
  picture.name = evil;
  for (parse::Sentence* tree : {&picture.system, &*picture.gold}) {
    for (parse::Word& word : tree->words) word.form = word.coarse = word.fine = word.label = evil;
  }
  picture.system.words[2].label = evil + "x";
  const std::string markup = drawn(picture);
  EXPECT_EQ(markup.find("<script"), std::string::npos);
  EXPECT_EQ(count_of(markup, "</svg>"), 1);
}

TEST(DependencyPicture, WordsFromTheRightAreIsolated) {
  DependencyPicture picture = small_picture();
  picture.system.words[0].form = picture.gold->words[0].form = "ميناء";
  const std::string markup = drawn(picture);
  EXPECT_NE(markup.find(">\u2068ميناء\u2069</text>"), std::string::npos);
  EXPECT_NE(markup.find("saw → \u2068ميناء\u2069, nsubj: correct"), std::string::npos);
}

TEST(DependencyPicture, AWordWithoutAHeadHasNoArc) {
  DependencyPicture picture = small_picture();
  picture.gold.reset();
  for (parse::Word& word : picture.system.words) word.head = parse::kNoHead;
  EXPECT_TRUE(tree_arcs(picture).empty());
  EXPECT_EQ(count_of(drawn(picture), "<g class=\"arc"), 0);
}

TEST(DependencyPicture, TheLegendDrawsWhatThePicturesDo) {
  const std::string with = dependency_legend(true).markup();
  EXPECT_EQ(find_markup_fault(with), "");
  for (const char* style : {"sound", "misnamed", "stray", "lost"}) EXPECT_EQ(lines(with, style), 1);
  const std::string without = dependency_legend(false).markup();
  EXPECT_EQ(find_markup_fault(without), "");
  EXPECT_EQ(count_of(without, "<li>"), 1);
}

}  // namespace
}  // namespace trellis::report::dependency_picture_test
