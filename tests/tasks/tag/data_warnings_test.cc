#include "trellis/tasks/tag/data_warnings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/output_file.h"

namespace trellis::tag {
namespace {

const std::string kTravelFolder = TRELLIS_SOURCE_DIR "/data/travel/";

TagData read(const std::string& train, const std::string& dev = {},
             const TrainingSetOptions& options = {}, const char* features = "pos") {
  std::optional<InputFile> held_out;
  if (!dev.empty()) held_out.emplace(dev);
  return read_tag_data(open_files({train}), std::move(held_out), FeatureTemplate::builtin(features),
                       options);
}

std::string only(const std::vector<std::string>& warnings) {
  EXPECT_EQ(warnings.size(), 1U);
  return warnings.empty() ? "" : warnings.front();
}

TEST(DataWarnings, HealthyDataHasNone) {
  for (const char* features : {"pos", "chunk"}) {
    EXPECT_TRUE(
        data_warnings(read(kTravelFolder + "train.txt", kTravelFolder + "dev.txt", {}, features))
            .empty());
  }
}

TEST(DataWarnings, WordsThatAreTakenForLabels) {
  const testing::TemporaryDirectory directory;
  std::string swapped;
  for (const TagSequence& sequence : testing::read_sequences(kTravelFolder + "train.txt")) {
    for (Index t = 0; t < sequence.num_tokens(); ++t) {
      swapped += fmt::format("{} {}\n", sequence.columns.field(t, 1), sequence.columns.field(t, 0));
    }
    swapped += "\n";
  }
  EXPECT_NE(
      only(data_warnings(read(directory.make("swapped.txt", swapped)))).find("--label-column"),
      std::string::npos);
}

TEST(DataWarnings, ASingleLabel) {
  const testing::TemporaryDirectory directory;
  const std::string file = directory.make("outside.txt", "a O\nb O\n\nc O\n\n");
  EXPECT_NE(only(data_warnings(read(file))).find("every token has the label 'O'"),
            std::string::npos);
}

TEST(DataWarnings, ADevSetOfOtherFeatures) {
  const testing::TemporaryDirectory directory;
  TrainingSetOptions options;
  options.format = InputFormat::kItems;
  const std::string train = directory.make("train.items", "X\tw=a\nY\tw=b\n\nX\tw=a\nY\tw=b\n\n");
  const std::string dev = directory.make("dev.items", "X\tword=a\nY\tword=b\n\n");
  EXPECT_TRUE(data_warnings(read(train, train, options, "none")).empty());
  EXPECT_NE(only(data_warnings(read(train, dev, options, "none"))).find("100 % of its features"),
            std::string::npos);
  options.hash_bits = 8;  // where no feature is unknown
  EXPECT_TRUE(data_warnings(read(train, dev, options, "none")).empty());
}

TEST(DataWarnings, AFileThatTheModelDoesNotKnow) {
  const testing::TemporaryDirectory directory;
  const std::string file = directory.make("city.txt", testing::city_sentences(30, 3));
  TrainOptions options;
  options.training.learner.epochs = 3;
  options.training.checkpoint = directory.file("checkpoint");
  const FeatureTemplate words = FeatureTemplate::parse("node \"w\": column 0\nedge\n", "t");
  const Trained trained = train(read_tag_data(open_files({file}), {}, words, {}), options);
  const TagModel& model = *trained.model;
  const auto warnings = [&](const std::string& path) {
    return coverage_warnings(model, path, evaluate(model, InputFile(path)).coverage);
  };
  EXPECT_TRUE(warnings(file).empty());
  const std::string strange = directory.make("strange.txt", "1 O\n2 O\n3 O\n\n");
  EXPECT_NE(only(warnings(strange)).find("100 % of its features are unknown"), std::string::npos);
  OutputFile out(directory.file("out.txt"));
  EXPECT_EQ(predict(model, InputFile(strange), {}, out).unknown, 3U);
}

}  // namespace
}  // namespace trellis::tag
