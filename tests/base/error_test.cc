#include "trellis/base/error.h"

#include <gtest/gtest.h>

namespace trellis {
namespace {

TEST(InputError, NamesFileLineAndToken) {
  const InputError error("train.txt", 17, "expected a number, found", "x1");
  EXPECT_STREQ(error.what(), "train.txt:17: expected a number, found \"x1\"");
  EXPECT_EQ(error.file(), "train.txt");
  EXPECT_EQ(error.line(), 17u);
  EXPECT_EQ(error.token(), "x1");
}

TEST(InputError, LeavesOutWhatIsNotThere) {
  EXPECT_STREQ(InputError("m", 0, "is wrong").what(), "m: is wrong");
  EXPECT_STREQ(InputError("", 0, "is wrong").what(), "is wrong");
}

TEST(InputError, NeutralisesControlCharacters) {
  const InputError error("f", 1, "found", "a\x1b[2J\nb");
  EXPECT_STREQ(error.what(), "f:1: found \"a\\x1b[2J\\x0ab\"");
  const InputError bytes("f", 1, "found", "\xff\xc3\xa9 \xc3");  // é, among what is no UTF-8
  EXPECT_STREQ(bytes.what(), "f:1: found \"\\xff\xc3\xa9 \\xc3\"");
  EXPECT_EQ(error.token(), "a\x1b[2J\nb");
}

TEST(InputError, ShortensLongTokensBetweenCharacters) {
  std::string token = "a";
  for (int i = 0; i < 100; ++i) token += "é";
  const std::string what = InputError("f", 1, "found", token).what();
  std::string expected = "f:1: found \"a";
  for (int i = 0; i < 29; ++i) expected += "é";  // 59 bytes: the thirtieth would end in byte 61
  EXPECT_EQ(what, expected + "…\"");
}

}  // namespace
}  // namespace trellis
