#include "trellis/tasks/tag/templates/feature_template.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <thread>

#include "tests/tasks/tag/templates/template_sentences.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {
namespace {

const GazetteerLoader kCities = [](const std::string&) {
  return std::string("New York\nNew York City\nParis\n");
};

// What example/chunking.py of CRFsuite writes, after the escapes of crfutils.py.
Names chunking_py(const Rows& rows, Index t) {
  using Offsets = std::vector<int>;
  const std::vector<std::pair<int, Offsets>> templates{
      {0, {-2}},    {0, {-1}},        {0, {0}},        {0, {1}},      {0, {2}},
      {0, {-1, 0}}, {0, {0, 1}},      {1, {-2}},       {1, {-1}},     {1, {0}},
      {1, {1}},     {1, {2}},         {1, {-2, -1}},   {1, {-1, 0}},  {1, {0, 1}},
      {1, {1, 2}},  {1, {-2, -1, 0}}, {1, {-1, 0, 1}}, {1, {0, 1, 2}}};
  Names names;
  for (const auto& [column, offsets] : templates) {
    std::string name;
    std::string values;
    bool inside = true;
    for (const int offset : offsets) {
      const int p = static_cast<int>(t) + offset;
      inside = inside && p >= 0 && p < static_cast<int>(rows.size());
      if (!inside) break;
      const std::string separator = name.empty() ? "" : "|";
      name += separator + (column == 0 ? "w[" : "pos[") + std::to_string(offset) + "]";
      values += separator + rows[static_cast<Index>(p)][static_cast<Index>(column)];
    }
    if (inside) names.push_back(name + "=" + values);
  }
  if (t == 0) names.push_back("__BOS__");
  if (t + 1 == rows.size()) names.push_back("__EOS__");
  for (std::string& name : names) {
    for (Index at = name.find(':'); at != name.npos; at = name.find(':')) {
      name.replace(at, 1, "__COLON__");
    }
  }
  return names;
}

RC_GTEST_PROP(FeatureTemplate, ChunkEqualsCrfsuitesTutorial, ()) {
  const Rows rows = *any_rows(2);
  const Sentence sentence = make_sentence(rows);
  const FeatureTemplate chunk = FeatureTemplate::builtin("chunk");
  for (Index t = 0; t < rows.size(); ++t) {
    RC_ASSERT(node_names(chunk, sentence, t) == chunking_py(rows, t));
  }
  RC_ASSERT(chunk.has_plain_transitions());
  RC_ASSERT(!chunk.has_edge_attributes());
}

// Everything at once: all kinds of pieces, places and markers.
const FeatureTemplate& everything() {
  static const FeatureTemplate features = FeatureTemplate::parse(
      R"(word = column 0
tag = column 1
node word[-2..2]
node word[-1] | tag[0..1]
node prefix(lower(word), 1..3) ; node suffix(word, 2)[1]
node shape(word) | short_shape(word)[-1] | case(word)
node length(word) ; node find(word, "[0-9]+") ; node replace(word, "[a-z]", "x")
node test(word, "B") ; node match(word, "B")[-1..1] ; node contains(word, "|")
node has(word, digit) ; node all(word, upper) | tag ; node starts(word, upper) ; node ends(word, alnum)
node in(word, "cities", ignore_case)[-1..0]
node first | word ; node last[1] ; node word[@1] ; node word[@-2] ; node word[tag]
node "near": word[-3..3]
node ; node "everywhere"
boundary drop
node tag[-1] | tag[1]
U00:%x[-1,0]/%x[3,1]/
U01:%x[1,0]
u:%t[-1,0,"\u"]%m[1,0,"^.?"]%X[-6,1]
*:%x[@1,1] %x[*1,0]
edge ; edge tag
)",
      "everything", [](const std::string&) { return std::string("the\nthe 42\naB aB aB\n"); });
  return features;
}

RC_GTEST_PROP(FeatureTemplate, FingerprintsAreThoseOfTheNames, ()) {
  const Sentence sentence = make_sentence(*any_rows(2));
  const FeatureTemplate& features = everything();
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  features.extract(sentence, scratch, attributes);
  RC_ASSERT(attributes.node.begin.size() == sentence.num_tokens() + 1);
  RC_ASSERT(attributes.edge.begin.size() == sentence.num_tokens() + 1);
  for (Index t = 0; t < sentence.num_tokens(); ++t) {
    for (Index k = attributes.node.begin[t]; k < attributes.node.begin[t + 1]; ++k) {
      const std::string name =
          FeatureTemplate::Names(features, sentence, scratch).node(t, k - attributes.node.begin[t]);
      RC_ASSERT(attributes.node.fingerprints[k] == attribute_fingerprint(name));
    }
    for (Index k = attributes.edge.begin[t]; k < attributes.edge.begin[t + 1]; ++k) {
      const std::string name =
          FeatureTemplate::Names(features, sentence, scratch).edge(t, k - attributes.edge.begin[t]);
      RC_ASSERT(attributes.edge.fingerprints[k] == attribute_fingerprint(name));
    }
  }
}

