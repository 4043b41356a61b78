// The data that users have: the sample of this repository, and Mulan's files where they are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "trellis/formats/sets/label_reader.h"

namespace trellis::label {
namespace {

LabelData read(const std::string& path, const std::string& xml) {
  ReadOptions options;
  options.label_names = read_label_names(xml);
  return read_label_data(path, options);
}

TEST(LabelSample, ArffAndLibsvmSayTheSame) {
  const std::string folder = TRELLIS_SOURCE_DIR "/data/recipes/";
  for (const std::string part : {"train", "test"}) {
    const LabelData arff = read(folder + part + ".arff", folder + "recipes.xml");
    const LabelData libsvm = read(folder + part + ".libsvm", folder + "recipes.xml");
    EXPECT_EQ(arff.num_instances(), part == "train" ? 300U : 100U);
    EXPECT_EQ(arff.num_features(), 86U);
    EXPECT_EQ(arff.label_names, libsvm.label_names);
    EXPECT_EQ(arff.labels.ids, libsvm.labels.ids);
    EXPECT_EQ(arff.labels.begin, libsvm.labels.begin);
    ASSERT_EQ(libsvm.features.num_rows(), arff.num_instances());
    for (Index i = 0; i < arff.num_instances(); ++i) {
      const auto columns = arff.features.ids(i);
      const auto indices = libsvm.features.ids(i);
      ASSERT_EQ(columns.size(), indices.size());
      for (Index k = 0; k < columns.size(); ++k) {
        EXPECT_EQ(std::to_string(columns[k] + 1), libsvm.feature_names[indices[k]]);
      }
    }
  }
}

struct Known {
  const char* name;
  Index train, test, labels, features;
  bool dense;
};

TEST(LabelSample, MulanDataHaveTheSizesThatAreKnown) {
  const char* folder = std::getenv("TRELLIS_DATA");
  if (folder == nullptr) GTEST_SKIP() << "TRELLIS_DATA is not set";
  const Known sets[] = {
      {"emotions", 391, 202, 6, 72, true},   {"scene", 1211, 1196, 6, 294, true},
      {"yeast", 1500, 917, 14, 103, true},   {"medical", 333, 645, 45, 1449, false},
      {"enron", 1123, 579, 53, 1001, false}, {"bibtex", 4880, 2515, 159, 1836, false},
  };
  for (const Known& known : sets) {
    const std::string base = std::string(folder) + "/mulan/" + known.name + "/" + known.name;
    for (const std::string part : {"train", "test"}) {
      const LabelData data = read(base + "-" + part + ".arff.gz", base + ".xml");
      EXPECT_EQ(data.num_instances(), part == "train" ? known.train : known.test) << known.name;
      EXPECT_EQ(data.num_labels(), known.labels);
      EXPECT_EQ(data.num_features(), known.features);
      EXPECT_EQ(data.features.is_dense(), known.dense);
    }
  }
}

}  // namespace
}  // namespace trellis::label
