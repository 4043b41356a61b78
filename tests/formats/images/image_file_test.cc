#include "trellis/formats/images/image_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/formats/images/small_pictures.h"
#include "trellis/base/error.h"

namespace trellis::image {
namespace {

using trellis::testing::TemporaryDirectory;

std::string message_of(const std::string& bytes) {
  try {
    decode_image(bytes, "x.img");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ImageFile, PngKeepsBytesGreyAndColour) {
  Random random(1);
  for (const Index planes : {1, 3}) {
    const Raster raster = segment::testing::random_raster(7, 5, planes, random);
    const Raster back = decode_image(encode_png(raster), "a.png");
    ASSERT_EQ(back.planes.size(), planes);
    ASSERT_EQ(back.width(), 7U);
    ASSERT_EQ(back.height(), 5U);
    for (Index c = 0; c < planes; ++c) {
      for (Index j = 0; j < 35; ++j) {
        EXPECT_NEAR(back.planes[c].values[j], raster.planes[c].values[j], 0.5 / 255 + 1e-6);
      }
    }
    EXPECT_EQ(encode_png(back), encode_png(raster));
  }
}

TEST(ImageFile, ColourOfThreeEqualPlanesIsGrey) {
  Random random(2);
  Raster raster = segment::testing::random_raster(4, 4, 1, random);
  raster.planes.assign(3, raster.planes[0]);
  EXPECT_FALSE(decode_image(encode_png(raster), "a.png").colour());
}

TEST(ImageFile, NetpbmInAllFourForms) {
  const Raster plain = decode_image("P2 # comment\n3 1\n# another\n4\n0 2\n4\n", "a.pgm");
  EXPECT_EQ(plain.planes[0].values, (std::vector<float>{0, 0.5F, 1}));
  const Raster binary = decode_image(std::string("P5 2 1 255\n\x00\xff", 13), "a.pgm");
  EXPECT_EQ(binary.planes[0].values, (std::vector<float>{0, 1}));
  const Raster wide = decode_image(std::string("P5 1 1 65535\n\xff\xff", 15), "a.pgm");
  EXPECT_EQ(wide.planes[0].values, (std::vector<float>{1}));
  const Raster colour = decode_image("P3 1 1 2 0 1 2", "a.ppm");
  ASSERT_TRUE(colour.colour());
  EXPECT_EQ(colour.planes[1].values, (std::vector<float>{0.5F}));
  const Raster raw = decode_image(std::string("P6 1 1 255 \x01\x02\x03", 14), "a.ppm");
  ASSERT_TRUE(raw.colour());
  EXPECT_FLOAT_EQ(raw.planes[2].values[0], 3.0F / 255);
}

TEST(ImageFile, MasksAreFigureAbove127) {
  const Mask mask = to_mask(decode_image(std::string("P5 4 1 255\n\x00\x7f\x80\xff", 15), "m.pgm"));
  EXPECT_EQ(mask.labels, (std::vector<std::uint8_t>{0, 0, 1, 1}));
}

TEST(ImageFile, SaysWhatIsWrong) {
  EXPECT_NE(message_of("GIF89a").find("expected a PNG, PGM or PPM picture"), std::string::npos);
  EXPECT_NE(message_of("").find("expected a PNG"), std::string::npos);
  EXPECT_NE(message_of("P2 0 3 255 ").find("no pixels"), std::string::npos);
  EXPECT_NE(message_of("P2 2 1 255 3").find("too short"), std::string::npos);
  EXPECT_NE(message_of("P2 2 1 3 1 4").find("a number up to 3"), std::string::npos);
  EXPECT_NE(message_of("P2 2 x").find("x.img:1: expected the height"), std::string::npos);
  EXPECT_NE(message_of("P5 70000 70000 255\n").find("at most"), std::string::npos);
  EXPECT_NE(message_of("P5 8000 8000 255\n").find("too short"), std::string::npos);
}

// The header of a PNG file that claims another size.
std::string png_that_claims(std::uint32_t width, std::uint32_t height) {
  Raster raster;
  raster.planes.assign(1, Plane(2, 2));
  std::string bytes = encode_png(raster);
  const auto put = [&](Index at, std::uint32_t value) {
    for (Index k = 0; k < 4; ++k) bytes[at + k] = static_cast<char>(value >> (24 - 8 * k));
  };
  put(16, width);
  put(20, height);
  return bytes;
}

TEST(ImageFile, RefusesSizesThatTheBytesCannotHold) {
  EXPECT_NE(message_of(png_that_claims(100000, 100000)).find("at most"), std::string::npos);
  EXPECT_NE(message_of(png_that_claims(8000, 8000)).find("declares 8000 x 8000"),
            std::string::npos);
  EXPECT_NE(message_of(png_that_claims(0, 3)).find("no pixels"), std::string::npos);
}

TEST(ImageFile, EveryCutAndChangeIsAPictureOrAnInputError) {
  Random random(3);
  const std::string good = encode_png(segment::testing::random_raster(6, 5, 3, random));
  for (Index size = 0; size < good.size(); ++size) {
    EXPECT_NE(message_of(good.substr(0, size)), "") << size;
  }
  for (Index at = 0; at < good.size(); ++at) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x21);
    EXPECT_NE(message_of(changed), "") << at;
  }
}

RC_GTEST_PROP(ImageFile, AnyBytesAreAPictureOrAnInputError, (const std::string& bytes)) {
  message_of("P3 " + bytes);
  message_of("P6 2 2 255\n" + bytes);
  message_of(bytes);
}

TEST(ImageFile, FilesAreWrittenAndRead) {
  const TemporaryDirectory directory;
  const Mask mask{3, 2, {0, 1, 1, 0, 0, 1}};
  write_png(directory.file("m.png"), encode_png(mask));
  EXPECT_EQ(read_mask(directory.file("m.png")).labels, mask.labels);
  EXPECT_THROW(read_image(directory.file("none.png")), InputError);
}

}  // namespace
}  // namespace trellis::image
