// What data/README.md promises of the sample data.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/tag/small_tagger.h"
#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {
namespace {

const std::string kTravel = TRELLIS_SOURCE_DIR "/data/travel/";

struct Part {
  std::string file;
  Index sentences;
  Index tokens;
  Index mentions;
};
const std::vector<Part> kParts = {
    {"train.txt", 600, 7281, 1122}, {"dev.txt", 72, 829, 135}, {"test.txt", 120, 1440, 221}};

TEST(SampleData, TravelIsLegalIob2AndOfTheSizeThatIsPromised) {
  const std::set<std::string_view> types = {"CITY",   "COUNTRY", "AIRLINE", "HOTEL",
                                            "PERSON", "DATE",    "TIME",    "PRICE"};
  for (const Part& part : kParts) {
    SCOPED_TRACE(part.file);
    Index tokens = 0;
    Index mentions = 0;
    std::vector<std::string_view> labels;
    std::vector<Span> spans;
    const auto sequences = testing::read_sequences(kTravel + part.file);
    for (const TagSequence& sequence : sequences) {
      EXPECT_EQ(sequence.columns.num_columns(), 3U);
      sequence.labels(kLastColumn, labels);
      const auto fault = find_fault(labels, TagScheme::kIob2);
      EXPECT_FALSE(fault) << fault->message;
      find_spans(labels, spans);
      tokens += labels.size();
      mentions += spans.size();
      for (const Span& span : spans) EXPECT_EQ(types.count(span.type), 1U) << span.type;
    }
    EXPECT_EQ(sequences.size(), part.sentences);
    EXPECT_EQ(tokens, part.tokens);
    EXPECT_EQ(mentions, part.mentions);
  }
}

TEST(SampleData, NoSentenceOccursTwice) {
  std::map<std::string, std::string> seen;
  for (const Part& part : kParts) {
    for (const TagSequence& sequence : testing::read_sequences(kTravel + part.file)) {
      std::string sentence;
      for (Index t = 0; t < sequence.num_tokens(); ++t)
        sentence += std::string(sequence.columns.field(t, 0)) + " ";
      const auto [place, added] = seen.emplace(sentence, part.file);
      EXPECT_TRUE(added) << part.file << " and " << place->second << ": " << sentence;
    }
  }
}

TEST(SampleData, TheTemplateFindsItsListsInTheSentences) {
  const FeatureTemplate features =
      FeatureTemplate::parse(testing::content_of(kTravel + "travel.template"), "travel.template",
                             gazetteer_files(kTravel));
  EXPECT_EQ(features.min_columns(), 2U);
  EXPECT_EQ(features.gazetteers().size(), 4U);
  EXPECT_TRUE(features.has_plain_transitions());
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  std::set<std::string> lists;
  for (const TagSequence& sequence : testing::read_sequences(kTravel + "dev.txt")) {
    extract(sequence, features, scratch, attributes);
    ASSERT_EQ(attributes.node.begin.size(), sequence.num_tokens() + 1);
    for (Index t = 0; t < sequence.num_tokens(); ++t) {
      for (Index k = 0; k < attributes.node.begin[t + 1] - attributes.node.begin[t]; ++k) {
        const std::string name = AttributeNames(sequence, features, scratch).node(t, k);
        if (name.rfind("in(", 0) == 0) lists.insert(name.substr(0, name.find(')')));
      }
    }
  }
  EXPECT_EQ(lists.size(), 4U);
}

TEST(SampleData, ListsHaveTheEntriesThatArePromised) {
  const std::map<std::string, Index> sizes = {
      {"cities.txt", 203}, {"countries.txt", 172}, {"airlines.txt", 83}, {"given_names.txt", 181}};
  for (const auto& [file, size] : sizes)
    EXPECT_EQ(Gazetteer(testing::content_of(kTravel + file), file, true).num_phrases(), size)
        << file;
}

}  // namespace
}  // namespace trellis::tag
