#include "trellis/base/input_file.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/base/compressed.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using testing::gzip;
using testing::TemporaryDirectory;
using testing::zstd;
using Lines = std::vector<std::string>;

Lines all_lines(InputFile input) {
  Lines lines;
  std::string_view line;
  while (input.read_line(line)) {
    lines.emplace_back(line);
    EXPECT_EQ(input.line_number(), lines.size());
  }
  EXPECT_FALSE(input.read_line(line));
  EXPECT_EQ(input.line_number(), lines.size());
  return lines;
}

Lines lines_of_bytes(std::string_view bytes) {
  return all_lines(InputFile::from_bytes(bytes, "bytes"));
}

// The text as a file and as bytes: both paths must agree.
Lines lines_of(std::string_view text) {
  const TemporaryDirectory directory;
  const Lines lines = all_lines(InputFile(directory.make("file", text)));
  EXPECT_EQ(lines_of_bytes(text), lines);
  return lines;
}

std::string complaint_about(const std::string& path) {
  try {
    all_lines(InputFile(path));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string complaint_about_bytes(std::string_view bytes) {
  try {
    lines_of_bytes(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Random lines, long and short, that compress to something with structure.
std::string sample_text(Index size) {
  std::string text;
  for (Index i = 0; text.size() < size; ++i) {
    text += std::to_string(i * i) + " token\tB-" + std::string(i % 97, 'x') + "\n";
  }
  return text;
}

TEST(InputFile, LinesEndAtLineFeedOrCarriageReturnLineFeed) {
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("a"), Lines{"a"});
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\r\n\r\nb\r\n"), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\rb\nc\r\r\n"), (Lines{"a\rb", "c\r"}));
  EXPECT_EQ(lines_of("a\n\nb"), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of(std::string_view("a\0b\n", 4)), (Lines{std::string("a\0b", 3)}));
}

TEST(InputFile, ByteOrderMarkIsSkippedAtTheStartOnly) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBFx\n\xEF\xBB\xBFy\n"), (Lines{"x", "\xEF\xBB\xBFy"}));
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"), Lines{});
  EXPECT_EQ(lines_of("\xEF\xBB\xBF\n"), Lines{""});
  EXPECT_EQ(lines_of("\xEF\xBB"), Lines{"\xEF\xBB"});
  EXPECT_EQ(lines_of_bytes(gzip("\xEF\xBB\xBFx\n")), Lines{"x"});
}

TEST(InputFile, ReadsAnyTextAsAStringSplitWould) {
  rc::check([](const std::vector<std::string>& raw) {
    Lines expected;
    std::string text;
    for (std::string line : raw) {
      std::erase_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\xEF'; });
      if (text.empty()) line.insert(0, "#");  // not by chance a magic number
      text += line + "\n";
      expected.push_back(line);
    }
    RC_ASSERT(lines_of_bytes(text) == expected);
    RC_ASSERT(lines_of_bytes(gzip(text)) == expected);
    RC_ASSERT(lines_of_bytes(zstd(text)) == expected);
  });
}

TEST(InputFile, LinesAcrossBuffersAreWhole) {
  // Lengths around the buffer of 256 KiB and its doublings.
  for (const Index length : {262142, 262143, 262144, 262145, 524288, 3000000}) {
    const std::string text = "first\n" + std::string(length, 'y') + "\r\nlast";
    EXPECT_EQ(lines_of(text), (Lines{"first", std::string(length, 'y'), "last"})) << length;
  }
}

TEST(InputFile, WhatCannotBeReadIsToldBeforeItIsOpened) {
  const TemporaryDirectory folder;
  EXPECT_NO_THROW(require_readable(""));
  EXPECT_NO_THROW(require_readable("-"));
  EXPECT_NO_THROW(require_readable(folder.path()));
  try {
    require_readable(std::vector<std::string>{"-", folder.file("none")});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("none: cannot open: "), std::string::npos);
  }
}

TEST(InputFile, CompressionIsRecognisedByContent) {
  const TemporaryDirectory directory;
  const std::string text = sample_text(1000000);
  const Lines expected = lines_of_bytes(text);
  EXPECT_EQ(all_lines(InputFile(directory.make("wrong.txt", gzip(text)))), expected);
  EXPECT_EQ(all_lines(InputFile(directory.make("wrong.gz", zstd(text)))), expected);
  EXPECT_EQ(all_lines(InputFile(directory.make("plain.zst", text))), expected);
  EXPECT_EQ(lines_of_bytes(gzip("")), Lines{});
  EXPECT_EQ(lines_of_bytes(zstd("")), Lines{});
}

TEST(InputFile, ConcatenatedMembersAreOneText) {
  EXPECT_EQ(lines_of_bytes(gzip("a\nb") + gzip("") + gzip("c\n")), (Lines{"a", "bc"}));
  EXPECT_EQ(lines_of_bytes(zstd("a\nb") + zstd("") + zstd("c\n")), (Lines{"a", "bc"}));
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0xyz", 11);
  EXPECT_EQ(lines_of_bytes(skippable + zstd("a\n") + skippable), Lines{"a"});
  EXPECT_EQ(lines_of_bytes(gzip("a\n") + std::string(1000000, '\0')), Lines{"a"});
}

