#include "trellis/formats/columns/item_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::tag::item_reader_test {
namespace {

using Items = std::vector<std::pair<std::string, double>>;

struct Read {
  std::vector<std::string> labels;
  std::vector<Items> items;
  double weight;
};

std::vector<Read> read_all(std::string_view text) {
  ItemReader reader(InputFile::from_bytes(text, "items"));
  std::vector<Read> all;
  ItemSentence sentence;
  while (reader.read(sentence)) {
    Read read{{}, {}, sentence.weight()};
    for (Index t = 0; t < sentence.num_tokens(); ++t) {
      read.labels.emplace_back(sentence.label(t));
      read.items.emplace_back();
      for (Index i = 0; i < sentence.num_items(t); ++i) {
        const Item item = sentence.item(t, i);
        read.items.back().emplace_back(item.name, item.value);
      }
    }
    all.push_back(std::move(read));
  }
  return all;
}

std::string error_of(std::string_view text) {
  try {
    read_all(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ItemReader, ReadsLabelsAndItems) {
  const std::vector<Read> all =
      read_all("B-NP\tw[0]=the\tpos=DT:0.5\nI-NP\tw[0]=dog\n\nO\r\n\r\n\nO\tbias:-2e1");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].labels, (std::vector<std::string>{"B-NP", "I-NP"}));
  EXPECT_EQ(all[0].items[0], (Items{{"w[0]=the", 1}, {"pos=DT", 0.5}}));
  EXPECT_EQ(all[0].items[1], (Items{{"w[0]=dog", 1}}));
  EXPECT_EQ(all[1].items[0], Items{});
  EXPECT_EQ(all[2].items[0], (Items{{"bias", -20}}));
}

TEST(ItemReader, EscapesStandForColonsAndBackslashes) {
  const std::vector<Read> all = read_all("\\:\tw=\\:\tw=\\\\:2\tc\\d\t\\\\\\:\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].labels[0], ":");
  EXPECT_EQ(all[0].items[0], (Items{{"w=:", 1}, {"w=\\", 2}, {"c\\d", 1}, {"\\:", 1}}));
}

TEST(ItemReader, AColonInALabelNeedsNoEscape) {
  EXPECT_EQ(read_all(":\tw=a\n")[0].labels[0], ":");
  EXPECT_EQ(read_all("@\tw=a\n")[0].labels[0], "@");
}

TEST(ItemReader, EmptyValuesAreOneAndEmptyFieldsAreSkipped) {
  EXPECT_EQ(read_all("O\ta:\t\t\tb\t\n")[0].items[0], (Items{{"a", 1}, {"b", 1}}));
}

TEST(ItemReader, ALineThatBeginsWithATabHasNoLabel) {
  const std::vector<Read> all = read_all("\ta\tb\n");
  EXPECT_EQ(all[0].labels[0], "");
  EXPECT_EQ(all[0].items[0], (Items{{"a", 1}, {"b", 1}}));
}

TEST(ItemReader, WeightsHoldForTheirSequence) {
  const std::vector<Read> all = read_all("@weight:2.5\nO\ta\n\n@weight:3\tO\n\nO\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].weight, 2.5);
  EXPECT_EQ(all[0].labels.size(), 1u);
  EXPECT_EQ(all[1].weight, 3);
  EXPECT_EQ(all[2].weight, 1);
}

TEST(ItemReader, RefusesWhatIsNoNumber) {
  EXPECT_EQ(error_of("O\ta\nO\tw=http://x\n"),
            "items:2: expected name:number (a colon in the name is written \\:), found "
            "\"w=http://x\"");
  EXPECT_NE(error_of("O\ta:1:2\n"), "no error");
  EXPECT_NE(error_of("O\ta:nan\n"), "no error");
  EXPECT_NE(error_of("O\ta:1e999\n"), "no error");
  EXPECT_NE(error_of("@weight:0\tO\n"), "no error");
  EXPECT_NE(error_of("@weight:\tO\n"), "no error");
}

TEST(ItemReader, RefusesInvalidUtf8) {
  EXPECT_EQ(error_of("O\ta\n\nO\tb\xC0\n"),
            "items:3: expected UTF-8, found an invalid sequence at byte 4");
}

}  // namespace
}  // namespace trellis::tag::item_reader_test
