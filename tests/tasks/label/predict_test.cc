#include "trellis/tasks/label/predict.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/tasks/label/small_labeller.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/model/model_rows.h"

namespace trellis::label {
namespace {

using testing::small_model;

std::string lines_of(const LabelModel& model, const std::string& text,
                     const PredictOptions& options) {
  std::string lines;
  predict(model, InputFile::from_bytes(text, "data"), options,
          [&](const std::string& line) { lines += line; });
  return lines;
}

// Rows of a file, written densely, by their non-zeros, and as LIBSVM has them.
TEST(LabelPrediction, LabelsAFileAsItLabelsDataInMemory) {
  for (const ModelForm form : {ModelForm::kIndependent, ModelForm::kPairwise, ModelForm::kChain}) {
    LabelModel model = small_model(form);
    model.feature_names = {"3", "7"};
    std::string arff = "@attribute 7 real\n@attribute other real\n@attribute 3 real\n@data\n";
    std::string libsvm;
    Random random(2);
    for (int i = 0; i < 5000; ++i) {
      const std::string x = std::to_string(testing::draw(random));
      const std::string y = std::to_string(testing::draw(random));
      arff += i % 3 == 0 ? "{0 " + y + ",1 5,2 " + x + "}\n" : y + ",0," + x + "\n";
      libsvm += "a,new 3:" + x + " 7:" + y + " 9:1\n";
    }
    ReadOptions reading;
    reading.label_names = model.label_names;
    reading.labels_required = false;
    const LabelData data = read_label_data(InputFile::from_bytes(arff, "data"), reading);
    const Labelling expected = predict_labels(
        model, rows_between(ModelRows(model, data), data, 0, data.num_instances()), 1);
    std::string text;
    for (Index i = 0; i < expected.labels.size(); ++i) {
      std::string line;
      for (const std::uint32_t v : expected.labels[i]) {
        line += (line.empty() ? "" : "\t") + model.label_names[v];
      }
      text += line + "\n";
    }
    for (const int threads : {1, 3}) {
      PredictOptions options;
      options.threads = threads;
      EXPECT_EQ(lines_of(model, arff, options), text);
      EXPECT_EQ(lines_of(model, libsvm, options), text);
    }
    PredictOptions at_once;
    at_once.at_once = true;
    EXPECT_EQ(lines_of(model, arff, at_once), text);
  }
}

TEST(LabelPrediction, WritesWhatPrecedesALineThatCannotBeRead) {
  const LabelModel model = small_model(ModelForm::kIndependent);
  const std::string header = "@attribute x real\n@attribute y real\n@data\n";
  for (const std::string bad : {"1\n", "1,nan\n", "1,1e39\n"}) {
    for (const int threads : {1, 3}) {
      PredictOptions options;
      options.threads = threads;
      std::string lines;
      const std::string text = header + "1,2\n0,0\n" + bad + "1,2\n";
      EXPECT_THROW(predict(model, InputFile::from_bytes(text, "data"), options,
                           [&](const std::string& line) { lines += line; }),
                   InputError);
      EXPECT_EQ(lines, "a\tb\tc\nc\n");
    }
  }
}

TEST(LabelPrediction, NamesTheInstanceThatIsTooLargeForTheModel) {
  LabelModel model = small_model(ModelForm::kIndependent);
  model.scaling.scale = {1e30, 1};
  const std::string text = "@attribute x real\n@attribute y real\n@data\n1,2\n1e20,0\n";
  std::string lines;
  try {
    predict(model, InputFile::from_bytes(text, "data"), {},
            [&](const std::string& line) { lines += line; });
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("instance 2"), std::string::npos) << error.what();
  }
  EXPECT_EQ(lines, "a\tb\n");
}

TEST(LabelPrediction, WarnsOfAFileWithoutAnyFeatureOfTheModel) {
  const LabelModel model = small_model(ModelForm::kIndependent);
  const auto warning = [&](const std::string& text) {
    return predict(model, InputFile::from_bytes(text, "data"), {}, [](const std::string&) {});
  };
  EXPECT_EQ(warning("4:1\n3:1\n"),
            "data: none of the features (for example '3') is known to the model, which has "
            "features such as 'x'");
  EXPECT_EQ(warning("0:0\n"), "");
  EXPECT_EQ(warning(""), "");
}

}  // namespace
}  // namespace trellis::label