TEST(InputFile, TruncatedCompressionIsRefusedAtEveryByte) {
  const std::string text = sample_text(3000);
  for (const auto& [compressed, magic] :
       {std::pair(gzip(text), Index{2}), std::pair(zstd(text), Index{4})}) {
    for (Index size = magic; size < compressed.size(); ++size) {
      const std::string complaint =
          complaint_about_bytes(std::string_view(compressed).substr(0, size));
      EXPECT_NE(complaint.find("truncated"), std::string::npos) << size << ": " << complaint;
    }
  }
}

// A flipped bit may sit in the code of a symbol that does not occur; then nothing is lost.
TEST(InputFile, DamagedCompressionIsRefusedOrHarmless) {
  const std::string text = sample_text(3000);
  const Lines expected = lines_of_bytes(text);
  for (const std::string& compressed : {gzip(text), zstd(text)}) {
    Index refused = 0;
    for (Index i = 4; i < compressed.size(); ++i) {
      std::string damaged = compressed;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
      try {
        EXPECT_EQ(lines_of_bytes(damaged), expected) << i;
      } catch (const InputError&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, compressed.size() * 9 / 10);
  }
}

TEST(InputFile, GarbageAfterGzipIsRefused) {
  EXPECT_EQ(complaint_about_bytes(gzip("a\n") + "garbage"),
            "bytes: expected the end of the file after the gzip data");
}

TEST(InputFile, LinesBeforeTheDamageAreDelivered) {
  std::string compressed = gzip(sample_text(3000000));
  compressed.resize(compressed.size() / 2);
  InputFile input = InputFile::from_bytes(compressed, "half.gz");
  std::string_view line;
  ASSERT_TRUE(input.read_line(line));
  EXPECT_EQ(line, "0 token\tB-");
  EXPECT_THROW(while (input.read_line(line)){}, InputError);
  EXPECT_GT(input.line_number(), 1000u);
}

TEST(InputFile, MissingFilesAndDirectoriesAreNamed) {
  const TemporaryDirectory directory;
  EXPECT_EQ(complaint_about("/no/such/file"),
            "/no/such/file: cannot open: No such file or directory");
  EXPECT_EQ(complaint_about(directory.path()), directory.path() + ": cannot read: Is a directory");
}

TEST(InputFile, LinesUpToTheLimitAreRead) {
  const auto outcome = [](std::string_view bytes) {
    std::vector<Index> lengths;
    InputFile input = InputFile::from_bytes(bytes, "bytes");
    std::string_view line;
    while (input.read_line(line)) lengths.push_back(line.size());
    return lengths;
  };
  std::string text = std::string(InputFile::kMaxLine, 'z') + "\r\nnext";
  const std::vector<Index> expected{InputFile::kMaxLine, 4};
  EXPECT_EQ(outcome(text), expected);
  EXPECT_EQ(outcome(zstd(text)), expected);

  const std::string complaint = "bytes:1: expected a line of at most 67108864 bytes";
  text[InputFile::kMaxLine] = 'z';  // now the CR belongs to the terminator no more
  EXPECT_EQ(complaint_about_bytes(text), complaint);
  text.resize(InputFile::kMaxLine + 1);
  EXPECT_EQ(complaint_about_bytes(text), complaint);
  EXPECT_EQ(complaint_about_bytes(zstd(text + "zz")), complaint);
}

// Would hang if a line were not handed out as soon as it is complete.
TEST(InputFile, PipesAreFollowedLineByLine) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto send = [&](std::string_view text) {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  send("P\n");  // which might have become the magic number of a skippable zstd frame
  InputFile input("/dev/fd/" + std::to_string(ends[0]));
  std::string_view line;
  ASSERT_TRUE(input.read_line(line));
  EXPECT_EQ(line, "P");
  send("q\nr");
  ASSERT_TRUE(input.read_line(line));
  EXPECT_EQ(line, "q");
  ::close(ends[1]);
  ASSERT_TRUE(input.read_line(line));
  EXPECT_EQ(line, "r");
  EXPECT_FALSE(input.read_line(line));
  ::close(ends[0]);
}

TEST(ReadFile, ReturnsTheDecompressedBytes) {
  const TemporaryDirectory directory;
  const std::string text = "\xEF\xBB\xBF" + sample_text(1000000) + "\r\n";
  EXPECT_EQ(read_file(directory.make("plain", text)), text);
  EXPECT_EQ(read_file(directory.make("gz", gzip(text))), text);
  EXPECT_EQ(read_file(directory.make("empty", "")), "");
  EXPECT_EQ(read_file(directory.make("limit", "12345"), 5), "12345");
  EXPECT_THROW(read_file(directory.make("above", "123456"), 5), InputError);
}

}  // namespace
}  // namespace trellis
