#include "trellis/tasks/parse/model/parse_model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/data/model_sections.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/parse/train.h"

namespace trellis::parse {
namespace {

using trellis::testing::model_bytes;
using trellis::testing::Sections;
using trellis::testing::set_element;

Sections tiny_sections() {
  TrainOptions options;
  options.training.threads = 1;
  options.training.learner.epochs = 2;
  const Trained trained =
      train(parse::testing::treebank_of(parse::testing::tiny_text()), nullptr, options);
  trellis::testing::TemporaryDirectory folder;
  trained.model->write(folder.file("m"));
  const ModelReader reader = ModelReader::open(folder.file("m"));
  Sections sections;
  for (const char* name : {"meta", "labels.names", "labels.name_ends", "tags.names",
                           "tags.name_ends", "sets.of", "sets.begin", "sets.members", "filter.tags",
                           "filter.words", "arc.slots", "label.slots", "label.entries"}) {
    sections[name] = std::string(reader.text(name));
  }
  return sections;
}

ParseModel assembled(const Sections& sections, const std::string& kind = "parse",
                     std::uint32_t version = ParseModel::kKind.newest) {
  const std::string bytes = model_bytes(sections, kind, version);
  return ParseModel::from_bytes(std::as_bytes(std::span(bytes)), "bad.model");
}

// The first slot that is in use.
Index used_slot(const std::string& slots) {
  Index slot = 0;
  for (WeightSlot found; slot < slots.size() / sizeof(WeightSlot); ++slot) {
    std::memcpy(&found, slots.data() + slot * sizeof(WeightSlot), sizeof(WeightSlot));
    if (found.check != 0) break;
  }
  return slot;
}

TEST(ParseModel, DescriptionsThatDoNotFitAreRefused) {
  const Sections good = tiny_sections();
  EXPECT_NO_THROW(assembled(good));
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {
      {"order", 3},         {"order", "1"},        {"one_root", 1},      {"projective", "no"},
      {"prune", 1},         {"prune", false},      {"max_heads", 0},     {"max_heads", -1},
      {"max_heads", "six"}, {"prune_below", 1.01}, {"prune_below", "x"}, {"prune_below", -0.5}};
  trellis::testing::each_wrong_meta(good, wrong,
                                    [](const Sections& sections, const std::string& what) {
                                      EXPECT_THROW(assembled(sections), InputError) << what;
                                    });
  EXPECT_THROW(assembled(good, "tag"), InputError);
  EXPECT_THROW(assembled(good, "parse", 99), InputError);
}

TEST(ParseModel, ADecodingThatDoesNotFitIsRefused) {
  const Sections good = tiny_sections();
  const auto with_risk = [&](const nlohmann::json& risk) {
    Sections sections = good;
    nlohmann::json meta = nlohmann::json::parse(good.at("meta"));
    meta["risk"] = risk;
    sections["meta"] = meta.dump();
    return assembled(sections);
  };
  EXPECT_TRUE(with_risk(nlohmann::json::object()).decoding().risk());
  for (const char* wrong :
       {"1", R"({"inference": "relaxed"})", R"({"inference": "beliefs"})", R"({"iterations": -1})",
        R"({"iterations": 1000000000})", R"({"tolerance": "x"})", R"({"damping": 0.5})"}) {
    EXPECT_THROW(with_risk(nlohmann::json::parse(wrong)), InputError) << wrong;
  }
}

TEST(ParseModel, KeepsHowItDecodes) {
  TrainOptions options;
  options.training.threads = 1;
  options.training.learner.epochs = 1;
  options.training.learner.loss = Loss::named("crf");
  options.order = 2;
  options.inference = PairInference::kBeliefs;
  options.limits.damping = 0.25;
  const Treebank treebank = parse::testing::treebank_of(parse::testing::tiny_text());
  EXPECT_EQ(train(treebank, nullptr, options).model->decoding(), DecodeOptions{});
  options.decoding = Decoding::kRisk;
  DecodeOptions expected;
  expected.decoding = Decoding::kRisk;
  expected.sums = PairInference::kBeliefs;
  expected.limits.damping = 0.25;
  EXPECT_EQ(train(treebank, nullptr, options).model->decoding(), expected);
}

TEST(ParseModel, ArraysThatDoNotFitAreRefused) {
  const Sections good = tiny_sections();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::pair<const char*, std::function<void(Sections&)>>> wrong = {
      {"no labels", [](Sections& s) { s["labels.names"] = s["labels.name_ends"] = ""; }},
      {"a set less", [](Sections& s) { s["sets.of"].resize(s["sets.of"].size() - 4); }},
      {"a set beyond", [](Sections& s) { set_element(s["sets.of"], 3, 9999U); }},
      {"an empty set", [](Sections& s) { set_element(s["sets.begin"], 1, 0U); }},
      {"a set that begins late", [](Sections& s) { set_element(s["sets.begin"], 0, 1U); }},
      {"a label beyond", [](Sections& s) { set_element(s["sets.members"], 0, 99U); }},
      {"a filter's weight less", [](Sections& s) { s["filter.tags"].resize(400); }},
      {"a filter's infinite weight",
       [&](Sections& s) { set_element(s["filter.tags"], 7, infinity); }},
      {"a single slot", [](Sections& s) { s["arc.slots"].resize(8); }},
      {"no slots", [](Sections& s) { s["arc.slots"].clear(); }},
      {"no empty slot",
       [](Sections& s) { s["arc.slots"] = std::string(s["arc.slots"].size(), '\1'); }},
      {"an infinite weight",
       [&](Sections& s) {
         set_element(s["arc.slots"], 2 * used_slot(s["arc.slots"]) + 1, infinity);
       }},
      {"a row that is none",
       [](Sections& s) { set_element(s["label.slots"], 2 * used_slot(s["label.slots"]) + 1, 1U); }},
      {"a row beyond the end",
       [](Sections& s) { set_element(s["label.entries"], 0, ~std::uint32_t{0}); }},
      {"an entry of no label", [](Sections& s) { set_element(s["label.entries"], 2, 99U); }},
      {"an entry of infinite weight",
       [&](Sections& s) { set_element(s["label.entries"], 3, infinity); }},
      {"an entry less",
       [](Sections& s) { s["label.entries"].resize(s["label.entries"].size() - 8); }},
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
}  // namespace trellis::parse
