#include "trellis/tasks/align/pair_extras.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"

namespace trellis::align::pair_extras_test {
namespace {

using trellis::testing::TemporaryDirectory;

// Three pairs: of three and two words, of none and one, of one and two.
class PairExtrasTest : public ::testing::Test {
 protected:
  PairExtrasTest() {
    for (const auto& [source, target] : std::vector<std::pair<std::string, std::string>>{
             {"a b c", "x y"}, {"", "x"}, {"d", "y z"}}) {
      SentencePair pair;
      pair.assign(source, target, pairs_.size() + 1);
      pairs_.push_back(std::move(pair));
    }
  }
  ExternalFile external(const std::string& name, const std::string& text) const {
    return {name, folder_.make(name, text), {}};
  }
  ExtraFiles tags(const std::string& source, const std::string& target) const {
    return {{}, folder_.make("s.tags", source), folder_.make("t.tags", target)};
  }
  std::vector<PairExtras> read(const ExtraFiles& files) const {
    ExtraReader reader(files);
    std::vector<PairExtras> all;
    PairExtras extras;  // one for all, as those who read have it
    for (const SentencePair& pair : pairs_) {
      reader.read(pair, extras);
      all.push_back(extras);
    }
    reader.finish();
    return all;
  }
  // The complaint, which names the file and the line.
  std::string complaint(const ExtraFiles& files) const {
    try {
      read(files);
    } catch (const InputError& error) {
      const std::string what = error.what();
      return what.substr(what.rfind('/') + 1);
    }
    return "";
  }

