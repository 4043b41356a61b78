#include "trellis/base/mapped_file.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using testing::TemporaryDirectory;

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const TemporaryDirectory directory;
  const std::string text(100001, 'q');
  EXPECT_EQ(text_of(MappedFile(directory.make("file", text))), text);
  EXPECT_TRUE(MappedFile(directory.make("empty", "")).bytes().empty());
}

TEST(MappedFile, MovesKeepTheMapping) {
  const TemporaryDirectory directory;
  MappedFile a(directory.make("a", "content of a"));
  MappedFile b(directory.make("b", "content of b"));
  MappedFile c(std::move(a));
  EXPECT_EQ(text_of(c), "content of a");
  c = std::move(b);
  EXPECT_EQ(text_of(c), "content of b");
}

TEST(MappedFile, RefusesWhatCannotBeMapped) {
  const TemporaryDirectory directory;
  EXPECT_THROW(MappedFile("/no/such/file"), InputError);
  EXPECT_THROW(MappedFile{directory.path()}, InputError);
  EXPECT_THROW(MappedFile("/dev/null"), InputError);
}

}  // namespace
}  // namespace trellis
