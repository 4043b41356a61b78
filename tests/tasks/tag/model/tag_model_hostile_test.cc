// Models whose contents are wrong but whose checksums are right.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <map>

#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag::tag_model_hostile_test {
namespace {

using testing::RandomTagger;
using testing::RandomTaggerOptions;

class HostileTagModel : public ::testing::Test {
 protected:
  testing::TemporaryDirectory directory_;
};

std::string tiny_file(const testing::TemporaryDirectory& directory) {
  return directory.make("tiny.txt", "in O\nNice B-X\nLima I-X\n\nthe O\n\n");
}

// The sections of a model, to be changed and put together again with checksums that are right.
class Sections {
 public:
  explicit Sections(const std::string& bytes) {
    const ModelReader reader = ModelReader::from_bytes(testing::as_bytes(bytes), "good.model");
    for (const char* name :
         {"meta",       "template",   "rules",        "node.keys",      "node.ids",
          "node.names", "node.rows",  "edge.keys",    "edge.ids",       "edge.names",
          "edge.rows",  "node.begin", "node.targets", "edge.begin",     "edge.targets",
          "grams.1",    "grams.2",    "grams.3",      "node.name_ends", "edge.name_ends",
          "grams.stop", "weights",    "votes"}) {
      if (reader.has(name)) bytes_[name] = std::string(reader.text(name));
    }
  }

  std::string to_bytes(const std::string& kind = "tag", std::uint32_t version = 1) const {
    ModelWriter writer(kind, version);
    for (const auto& [name, content] : bytes_) writer.add_text(name, content);
    return writer.to_bytes();
  }

  std::string& operator[](const std::string& name) { return bytes_.at(name); }
  void add(const std::string& name, std::string content) { bytes_[name] = std::move(content); }
  void remove(const std::string& name) { bytes_.erase(name); }

