#include "trellis/tasks/tag/output/item_export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/train.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::tag {
namespace {

class ItemExport : public ::testing::Test {
 protected:
  // The file as items.
  std::string export_items(const std::string& file, const FeatureTemplate& features,
                           const TrainingSetOptions& options = {}, int threads = 1) const {
    const std::string path = directory_.file("out.items");
    OutputFile out(path);
    write_items(sequences_of(open_files({file}), options), features, options.label_column, threads,
                out);
    out.commit();
    return testing::content_of(path);
  }
  static TrainingSetOptions items() {
    TrainingSetOptions options;
    options.format = InputFormat::kItems;
    return options;
  }

  testing::TemporaryDirectory directory_;
  FeatureTemplate none_ = FeatureTemplate::builtin("none");
};

TEST_F(ItemExport, WhatIsReadBackIsWhatWasWritten) {
  const std::string words =
      "a:b X\n\\ X\nc\\:d @weight:2\n: Y:Z\n\\\\: \\:\n# X\n\n@weight:3 Y\n\nend Y\n";
  const FeatureTemplate features = FeatureTemplate::parse(
      "word = column 0\nnode word[-1..1]\nnode suffix(word, 1..2)\nnode\nnode has(word, lower)\n"
      "edge\n",
      "template");
  const std::string file = directory_.make("words.txt", words);
  const TrainingSet direct = read_training_set(open_files({file}), features, {});
  const std::string exported = directory_.make("words.items", export_items(file, features));
  const TrainingSet through = read_training_set(open_files({exported}), none_, items());
  EXPECT_EQ(through.digest, direct.digest);
  EXPECT_EQ(through.labels, direct.labels);
  ASSERT_EQ(through.nodes.size(), direct.nodes.size());
  for (AttributeId id = 0; id < direct.nodes.size(); ++id) {
    EXPECT_EQ(through.nodes.name(id), direct.nodes.name(id));
  }
}

TEST_F(ItemExport, ItemFilesComeBackAsTheyWereMeant) {
  const std::string text = "@weight:0.25\nX\tw=1\tvalue:0.1\t:3\n\tw=2\n\t\n\nY\n\n";
  const std::string file = directory_.make("given.items", text);
  EXPECT_EQ(export_items(file, none_, items()), text);
}

TEST_F(ItemExport, BothWaysLeadToTheSameWeights) {
  const std::string file = directory_.make("city.txt", testing::city_sentences(40, 7));
  const FeatureTemplate features = FeatureTemplate::builtin("pos");
  const std::string exported = directory_.make("city.items", export_items(file, features));
  EXPECT_EQ(export_items(file, features, {}, 3), testing::content_of(exported));
  TrainOptions options;
  options.training.learner.epochs = 5;
  options.training.checkpoint = directory_.file("checkpoint");
  const Trained direct = train(read_tag_data(open_files({file}), {}, features, {}), options);
  const Trained through = train(read_tag_data(open_files({exported}), {}, none_, items()), options);
  EXPECT_TRUE(
      std::ranges::equal(direct.model->weights(), through.model->weights()));  // bit for bit
  EXPECT_EQ(direct.model->labels(), through.model->labels());
}

TEST_F(ItemExport, WhatItemsCannotHoldIsRefused) {
  const std::string file = directory_.make("city.txt", testing::city_sentences(3, 1));
  EXPECT_THROW(export_items(file, testing::city_template(true)), UsageError);
  EXPECT_THROW(export_items(file, FeatureTemplate::parse("node column 4\nedge\n", "t")),
               InputError);
  const FeatureTemplate tabs =
      FeatureTemplate::parse("node replace(column 0, \"o\", \"\t\")\nedge\n", "t");
  EXPECT_THROW(export_items(file, tabs), InputError);
}

}  // namespace
}  // namespace trellis::tag
