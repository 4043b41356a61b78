#include "trellis/tasks/grammar/model/grammar_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/data/model_sections.h"
#include "tests/tasks/grammar/small_grammar.h"
#include "trellis/base/error.h"
#include "trellis/tasks/grammar/model/parser.h"

namespace trellis::grammar::grammar_model_test {
namespace {

using grammar::testing::bytes_of;
using grammar::testing::kTiny;
using grammar::testing::quick;
using grammar::testing::treebank_of;
using trellis::testing::model_bytes;
using trellis::testing::Sections;
using trellis::testing::set_element;

GrammarModel tiny_model(bool generative = false) {
  const TrainOptions options = generative ? grammar::testing::generative() : quick();
  return *train(treebank_of(kTiny), nullptr, options).model;
}

Sections tiny_sections() {
  const std::string bytes = bytes_of(tiny_model());
  const ModelReader reader = ModelReader::from_bytes(std::as_bytes(std::span(bytes)), "m");
  Sections sections;
  for (const char* list : {"names", "labels", "tags", "coarse", "plain", "chains", "words"}) {
    for (const char* part : {".names", ".name_ends"}) {
      const std::string name = std::string(list) + part;
      sections[name] = std::string(reader.text(name));
    }
  }
  for (const char* name :
       {"meta", "symbols", "rules.binary", "rules.chain", "coarse.binary", "coarse.binary.weights",
        "coarse.unary", "coarse.unary.weights", "generative.binary", "generative.chain",
        "generative.pass", "words.levels", "words.begin", "words.entries", "words.tag_counts",
        "tagger", "weights"}) {
    sections[name] = std::string(reader.text(name));
  }
  return sections;
}

std::string tagger_of_other_tags() {
  tagging::TaggedText text;
  text.add("dogs", "ELSE");
  text.end_sentence();
  const auto tagger = tagging::train_word_tagger(
      text, {Loss::named("perceptron"), std::nullopt, 1, 1}, std::stop_token());
  const std::span<const std::byte> bytes = tagger->model().bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

GrammarModel assembled(const Sections& sections, const std::string& kind = "grammar",
                       std::uint32_t version = GrammarModel::kKind.newest) {
  const std::string bytes = model_bytes(sections, kind, version);
  return GrammarModel::from_bytes(std::as_bytes(std::span(bytes)), "bad.model");
}

TEST(GrammarModel, ComesBackFromItsBytes) {
  for (const bool generative : {false, true}) {
    const GrammarModel model = tiny_model(generative);
    const std::string bytes = bytes_of(model);
    const GrammarModel again = GrammarModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
    EXPECT_EQ(bytes_of(again), bytes);
    EXPECT_EQ(again.is_generative(), generative);
    EXPECT_EQ(again.num_weights(), model.num_weights());
    EXPECT_EQ(again.training(), model.training());
    EXPECT_EQ(again.grammar().treebank().orders(), model.grammar().treebank().orders());
    const Parser parser(model), other(again);
    Parser::Scratch scratch;
    ParsedTree first, second;
    const std::vector<std::string> words = {"they", "see", "cats", "with", "tails"};
    parser.parse(words, scratch, first);
    other.parse(words, scratch, second);
    EXPECT_EQ(first.tree, second.tree);
    EXPECT_EQ(first.score, second.score);
  }
}

TEST(GrammarModel, DescriptionsThatDoNotFitAreRefused) {
  const Sections good = tiny_sections();
  EXPECT_NO_THROW(assembled(good));
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {{"vertical", 0},
                                                                     {"vertical", "2"},
                                                                     {"vertical", 1000000},
                                                                     {"horizontal", -1},
                                                                     {"horizontal", 1.5},
                                                                     {"prune", 1},
                                                                     {"prune_below", 2},
                                                                     {"prune_below", "x"},
                                                                     {"prune_rules_below", -1},
                                                                     {"prune_tags_below", -1},
                                                                     {"tagger_weight", "one"},
                                                                     {"tagger_weight", 1e300},
                                                                     {"generative_weight", "one"},
                                                                     {"generative_weight", 1e300}};
  trellis::testing::each_wrong_meta(good, wrong,
                                    [](const Sections& sections, const std::string& what) {
                                      EXPECT_THROW(assembled(sections), InputError) << what;
                                    });
  EXPECT_THROW(assembled(good, "parse"), InputError);
  EXPECT_THROW(assembled(good, "grammar", 99), InputError);
}

TEST(GrammarModel, ArraysThatDoNotFitAreRefused) {
  const Sections good = tiny_sections();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<const char*, std::function<void(Sections&)>>> wrong = {
      {"a symbol of no kind", [](Sections& s) { set_element(s["symbols"], 0, 7U); }},
      {"a root that is a tag", [](Sections& s) { set_element(s["symbols"], 0, 0U); }},
      {"a symbol of no label", [](Sections& s) { set_element(s["symbols"], 5, 999U); }},
      {"a symbol of no coarse one", [](Sections& s) { set_element(s["symbols"], 6, 999U); }},
      {"a symbol of no plain one", [](Sections& s) { set_element(s["symbols"], 7, 999U); }},
      {"a symbol less", [](Sections& s) { s["symbols"].resize(s["symbols"].size() - 16); }},
      {"a rule of no symbol", [](Sections& s) { set_element(s["rules.binary"], 1, 999U); }},
      {"the same rule twice",
       [](Sections& s) { s["rules.binary"].replace(12, 12, s["rules.binary"].substr(0, 12)); }},
      {"a chain of no symbol", [](Sections& s) { set_element(s["rules.chain"], 0, 999U); }},
      {"a chain by way of nothing", [](Sections& s) { set_element(s["rules.chain"], 2, 999U); }},
      {"a chain's label that is none", [](Sections& s) { s["chains.names"][0] = ' '; }},
      {"a label that is none", [](Sections& s) { s["labels.names"][0] = '('; }},
      {"a root of another name", [](Sections& s) { s["labels.names"][0] = 'Q'; }},
      {"a tag of another name", [](Sections& s) { s["tags.names"][0] = 'q'; }},
      {"a coarse rule of no symbol", [](Sections& s) { set_element(s["coarse.binary"], 0, 999U); }},
      {"a weight of no number",
       [=](Sections& s) { set_element(s["coarse.binary.weights"], 0, nan); }},
      {"a weight above 1", [](Sections& s) { set_element(s["coarse.unary.weights"], 0, 2.0); }},
      {"a weight less", [](Sections& s) { s["coarse.unary.weights"].resize(8); }},
      {"a score of no number", [=](Sections& s) { set_element(s["generative.binary"], 0, nan); }},
      {"a score beyond all", [](Sections& s) { set_element(s["generative.pass"], 0, -1e300); }},
      {"a score less", [](Sections& s) { s["generative.chain"].resize(8); }},
      {"levels beyond the words", [](Sections& s) { set_element(s["words.levels"], 1, 99999U); }},
      {"words beyond the levels", [](Sections& s) { set_element(s["words.levels"], 3, 0U); }},
      {"entries that begin late",
       [](Sections& s) { set_element(s["words.begin"], 0, std::uint64_t{1}); }},
      {"entries that fall",
       [](Sections& s) { set_element(s["words.begin"], 1, ~std::uint64_t{0}); }},
      {"an entry of no tag", [](Sections& s) { set_element(s["words.entries"], 0, 999U); }},
      {"an entry of nothing", [](Sections& s) { set_element(s["words.entries"], 1, 0U); }},
      {"a tagger that is none", [](Sections& s) { s["tagger"] = "tagger"; }},
      {"a tagger cut off", [](Sections& s) { s["tagger"].resize(s["tagger"].size() / 2); }},
      {"a tagger of other tags", [](Sections& s) { s["tagger"] = tagger_of_other_tags(); }},
      {"a tag that never occurs",
       [](Sections& s) { set_element(s["words.tag_counts"], 0, std::uint64_t{0}); }},
      {"a tag that always occurs",
       [](Sections& s) { set_element(s["words.tag_counts"], 0, ~std::uint64_t{0}); }},
      {"no slots", [](Sections& s) { s["weights"].clear(); }},
      {"no empty slot", [](Sections& s) { s["weights"] = std::string(s["weights"].size(), '\1'); }},
      {"weights of no number",
       [](Sections& s) {
         for (Index slot = 1; slot < s["weights"].size() / 8; ++slot) {
           set_element(s["weights"], 2 * slot, 1U);
           set_element(s["weights"], 2 * slot + 1, std::numeric_limits<float>::infinity());
         }
         set_element(s["weights"], 0, 0U);
       }},
  };
  for (const auto& [what, edit] : wrong) {
    Sections sections = good;
    edit(sections);
    EXPECT_THROW(assembled(sections), InputError) << what;
  }
  for (const auto& [name, content] : good) {
    Sections sections = good;
    sections.erase(name);
    EXPECT_THROW(assembled(sections), InputError) << "no " << name;
  }
}

}  // namespace
}  // namespace trellis::grammar::grammar_model_test