  template <class T>
  std::vector<T> array(const std::string& name) const {
    const std::string& content = bytes_.at(name);
    std::vector<T> values(content.size() / sizeof(T));
    std::memcpy(values.data(), content.data(), values.size() * sizeof(T));
    return values;
  }
  template <class T>
  void set_array(const std::string& name, const std::vector<T>& values) {
    bytes_.at(name).assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  template <class T>
  void change(const std::string& name, const std::function<void(std::vector<T>&)>& edit) {
    std::vector<T> values = array<T>(name);
    edit(values);
    set_array(name, values);
  }
  void change_meta(const std::function<void(Value&)>& edit) {
    Value meta = parse_json(bytes_.at("meta")).value();
    edit(meta);
    bytes_.at("meta") = to_json(meta);
  }

 private:
  std::map<std::string, std::string> bytes_;
};

struct Hostile {
  std::string what;
  std::function<void(Sections&)> edit;
};

Hostile meta(const std::string& key, const Value& value) {
  return {key + " = " + to_json(value),
          [=](Sections& s) { s.change_meta([&](Value& meta) { meta[key] = value; }); }};
}

template <class T>
Hostile element(const std::string& section, Index at, T value) {
  return {section + "[" + std::to_string(at) + "]",
          [=](Sections& s) { s.change<T>(section, [&](auto& v) { v.at(at) = value; }); }};
}

template <class T>
Hostile longer(const std::string& section, T value) {
  return {section + " longer",
          [=](Sections& s) { s.change<T>(section, [&](auto& v) { v.push_back(value); }); }};
}

template <class T>
Hostile shorter(const std::string& section) {
  return {section + " shorter",
          [=](Sections& s) { s.change<T>(section, [](auto& v) { v.pop_back(); }); }};
}

std::vector<Hostile> hostile_descriptions() {
  std::vector<Hostile> all = {
      meta("labels", Value::list()),
      meta("labels", Value::list({"O", "O", "I-X"})),
      meta("labels", Value::list({"O", "B-X"})),
      meta("labels", Value::list({"O", "B-X", "I-X", "I-Y"})),
      meta("labels", Value::list({"O", 3, "I-X"})),
      meta("labels", "O"),
      meta("order", 0),
      meta("order", 2),
      meta("order", 5),
      meta("order", -1),
      meta("order", 4294967297),
      meta("order", 1.0),
      meta("order", 1e300),
      meta("order", true),
      meta("hash_bits", 1),
      meta("hash_bits", 31),
      meta("hash_bits", 63),
      meta("hash_bits", 64),
      meta("hash_bits", -1),
      meta("format", "pictures"),
      meta("format", 1),
      meta("num_columns", 0),
      meta("num_columns", 1),
      meta("num_columns", "two"),
      meta("label_column", 2),
      meta("label_column", -1),
      meta("label_column", 18446744073709551615ULL),
      meta("word_column", 2),
      meta("file_scheme", "plain"),
      meta("model_scheme", "plain"),
      meta("model_scheme", "iob3"),
      {"meta of garbage", [](Sections& s) { s["meta"] = "{"; }},
      {"meta as a list", [](Sections& s) { s["meta"] = "[]"; }},
      {"meta is not UTF-8", [](Sections& s) { s["meta"] = "{\"labels\": [\"\xff\"]}"; }},
  };
  for (const char* key : {"labels", "order", "hash_bits", "format", "num_columns", "label_column",
                          "word_column", "file_scheme", "model_scheme", "training"}) {
    all.push_back({std::string("no ") + key,
                   [=](Sections& s) { s.change_meta([&](Value& meta) { meta.erase(key); }); }});
  }
  return all;
}

std::vector<Hostile> hostile_arrays() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::uint64_t most = ~std::uint64_t{0};
  return {
      {"template of garbage", [](Sections& s) { s["template"] = "node word[0]\n"; }},
      {"template cut", [](Sections& s) { s["template"].pop_back(); }},
      {"no template", [](Sections& s) { s.remove("template"); }},
      shorter<std::uint8_t>("rules"),
      longer<std::uint8_t>("rules", 1),
      {"no rules", [](Sections& s) { s["rules"].clear(); }},
      element<std::uint64_t>("node.begin", 0, 1),
      element<std::uint64_t>("node.begin", 1, most),
      element<std::uint64_t>("node.begin", 2, 0),
      longer<std::uint64_t>("node.begin", most),
      shorter<std::uint64_t>("node.begin"),
      {"no rows", [](Sections& s) { s["node.begin"].clear(); }},
      element<std::uint32_t>("node.targets", 0, 3),
      element<std::uint32_t>("node.targets", 0, ~std::uint32_t{0}),
      longer<std::uint32_t>("node.targets", 0),
      shorter<std::uint32_t>("node.targets"),
      {"half a target", [](Sections& s) { s["node.targets"].pop_back(); }},
      element<std::uint32_t>("grams.1", 0, 4000000000U),
      element<std::uint32_t>("grams.1", 0, ~std::uint32_t{0} - 1),
      element<std::uint32_t>("grams.stop", 0, 4000000000U),
      longer<std::uint32_t>("grams.1", 0),
      shorter<std::uint32_t>("grams.1"),
      longer<std::uint32_t>("grams.stop", 0),
      shorter<std::uint32_t>("grams.stop"),
      {"no grams", [](Sections& s) { s.remove("grams.1"); }},
      element<double>("weights", 0, nan),
      element<double>("weights", 1, infinity),
      longer<double>("weights", 0),
      shorter<double>("weights"),
      {"no weights", [](Sections& s) { s["weights"].clear(); }},
      {"no votes", [](Sections& s) { s.add("votes", ""); }},
      {"two voters", [](Sections& s) { s.add("votes", std::string(16, '\0')); }},
      {"a vote that is none",
       [=](Sections& s) {
         s.add("votes", std::string(8, '\0'));
         s.set_array<double>("votes", {nan});
       }},
      shorter<std::uint64_t>("node.keys"),
      shorter<std::uint32_t>("node.ids"),
      {"an id beyond the rows",
       [](Sections& s) {
         s.change<std::uint32_t>("node.ids", [](auto& ids) {
           for (std::uint32_t& id : ids) id = 1000;
         });
       }},
      {"three slots",
       [](Sections& s) {
         s.change<std::uint64_t>("node.keys", [](auto& keys) { keys.resize(3); });
         s.change<std::uint32_t>("node.ids", [](auto& ids) { ids.assign(3, 0); });
       }},
      element<std::uint64_t>("node.name_ends", 0, 1),
      element<std::uint64_t>("node.name_ends", 1, most),
      shorter<std::uint64_t>("node.name_ends"),
      {"names that are not UTF-8", [](Sections& s) { s["node.names"][0] = '\xff'; }},
      {"edge rows out of nowhere",
       [](Sections& s) {
         s.set_array<std::uint64_t>("edge.begin", {0, 1});
         s.set_array<std::uint32_t>("edge.targets", {12});
       }},
  };
}

void expect_all_refused(const std::string& good, const std::vector<Hostile>& all) {
  // What is put together again unchanged is the model.
  EXPECT_NO_THROW(TagModel::from_bytes(testing::as_bytes(Sections(good).to_bytes()), "good.model"));
  for (const Hostile& hostile : all) {
    Sections sections(good);
    hostile.edit(sections);
    const std::string bytes = sections.to_bytes();
    EXPECT_THROW(TagModel::from_bytes(testing::as_bytes(bytes), "hostile.model"), InputError)
        << hostile.what;
  }
}

TEST_F(HostileTagModel, HostileDescriptionsAreRefused) {
  expect_all_refused(RandomTagger(tiny_file(directory_), {}, 1).bytes(), hostile_descriptions());
}

TEST_F(HostileTagModel, HostileArraysAreRefused) {
  expect_all_refused(RandomTagger(tiny_file(directory_), {}, 1).bytes(), hostile_arrays());
}

TEST_F(HostileTagModel, HostileHashingIsRefused) {
  RandomTaggerOptions options;
  options.hash_bits = 4;
  options.edges = true;
  expect_all_refused(RandomTagger(tiny_file(directory_), options, 1).bytes(),
                     {
                         meta("hash_bits", 0),
                         meta("hash_bits", 3),
                         meta("hash_bits", 5),
                         shorter<std::uint32_t>("node.rows"),
                         element<std::uint32_t>("node.rows", 3, 4000000000U),
                         element<std::uint32_t>("edge.rows", 3, 1000),
                         {"no edge buckets", [](Sections& s) { s["edge.rows"].clear(); }},
                         {"no node buckets", [](Sections& s) { s["node.rows"].clear(); }},
                     });
}

TEST_F(HostileTagModel, HigherOrdersHaveTheNGramsOfTheirRules) {
  RandomTaggerOptions options;
  options.order = 3;
  const std::string good = RandomTagger(tiny_file(directory_), options, 1).bytes();
  expect_all_refused(good, {
                               shorter<std::uint32_t>("grams.2"),
                               longer<std::uint32_t>("grams.3", 0),
                               {"no level 3", [](Sections& s) { s.remove("grams.3"); }},
                               element<std::uint8_t>("rules", 2, 1),
                               {"nothing may start",
                                [](Sections& s) {
                                  for (Index j = 0; j < 3; ++j) s["rules"][j] = '\0';
                                }},
                           });
}

TEST_F(HostileTagModel, AnotherKindOrANewerVersionIsRefusedByName) {
  const Sections sections(RandomTagger(tiny_file(directory_), {}, 1).bytes());
  EXPECT_THROW(TagModel::from_bytes(testing::as_bytes(sections.to_bytes("parse")), "a"),
               InputError);
  try {
    TagModel::from_bytes(testing::as_bytes(sections.to_bytes("tag", 7)), "new.model");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find('7'), std::string::npos) << error.what();
  }
}

