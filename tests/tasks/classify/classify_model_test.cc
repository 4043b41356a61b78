#include "trellis/tasks/classify/classify_model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/base/temporary_directory.h"
#include "tests/data/model_sections.h"
#include "tests/tasks/classify/small_classifier.h"
#include "trellis/base/error.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/inspect.h"

namespace trellis::classify {
namespace {

using testing::as_bytes;
using testing::kTinyText;
using testing::kTinyVectors;
using testing::options_for;
using testing::train_on;

std::string trained_bytes(std::string_view content, const TrainOptions& options = options_for()) {
  const trellis::testing::TemporaryDirectory directory;
  train_on(content, options).model->write(directory.file("m"));
  return trellis::testing::content_of(directory.file("m"));
}

// With a kernel.
const std::string& kernel_model() {
  static const std::string bytes = [] {
    TrainOptions options = options_for();
    options.kernel = parse_kernel("rbf:1");
    return trained_bytes(kTinyVectors, options);
  }();
  return bytes;
}

const std::string& tiny_model() {
  static const std::string bytes = trained_bytes(kTinyText);
  return bytes;
}

void expect_refused(const std::string& bytes, const std::string& what) {
  EXPECT_THROW(ClassifyModel::from_bytes(as_bytes(bytes), "bad.model"), InputError) << what;
}

TEST(ClassifyModel, IsLoadedAsItWasTrained) {
  const ClassifyModel model = ClassifyModel::from_bytes(as_bytes(tiny_model()), "m");
  EXPECT_EQ(model.labels(), (std::vector<std::string>{"birds", "fruit", "tools"}));
  EXPECT_EQ(model.columns()->to_string(), "label,text");
  EXPECT_EQ(model.features().weighting, Weighting::kLogTfidf);
  EXPECT_EQ(model.feature_name(0), kBiasName);
  EXPECT_TRUE(model.has_label("birds"));
  EXPECT_FALSE(model.has_label("fish"));
  EXPECT_EQ(model.training().at("learner"), "smo");
  const ClassifyModel vectors =
      ClassifyModel::from_bytes(as_bytes(trained_bytes(kTinyVectors)), "m");
  EXPECT_EQ(vectors.features().format, InputFormat::kLibsvm);
  EXPECT_EQ(vectors.labels(), (std::vector<std::string>{"-1", "1", "2"}));
}

TEST(ClassifyModel, SaysWhatSpeaksForALabel) {
  const ClassifyModel model = ClassifyModel::from_bytes(as_bytes(tiny_model()), "m");
  const auto features = strongest_features(model, 1);
  ASSERT_EQ(features.size(), 3u);
  EXPECT_EQ(features[1].label, "fruit");
  EXPECT_EQ(features[1].positive.at(0).name, "pears");
  EXPECT_EQ(features[2].positive.at(0).name, "saw");
}

TEST(ClassifyModel, TruncationAnywhereIsRefused) {
  for (Index size = 0; size < tiny_model().size(); ++size) {
    expect_refused(tiny_model().substr(0, size), std::to_string(size));
  }
}

TEST(ClassifyModel, AChangeInAnyByteIsRefused) {
  std::string bytes = tiny_model();
  for (Index i = 0; i < bytes.size(); ++i) {
    const char before = bytes[i];
    bytes[i] = static_cast<char>(before ^ 0x10);
    expect_refused(bytes, std::to_string(i));
    bytes[i] = before;
  }
}

// The sections of a model, put together again with checksums that are right.
using Sections = std::map<std::string, std::string>;

Sections sections_of(const std::string& bytes) {
  const ModelReader reader = ModelReader::from_bytes(as_bytes(bytes), "good.model");
  Sections sections;
  for (const char* name : {"meta", "keys", "ids", "names", "name_ends", "idf", "factors", "shifts",
                           "pivot_ends", "pivot_ids", "pivot_values", "weights"}) {
    if (reader.has(name)) sections[name] = std::string(reader.text(name));
  }
  return sections;
}

std::string assembled(const Sections& sections, const std::string& kind = "classify",
                      std::uint32_t version = 1) {
  ModelWriter writer(kind, version);
  for (const auto& [name, content] : sections) writer.add_text(name, content);
  return writer.to_bytes();
}

template <class T>
void set_element(std::string& section, Index at, T value) {
  std::memcpy(section.data() + at * sizeof(T), &value, sizeof(T));
}

TEST(ClassifyModel, DescriptionsThatDoNotFitAreRefused) {
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {
      {"labels", nlohmann::json::array()},
      {"labels", {"a", "a", "b"}},
      {"labels", {"a", "b"}},
      {"labels", {"a", 3, "b"}},
      {"format", "pictures"},
      {"format", 1},
      {"columns", "label"},
      {"columns", 7},
      {"lowercase", 1},
      {"ngrams", 0},
      {"ngrams", 9},
      {"ngrams", -1},
      {"ngrams", 1.0},
      {"weighting", "heavy"},
      {"normalize", "l2"},
      {"bias", nullptr},
      {"beta", 0},
      {"beta", -1},
      {"beta", "one"},
  };
  trellis::testing::each_wrong_meta(sections_of(tiny_model()), wrong,
                                    [](const Sections& sections, const std::string& what) {
                                      expect_refused(assembled(sections), what);
                                    });
}

TEST(ClassifyModel, ArraysThatDoNotFitAreRefused) {
  const std::vector<std::pair<const char*, std::function<void(Sections&)>>> wrong = {
      {"no weights", [](Sections& s) { s.erase("weights"); }},
      {"no idf", [](Sections& s) { s.erase("idf"); }},
      {"a weight less", [](Sections& s) { s["weights"].resize(s["weights"].size() - 8); }},
      {"a row less", [](Sections& s) { s["weights"].resize(s["weights"].size() - 24); }},
      {"no row", [](Sections& s) { s["weights"].clear(); }},
      {"a weight too large", [](Sections& s) { set_element(s["weights"], 1, 1e101); }},
      {"a weight NaN",
       [](Sections& s) { set_element(s["weights"], 1, std::numeric_limits<double>::quiet_NaN()); }},
      {"an infinite idf",
       [](Sections& s) { set_element(s["idf"], 1, std::numeric_limits<double>::infinity()); }},
      {"an idf less", [](Sections& s) { s["idf"].resize(s["idf"].size() - 8); }},
      {"an id beyond",
       [](Sections& s) {
         for (Index k = 0; k < s["ids"].size() / 4; ++k) set_element(s["ids"], k, 99u);
       }},
      {"fewer slots", [](Sections& s) { s["keys"].resize(s["keys"].size() - 8); }},
      {"names that end beyond",
       [](Sections& s) { set_element(s["name_ends"], 1, std::uint64_t{1} << 60); }},
      {"no names", [](Sections& s) { s["names"].clear(); }},
      {"bytes that are no text", [](Sections& s) { s["names"][0] = '\xff'; }},
  };
  for (const auto& [what, edit] : wrong) {
    Sections sections = sections_of(tiny_model());
    edit(sections);
    expect_refused(assembled(sections), what);
  }
  expect_refused(assembled(sections_of(tiny_model()), "tag"), "another kind");
  expect_refused(assembled(sections_of(tiny_model()), "classify", 4), "a newer version");
  expect_refused(assembled(sections_of(tiny_model()), "classify", 3), "a scale that is not there");
  expect_refused(assembled(sections_of(tiny_model()), "classify", 2), "a kernel that is not there");
}

TEST(ClassifyModel, KernelsThatDoNotFitAreRefused) {
  const Sections good = sections_of(kernel_model());
  EXPECT_NO_THROW(ClassifyModel::from_bytes(as_bytes(assembled(good, "classify", 2)), "m"));
  const std::vector<std::pair<const char*, std::function<void(Sections&)>>> wrong = {
      {"no pivots", [](Sections& s) { s.erase("pivot_ends"); }},
      {"no ends", [](Sections& s) { s["pivot_ends"].clear(); }},
      {"a pivot less", [](Sections& s) { s["pivot_ends"].resize(s["pivot_ends"].size() - 8); }},
      {"an end beyond",
       [](Sections& s) { set_element(s["pivot_ends"], 1, std::uint64_t{1} << 60); }},
      {"a beginning behind",
       [](Sections& s) { set_element(s["pivot_ends"], 0, std::uint64_t{1}); }},
      {"a feature beyond", [](Sections& s) { set_element(s["pivot_ids"], 0, 99u); }},
      {"features that do not ascend", [](Sections& s) { set_element(s["pivot_ids"], 1, 0u); }},
      {"a value less", [](Sections& s) { s["pivot_values"].resize(s["pivot_values"].size() - 4); }},
      {"an infinite value",
       [](Sections& s) {
         set_element(s["pivot_values"], 0, std::numeric_limits<float>::infinity());
       }},
      {"a row less", [](Sections& s) { s["weights"].resize(s["weights"].size() - 24); }},
      {"no kernel's name",
       [](Sections& s) {
         nlohmann::json meta = nlohmann::json::parse(s["meta"]);
         meta.erase("kernel");
         s["meta"] = meta.dump();
       }},
      {"a kernel of another name",
       [](Sections& s) {
         nlohmann::json meta = nlohmann::json::parse(s["meta"]);
         meta["kernel"] = "corn";
         s["meta"] = meta.dump();
       }},
  };
  for (const auto& [what, edit] : wrong) {
    Sections sections = good;
    edit(sections);
    expect_refused(assembled(sections, "classify", 2), what);
  }
}

TEST(ClassifyModel, ScalesThatDoNotFitAreRefused) {
  const Sections good = sections_of(trained_bytes("a 1:100\nb 1:300\na 1:110 2:1\n"));
  EXPECT_NO_THROW(ClassifyModel::from_bytes(as_bytes(assembled(good, "classify", 3)), "m"));
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<const char*, std::function<void(Sections&)>>> wrong = {
      {"no factors", [](Sections& s) { s.erase("factors"); }},
      {"no shifts", [](Sections& s) { s.erase("shifts"); }},
      {"a factor less", [](Sections& s) { s["factors"].resize(s["factors"].size() - 8); }},
      {"a shift more", [](Sections& s) { s["shifts"].resize(s["shifts"].size() + 8); }},
      {"an infinite factor", [&](Sections& s) { set_element(s["factors"], 1, infinity); }},
      {"an infinite shift", [&](Sections& s) { set_element(s["shifts"], 1, -infinity); }},
      {"a bias that is scaled", [](Sections& s) { set_element(s["factors"], 0, 2.0); }},
      {"a bias that is shifted", [](Sections& s) { set_element(s["shifts"], 0, 1.0); }},
  };
  for (const auto& [what, edit] : wrong) {
    Sections sections = good;
    edit(sections);
    expect_refused(assembled(sections, "classify", 3), what);
  }
}

}  // namespace
}  // namespace trellis::classify