TEST(FeatureTemplate, DifferentNamesHaveDifferentFingerprints) {
  std::map<std::uint64_t, std::string> names;
  rc::check([&] {
    const Sentence sentence = make_sentence(*any_rows(2));
    const FeatureTemplate& features = everything();
    FeatureTemplate::Scratch scratch;
    SentenceAttributes attributes;
    features.extract(sentence, scratch, attributes);
    for (Index t = 0; t < sentence.num_tokens(); ++t) {
      for (Index k = attributes.node.begin[t]; k < attributes.node.begin[t + 1]; ++k) {
        const std::string name = FeatureTemplate::Names(features, sentence, scratch)
                                     .node(t, k - attributes.node.begin[t]);
        RC_ASSERT(names.emplace(attributes.node.fingerprints[k], name).first->second == name);
      }
    }
  });
  EXPECT_GT(names.size(), 1000u);
}

RC_GTEST_PROP(FeatureTemplate, ScratchDoesNotChangeTheResult, ()) {
  const FeatureTemplate& features = everything();
  const FeatureTemplate other = FeatureTemplate::builtin("pos");
  FeatureTemplate::Scratch used;
  for (int i = 0; i < 5; ++i) {
    const Sentence sentence = make_sentence(*any_rows(2));
    SentenceAttributes reused;
    SentenceAttributes fresh;
    FeatureTemplate::Scratch empty;
    features.extract(sentence, used, reused);
    features.extract(sentence, empty, fresh);
    RC_ASSERT(reused.node.fingerprints == fresh.node.fingerprints);
    RC_ASSERT(reused.node.begin == fresh.node.begin);
    RC_ASSERT(reused.edge.fingerprints == fresh.edge.fingerprints);
    other.extract(sentence, used, reused);
    const Index last = sentence.num_tokens() - 1;
    RC_ASSERT(FeatureTemplate::Names(features, sentence, used).node(last, 0) ==
              FeatureTemplate::Names(features, sentence, empty).node(last, 0));
  }
}

TEST(FeatureTemplate, ThreadsAgree) {
  const FeatureTemplate& features = everything();
  const Sentence sentence =
      make_sentence({{"the", "1"}, {"42", "x"}, {"aB", "-1"}, {"aB", "0"}, {"aB", "A"}});
  std::vector<SentenceAttributes> found(8);
  std::vector<std::thread> threads;
  for (SentenceAttributes& attributes : found) {
    threads.emplace_back([&] {
      FeatureTemplate::Scratch scratch;
      for (int i = 0; i < 50; ++i) features.extract(sentence, scratch, attributes);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const SentenceAttributes& attributes : found) {
    EXPECT_EQ(attributes.node.fingerprints, found[0].node.fingerprints);
  }
}

TEST(FeatureTemplate, FirstPositionHasNoEdgeAttributes) {
  const FeatureTemplate features = FeatureTemplate::parse("edge column 0", "test");
  const Sentence sentence = make_words({"a", "b"});
  EXPECT_EQ(edge_names(features, sentence, 0), list());
  EXPECT_EQ(edge_names(features, sentence, 1), list("column 0[0]=b"));
  EXPECT_TRUE(features.has_edge_attributes());
  EXPECT_FALSE(features.has_plain_transitions());
}

TEST(FeatureTemplate, TooFewColumnsAreRefused) {
  const FeatureTemplate features =
      FeatureTemplate::parse("unused = column 7\nnode column 2", "test");
  EXPECT_EQ(features.min_columns(), 3u);
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  const Sentence sentence = make_sentence({{"a", "b"}});
  EXPECT_THROW(features.extract(sentence, scratch, attributes), InputError);
}

TEST(FeatureTemplate, EmptySentenceHasNoRows) {
  Sentence sentence;
  sentence.clear(1);
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  FeatureTemplate::builtin("chunk").extract(sentence, scratch, attributes);
  EXPECT_EQ(attributes.node.begin, std::vector<std::uint32_t>{0});
  EXPECT_EQ(attributes.edge.begin, std::vector<std::uint32_t>{0});
}

RC_GTEST_PROP(FeatureTemplate, ExtractsTheSameAfterSerialization, ()) {
  const FeatureTemplate& features = everything();
  const FeatureTemplate loaded = FeatureTemplate::deserialize(features.serialize(), "model");
  const Sentence sentence = make_sentence(*any_rows(2));
  FeatureTemplate::Scratch scratch;
  SentenceAttributes before;
  SentenceAttributes after;
  features.extract(sentence, scratch, before);
  loaded.extract(sentence, scratch, after);
  RC_ASSERT(before.node.fingerprints == after.node.fingerprints);
  RC_ASSERT(before.edge.fingerprints == after.edge.fingerprints);
  RC_ASSERT(loaded.source() == features.source());
  RC_ASSERT(loaded.serialize() == features.serialize());
}

TEST(FeatureTemplate, SerializedListsNeedNoFiles) {
  const FeatureTemplate features =
      FeatureTemplate::parse("node in(column 0, \"cities.txt\")", "test", kCities);
  EXPECT_EQ(features.gazetteers(), list("cities.txt"));
  const FeatureTemplate loaded = FeatureTemplate::deserialize(features.serialize(), "model");
  EXPECT_EQ(node_names(loaded, make_words({"New", "York", "City"}), 2),
            list("in(column 0,\"cities.txt\")[0]=L"));
}

TEST(FeatureTemplate, DamagedBytesAreRefusedOrMakeATemplate) {
  const std::string bytes =
      FeatureTemplate::parse("node in(column 0, \"c\")\nedge", "test", kCities).serialize();
  for (Index size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(FeatureTemplate::deserialize(bytes.substr(0, size), "model"), InputError) << size;
  }
  EXPECT_THROW(FeatureTemplate::deserialize(bytes + "x", "model"), InputError);
  for (Index i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 4, 0x80}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      try {
        FeatureTemplate::deserialize(damaged, "model");
      } catch (const InputError& error) {
        EXPECT_TRUE(says(error.what(), "model"));
      }
    }
  }
}

