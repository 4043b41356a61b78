// What is written is what files of these formats look like, and is read back as it was.
#include "trellis/formats/links/link_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/formats/links/link_reader.h"

namespace trellis::align::link_writer_test {
namespace {

using Words = std::vector<std::string_view>;

std::string written(const AlignedPair& pair, const LinkWritingOptions& options) {
  std::string out;
  append_links(pair, options, out);
  return out;
}

class LinkWriterTest : public ::testing::Test {
 protected:
  const Words source_ = {"that", "'s", "({"};
  const Words target_ = {"das", "ist", "gut", "})"};
  const std::vector<ScoredLink> links_ = {{{0, 0}, 0.93124}, {{1, 1}, 1}, {{1, 2}, 0.00001}};
  const AlignedPair pair_{7, source_, target_, links_, 0.0123456789};
};

TEST_F(LinkWriterTest, WritesPharaoh) {
  EXPECT_EQ(written(pair_, {}), "0-0 1-1 1-2\n");
  EXPECT_EQ(written(pair_, {LinksFormat::kPharaoh, true}), "0-0:0.9312 1-1:1.0000 1-2:0.0000\n");
  EXPECT_EQ(written({}, {}), "\n");
}

TEST_F(LinkWriterTest, WritesNaacl) {
  EXPECT_EQ(written(pair_, {LinksFormat::kNaacl}), "0007 1 1 S\n0007 2 2 S\n0007 2 3 S\n");
  EXPECT_EQ(written(pair_, {LinksFormat::kNaacl, true}),
            "0007 1 1 S 0.9312\n0007 2 2 S 1.0000\n0007 2 3 S 0.0000\n");
  EXPECT_EQ(written({}, {LinksFormat::kNaacl}), "");
}

TEST_F(LinkWriterTest, WritesGiza) {
  EXPECT_EQ(written(pair_, {LinksFormat::kGiza}),
            "# Sentence pair (7) source length 3 target length 4 alignment score : 0.0123457\n"
            "das ist gut }) \n"
            "NULL ({ 4 }) that ({ 1 }) 's ({ 2 3 }) ({ ({ }) \n");
  EXPECT_EQ(written({}, {LinksFormat::kGiza}),
            "# Sentence pair (1) source length 0 target length 0 alignment score : 1\n\n"
            "NULL ({ }) \n");
  EXPECT_THROW(validate({LinksFormat::kGiza, true}), UsageError);
  validate({LinksFormat::kNaacl, true});
}

// Ten pairs, some of them without a word or a link.
TEST(LinkWriter, IsReadBackAsItWas) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Random random(5, trial);
    for (const LinksFormat format :
         {LinksFormat::kPharaoh, LinksFormat::kNaacl, LinksFormat::kGiza}) {
      const LinkWritingOptions options{format, format != LinksFormat::kGiza && trial % 2 == 0};
      std::string text;
      std::vector<PairLengths> lengths;
      std::vector<GoldLinks> expected;
      for (Index number = 1; number <= 10; ++number) {
        const Words source(random.below(5), "(");
        const Words target(random.below(5), "({");
        std::vector<ScoredLink> links;
        GoldLinks gold;
        for (std::uint32_t s = 0; s < source.size(); ++s) {
          for (std::uint32_t t = 0; t < target.size(); ++t) {
            if (random.below(3) > 0) continue;
            links.push_back({{s, t}, static_cast<double>(random.below(17)) / 16});
            gold.sure.push_back({s, t});
            if (options.probabilities) gold.probabilities.push_back(links.back().probability);
          }
        }
        gold.possible = gold.sure;
        append_links({number, source, target, links}, options, text);
        lengths.push_back({source.size(), target.size()});
        expected.push_back(gold);
      }
      LinkReadingOptions reading;
      reading.format = format;  // all pairs may be without a link
      EXPECT_EQ(read_links(InputFile::from_bytes(text, "links"), lengths, reading), expected)
          << text;
    }
  }
}

}  // namespace
}  // namespace trellis::align::link_writer_test