// What is odd but not wrong can be used: every lookup and every sum ends.
TEST_F(HostileTagModel, OddContentsAreHarmless) {
  const std::string file = tiny_file(directory_);
  const std::string good = RandomTagger(file, {}, 1).bytes();
  const auto sequences = testing::read_sequences(file);
  const std::vector<Hostile> all = {
      {"a table without an empty slot",
       [](Sections& s) {
         s.change<std::uint64_t>("node.keys", [](auto& keys) {
           for (std::uint64_t& key : keys) key = key == 0 ? 12345 : key;
         });
         s.change<std::uint32_t>("node.ids", [](auto& ids) { ids.assign(ids.size(), 0); });
       }},
      {"nothing is legal", [](Sections& s) { s["rules"].assign(s["rules"].size(), '\0'); }},
      {"all n-grams share a weight",
       [](Sections& s) {
         s.change<std::uint32_t>("grams.1", [](auto& ranks) {
           for (std::uint32_t& rank : ranks) rank = rank == GramWeights::kNone ? 0 : rank;
         });
       }},
      {"weights at the end of the numbers",
       [](Sections& s) {
         s.change<double>("weights", [](auto& weights) {
           for (double& weight : weights) weight = weight > 0 ? 1.7e308 : -1.7e308;
         });
       }},
  };
  for (const Hostile& odd : all) {
    SCOPED_TRACE(odd.what);
    Sections sections(good);
    odd.edit(sections);
    const std::string bytes = sections.to_bytes();
    try {
      const TagModel model = TagModel::from_bytes(testing::as_bytes(bytes), "odd.model");
      const Tagger tagger(model);
      Tagger::Scratch scratch;
      for (const TagSequence& sequence : sequences) {
        std::vector<Label> labels;
        tagger.tag(sequence, {}, scratch, labels);
        EXPECT_TRUE(labels.empty() || labels.size() == sequence.num_tokens());
        std::vector<ScoredOutput<std::vector<Label>>> best;
        tagger.n_best(sequence, {}, 5, scratch, best);
        std::vector<double> probabilities;
        tagger.marginals(sequence, {}, scratch, probabilities);
      }
    } catch (const InputError& error) {
      SUCCEED() << error.what();
    }
  }
}

}  // namespace
}  // namespace trellis::tag::tag_model_hostile_test