  TemporaryDirectory folder_;
  std::vector<SentencePair> pairs_;
};

const char* const kGiza =
    "# Sentence pair (1) source length 3 target length 2 alignment score : 0.1\nx y\n"
    "NULL ({ }) a ({ 1 }) b ({ }) c ({ 2 })\n"
    "# Sentence pair (2) source length 0 target length 1 alignment score : 0.1\nx\nNULL ({ 1 })\n"
    "# Sentence pair (3) source length 1 target length 2 alignment score : 0.1\ny z\n"
    "NULL ({ 1 }) d ({ 2 })\n";

TEST_F(PairExtrasTest, LinksOfEveryFormatAreReadBesideTheText) {
  const std::vector<PairExtras> found =
      read({{external("pharaoh", "0-0 2?1\n\n0-1:0.5\n"),
             external("naacl", "3 1 2\n1 3 2 P\n1 1 1\n"), external("giza", kGiza)},
            "",
            ""});
  const Links first = {{0, 0}, {2, 1}}, third = {{0, 1}};
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(found[0].external[k], first);
    EXPECT_TRUE(found[1].external[k].empty());
    EXPECT_EQ(found[2].external[k], third);
    EXPECT_TRUE(found[k].source_tags.empty() && found[k].target_tags.empty());
  }
}

TEST_F(PairExtrasTest, BlankLinesBeforeTheFormatIsKnown) {
  SentencePair empty;
  empty.assign("p", "q", 1);
  pairs_.insert(pairs_.begin(), std::move(empty));
  EXPECT_EQ(read({{external("p", "\n0-0\n\n0-1\n")}, "", ""})[1].external[0], (Links{{0, 0}}));
  EXPECT_EQ(read({{external("n", "\n\n4 1 1\n\n")}, "", ""})[3].external[0], (Links{{0, 0}}));
  EXPECT_TRUE(read({{external("e", "\n\n\n\n")}, "", ""})[3].external[0].empty());
  pairs_.erase(pairs_.begin());
  EXPECT_EQ(read({{external("g", std::string("\n\n") + kGiza + "\n")}, "", ""})[2].external[0],
            (Links{{0, 1}}));
}

TEST_F(PairExtrasTest, LinksThatDoNotFitAreRefusedWithTheLine) {
  const auto refusal = [&](const std::string& text) {
    return complaint({{external("l", text)}, "", ""});
  };
  EXPECT_EQ(refusal(""), "l: expected links of sentence pair 1, found the end of the file");
  EXPECT_EQ(refusal("0-0\n\n"),
            "l:2: expected links of sentence pair 3, found the end of the file");
  EXPECT_EQ(refusal("0-0\n\n0-1\n\n"), "l:4: expected links of 3 sentence pairs, found more");
  EXPECT_EQ(
      refusal("0-2\n"),
      "l:1: expected a target word from 0 to 1, since the sentence has 2 words, found \"0-2\"");
  EXPECT_EQ(refusal("\n0-0\n"),
            "l:2: expected no link, since the source sentence is empty, found \"0-0\"");
  EXPECT_EQ(refusal("0-0\nx\n"), "l:2: expected links as 0-0, 0?0 or 0-0-P, found \"x\"");
  EXPECT_EQ(
      refusal("3 1 1\n1 4 1 S\n"),
      "l:2: expected a source word from 1 to 3, since the sentence has 3 words, found \"1 4 1\"");
  EXPECT_EQ(refusal("1 1 1\n4 1 1\n"), "l:2: expected a sentence from 1 to 3, found \"4\"");
  EXPECT_EQ(refusal("0 1 1\n"), "l:1: expected a sentence number of at least 1, found \"0\"");
  EXPECT_EQ(refusal("1 1\n"),
            "l:1: expected 'sentence source target [S|P] [confidence]', found \"1 1\"");
  const std::string giza = kGiza;
  EXPECT_EQ(
      refusal(giza.substr(0, giza.find("NULL"))),
      "l:2: expected three lines for each sentence pair, the file ends within those of pair 1");
  EXPECT_EQ(refusal(giza + "# Sentence pair (4)\n"),
            "l:10: expected links of 3 sentence pairs, found more");
  EXPECT_EQ(refusal(giza.substr(giza.find("# Sentence pair (2)"))),
            "l:1: expected 3 source and 2 target words as in the text, found 0 and 1");
}

TEST_F(PairExtrasTest, ATagForEachWord) {
  const std::vector<PairExtras> found = read(tags("D N V\n\nN\n", "D  N\nD\nN\tX\n"));
  EXPECT_EQ(found[0].source_tags, (std::vector<std::string>{"D", "N", "V"}));
  EXPECT_TRUE(found[1].source_tags.empty());
  EXPECT_EQ(found[2].target_tags, (std::vector<std::string>{"N", "X"}));
}

TEST_F(PairExtrasTest, TagsThatDoNotFitAreRefusedWithTheLine) {
  const std::string source = "D N V\n\nN\n", target = "D N\nD\nN X\n";
  EXPECT_EQ(complaint(tags(source, target)), "");
  EXPECT_EQ(complaint(tags("D N\n", target)),
            "s.tags:1: expected 3 tags, one for each word of the source sentence, found 2");
  EXPECT_EQ(complaint(tags(source, "D N\nD D\n")),
            "t.tags:2: expected 1 tags, one for each word of the target sentence, found 2");
  EXPECT_EQ(complaint(tags("D N V\n", target)),
            "s.tags:1: expected the source tags of sentence pair 2, found the end of the file");
  EXPECT_EQ(complaint(tags(source, target + "\n")),
            "t.tags:4: expected tags of 3 sentences, found more");
  EXPECT_EQ(complaint(tags("D N \xff\n", target)),
            "s.tags:1: expected UTF-8, found an invalid sequence at byte 5");
}

TEST_F(PairExtrasTest, CallsThatDoNotFitTogether) {
  EXPECT_EQ(parse_external("eflomal=a=b.links").name, "eflomal");
  EXPECT_EQ(parse_external("eflomal=a=b.links").path, "a=b.links");
  for (const char* const wrong : {"", "=", "a=", "=b", "ab", "a b=c", "\xff=c"}) {
    EXPECT_THROW(parse_external(wrong), UsageError) << wrong;
  }
  const ExternalFile file = external("l", "0-0\n\n\n");
  EXPECT_THROW(read({{file, file}, "", ""}), UsageError);
  EXPECT_THROW(read({{}, file.path, ""}), UsageError);
  EXPECT_THROW(read({{}, "", file.path}), UsageError);
  EXPECT_THROW(read({{{"a", "-", {}}}, "", ""}), UsageError);
  EXPECT_THROW(read({{{"a", folder_.file("none"), {}}}, "", ""}), InputError);
}

}  // namespace
}  // namespace trellis::align::pair_extras_test
