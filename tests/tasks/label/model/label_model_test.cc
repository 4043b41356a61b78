#include "trellis/tasks/label/model/label_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>

#include "tests/base/temporary_directory.h"
#include "tests/data/model_sections.h"
#include "tests/tasks/label/small_labeller.h"
#include "trellis/base/error.h"
#include "trellis/data/model_file.h"

namespace trellis::label {
namespace {

using testing::as_bytes;
using testing::small_model;

constexpr ModelForm kForms[] = {ModelForm::kIndependent, ModelForm::kPairwise, ModelForm::kChain};

void expect_refused(const std::string& bytes, const std::string& what) {
  EXPECT_THROW(LabelModel::from_bytes(as_bytes(bytes), "bad.model"), InputError) << what;
}

TEST(LabelModel, WhatIsSavedIsWhatIsLoaded) {
  for (const ModelForm form : kForms) {
    LabelModel model = small_model(form);
    model.scaling.mean = {0.1, -0.0};
    model.scaling.scale = {1.0 / 3, 2};
    model.scaling.unit_length = true;
    const std::string bytes = model.to_bytes();
    const LabelModel loaded = LabelModel::from_bytes(as_bytes(bytes), "m");
    EXPECT_EQ(loaded.to_bytes(), bytes);
    EXPECT_EQ(loaded.form, form);
    EXPECT_EQ(loaded.label_names, model.label_names);
    EXPECT_EQ(loaded.feature_names, model.feature_names);
    EXPECT_EQ(loaded.scaling.mean, model.scaling.mean);
    EXPECT_EQ(loaded.weights, model.weights);
    EXPECT_EQ(loaded.pairs, model.pairs);
    EXPECT_EQ(loaded.chain_weights, model.chain_weights);
    EXPECT_EQ(loaded.training, model.training);
  }
}

TEST(LabelModel, IsWrittenToAFileAndReadFromIt) {
  const trellis::testing::TemporaryDirectory folder;
  const LabelModel model = small_model(ModelForm::kPairwise);
  for (const char* name : {"m", "m.gz", "m.zst"}) {
    model.write(folder.file(name));
    EXPECT_EQ(LabelModel::read(folder.file(name)).to_bytes(), model.to_bytes());
  }
  EXPECT_THROW(LabelModel::read(folder.file("none")), InputError);
}

TEST(LabelModel, TruncationAnywhereIsRefused) {
  const std::string bytes = small_model(ModelForm::kChain).to_bytes();
  for (Index size = 0; size < bytes.size(); ++size) {
    expect_refused(bytes.substr(0, size), std::to_string(size));
  }
}

TEST(LabelModel, AChangeInAnyByteIsRefused) {
  std::string bytes = small_model(ModelForm::kPairwise).to_bytes();
  for (Index i = 0; i < bytes.size(); ++i) {
    const char before = bytes[i];
    bytes[i] = static_cast<char>(before ^ 0x10);
    expect_refused(bytes, std::to_string(i));
    bytes[i] = before;
  }
}

// The sections of a model, put together again with checksums that are right.
using Sections = std::map<std::string, std::string>;

Sections sections_of(const LabelModel& model) {
  const std::string bytes = model.to_bytes();
  const ModelReader reader = ModelReader::from_bytes(as_bytes(bytes), "good.model");
  Sections sections;
  for (const char* name :
       {"meta", "labels", "label_ends", "features", "feature_ends", "mean", "scale", "weights",
        "thresholds", "pairs", "couplings", "order", "chain_weights"}) {
    if (reader.has(name)) sections[name] = std::string(reader.text(name));
  }
  return sections;
}

std::string assembled(const Sections& sections, const std::string& kind = "label",
                      std::uint32_t version = 1) {
  ModelWriter writer(kind, version);
  for (const auto& [name, content] : sections) writer.add_text(name, content);
  return writer.to_bytes();
}

TEST(LabelModel, EachSectionIsNeeded) {
  for (const ModelForm form : kForms) {
    const Sections all = sections_of(small_model(form));
    EXPECT_NO_THROW(LabelModel::from_bytes(as_bytes(assembled(all)), "m"));
    expect_refused(assembled(all, "tag"), "another kind");
    expect_refused(assembled(all, "label", 2), "a version to come");
    for (const auto& [name, content] : all) {
      Sections sections = all;
      sections.erase(name);
      expect_refused(assembled(sections), "no " + name);
      if (content.size() < 2) continue;
      sections[name] = content.substr(0, content.size() - 1);
      expect_refused(assembled(sections), "a byte less in " + name);
      sections[name] = content.substr(0, content.size() - std::min<Index>(8, content.size()));
      expect_refused(assembled(sections), "a number less in " + name);
      sections[name] =
          content + content.substr(content.size() - std::min<Index>(8, content.size()));
      expect_refused(assembled(sections), "a number more in " + name);
    }
  }
}

TEST(LabelModel, DescriptionsThatDoNotFitAreRefused) {
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {
      {"form", "cyclic"}, {"form", 1},     {"form", "chain"},        {"form", "independent"},
      {"unit_length", 1}, {"bias", "one"}, {"bias", nullptr},        {"bias", 0},
      {"bias", 1e39},     {"bias", true},  {"unit_length", nullptr},
  };
  trellis::testing::each_wrong_meta(sections_of(small_model(ModelForm::kPairwise)), wrong,
                                    [](const Sections& sections, const std::string& what) {
                                      expect_refused(assembled(sections), what);
                                    });
}

TEST(LabelModel, PartsThatDoNotFitAreRefusedOnBothWays) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  using Change = std::function<void(LabelModel&)>;
  const std::vector<std::tuple<const char*, ModelForm, Change>> wrong = {
      {"no label", ModelForm::kIndependent, [](auto& m) { m.label_names.clear(); }},
      {"label twice", ModelForm::kIndependent, [](auto& m) { m.label_names[1] = "a"; }},
      {"label with a tab", ModelForm::kIndependent, [](auto& m) { m.label_names[1] = "a\tb"; }},
      {"empty label", ModelForm::kIndependent, [](auto& m) { m.label_names[1].clear(); }},
      {"feature twice", ModelForm::kIndependent, [](auto& m) { m.feature_names[1] = "x"; }},
      {"a feature more", ModelForm::kIndependent, [](auto& m) { m.feature_names.push_back("z"); }},
      {"no bias", ModelForm::kIndependent, [](auto& m) { m.scaling.bias = 0; }},
      {"a mean less", ModelForm::kIndependent, [](auto& m) { m.scaling.mean = {1}; }},
      {"a scale more", ModelForm::kIndependent,
       [](auto& m) {
         m.scaling.scale = {1, 1, 1};
       }},
      {"a mean NaN", ModelForm::kIndependent,
       [](auto& m) {
         m.scaling.mean = {1, kNan};
       }},
      {"a weight NaN", ModelForm::kIndependent, [](auto& m) { m.weights[4] = kNan; }},
      {"a weight too large", ModelForm::kIndependent, [](auto& m) { m.weights[4] = 1e201; }},
      {"an infinite threshold", ModelForm::kIndependent, [](auto& m) { m.thresholds[0] = -kInf; }},
      {"a threshold less", ModelForm::kIndependent, [](auto& m) { m.thresholds.pop_back(); }},
      {"couplings of none", ModelForm::kIndependent, [](auto& m) { m.couplings = {1}; }},
      {"order of none", ModelForm::kIndependent,
       [](auto& m) {
         m.order = {0, 1, 2};
       }},
      {"a pair of one", ModelForm::kPairwise,
       [](auto& m) {
         m.pairs[0] = {1, 1};
       }},
      {"a pair backwards", ModelForm::kPairwise,
       [](auto& m) {
         m.pairs[0] = {1, 0};
       }},
      {"a pair beyond", ModelForm::kPairwise,
       [](auto& m) {
         m.pairs[0] = {1, 3};
       }},
      {"a pair twice", ModelForm::kPairwise,
       [](auto& m) {
         m.pairs[0] = {1, 2};
       }},
      {"a coupling less", ModelForm::kPairwise, [](auto& m) { m.couplings.pop_back(); }},
      {"repulsion", ModelForm::kPairwise, [](auto& m) { m.couplings[0] = -1; }},
      {"a coupling NaN", ModelForm::kPairwise, [](auto& m) { m.couplings[0] = kNan; }},
      {"a label visited twice", ModelForm::kChain,
       [](auto& m) {
         m.order = {0, 1, 1};
       }},
      {"a label left out", ModelForm::kChain,
       [](auto& m) {
         m.order = {0, 1};
       }},
      {"a label beyond", ModelForm::kChain,
       [](auto& m) {
         m.order = {0, 1, 3};
       }},
      {"sight of itself", ModelForm::kChain, [](auto& m) { m.chain_weights[0] = 1; }},
      {"sight of what is later", ModelForm::kChain, [](auto& m) { m.chain_weights[6] = 1; }},
      {"a chain weight NaN", ModelForm::kChain, [](auto& m) { m.chain_weights[2] = kNan; }},
  };
  for (const auto& [what, form, change] : wrong) {
    LabelModel model = small_model(form);
    change(model);
    EXPECT_THROW(model.to_bytes(), UsageError) << what;
  }
  // A hostile file says the same things in its sections.
  Sections sections = sections_of(small_model(ModelForm::kPairwise));
  const std::uint32_t beyond = 7;
  std::memcpy(sections["pairs"].data() + 4, &beyond, 4);
  expect_refused(assembled(sections), "a pair beyond");
  sections = sections_of(small_model(ModelForm::kChain));
  const double late = 1;
  std::memcpy(sections["chain_weights"].data() + 6 * 8, &late, 8);
  expect_refused(assembled(sections), "sight of what is later");
  sections = sections_of(small_model(ModelForm::kIndependent));
  sections["features"] = "xx";
  expect_refused(assembled(sections), "a feature twice");
  sections["features"] = "x\xFF";
  expect_refused(assembled(sections), "a feature that is not UTF-8");
}

}  // namespace
}  // namespace trellis::label
