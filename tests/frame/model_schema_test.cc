#include "trellis/frame/model_schema.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/names.h"
#include "trellis/data/model_file.h"
#include "trellis/frame/stored_model.h"

namespace trellis {
namespace {

enum class Shape { kRound, kSquare };
constexpr auto names_of(Shape) {
  return Names{"shape", "round", "square"};
}

struct BoxParts {
  Shape shape = Shape::kSquare;
  Index order = 2;
  std::vector<std::string> labels = {"a", "b"};
  double depth = 0.5;  // of the record "inside"
  std::vector<float> sides = {1, 2};
  std::vector<std::uint32_t> begin = {0, 2, 3}, members = {4, 7, 1};
  std::vector<std::string> words = {"one", "two"};
  std::vector<double> weights = {1, 2, 3, 4};
  std::vector<double> scales;  // since version 2, optional
  std::shared_ptr<const Value> training = share(Value::record({{"learner", "none"}}));
};

class Box : public StoredModel<Box, BoxParts> {
 public:
  static constexpr ModelKind kKind{.name = "box", .newest = 3};
  static void describe(ModelArchive& a, BoxParts& m) {
    a.choice("shape", m.shape, "how it looks");
    a.number("order", m.order, {1, 4}, "its order");
    a.names("labels", m.labels, {.low = 1}, "its labels");
    a.record("inside", [&] { a.number("depth", m.depth, {kAboveZero, 1}, "how deep it is"); });
    a.where("shape square", m.shape == Shape::kSquare, [&] {
      a.array("sides", m.sides, {.size = 2, .ascending = true, .in = kFinite}, "lengths");
    });
    a.lists("begin", m.begin, "members", m.members, 2, {.ascending = true}, "what is inside");
    a.name_list("words", m.words, "what is written on it");
    a.weights("weights", m.weights, m.order * m.labels.size(), "[order][label]");
    a.optional("scales", !m.scales.empty(), 2,
               [&] { a.array("scales", m.scales, {.size = m.order}, "by order"); });
    a.value("training", m.training, "how it was made");
  }
  explicit Box(BoxParts parts = BoxParts()) : StoredModel(std::move(parts)) {}
  using StoredModel::parts;
};

// What a box is refused for; "" where it is read.
std::string refusal(const std::string& bytes) {
  try {
    const Box box = Box::from_bytes(std::as_bytes(std::span(bytes)), "b");
    EXPECT_TRUE(box.to_bytes() == bytes);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}
std::string refusal(const std::function<void(BoxParts&)>& change) {
  BoxParts parts;
  change(parts);
  return refusal(Box(std::move(parts)).to_bytes());
}

TEST(ModelArchive, ReadsWhatItWrote) {
  const std::string bytes = Box().to_bytes();
  const Box box = Box::from_bytes(std::as_bytes(std::span(bytes)), "b");
  EXPECT_TRUE(box.to_bytes() == bytes);
  EXPECT_EQ(box.parts().labels, BoxParts().labels);
  EXPECT_EQ(box.parts().words, BoxParts().words);
  EXPECT_EQ(box.parts().members, BoxParts().members);
  EXPECT_EQ(box.training().at("learner"), "none");
  EXPECT_EQ(box.meta().at("inside").at("depth"), 0.5);
  EXPECT_EQ(refusal([](BoxParts& m) {
              m.shape = Shape::kRound;
              m.sides.clear();
            }),
            "");
}

TEST(ModelArchive, RefusesInASentenceWhatTheDescriptionDoesNotAllow) {
  using Change = std::function<void(BoxParts&)>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<Change, std::string>> faults = {
      {[](BoxParts& m) { m.order = 5; },
       "\"order\" of the model is not valid: expected 1 to 4, found 5"},
      {[](BoxParts& m) { m.labels.clear(); },
       "\"labels\" of the model is not valid: expected at least 1, found 0"},
      {[](BoxParts& m) {
         m.labels = {"a", "a"};
       },
       "the \"labels\" of the model have 'a' twice"},
      {[](BoxParts& m) { m.depth = 0; },
       "\"depth\" of the model is not valid: expected above 0 to 1, found 0"},
      {[](BoxParts& m) { m.sides = {1}; },
       "section \"sides\" of the model should hold 2 elements, but has 1"},
      {[](BoxParts& m) {
         m.sides = {2, 1};
       },
       "section \"sides\" of the model does not ascend"},
      {[&](BoxParts& m) { m.sides[1] = static_cast<float>(nan); },
       "section \"sides\" of the model has an element that is out of range"},
      {[](BoxParts& m) {
         m.begin = {0, 3, 2};
       },
       "section \"begin\" of the model does not fit the lists that it delimits"},
      {[](BoxParts& m) {
         m.begin = {0, 1, 2};
       },
       "section \"begin\" of the model does not fit the lists that it delimits"},
      {[](BoxParts& m) { m.members[1] = 4; },
       "section \"members\" of the model has a list that does not ascend"},
      {[](BoxParts& m) { m.weights.pop_back(); },
       "section \"weights\" of the model should hold 4 elements, but has 3"},
      {[&](BoxParts& m) { m.weights[0] = nan; },
       "section \"weights\" of the model has an element that is out of range"},
      {[](BoxParts& m) { m.weights[0] = 1e101; },
       "section \"weights\" of the model has an element that is out of range"},
  };
  for (const auto& [change, sentence] : faults) EXPECT_EQ(refusal(change), "b: " + sentence);
  EXPECT_THROW(refusal([](BoxParts& m) { m.words = {"one", "one"}; }), UsageError);
}

// A box whose description or sections are not those that the parts have.
std::string edited(const std::function<void(Value& meta, ModelWriter& writer)>& edit,
                   std::uint32_t version = 1) {
  static const BoxParts parts;
  static const std::vector<std::uint64_t> ends = {0, 3, 6};
  Value meta = Box(parts).meta();
  ModelWriter writer("box", version);
  edit(meta, writer);
  writer.add_json("meta", meta);
  writer.add_array<float>("sides", parts.sides);
  writer.add_array<std::uint32_t>("begin", parts.begin);
  writer.add_array<std::uint32_t>("members", parts.members);
  writer.add_array<std::uint64_t>("words/offsets", ends);
  writer.add_text("words/bytes", "onetwo");
  writer.add_array<double>("weights", parts.weights);
  return writer.to_bytes();
}

TEST(ModelArchive, RefusesOtherFieldsAndSections) {
  EXPECT_EQ(refusal(edited([](Value&, ModelWriter&) {})), "");
  EXPECT_EQ(refusal(edited([](Value& meta, ModelWriter&) { meta.erase("order"); })),
            "b: the description of the model has no \"order\"");
  EXPECT_EQ(
      refusal(edited([](Value& meta, ModelWriter&) { meta["order"] = "two"; })),
      "b: \"order\" of the model is not valid: expected an integer of at least 0, found a text");
  EXPECT_EQ(refusal(edited([](Value& meta, ModelWriter&) { meta["shape"] = "sqare"; })),
            "b: unknown shape 'sqare': did you mean square?");
  EXPECT_EQ(refusal(edited([](Value& meta, ModelWriter&) { meta["inside"] = 3; })),
            "b: \"inside\" of the model is not valid: expected a record, found a number");
  EXPECT_EQ(refusal(edited([](Value&, ModelWriter& writer) { writer.add_text("more", "x"); })),
            "b: the model has a section that is not part of its description");
}

TEST(ModelArchive, AFileHasTheLowestVersionThatHasItsParts) {
  BoxParts parts;
  parts.scales = {1, 2};
  const std::string scaled = Box(parts).to_bytes();
  EXPECT_EQ(ModelReader::from_bytes(std::as_bytes(std::span(scaled)), "b").version(), 2U);
  EXPECT_EQ(refusal(scaled), "");
  EXPECT_EQ(refusal(edited([](Value&, ModelWriter&) {}, 2)),
            "b: the model has version 2, but its parts are those of version 1");
  EXPECT_EQ(refusal(edited([](Value&, ModelWriter&) {}, 4)),
            "b: the box model has version 4, but this program reads versions up to 3");
}

TEST(ModelArchive, DocumentsEveryPart) {
  const ModelSchema schema = Box::schema();
  EXPECT_EQ(schema.kind, "box");
  std::vector<std::string> names;
  for (const ModelSchema::Row& row : schema.rows) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"meta: shape", "meta: order", "meta: labels",
                                             "meta: inside.depth", "sides", "begin", "members",
                                             "words/offsets", "words/bytes", "weights", "scales",
                                             "meta: training"}));
  EXPECT_EQ(schema.rows[0].type, "round, square");
  EXPECT_EQ(schema.rows[4].type, "float32");
  EXPECT_EQ(schema.rows[4].where, "shape square");
  EXPECT_EQ(schema.rows[10].since, 2U);
  EXPECT_EQ(schema.rows[11].since, 1U);
}

}  // namespace
}  // namespace trellis
