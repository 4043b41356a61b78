#include "trellis/tasks/align/model/text_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/tasks/align/inspect.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align::text_statistics_test {
namespace {

using trellis::testing::TemporaryDirectory;

constexpr auto kKey = BigramPatterns::key;

TEST(BigramPatterns, FindsWhatItHas) {
  std::vector<float> shares(3 * BigramPatterns::kShares);
  for (Index x = 0; x < shares.size(); ++x) shares[x] = static_cast<float>(x) / 100;
  const BigramPatterns patterns({kKey(0, 7), kKey(2, 1), kKey(2, 3)}, shares);
  EXPECT_EQ(patterns.find(2, 1).size(), BigramPatterns::kShares);
  EXPECT_EQ(patterns.find(2, 1).front(), shares[9]);
  EXPECT_EQ(patterns.find(2, 3).back(), shares[26]);
  EXPECT_TRUE(patterns.find(1, 2).empty());
  EXPECT_TRUE(patterns.find(7, 0).empty());
  EXPECT_TRUE(patterns.find(kUnknownWord, 0).empty());
  EXPECT_TRUE(BigramPatterns().find(0, 0).empty());
}

TEST(BigramPatterns, RefusesWhatDoesNotGoTogether) {
  const std::vector<float> shares(18, 0.5F);
  EXPECT_NO_THROW(BigramPatterns({1, 2}, shares));
  EXPECT_THROW(BigramPatterns({2, 1}, shares), UsageError);
  EXPECT_THROW(BigramPatterns({1, 1}, shares), UsageError);
  EXPECT_THROW(BigramPatterns({1}, shares), UsageError);
  EXPECT_THROW(BigramPatterns({1, 2, 3}, shares), UsageError);
  for (const float wrong : {-0.1F, 1.1F, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    std::vector<float> changed = shares;
    changed[7] = wrong;
    EXPECT_THROW(BigramPatterns({1, 2}, changed), UsageError);
  }
}

// Of two source words, one target word and one entry.
TextStatistics small() {
  TextStatistics statistics;
  statistics.source_counts = {4, 2};
  statistics.target_counts = {3};
  statistics.dice = {0.5F};
  statistics.source = BigramPatterns({kKey(1, 0)}, std::vector<float>(9, 0.25F));
  statistics.source_several = {0, 1};
  statistics.target_several = {0.5F};
  return statistics;
}

TEST(TextStatistics, AreThoseOfTheModelsWords) {
  EXPECT_NO_THROW(check(small(), 2, 1, 1));
  EXPECT_THROW(check(small(), 3, 1, 1), UsageError);
  EXPECT_THROW(check(small(), 2, 2, 1), UsageError);
  EXPECT_THROW(check(small(), 2, 1, 2), UsageError);
  const std::vector<std::function<void(TextStatistics&)>> spoil = {
      [](TextStatistics& s) { s.dice[0] = 1.5F; },
      [](TextStatistics& s) { s.source_several[1] = std::nanf(""); },
      [](TextStatistics& s) { s.target_several.clear(); },
      [](TextStatistics& s) { s.frequent = 0; },
      [](TextStatistics& s) { s.source = BigramPatterns({kKey(0, 2)}, std::vector<float>(9, 0)); },
      [](TextStatistics& s) { s.target = BigramPatterns({kKey(1, 0)}, std::vector<float>(9, 0)); },
  };
  for (const auto& change : spoil) {
    TextStatistics statistics = small();
    change(statistics);
    EXPECT_THROW(check(statistics, 2, 1, 1), UsageError);
  }
}

AlignModel make_model(const TemporaryDirectory& folder, bool statistics) {
  std::string source, target;
  for (int k = 0; k < 6; ++k) {
    source += "the red boat\nthe boat\nred\nnot here\n";
    target += "le bateau rouge\nle bateau\nrouge\nne pas ici\n";
  }
  TrainOptions options;
  options.reach = 3;
  options.statistics = statistics;
  return *train_files({{folder.make("a.e", source), folder.make("a.f", target), {}}, {}, {}, ""},
                      options)
              .model;
}

TEST(TextStatistics, StandInTheModelFile) {
  const TemporaryDirectory folder;
  const AlignModel model = make_model(folder, true);
  ASSERT_NE(model.statistics(), nullptr);
  const std::string bytes = model.to_bytes();
  const AlignModel again = AlignModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
  EXPECT_EQ(again.to_bytes(), bytes);
  ASSERT_NE(again.statistics(), nullptr);
  const WordId the = model.words().source().find("the"), boat = model.words().source().find("boat");
  EXPECT_EQ(again.statistics()->source_counts[the], 12U);
  ASSERT_FALSE(again.statistics()->source.find(the, boat).empty());
  const auto shares = model.statistics()->source.find(the, boat);
  const auto read = again.statistics()->source.find(the, boat);
  EXPECT_TRUE(std::equal(shares.begin(), shares.end(), read.begin(), read.end()));
  EXPECT_TRUE(again.statistics()->source.find(boat, the).empty());
  EXPECT_NE(inspect_text(again, "m", 1, "").find("text      "), std::string::npos);
  EXPECT_EQ(inspect_record(again, 1, "").at("statistics").at("frequent"), 5);
}

TEST(TextStatistics, ChangeNothingElse) {
  const TemporaryDirectory folder;
  const AlignModel with = make_model(folder, true), without = make_model(folder, false);
  EXPECT_EQ(without.statistics(), nullptr);
  const std::string bytes = without.to_bytes(), more = with.to_bytes();
  EXPECT_EQ(ModelReader::from_bytes(std::as_bytes(std::span(bytes)), "m").version(), 1U);
  EXPECT_EQ(ModelReader::from_bytes(std::as_bytes(std::span(more)), "m").version(), 2U);
  const LexiconView a = with.aligner().lexicon(), b = without.aligner().lexicon();
  EXPECT_TRUE(std::equal(a.forward.begin(), a.forward.end(), b.forward.begin(), b.forward.end()));
  EXPECT_EQ(inspect_text(without, "m", 1, "").find("text      "), std::string::npos);
}

// A file whose checksums are right, but whose sections are not.
TEST(TextStatistics, BrokenSectionsAreRefused) {
  const TemporaryDirectory folder;
  const std::string bytes = make_model(folder, true).to_bytes();
  const ModelReader reader = ModelReader::from_bytes(std::as_bytes(std::span(bytes)), "m");
  const std::vector<std::string> names = {"meta",
                                          "source/offsets",
                                          "source/bytes",
                                          "target/offsets",
                                          "target/bytes",
                                          "lexicon/rows",
                                          "lexicon/targets",
                                          "lexicon/forward",
                                          "lexicon/reverse",
                                          "lexicon/null_forward",
                                          "lexicon/null_reverse",
                                          "lexicon/unseen_forward",
                                          "lexicon/unseen_reverse",
                                          "forward/jumps",
                                          "reverse/jumps",
                                          "forward/fertilities",
                                          "reverse/fertilities"};
  const std::vector<std::string> statistics = {
      "statistics/source_counts",  "statistics/target_counts",  "statistics/dice",
      "statistics/source_bigrams", "statistics/source_shares",  "statistics/target_bigrams",
      "statistics/target_shares",  "statistics/source_several", "statistics/target_several"};
  const auto with = [&](const std::string& name, std::string changed) {
    ModelWriter writer("align", 2);
    for (const std::string& one : names) writer.add(one, reader.section(one));
    for (const std::string& one : statistics) {
      if (one == name) continue;
      writer.add(one, reader.section(one));
    }
    if (!name.empty()) writer.add_text(name, std::move(changed));
    const std::string file = writer.to_bytes();
    AlignModel::from_bytes(std::as_bytes(std::span(file)), "m");
  };
  EXPECT_NO_THROW(with("", ""));
  for (const std::string& name : statistics) {
    const std::span<const std::byte> section = reader.section(name);
    const std::string text(reinterpret_cast<const char*>(section.data()), section.size());
    EXPECT_THROW(with(name, text.substr(1)), InputError) << name;
    EXPECT_THROW(with(name, text.substr(0, text.size() - 4)), InputError) << name;
    EXPECT_THROW(with(name, text + text), InputError) << name;
    if (name.ends_with("counts")) continue;  // any number is one
    EXPECT_THROW(with(name, std::string(text.size(), '\xff')), InputError) << name;
  }
}

}  // namespace
}  // namespace trellis::align::text_statistics_test