TEST(FeatureTemplate, ListsMissingOrLeftOverInBytesAreRefused) {
  const std::string with_list =
      FeatureTemplate::parse("node in(column 0, \"c\")", "test", kCities).serialize();
  std::string missing = with_list;
  missing[missing.find("\"c\"") + 1] = 'd';
  EXPECT_THROW(FeatureTemplate::deserialize(missing, "model"), InputError);
  std::string left_over = with_list;
  left_over.replace(left_over.find("node in"), 4, "####");
  EXPECT_THROW(FeatureTemplate::deserialize(left_over, "model"), InputError);
}

TEST(FeatureTemplate, BuiltinsParseAndUnknownNamesAreRefused) {
  BuiltinOptions options;
  options.columns = {0, 2};
  options.gazetteers = {"c"};
  for (const BuiltinTemplate& builtin : builtin_templates()) {
    const FeatureTemplate features = FeatureTemplate::builtin(builtin.name, options, kCities);
    EXPECT_TRUE(features.has_plain_transitions()) << builtin.name;
    EXPECT_FALSE(builtin.description.empty());
  }
  EXPECT_THROW(FeatureTemplate::builtin("nonsense"), UsageError);
  EXPECT_THROW(FeatureTemplate::builtin("ner-gazetteer"), UsageError);
}

TEST(FeatureTemplate, NoneTakesTheColumnsNamed) {
  BuiltinOptions options;
  options.columns = {0, 2};
  EXPECT_EQ(node_names(FeatureTemplate::builtin("none", options),
                       make_sentence({{"a", "b", "c", "LABEL"}}), 0),
            list("c0=a", "c2=c"));
}

TEST(FeatureTemplate, NerDoesWithoutColumnsThatAreNotThere) {
  BuiltinOptions options;
  EXPECT_EQ(FeatureTemplate::builtin("ner", options).min_columns(), 3u);
  options.chunk_column = std::nullopt;
  const FeatureTemplate without_chunks = FeatureTemplate::builtin("ner", options);
  EXPECT_EQ(without_chunks.min_columns(), 2u);
  EXPECT_TRUE(without_chunks.uses_column(1));
  options.pos_column = std::nullopt;
  EXPECT_EQ(FeatureTemplate::builtin("ner", options).min_columns(), 1u);
  EXPECT_THROW(FeatureTemplate::builtin("chunk", options), UsageError);
}

TEST(FeatureTemplate, BuiltinsTakeOtherColumns) {
  BuiltinOptions options;
  options.word_column = 1;
  options.pos_column = 3;
  const FeatureTemplate chunk = FeatureTemplate::builtin("chunk", options);
  EXPECT_EQ(chunk.min_columns(), 4u);
  EXPECT_EQ(node_names(chunk, make_sentence({{"1", "dog", "_", "NN"}}), 0),
            list("w[0]=dog", "pos[0]=NN", "__BOS__", "__EOS__"));
}

}  // namespace
}  // namespace trellis::tag
