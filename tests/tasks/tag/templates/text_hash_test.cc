#include "trellis/tasks/tag/templates/text_hash.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace trellis::tag {
namespace {

RC_GTEST_PROP(TextHash, OfAConcatenationComesFromThePieces, (std::string x, std::string y)) {
  const TextHash joined = hash_text(x + y);
  RC_ASSERT(append_text(hash_text(x).hash, hash_text(y)) == joined.hash);
  RC_ASSERT(append_text(hash_text(x).power, {0, hash_text(y).power}) == joined.power);
}

TEST(TextHash, LongTextsAreHashedInBlocksToTheSameValue) {
  std::string text;
  TextHash slowly;
  for (int i = 0; i < 300; ++i) {
    const char c = static_cast<char>(i * 37);
    slowly.hash = append_text(slowly.hash, hash_text(std::string(1, c)));
    text += c;
    ASSERT_EQ(hash_text(text).hash, slowly.hash) << i;
  }
}

TEST(TextHash, LeadingZerosAndEmptyTextsDiffer) {
  EXPECT_NE(hash_text(std::string(1, '\0')), hash_text(""));
  EXPECT_NE(hash_text(std::string(2, '\0')), hash_text(std::string(1, '\0')));
  EXPECT_TRUE(hash_text("").present());
  EXPECT_FALSE(TextHash::none().present());
}

// Models contain these numbers: they must never change, on any platform.
TEST(TextHash, FingerprintsAreFixedForever) {
  EXPECT_EQ(attribute_fingerprint(""), 0xe220a8397b1dcdafu);
  EXPECT_EQ(attribute_fingerprint("w[0]=the"), 0x8632ca01efc8aa3eu);
  EXPECT_EQ(attribute_fingerprint("w[-1]|w[0]=Αθήνα|日本"), 0x94f5573706b06105u);
  EXPECT_EQ(attribute_fingerprint(std::string(200, '\xFF')), 0xcc9797f934923231u);
}

}  // namespace
}  // namespace trellis::tag
