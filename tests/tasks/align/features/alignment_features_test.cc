#include "trellis/tasks/align/features/alignment_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/generative/alignment/jump_positions.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {
namespace {

using Edge = MatchingEdges::Edge;
using EdgeSet = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::string harbour(const std::string& name) {
  return std::string(TRELLIS_SOURCE_DIR) + "/data/harbour/" + name;
}

AlignModel train_harbour(AlignerKind aligner, bool statistics = true) {
  TrainFiles files;
  files.text = {harbour("train.en"), harbour("train.fr"), {}};
  TrainOptions options;
  options.aligner = aligner;
  options.statistics = statistics;
  options.threads = 1;
  return *train_files(files, options).model;
}
const AlignModel& fertility_model() {
  static const AlignModel model = train_harbour(AlignerKind::kFertility);
  return model;
}
const GoldPairs& harbour_test() {
  static const GoldPairs pairs =
      read_gold({harbour("test.en"), harbour("test.fr"), {}}, {harbour("test.links"), {}});
  return pairs;
}

SentencePair sentences(std::string_view source, std::string_view target) {
  SentencePair pair;
  pair.assign(source, target, 1);
  return pair;
}

LinkGraph extract(const AlignmentFeatures& features, const SentencePair& pair,
                  const PairExtras& extras = {}) {
  AlignmentFeatures::Scratch scratch;
  LinkGraph graph;
  features.extract(pair, extras, true, scratch, graph);
  return graph;
}

EdgeSet edges_of(const LinkGraph& graph) {
  EdgeSet edges;
  for (const Edge edge : graph.edges) edges.emplace_back(edge.left, edge.right);
  return edges;
}

Index find_edge(const LinkGraph& graph, std::uint32_t i, std::uint32_t j) {
  const EdgeSet edges = edges_of(graph);
  const auto place = std::find(edges.begin(), edges.end(), std::pair(i, j));
  EXPECT_NE(place, edges.end()) << i << "-" << j;
  return static_cast<Index>(place - edges.begin());
}

Index column(std::span<const std::string> names, const std::string& name) {
  const auto place = std::find(names.begin(), names.end(), name);
  EXPECT_NE(place, names.end()) << name;
  return static_cast<Index>(place - names.begin());
}

float link_value(const AlignmentFeatures& features, const LinkGraph& graph, std::uint32_t i,
                 std::uint32_t j, const std::string& name) {
  return graph.links.dense_row(find_edge(graph, i, j))[column(features.link_names(), name)];
}

void expect_equal_rows(const FeatureRows& a, const FeatureRows& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  ASSERT_EQ(a.width(), b.width());
  for (Index r = 0; r < a.num_rows(); ++r) {
    std::vector<std::pair<Index, double>> one, other;
    a.for_each(r, [&](Index k, double x) { one.emplace_back(k, x); });
    b.for_each(r, [&](Index k, double x) { other.emplace_back(k, x); });
    ASSERT_EQ(one, other);
  }
}

void expect_equal(const LinkGraph& a, const LinkGraph& b) {
  EXPECT_EQ(a.num_source, b.num_source);
  EXPECT_EQ(a.num_target, b.num_target);
  EXPECT_EQ(edges_of(a), edges_of(b));
  EXPECT_EQ(a.pairs, b.pairs);
  expect_equal_rows(a.links, b.links);
  expect_equal_rows(a.identities, b.identities);
  expect_equal_rows(a.source_words, b.source_words);
  expect_equal_rows(a.target_words, b.target_words);
  expect_equal_rows(a.pair_rows, b.pair_rows);
}

void expect_range(const FeatureRows& rows, float least, std::span<const std::string> names) {
  for (Index r = 0; r < rows.num_rows(); ++r) {
    const auto row = rows.dense_row(r);
    for (Index k = 0; k < row.size(); ++k) {
      ASSERT_TRUE(std::isfinite(row[k])) << names[k];
      ASSERT_GE(row[k], least) << names[k];
      ASSERT_LE(row[k], 1.0001F) << names[k];
    }
  }
}

FeatureShape full_shape() {
  return {{"other", "third"},
          {"D", "N", "V"},
          {"DET", "NOM"},
          {"the", "harbour", "new"},
          {"le", "la", "port", "."}};
}

PairExtras some_extras(const SentencePair& pair) {
  PairExtras extras;
  extras.external.resize(2);
  const Index most = std::min(pair.source().size(), pair.target().size());
  for (std::uint32_t k = 0; k < most; ++k) extras.external[0].push_back({k, k});
  if (most > 0) extras.external[1].push_back({0, 0});
  for (Index i = 0; i < pair.source().size(); ++i) {
    extras.source_tags.emplace_back(i % 2 == 0 ? "D" : "N");
  }
  for (Index j = 0; j < pair.target().size(); ++j) {
    extras.target_tags.emplace_back(j % 2 == 0 ? "DET" : "never seen");
  }
  return extras;
}

TEST(AlignmentFeatures, NamesAreUniqueAndAsManyAsColumns) {
  for (const AlignerKind aligner :
       {AlignerKind::kFertility, AlignerKind::kHmm, AlignerKind::kModel1, AlignerKind::kDiagonal}) {
    const AlignModel model = train_harbour(aligner);
    const AlignmentFeatures features(model, full_shape());
    const SentencePair& pair = harbour_test().pairs[0];
    const LinkGraph graph = extract(features, pair, some_extras(pair));
    const auto check = [&](std::span<const std::string> names, const FeatureRows& rows) {
      EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
      EXPECT_EQ(rows.width(), names.size());
      EXPECT_GT(rows.num_rows(), 0U);
    };
    check(features.link_names(), graph.links);
    check(features.identity_names(), graph.identities);
    check(features.word_names(), graph.source_words);
    check(features.word_names(), graph.target_words);
    check(features.pair_names(), graph.pair_rows);
    EXPECT_EQ(graph.links.num_rows(), graph.edges.size());
    EXPECT_EQ(graph.identities.num_rows(), graph.edges.size());
    EXPECT_EQ(graph.source_words.num_rows(), graph.num_source);
    EXPECT_EQ(graph.target_words.num_rows(), graph.num_target);
    EXPECT_EQ(graph.pair_rows.num_rows(), graph.pairs.size());
  }
}

TEST(AlignmentFeatures, ValuesAreInRangeAndPairsAreTheNeighbours) {
  const AlignmentFeatures features(fertility_model(), full_shape());
  AlignmentFeatures::Scratch scratch;
  LinkGraph graph;
  for (const SentencePair& pair : harbour_test().pairs) {
    features.extract(pair, some_extras(pair), true, scratch, graph);
    expect_range(graph.links, -1, features.link_names());
    expect_range(graph.source_words, 0, features.word_names());
    expect_range(graph.target_words, 0, features.word_names());
    expect_range(graph.pair_rows, 0, features.pair_names());
    const EdgeSet edges = edges_of(graph);
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_TRUE(MatchingEdges(graph.num_source, graph.num_target, graph.edges).parts().empty());
    std::vector<EdgePair> expected;
    const auto near = [](std::uint32_t x, std::uint32_t y) {
      return std::max(x, y) - std::min(x, y) <= 1;
    };
    for (std::uint32_t a = 0; a < edges.size(); ++a) {
      for (std::uint32_t b = a + 1; b < edges.size(); ++b) {
        if (near(edges[a].first, edges[b].first) && near(edges[a].second, edges[b].second)) {
          expected.push_back({a, b});
        }
      }
    }
    EXPECT_EQ(graph.pairs, expected);
    features.extract(pair, some_extras(pair), false, scratch, graph);
    EXPECT_TRUE(graph.pairs.empty());
    EXPECT_EQ(graph.pair_rows.num_rows(), 0U);
  }
}

TEST(AlignmentFeatures, PairRowsTellTheirPattern) {
  const AlignmentFeatures features(fertility_model(), {});
  const std::vector<std::string> patterns = {"monotone", "inverted", "same_source", "same_target"};
  std::vector<Index> seen(patterns.size());
  for (const SentencePair& pair : harbour_test().pairs) {
    const LinkGraph graph = extract(features, pair);
    for (Index k = 0; k < graph.pairs.size(); ++k) {
      const Edge a = graph.edges[graph.pairs[k].a], b = graph.edges[graph.pairs[k].b];
      const Index pattern = a.left == b.left     ? 2
                            : a.right == b.right ? 3
                            : a.right < b.right  ? 0
                                                 : 1;
      ++seen[pattern];
      for (Index p = 0; p < patterns.size(); ++p) {
        const Index bias = column(features.pair_names(), patterns[p] + ".bias");
        EXPECT_EQ(graph.pair_rows.dense_row(k)[bias], p == pattern ? 1 : 0);
      }
      graph.pair_rows.for_each(k, [&](Index f, double value) {
        if (!features.pair_names()[f].starts_with(patterns[pattern] + ".")) {
          EXPECT_EQ(value, 0);
        }
      });
    }
  }
  for (const Index count : seen) EXPECT_GT(count, 0U);
}

TEST(AlignmentFeatures, CandidatesHaveNearlyAllSureLinks) {
  const AlignmentFeatures features(fertility_model(), {});
  Index sure = 0, found = 0, edges = 0, words = 0;
  for (Index k = 0; k < harbour_test().pairs.size(); ++k) {
    const LinkGraph graph = extract(features, harbour_test().pairs[k]);
    const EdgeSet candidates = edges_of(graph);
    for (const Link link : harbour_test().links[k].sure) {
      ++sure;
      found += std::binary_search(candidates.begin(), candidates.end(),
                                  std::pair(link.source, link.target))
                   ? 1
                   : 0;
    }
    edges += candidates.size();
    words += graph.num_source;
  }
  EXPECT_GE(static_cast<double>(found), 0.95 * static_cast<double>(sure));
  EXPECT_LE(edges, 5 * words);
}

TEST(AlignmentFeatures, SameBitsTwiceAndInAnyThread) {
  const AlignmentFeatures features(fertility_model(), full_shape());
  const auto& pairs = harbour_test().pairs;
  std::vector<LinkGraph> one(pairs.size()), other(pairs.size());
  const auto run = [&](std::vector<LinkGraph>& graphs, bool backwards) {
    AlignmentFeatures::Scratch scratch;
    for (Index k = 0; k < pairs.size(); ++k) {
      const Index at = backwards ? pairs.size() - 1 - k : k;
      features.extract(pairs[at], some_extras(pairs[at]), true, scratch, graphs[at]);
    }
  };
  std::thread first([&] { run(one, false); });
  std::thread second([&] { run(other, true); });
  first.join();
  second.join();
  for (Index k = 0; k < pairs.size(); ++k) {
    expect_equal(one[k], other[k]);
    expect_equal(one[k], extract(features, pairs[k], some_extras(pairs[k])));
  }
}

TEST(AlignmentFeatures, KnowsTheModelsOfItsCopy) {
  std::optional<AlignModel> model = train_harbour(AlignerKind::kFertility);
  std::optional<AlignmentFeatures> features(std::in_place, *model, FeatureShape{});
  const LinkGraph before = extract(*features, harbour_test().pairs[0]);
  const AlignmentFeatures copy = *features;
  features.reset();
  model.reset();
  expect_equal(before, extract(copy, harbour_test().pairs[0]));
}

TEST(AlignmentFeatures, OfEmptySidesOneWordAndUnknownWords) {
  const AlignmentFeatures features(fertility_model(), {});
  const LinkGraph nothing = extract(features, sentences("", ""));
  EXPECT_TRUE(nothing.edges.empty());
  EXPECT_EQ(nothing.links.width(), features.link_names().size());
  const LinkGraph half = extract(features, sentences("", "le port"));
  EXPECT_TRUE(half.edges.empty() && half.pairs.empty());
  EXPECT_EQ(half.source_words.num_rows(), 0U);
  EXPECT_EQ(half.target_words.num_rows(), 2U);
  expect_range(half.target_words, 0, features.word_names());
  EXPECT_EQ(extract(features, sentences("the harbour", "")).source_words.num_rows(), 2U);

  const LinkGraph one = extract(features, sentences("harbour", "port"));
  ASSERT_EQ(edges_of(one), (EdgeSet{{0, 0}}));
  EXPECT_EQ(link_value(features, one, 0, 0, "position.both_first"), 1);
  EXPECT_EQ(link_value(features, one, 0, 0, "position.both_last"), 1);

  const LinkGraph unknown = extract(features, sentences("Zyxwv zzz 3,141", "blub 3.141 zyxwv"));
  expect_range(unknown.links, -1, features.link_names());
  EXPECT_EQ(link_value(features, unknown, 0, 2, "spelling.folded"), 1);
  EXPECT_EQ(link_value(features, unknown, 0, 2, "spelling.exact"), 0);
  EXPECT_EQ(link_value(features, unknown, 0, 2, "frequency.source.unknown"), 1);
  EXPECT_EQ(link_value(features, unknown, 0, 2, "lexicon.unseen"), 1);
  EXPECT_EQ(link_value(features, unknown, 2, 1, "spelling.same_number"), 1);
}

TEST(AlignmentFeatures, OfOtherAligners) {
  const AlignmentFeatures features(fertility_model(), {{"other", "third"}, {}, {}, {}, {}});
  PairExtras extras;
  extras.external = {{{0, 2}}, {{0, 2}, {1, 2}}};
  const SentencePair pair = sentences("the harbour .", "le port .");
  const LinkGraph graph = extract(features, pair, extras);
  EXPECT_EQ(link_value(features, graph, 0, 2, "external.other.linked"), 1);
  EXPECT_EQ(link_value(features, graph, 0, 2, "external.other.neighbour"), 0);
  EXPECT_EQ(link_value(features, graph, 0, 2, "external.third.neighbour"), 1);
  EXPECT_EQ(link_value(features, graph, 0, 2, "external.votes"), 0.5);
  EXPECT_EQ(link_value(features, graph, 1, 2, "external.other.linked"), 0);
  EXPECT_EQ(link_value(features, graph, 1, 2, "external.other.neighbour"), 1);
  EXPECT_EQ(link_value(features, graph, 1, 2, "external.other.source_alone"), 1);
  EXPECT_EQ(link_value(features, graph, 1, 2, "external.other.target_alone"), 0);
  const auto place = std::find(graph.pairs.begin(), graph.pairs.end(),
                               EdgePair{static_cast<std::uint32_t>(find_edge(graph, 0, 2)),
                                        static_cast<std::uint32_t>(find_edge(graph, 1, 2))});
  ASSERT_NE(place, graph.pairs.end());
  const auto row = graph.pair_rows.dense_row(static_cast<Index>(place - graph.pairs.begin()));
  EXPECT_EQ(row[column(features.pair_names(), "same_target.external.third")], 1);
  EXPECT_EQ(row[column(features.pair_names(), "same_target.external.other")], 0);

  EXPECT_THROW(extract(features, pair), UsageError);
  extras.external[0] = {{3, 0}};
  EXPECT_THROW(extract(features, pair, extras), UsageError);
}

TEST(AlignmentFeatures, OfTagsAndWords) {
  const AlignmentFeatures features(fertility_model(),
                                   {{}, {"D", "N"}, {"DET", "NOM"}, {"the", "harbour"}, {"port"}});
  PairExtras extras;
  extras.source_tags = {"D", "N"};
  extras.target_tags = {"PUNCT", "NOM"};
  const SentencePair pair = sentences("The harbour", "le port");
  const LinkGraph graph = extract(features, pair, extras);
  const auto names_at = [&](std::uint32_t i, std::uint32_t j) {
    std::set<std::string> names;
    graph.identities.for_each(find_edge(graph, i, j), [&](Index k, double value) {
      EXPECT_EQ(value, 1);
      names.insert(features.identity_names()[k]);
    });
    return names;
  };
  EXPECT_EQ(names_at(0, 0), (std::set<std::string>{"source_word.the"}));
  EXPECT_EQ(names_at(1, 1), (std::set<std::string>{"tags.N NOM", "words.harbour port"}));

  EXPECT_THROW(extract(features, pair), UsageError);
  extras.target_tags.pop_back();
  EXPECT_THROW(extract(features, pair, extras), UsageError);
}

TEST(AlignmentFeatures, RefusesWhatDoesNotFit) {
  const AlignModel& model = fertility_model();
  EXPECT_THROW(AlignmentFeatures(train_harbour(AlignerKind::kHmm, false), {}), UsageError);
  EXPECT_THROW(AlignmentFeatures(model, {{"a", "b", "a"}, {}, {}, {}, {}}), UsageError);
  EXPECT_THROW(AlignmentFeatures(model, {{""}, {}, {}, {}, {}}), UsageError);
  EXPECT_THROW(AlignmentFeatures(model, {{}, {"D"}, {}, {}, {}}), UsageError);
  EXPECT_THROW(AlignmentFeatures(model, {{}, {}, {}, {"the", "the"}, {"le"}}), UsageError);
}

// Two languages of three words that translate one into another as the other into the one.
AlignModel symmetric_model() {
  Vocabularies words;
  std::vector<WordId> source_ids, target_ids;
  const std::vector<std::string_view> names = {"aber", "beta", "c"};
  words.add(names, names, source_ids, target_ids);
  const std::vector<float> t = {0.5F, 0.3F, 0.1F, 0.3F, 0.4F, 0.2F, 0.1F, 0.2F, 0.6F};
  std::vector<float> log_t;
  for (const float p : t) log_t.push_back(std::log(p));
  const std::vector<float> nothing(3, std::log(0.2F));
  const Lexicon lexicon({0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, log_t, log_t, nothing, nothing,
                        {});
  LexiconArrays arrays = LexiconArrays::compact(lexicon.view());
  EXPECT_EQ(arrays.targets.size(), 9U);
  auto statistics = std::make_shared<TextStatistics>();
  statistics->source_counts = statistics->target_counts = {2, 20, 200};
  statistics->source_several = statistics->target_several = {0.25F, 0.5F, 0.75F};
  statistics->dice = {0.6F, 0.2F, 0.1F, 0.2F, 0.5F, 0.3F, 0.1F, 0.3F, 0.7F};
  const std::vector<std::uint64_t> keys = {BigramPatterns::key(0, 1), BigramPatterns::key(1, 2)};
  statistics->source = {keys,
                        {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F,  //
                         0.3F, 0.2F, 0.3F, 0.4F, 0.9F, 0.6F, 0.7F, 0.1F, 0.9F}};
  statistics->target = {keys,
                        {0.4F, 0.5F, 0.6F, 0.1F, 0.2F, 0.3F, 0.7F, 0.8F, 0.9F,  //
                         0.4F, 0.9F, 0.6F, 0.3F, 0.2F, 0.3F, 0.7F, 0.1F, 0.9F}};
  const auto positions = std::make_shared<JumpPositions>(JumpPositions::Options{});
  return {words, arrays, positions, positions, nullptr, {}, Value::record(), statistics};
}

std::string mirrored(std::string name) {
  for (const auto& [one, other] :
       {std::pair<std::string, std::string>{"forward", "reverse"}, {"source", "target"}}) {
    const Index at = name.find(one), to = name.find(other);
    if (at != std::string::npos) {
      name.replace(at, one.size(), other);
    } else if (to != std::string::npos) {
      name.replace(to, other.size(), one);
    }
  }
  return name;
}

TEST(AlignmentFeatures, OfASwappedPairAreTheSameTheOtherWayRound) {
  const AlignmentFeatures features(symmetric_model(), {});
  const std::string a = "aber beta c beta", b = "beta aber c";
  const LinkGraph one = extract(features, sentences(a, b));
  const LinkGraph other = extract(features, sentences(b, a));
  ASSERT_EQ(one.edges.size(), other.edges.size());
  ASSERT_EQ(one.pairs.size(), other.pairs.size());
  for (Index e = 0; e < one.edges.size(); ++e) {
    const Edge edge = one.edges[e];
    for (const std::string& name : features.link_names()) {
      if (name == "posterior.grown") continue;  // goes through target words first
      EXPECT_NEAR(link_value(features, one, edge.left, edge.right, name),
                  link_value(features, other, edge.right, edge.left, mirrored(name)), 1e-6)
          << name;
    }
  }
  expect_equal_rows(one.source_words, other.target_words);
  expect_equal_rows(one.target_words, other.source_words);
  for (Index k = 0; k < one.pairs.size(); ++k) {
    const auto turned = [&](Index e) {
      return static_cast<std::uint32_t>(find_edge(other, one.edges[e].right, one.edges[e].left));
    };
    const auto [first, second] = std::minmax({turned(one.pairs[k].a), turned(one.pairs[k].b)});
    const auto place = std::find(other.pairs.begin(), other.pairs.end(), EdgePair{first, second});
    ASSERT_NE(place, other.pairs.end());
    for (const std::string& name : features.pair_names()) {
      const auto row = other.pair_rows.dense_row(static_cast<Index>(place - other.pairs.begin()));
      // The pattern has a side in its name, and so has the share.
      const Index dot = name.find('.');
      const std::string turned_name = mirrored(name.substr(0, dot)) + mirrored(name.substr(dot));
      EXPECT_NEAR(one.pair_rows.dense_row(k)[column(features.pair_names(), name)],
                  row[column(features.pair_names(), turned_name)], 1e-6)
          << name;
    }
  }
}

TEST(AlignmentFeatures, HaveTheValuesThatTheirNamesTell) {
  const AlignmentFeatures features(symmetric_model(), {});
  const LinkGraph graph = extract(features, sentences("aber beta", "aber beta c c"));
  const auto value = [&](std::uint32_t i, std::uint32_t j, const std::string& name) {
    return link_value(features, graph, i, j, name);
  };
  EXPECT_FLOAT_EQ(value(0, 0, "dice"), 0.6F);
  EXPECT_FLOAT_EQ(value(0, 0, "dice.best_of_both"), 1);
  EXPECT_FLOAT_EQ(value(0, 0, "dice.share_of_source"), 0.6F / 0.8F);
  EXPECT_FLOAT_EQ(value(0, 0, "dice.margin_of_target"), 0.4F);
  EXPECT_FLOAT_EQ(value(0, 0, "neighbours.before"), 0);
  EXPECT_FLOAT_EQ(value(0, 0, "neighbours.after"), 0.5F);
  EXPECT_FLOAT_EQ(value(1, 1, "neighbours.before"), 0.6F);
  EXPECT_FLOAT_EQ(value(1, 1, "neighbours.inverted"), 0.1F);
  EXPECT_FLOAT_EQ(value(0, 0, "position.distance"), 0.125F);
  EXPECT_FLOAT_EQ(value(0, 0, "spelling.exact_word"), 1);
  EXPECT_FLOAT_EQ(value(0, 0, "frequency.source.rare"), 1);
  EXPECT_FLOAT_EQ(value(1, 1, "frequency.target.uncommon"), 1);
  EXPECT_FLOAT_EQ(value(1, 2, "frequency.target.frequent"), 1);
  EXPECT_FLOAT_EQ(value(0, 0, "frequency.difference"), 0);
  EXPECT_FLOAT_EQ(value(1, 1, "lexicon.forward"), 1 - std::log(0.4F) / std::log(1e-7F));
  EXPECT_FLOAT_EQ(value(0, 0, "posterior.product"),
                  value(0, 0, "posterior.forward") * value(0, 0, "posterior.reverse"));
  EXPECT_GT(value(0, 0, "uniform.forward"), 0.3F);
  const auto word = [&](const FeatureRows& rows, Index k, const std::string& name) {
    return rows.dense_row(k)[column(features.word_names(), name)];
  };
  EXPECT_FLOAT_EQ(word(graph.source_words, 0, "second.rarely"), 0.75F);
  EXPECT_FLOAT_EQ(word(graph.target_words, 2, "second.rarely"), 0.25F);
  EXPECT_FLOAT_EQ(word(graph.target_words, 2, "second.frequent"), 1);
  EXPECT_FLOAT_EQ(word(graph.target_words, 2, "second.short"), 1);

  const Index a = find_edge(graph, 0, 0), b = find_edge(graph, 1, 1);
  const auto place =
      std::find(graph.pairs.begin(), graph.pairs.end(),
                EdgePair{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
  ASSERT_NE(place, graph.pairs.end());
  const auto row = graph.pair_rows.dense_row(static_cast<Index>(place - graph.pairs.begin()));
  // The mean of the source's and the target's.
  EXPECT_FLOAT_EQ(row[column(features.pair_names(), "monotone.share_forward")], 0.25F);
  EXPECT_FLOAT_EQ(row[column(features.pair_names(), "monotone.share_intersection")], 0.7F);
  EXPECT_FLOAT_EQ(row[column(features.pair_names(), "monotone.dice")], std::sqrt(0.3F));
}

}  // namespace
}  // namespace trellis::align
