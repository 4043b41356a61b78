#include "trellis/tasks/grammar/output/feature_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tasks/grammar/small_grammar.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/model/parsing_grammar.h"

namespace trellis::grammar::feature_names_test {
namespace {

// What a part's features are, as fingerprints and in words.
struct Told {
  std::vector<std::uint64_t> fingerprints;
  std::vector<std::string> names;
};

class Teller {
 public:
  explicit Teller(const ParsingGrammar& grammar) : grammar_(grammar) {}

  template <class... Part>
  Told tell(const std::vector<std::string>& words, const std::vector<std::uint32_t>& tags,
            const Part&... part) const {
    SpanAtoms atoms;
    atoms.assign(words, tags, grammar_.keys());
    SpanFeatures features(grammar_.keys());
    features.begin(atoms);
    Told told;
    features.each(part..., [&](std::uint64_t fp) { told.fingerprints.push_back(fp); });
    told.names = FeatureNames(grammar_.treebank(), words, tags).of(part...);
    return told;
  }

 private:
  const ParsingGrammar& grammar_;
};

// A name tells all that its fingerprint is made of, and nothing else: whatever word or tag of the
// sentence is another one, both change or neither does.
TEST(FeatureNames, ChangeWithWhatTheyAreMadeOf) {
  TrainOptions options = grammar::testing::generative();
  options.orders = {2, 1};
  const GrammarModel model =
      *train(grammar::testing::treebank_of(grammar::testing::kTiny), nullptr, options).model;
  const Teller teller(model.grammar());
  const std::vector<std::string> words = {"they", "see", "dogs", "with", "tails", "and", "cats"};
  const std::vector<std::uint32_t> tags = {0, 1, 2, 0, 1, 2, 0};
  const auto check = [&](const auto&... part) {
    const Told before = teller.tell(words, tags, part...);
    EXPECT_EQ(before.names.size(), before.fingerprints.size());
    for (Index i = 0; i < words.size(); ++i) {
      for (const bool word : {true, false}) {
        std::vector<std::string> other_words = words;
        std::vector<std::uint32_t> other_tags = tags;
        if (word) {
          other_words[i] = "X9-ly";
        } else {
          other_tags[i] = 3;
        }
        const Told after = teller.tell(other_words, other_tags, part...);
        ASSERT_EQ(after.names.size(), before.names.size());
        for (Index f = 0; f < after.names.size(); ++f) {
          EXPECT_EQ(after.names[f] == before.names[f],
                    after.fingerprints[f] == before.fingerprints[f])
              << before.names[f] << " against " << after.names[f];
        }
      }
    }
  };
  using Kind = ChartEdge::Kind;
  const TreebankGrammar& treebank = model.grammar().treebank();
  const std::uint32_t bracket = treebank.binary()[0].parent;
  for (const auto& [begin, end] : {std::pair{2U, 5U}, std::pair{1U, 6U}, std::pair{0U, 7U}}) {
    check(ChartNode{bracket, begin, end, false});
    check(ChartNode{bracket, begin, end, false}, ChartEdge{Kind::kBinary, 0, begin + 1});
    check(ChartNode{treebank.unary()[0].parent, begin, end, true}, ChartEdge{Kind::kChain, 0, 0});
  }
  check(ChartNode{treebank.tag_symbol("NNS"), 2, 3, false}, ChartEdge{Kind::kWord, 0, 0});
  check(ChartNode{bracket, 2, 5, true}, ChartEdge{Kind::kPass, 0, 0});
}

}  // namespace
}  // namespace trellis::grammar::feature_names_test
