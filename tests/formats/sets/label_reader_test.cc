#include "trellis/formats/sets/label_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/base/compressed.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"

namespace trellis::label {
namespace {

using Names = std::vector<std::string>;

LabelData read(const std::string& text, Names labels = {}, bool required = true) {
  ReadOptions options;
  options.label_names = std::move(labels);
  options.labels_required = required;
  return read_label_data(InputFile::from_bytes(text, "data"), options);
}

std::string refusal(const std::string& text, Names labels = {}, bool required = true) {
  try {
    read(text, std::move(labels), required);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refusal(const std::string& text, const std::string& place, const std::string& what,
                    Names labels = {"L"}) {
  const std::string message = refusal(text, std::move(labels));
  EXPECT_EQ(message.find(place), 0U) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

std::vector<std::uint32_t> labels_of(const LabelData& data, Index i) {
  const auto labels = data.labels[i];
  return {labels.begin(), labels.end()};
}

// The row as a full vector, however it is stored.
std::vector<float> features_of(const LabelData& data, Index i) {
  if (data.features.is_dense()) {
    const auto row = data.features.dense_row(i);
    return {row.begin(), row.end()};
  }
  std::vector<float> row(data.num_features(), 0.0F);
  for (Index k = 0; k < data.features.ids(i).size(); ++k) {
    row[data.features.ids(i)[k]] = data.features.values(i)[k];
  }
  return row;
}

constexpr const char* kArff = R"(% measured by hand
@RELATION 'fruit: -C 2'

@attribute  length   NUMERIC
@attribute 'two words' real
@Attribute ripe {0,1}
@attribute colour {red, 'dark red', "it's"}
@attribute sweet {0, 1}
@attribute "L\'2" integer
@DATA
% rows
1.5, -2, 1, 'dark red', 1, 0   % one label
-1e-3,?, 0 , "it's",0,1
{0 2, 2 1}
{3 'dark red',4 1, 5 1}
)";

TEST(LabelReader, ReadsQuotedNamesKeywordsInAnyCaseDenseAndSparseRows) {
  const LabelData data = read(kArff, {"L'2", "sweet"});
  EXPECT_EQ(data.label_names, (Names{"L'2", "sweet"}));
  EXPECT_EQ(data.feature_names,
            (Names{"length", "two words", "ripe", "colour=red", "colour=dark red", "colour=it's"}));
  ASSERT_EQ(data.num_instances(), 4U);
  EXPECT_EQ(data.features.num_rows(), 4U);
  EXPECT_EQ(features_of(data, 0), (std::vector<float>{1.5F, -2, 1, 0, 1, 0}));
  EXPECT_EQ(features_of(data, 1), (std::vector<float>{-1e-3F, 0, 0, 0, 0, 1}));
  // What a sparse row leaves out is the first of the list.
  EXPECT_EQ(features_of(data, 2), (std::vector<float>{2, 0, 1, 1, 0, 0}));
  EXPECT_EQ(features_of(data, 3), (std::vector<float>{0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(labels_of(data, 0), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(labels_of(data, 1), (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(labels_of(data, 2).empty());
  EXPECT_EQ(labels_of(data, 3), (std::vector<std::uint32_t>{0, 1}));
}

TEST(LabelReader, StoresRowsAsTheFileHasThem) {
  const std::string header = "@attribute a numeric\n@attribute L {0,1}\n@data\n";
  EXPECT_TRUE(read(header + "1,1\n2,0\n", {"L"}).features.is_dense());
  EXPECT_FALSE(read(header + "{0 1,1 1}\n", {"L"}).features.is_dense());
  const LabelData mixed = read(header + "5,1\n{}\n7,0\n", {"L"});
  EXPECT_FALSE(mixed.features.is_dense());
  EXPECT_EQ(features_of(mixed, 0), (std::vector<float>{5}));
  EXPECT_EQ(features_of(mixed, 1), (std::vector<float>{0}));
  EXPECT_EQ(features_of(mixed, 2), (std::vector<float>{7}));
}

TEST(LabelReader, ReadsCrlfGzipAndZstdAlike) {
  std::string crlf;
  for (const char c : std::string(kArff))
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& bytes :
       {crlf, testing::gzip(kArff), testing::zstd(kArff), "\xEF\xBB\xBF" + std::string(kArff)}) {
    const LabelData data = read(bytes, {"sweet"});
    ASSERT_EQ(data.num_instances(), 4U);
    EXPECT_EQ(features_of(data, 0).front(), 1.5F);
    EXPECT_EQ(labels_of(data, 3), (std::vector<std::uint32_t>{0}));
  }
}

TEST(LabelReader, AnUnquotedNameKeepsItsBackslashes) {
  const LabelData data = read("@attribute a\\'b {0,1}\n@attribute c real\n@data\n1,2\n", {"a\\'b"});
  EXPECT_EQ(labels_of(data, 0), (std::vector<std::uint32_t>{0}));
}

TEST(LabelReader, ALabelMayBeNumericOrListedInAnyOrder) {
  const std::string header =
      "@attribute x real\n@attribute L {1,0}\n@attribute M numeric\n@attribute N {0}\n@data\n";
  const LabelData data = read(header + "1,1,0,0\n1,0,1,0\n{2 1}\n", {"L", "M", "N"});
  EXPECT_EQ(labels_of(data, 0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(labels_of(data, 1), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(labels_of(data, 2), (std::vector<std::uint32_t>{0, 1}));
}

TEST(LabelReader, RefusesAttributesThatItCannotUseWithTheirLine) {
  const std::string tail = "@data\n1\n";
  for (const std::string type : {"string", "date 'yyyy'", "relational", "{0,1"}) {
    expect_refusal("@relation r\n@attribute a " + type + "\n" + tail, "data:2:", "");
  }
  const std::pair<const char*, const char*> attributes[] = {
      {"a {x,y,x}", "\"x\""},
      {"a {}", "expected a value"},
      {"a real real", "nothing after"},
      {"'a real", "quote"},
      {"a", "type"},
      {"'' real", "empty"},
      {"a\xFF real", "UTF-8"},
  };
  for (const auto& [attribute, what] : attributes) {
    expect_refusal("@attribute " + std::string(attribute) + "\n" + tail, "data:1:", what);
  }
  expect_refusal("@attribute a real\n@attribute a real\n" + tail, "data:2:", "twice");
  expect_refusal("@attribute a real\n@inputs a\n" + tail, "data:2:", "@attribute");
  expect_refusal("@data\n1\n", "data:1:", "expected an attribute");
  expect_refusal("@attribute a real\n", "data: ", "@data");
  expect_refusal("@attribute a {b,c,d}\n@attribute a=b real\n@attribute L {0,1}\n@data\nb,1,1\n",
                 "data: ", "'a=b'");
}

TEST(LabelReader, RefusesRowsThatDoNotFitTheirHeader) {
  const std::string header =
      "@attribute a real\n@attribute c {x,y,z}\n@attribute L {0,1}\n@data\n1,x,1\n";
  const std::pair<const char*, const char*> rows[] = {
      {"1,w,0", "attribute 'c' declares, found \"w\""},
      {"1,x", "expected 3 values, one for each attribute, found 2"},
      {"1,x,0,5", "found 4 or more"},
      {"1,x,0,", "found 4 or more"},
      {"1,,0", "expected a value"},
      {"1 x 0", "expected ','"},
      {"1,x,0,{5}", "weights of instances"},
      {"{0 1},{5}", "weights of instances"},
      {"1,x,?", "missing"},
      {"{3 1}", "0 to 2"},
      {"{-1 1}", "0 to 2"},
      {"{99999999999999999999 1}", "0 to 2"},
      {"{1 y,0 1}", "above 1"},
      {"{0 1,0 2}", "above 0"},
      {"{0 1", "'}'"},
      {"{0 1,}", "the index of an attribute"},
      {"{0}", "expected a value"},
      {"{a 1}", "\"a\""},
      {"'x\\", "quote"},
  };
  for (const auto& [row, what] : rows) expect_refusal(header + row + "\n", "data:6:", what);
  for (const std::string bad : {"nan", "inf", "-Infinity", "1e39", "1e999", "abc", "'?'"}) {
    expect_refusal(header + bad + ",x,0\n", "data:6:", "attribute 'a'");
  }
}

TEST(LabelReader, RefusesLabelsThatAreDeclaredButAbsentOrNotBinary) {
  const std::string header = "@attribute a real\n@attribute L {0,1}\n@data\n";
  expect_refusal(header + "1,1\n", "data: ", "none for 'absent'", {"L", "absent"});
  expect_refusal("@attribute a real\n@attribute L {1,2}\n@data\n1,1\n", "data:3:", "{0,1}");
  expect_refusal("@attribute a real\n@attribute L {no,yes}\n@data\n1,no\n", "data:3:", "{0,1}");
  expect_refusal("@attribute a real\n@attribute L real\n@data\n1,0.5\n", "data:4:", "\"0.5\"");
  expect_refusal(header, "data: ", "expected instances");
  expect_refusal(header + "1,1\n", "data:1:", "--labels", {});
}

TEST(LabelReader, TheRelationOfMekaSaysWhichAttributesAreLabels) {
  const std::string attributes = "@attribute a {0,1}\n@attribute x real\n@attribute b {0,1}\n";
  const std::string rows = "@data\n1,2.5,0\n";
  const LabelData first = read("@relation 'any: -C 1 -more 3'\n" + attributes + rows);
  EXPECT_EQ(first.label_names, (Names{"a"}));
  EXPECT_EQ(first.feature_names, (Names{"x", "b"}));
  EXPECT_EQ(first.recognised,
            "data: the first 1 attributes are labels, as given in @relation (-C 1)");
  const LabelData last = read("@relation \"-C -1\"\n" + attributes + rows);
  EXPECT_EQ(last.label_names, (Names{"b"}));
  EXPECT_TRUE(read("@relation 'any: -C 1'\n" + attributes + rows, {"b"}).recognised.empty());
  for (const char* relation : {"any", "'any: -C'", "'any: -C 0'", "'any: -C 3'", "'any: -C -3'",
                               "'any-C 1'", "'any: -C 1234567890123'", "'any: -C --1'"}) {
    expect_refusal(fmt::format("@relation {}\n", relation) + attributes + rows,
                   "data:1:", "--labels", {});
  }
}

TEST(LabelReader, TheListOfLabelsIsFoundBesideTheData) {
  const testing::TemporaryDirectory folder;
  const auto touch = [&](const std::string& name) { folder.make(name, "x"); };
  const auto beside = [&](const std::string& name) { return labels_beside(folder.file(name)); };
  EXPECT_EQ(beside("scene.arff"), "");
  touch("scene.xml");
  for (const char* name : {"scene.arff", "scene-train.arff", "scene_test.arff.gz",
                           "scenetrain.arff", "scene.Test.arff.zst"}) {
    EXPECT_EQ(beside(name), folder.file("scene.xml")) << name;
  }
  for (const char* name : {"train.arff", "scene", "scene.libsvm", "scene-dev.arff", "other.arff"}) {
    EXPECT_EQ(beside(name), "") << name;
  }
  touch("scene-train.xml");
  EXPECT_EQ(beside("scene-train.arff"), "");  // one of two
}

TEST(LabelReader, TheNamesOfLabelsMustBeDistinct) {
  EXPECT_THROW(read("@attribute L {0,1}\n@data\n1\n", {"L", "L"}), UsageError);
  EXPECT_THROW(read("L 1:1\n", {"L", "L"}), UsageError);
}

TEST(LabelReader, ToPredictNoLabelsAndNoInstancesAreFine) {
  const LabelData data = read("@attribute a real\n@data\n3\n", {"L"}, false);
  EXPECT_EQ(data.num_instances(), 1U);
  EXPECT_EQ(data.label_names, (Names{"L"}));
  EXPECT_EQ(read("", {"L"}, false).num_instances(), 0U);
  EXPECT_EQ(read("\n\n", {"L"}, false).num_instances(), 0U);
  EXPECT_EQ(
      read("@attribute a real\n@attribute L {0,1}\n@data\n3,?\n", {"L"}, false).num_instances(),
      1U);
  EXPECT_EQ(refusal("", {"L"}).find("data: expected instances"), 0U);
}

TEST(LabelReader, ShortRowsDoNotUnfoldToManyTimesTheFile) {
  std::string text;
  for (int k = 0; k < 3000; ++k) text += "@attribute a" + std::to_string(k) + " {x,y,z}\n";
  text += "@attribute L {0,1}\n@data\n";
  for (int i = 0; i < 3000; ++i) text += "{}\n";
  EXPECT_NE(refusal(text, {"L"}).find("too many values"), std::string::npos);
}

TEST(LabelReader, AFileOfLabelsAloneHasRowsWithoutFeatures) {
  const LabelData data = read("@attribute L {0,1}\n@data\n1\n0\n", {"L"});
  EXPECT_EQ(data.num_instances(), 2U);
  EXPECT_EQ(data.features.num_rows(), 2U);
  EXPECT_EQ(data.num_features(), 0U);
}

TEST(LabelReader, ReadsLibsvmWithManyLabelsOneAndNone) {
  const LabelData data = read(
      "# a comment\n"
      "10,2 4000000000:1 3:0.5\n"
      "2\n"
      "+2.0 7:0\n"
      " 3:1 # no labels\n"
      "3:2\n"
      "0:0\n");
  EXPECT_EQ(data.label_names, (Names{"2", "10"}));
  EXPECT_EQ(data.feature_names, (Names{"3", "4000000000"}));
  ASSERT_EQ(data.num_instances(), 6U);
  EXPECT_EQ(labels_of(data, 0), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(labels_of(data, 1), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(labels_of(data, 2), (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(labels_of(data, 3).empty());
  EXPECT_EQ(features_of(data, 0), (std::vector<float>{0.5F, 1}));
  EXPECT_EQ(features_of(data, 4), (std::vector<float>{2, 0}));
  EXPECT_EQ(features_of(data, 5), (std::vector<float>{0, 0}));
}

TEST(LabelReader, LibsvmLabelsAreNumbersInOrderThenNames) {
  EXPECT_EQ(read("b,10,a,9 1:1\n-1,0.5 1:1\n").label_names,
            (Names{"-1", "0.5", "9", "10", "a", "b"}));
}

TEST(LabelReader, LibsvmLabelsMayComeFromAList) {
  const Names list = {"b", "a", "1.0"};
  const LabelData data = read("a,b 1:1\n1 1:1\n", list);
  EXPECT_EQ(data.label_names, list);
  EXPECT_EQ(labels_of(data, 0), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_NE(refusal("a,z 1:1\n", list).find("data:1: column 1: expected a label of the list"),
            std::string::npos);
  ReadOptions options;
  options.label_names = {"b", "a"};
  options.add_labels = true;
  EXPECT_EQ(
      read_label_data(InputFile::from_bytes("z,a 1:1\nc,9 1:1\n", "data"), options).label_names,
      (Names{"b", "a", "9", "c", "z"}));
}

TEST(LabelReader, RefusesLibsvmLinesWithTheirColumn) {
  expect_refusal("1 1:1\n1, 2:1\n", "data:2: column 1", "commas", {});
  expect_refusal("1,1 2:1\n", "data:1: column 1", "twice", {});
  expect_refusal("1,5:1\n", "data:1: column 1", "blanks", {});
  expect_refusal("1 2:nan\n", "data:1: column 3", "finite", {});
  expect_refusal("1 2:1 2:0\n", "data:1: ", "2 twice", {});
  expect_refusal("1 x:1\n", "data:1: column 3", "index", {});
  expect_refusal("qid:3 1:1\n", "data:1: column 1", "labels first", {});
  expect_refusal("1 1:1\n\n1 1:1\n", "data:2: ", "0:0", {});
  expect_refusal("1:1\n2:1\n", "data: ", "with labels", {});
  expect_refusal("a\xFF 1:1\n", "data:1: ", "UTF-8", {});
}

TEST(MulanXml, ReadsNestedLabelsEntitiesCommentsAndAttributesInAnyOrder) {
  const std::string xml =
      "\xEF\xBB\xBF<?xml version='1.0' encoding=\"utf-8\"?>\n"
      "<!-- labels -->\n"
      "<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n"
      "<label kind='x' name = 'a &amp; b'>\n  <label "
      "name=\"&#233;&#x1F600;&quot;&apos;&lt;&gt;\"/>\n"
      "<!-- <label name='not me'/> --></label>\n"
      "<label name=\"TAG_m\\'usica\"></label  ></labels>\n\n<!-- end -->";
  EXPECT_EQ(parse_mulan_xml(xml, "xml"),
            (Names{"a & b", "\xC3\xA9\xF0\x9F\x98\x80\"'<>", "TAG_m\\'usica"}));
}

TEST(MulanXml, RefusesEverythingElseWithTheLine) {
  const auto expect = [](const std::string& xml, const std::string& place,
                         const std::string& what) {
    try {
      parse_mulan_xml(xml, "xml");
      ADD_FAILURE() << "accepted " << xml;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find(place), 0U) << message;
      EXPECT_NE(message.find(what), std::string::npos) << message;
    }
  };
  expect("", "xml:1:", "<labels>");
  expect("<labels/>", "xml: ", "found none");
  expect("<labels><label name='a'/>", "xml:1:", "</labels>");
  expect("<labels>\n<label name='a'>\n</labels>", "xml:3:", "</label>");
  expect("<labels>\n<label/></labels>", "xml:2:", "name");
  expect("<labels><label name=''/></labels>", "xml:1:", "empty");
  expect("<labels>\n<label name='a'/>\n<label name='a'/></labels>", "xml:3:", "twice");
  expect("<labels><label name='a' name='b'/></labels>", "xml:1:", "twice");
  expect("<labels><label name=a/></labels>", "xml:1:", "quotes");
  expect("<labels><label name='a/></labels>", "xml:1:", "'<'");
  expect("<labels><label name='&eacute;'/></labels>", "xml:1:", "&amp;");
  expect("<labels><label name='&#0;'/></labels>", "xml:1:", "number");
  expect("<labels><label name='&#xD800;'/></labels>", "xml:1:", "number");
  expect("<labels><label name='&#99999999;'/></labels>", "xml:1:", "number");
  expect("<labels><label name='a&#10;b'/></labels>", "xml:1:", "control");
  expect("<labels>text</labels>", "xml:1:", "text");
  expect("<!DOCTYPE labels><labels/>", "xml:1:", "<labels>");
  expect("<labels><label name='a'/></labels><labels/>", "xml:1:", "end of the file");
  expect("<other/>", "xml:1:", "other");
  expect("<labels><tag name='a'/></labels>", "xml:1:", "tag");
  expect("</labels>", "xml:1:", "open");
  expect("<!-- no end", "xml:1:", "comment");
  expect("<labels><label name='\xFF'/></labels>", "xml:1:", "UTF-8");
}

TEST(LabelReader, ReadsDataAndNamesFromFiles) {
  const testing::TemporaryDirectory folder;
  const std::string xml = folder.make("l.xml", "<labels><label name=\"L\"/></labels>");
  const std::string arff =
      folder.make("d.arff", "@attribute a real\n@attribute L {0,1}\n@data\n1,1\n");
  ReadOptions options;
  options.label_names = read_label_names(xml);
  EXPECT_EQ(read_label_data(arff, options).file, arff);
  EXPECT_THROW(read_label_names(folder.file("none")), InputError);
  EXPECT_THROW(read_label_data(folder.file("none"), options), InputError);
}

TEST(LabelData, ReversedHasTheInstancesOfEachLabelAscending) {
  LabelSets sets;
  sets.append(std::vector<std::uint32_t>{0, 2});
  sets.append(std::vector<std::uint32_t>{});
  sets.append(std::vector<std::uint32_t>{2});
  const LabelSets instances = reversed(sets, 4);
  ASSERT_EQ(instances.size(), 4U);
  EXPECT_EQ(instances.ids, (std::vector<std::uint32_t>{0, 0, 2}));
  EXPECT_EQ(instances.begin, (std::vector<std::uint64_t>{0, 1, 1, 3, 3}));
  EXPECT_EQ(reversed(instances, 3).ids, sets.ids);
  EXPECT_THROW(reversed(sets, 2), UsageError);
}

TEST(LabelData, TheDigestTellsDataOfOneShapeApart) {
  const auto digest_of = [](const std::string& text) { return digest(read(text, {"L", "M"})); };
  const std::string header = "@attribute a real\n@attribute L {0,1}\n@attribute M {0,1}\n@data\n";
  const std::string data = header + "1,1,0\n2,0,1\n";
  EXPECT_EQ(digest_of(data), digest_of("% a comment\n" + data));
  for (const std::string other : {"1,1,0\n2,1,0\n", "1,1,0\n3,0,1\n", "2,0,1\n1,1,0\n"}) {
    EXPECT_NE(digest_of(data), digest_of(header + other)) << other;
  }
  EXPECT_NE(digest_of("L 1:2\n"), digest_of("L 2:2\n"));
}

TEST(LabelData, SubsetTakesInstancesInTheOrderAskedFor) {
  const std::string dense = "@attribute a real\n@attribute L {0,1}\n@data\n1,1\n2,0\n3,1\n";
  const std::string sparse =
      "@attribute a real\n@attribute L {0,1}\n@data\n{0 1,1 1}\n{0 2}\n{0 3,1 1}\n";
  for (const std::string& text : {dense, sparse}) {
    const LabelData data = read(text, {"L"});
    const std::vector<Index> chosen = {2, 1, 2};
    LabelData part;
    part.feature_names = data.feature_names;
    part.features = subset(data.features, chosen);
    part.labels = subset(data.labels, chosen);
    EXPECT_EQ(part.features.is_dense(), data.features.is_dense());
    ASSERT_EQ(part.num_instances(), 3U);
    EXPECT_EQ(features_of(part, 0), (std::vector<float>{3}));
    EXPECT_EQ(features_of(part, 1), (std::vector<float>{2}));
    EXPECT_EQ(labels_of(part, 1).size(), 0U);
    EXPECT_EQ(labels_of(part, 2).size(), 1U);
  }
}

}  // namespace
}  // namespace trellis::label
