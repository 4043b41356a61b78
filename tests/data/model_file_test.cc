#include "trellis/data/model_file.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "tests/base/compressed.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/model_layout.h"

namespace trellis {
namespace {

using model_layout::Entry;
using model_layout::Header;
using testing::content_of;
using testing::TemporaryDirectory;

const std::vector<double> kWeights{1.5, -2.25, 0, 1e300, -0.0};
const std::vector<std::uint32_t> kIds{7, 8, 9};

ModelWriter sample_writer() {
  ModelWriter writer("tag", 3);
  writer.add_json("options",
                  Value::record({{"order", 1}, {"labels", Value::list({"B", "I", "O"})}}));
  writer.add_array<double>("weights", kWeights);
  writer.add("nothing", {});
  writer.add_array<std::uint32_t>("ids", kIds);
  writer.add_text("template", "U:w[0]\n");
  return writer;
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

ModelReader load(std::string_view bytes) {
  return ModelReader::from_bytes(bytes_of(bytes), "model");
}

void check_sample(const ModelReader& model) {
  EXPECT_EQ(model.kind(), "tag");
  EXPECT_EQ(model.version(), 3u);
  EXPECT_EQ(model.json("options").at("labels").at(2), "O");
  const std::span<const double> weights = model.array<double>("weights", kWeights.size());
  EXPECT_EQ(std::memcmp(weights.data(), kWeights.data(), weights.size_bytes()), 0);
  const std::span<const std::uint32_t> ids = model.array<std::uint32_t>("ids");
  EXPECT_EQ(std::vector(ids.begin(), ids.end()), kIds);
  EXPECT_EQ(model.text("template"), "U:w[0]\n");
  EXPECT_TRUE(model.has("nothing"));
  EXPECT_TRUE(model.section("nothing").empty());
  EXPECT_TRUE(model.array<double>("nothing").empty());
  EXPECT_FALSE(model.has("something"));
  for (const char* name : {"options", "weights", "ids", "template"}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(model.section(name).data()) % 64, 0u) << name;
  }
}

// What() of the InputError, nothing if there was none.
template <class Action>
std::optional<std::string> complaint_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return std::nullopt;
}

std::optional<std::string> complaint_about(std::string_view bytes) {
  return complaint_of([&] { load(bytes); });
}

std::string complaint_about_file(const std::string& path) {
  return complaint_of([&] { ModelReader::open(path); }).value_or("");
}

Header header_of(const std::string& bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

// As a hostile author would: makes the checksum of header and table right again.
std::string resealed(std::string bytes, Header header) {
  header.checksum = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  const Index front = std::min(bytes.size(), sizeof(Header) + header.num_sections * sizeof(Entry));
  header.checksum = XXH3_64bits(bytes.data(), front);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

template <class Change>
std::optional<std::string> complaint_after(const Change& change) {
  std::string bytes = sample_writer().to_bytes();
  Header header = header_of(bytes);
  std::vector<Entry> table(header.num_sections);
  std::memcpy(table.data(), bytes.data() + sizeof header, table.size() * sizeof(Entry));
  change(header, table);
  std::memcpy(bytes.data() + sizeof header, table.data(), table.size() * sizeof(Entry));
  return complaint_about(resealed(bytes, header));
}

TEST(ModelFile, LoadsWhatWasSaved) {
  const TemporaryDirectory directory;
  check_sample(load(sample_writer().to_bytes()));
  for (const char* name : {"model", "model.gz", "model.zst"}) {
    sample_writer().write(directory.file(name));
    check_sample(ModelReader::open(directory.file(name)));
  }
  EXPECT_EQ(content_of(directory.file("model")), sample_writer().to_bytes());
  EXPECT_EQ(ModelReader::open(directory.file("model")).name(), directory.file("model"));
}

TEST(ModelFile, ModelsWithoutSectionsAreModels) {
  const ModelReader model = load(ModelWriter("empty", 0).to_bytes());
  EXPECT_EQ(model.kind(), "empty");
  EXPECT_FALSE(model.has("weights"));
}

// Files of this layout exist; it can only be followed by another version.
TEST(ModelFile, LayoutIsFrozen) {
  EXPECT_EQ(fingerprint(sample_writer().to_bytes()), 0x9c596a942f326574u);
}

TEST(ModelFile, AnySectionsSurvive) {
  rc::check([](const std::vector<std::string>& payloads) {
    ModelWriter writer("any", 1);
    for (Index i = 0; i < payloads.size(); ++i) writer.add_text(std::to_string(i), payloads[i]);
    const ModelReader model = load(writer.to_bytes());
    for (Index i = 0; i < payloads.size(); ++i) {
      RC_ASSERT(model.text(std::to_string(i)) == payloads[i]);
    }
  });
}

TEST(ModelFile, SectionsOutliveTheReaderThroughACopy) {
  const TemporaryDirectory directory;
  sample_writer().write(directory.file("model"));
  std::optional<ModelReader> reader = ModelReader::open(directory.file("model"));
  const ModelReader copy = *reader;
  const std::span<const double> weights = reader->array<double>("weights");
  reader.reset();
  std::filesystem::remove(directory.file("model"));
  EXPECT_EQ(weights[1], -2.25);
  check_sample(copy);
}

TEST(ModelFile, BytesAtAnyAddressAreAccepted) {
  const std::string bytes = sample_writer().to_bytes();
  for (Index shift = 0; shift < 9; ++shift) {
    const std::string moved = std::string(shift, '#') + bytes;
    check_sample(load(std::string_view(moved).substr(shift)));
  }
}

TEST(ModelFile, PipesAreRead) {
  const TemporaryDirectory directory;
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { sample_writer().write(pipe); });
  check_sample(ModelReader::open(pipe));
  writer.join();
}

TEST(ModelFile, TruncationAtEveryByteIsRefused) {
  const TemporaryDirectory directory;
  const std::string bytes = sample_writer().to_bytes();
  const std::string path = directory.make("model", bytes);
  for (Index size = bytes.size(); size-- > 0;) {
    EXPECT_TRUE(complaint_about(std::string_view(bytes).substr(0, size))) << size;
    std::filesystem::resize_file(path, size);
    EXPECT_NE(complaint_about_file(path), "") << size;
  }
}

TEST(ModelFile, EveryFlippedBitIsNoticed) {
  const TemporaryDirectory directory;
  const std::string bytes = sample_writer().to_bytes();
  const std::string path = directory.make("model", bytes);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](Index i, char c) {
    file.seekp(static_cast<std::streamoff>(i)).put(c).flush();
  };
  for (Index i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_TRUE(complaint_about(damaged)) << "bit " << bit << " of byte " << i;
      put(i, damaged[i]);
      EXPECT_NE(complaint_about_file(path), "") << "bit " << bit << " of byte " << i;
    }
    put(i, bytes[i]);
  }
  EXPECT_EQ(complaint_about_file(path), "");
}

TEST(ModelFile, BytesBehindTheEndAreRefused) {
  EXPECT_TRUE(complaint_about(sample_writer().to_bytes() + '\0'));
}

TEST(ModelFile, DamagedCompressionIsRefused) {
  const std::string compressed = testing::zstd(sample_writer().to_bytes());
  for (Index size = 0; size < compressed.size(); ++size) {
    EXPECT_TRUE(complaint_about(std::string_view(compressed).substr(0, size))) << size;
  }
}

TEST(ModelFile, CompressionBombsAreRefused) {
  std::string zeros(std::size_t{16} << 20, '\0');
  EXPECT_NE(complaint_about(testing::zstd(zeros))->find("at most"), std::string::npos);
}

TEST(ModelFile, HostileHeadersAreRefused) {
  EXPECT_EQ(complaint_after([](Header&, std::vector<Entry>&) {}), std::nullopt);
  const auto refuses = [](auto change) { return complaint_after(change).has_value(); };
  using Table = std::vector<Entry>;
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.zero = 1; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.kind[0] = '\0'; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.kind[10] = 'x'; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.kind[0] = '\x1b'; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.num_sections = 4; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.num_sections = 6; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.num_sections = ~std::uint32_t{0}; }));
  EXPECT_TRUE(refuses([](Header& h, Table&) { h.file_size = ~std::uint64_t{0}; }));
}

TEST(ModelFile, HostileTablesAreRefused) {
  const auto refuses = [](auto change) {
    return complaint_after([&](Header&, std::vector<Entry>& table) { change(table); }).has_value();
  };
  using Table = std::vector<Entry>;
  const std::uint64_t huge = ~std::uint64_t{0};
  EXPECT_TRUE(refuses([&](Table& t) { t[1].offset = t[0].offset; })) << "overlap";
  EXPECT_TRUE(refuses([&](Table& t) { t[0].offset = 0; })) << "over the header";
  EXPECT_TRUE(refuses([&](Table& t) { t[1].offset += 8; })) << "not aligned";
  EXPECT_TRUE(refuses([&](Table& t) { t[1].offset = huge; }));
  EXPECT_TRUE(refuses([&](Table& t) { t[1].offset = huge - 63; }));
  EXPECT_TRUE(refuses([&](Table& t) { t[1].size = huge; }));
  EXPECT_TRUE(refuses([&](Table& t) { t[4].size += 1; }));
  EXPECT_TRUE(refuses([&](Table& t) { t[4].size -= 1; }));
  EXPECT_TRUE(refuses([&](Table& t) { t[1].checksum_high ^= 1; }));
  EXPECT_TRUE(refuses([&](Table& t) { std::swap(t[1], t[3]); }));
  EXPECT_TRUE(refuses([&](Table& t) { std::memcpy(t[1].name, t[3].name, 32); })) << "twins";
  EXPECT_TRUE(refuses([&](Table& t) { std::memset(t[1].name, 0, 32); })) << "no name";
  EXPECT_TRUE(refuses([&](Table& t) { t[1].name[31] = 'x'; })) << "not padded";
  EXPECT_TRUE(refuses([&](Table& t) { t[1].name[0] = '\n'; })) << "not printable";
}

TEST(ModelFile, RandomChangesBehindARightChecksumAreRefusedOrHarmless) {
  rc::check([](std::uint16_t place, std::uint8_t value) {
    std::string bytes = sample_writer().to_bytes();
    bytes[place % (sizeof(Header) + 5 * sizeof(Entry))] = static_cast<char>(value);
    try {
      const ModelReader model = load(resealed(bytes, header_of(bytes)));
      RC_ASSERT(model.text("template") == "U:w[0]\n");
    } catch (const InputError&) {
    }
  });
}

TEST(ModelFile, ForeignFilesAreRefused) {
  EXPECT_EQ(
      complaint_about(""),
      "model: expected a Trellis model, but the file does not begin with the signature of a model");
  EXPECT_EQ(
      complaint_about("lCRF and other bytes"),
      "model: expected a Trellis model, but the file does not begin with the signature of a model");
  EXPECT_EQ(complaint_about_file("/no/such/model"),
            "/no/such/model: cannot open: No such file or directory");
  const TemporaryDirectory directory;
  EXPECT_EQ(complaint_about_file(directory.path()),
            directory.path() + ": cannot read: Is a directory");
}

TEST(ModelFile, NewerVersionsAreRefusedWithBothNumbers) {
  EXPECT_EQ(complaint_after([](Header& header, std::vector<Entry>&) { header.layout_version = 2; }),
            "model: the model has layout version 2, but this program reads version 1");
  const ModelReader model = load(sample_writer().to_bytes());
  EXPECT_NO_THROW(model.expect("tag", 3));
  EXPECT_NO_THROW(model.expect("tag", 4));
  EXPECT_EQ(complaint_of([&] { model.expect("tag", 2); }),
            "model: the tag model has version 3, but this program reads versions up to 2");
  EXPECT_EQ(complaint_of([&] { model.expect("parse", 3); }),
            "model: expected a model of kind \"parse\", found \"tag\"");
}

TEST(ModelFile, SectionsOfAnotherFormAreRefused) {
  const ModelReader model = load(sample_writer().to_bytes());
  EXPECT_EQ(complaint_of([&] { model.section("gone"); }),
            "model: the model has no section \"gone\"");
  EXPECT_EQ(complaint_of([&] { model.array<double>("ids"); }),
            "model: section \"ids\" of the model should hold elements of 8 bytes, but has 12");
  EXPECT_EQ(complaint_of([&] { model.array<double>("weights", 6); }),
            "model: section \"weights\" of the model should hold 6 elements, but has 5");
  EXPECT_EQ(complaint_of([&] { model.json("template"); }),
            "model: section \"template\" of the model is not JSON");
}

TEST(ModelFile, JsonIsLimitedInDepth) {
  const auto nested = [](Index depth) {
    ModelWriter writer("deep", 1);
    writer.add_text(
        "json", "[\"]]\\\"[[\"," + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "]");
    return writer.to_bytes();
  };
  EXPECT_NO_THROW(load(nested(ModelReader::kMaxJsonDepth)).json("json"));
  EXPECT_THROW(load(nested(ModelReader::kMaxJsonDepth + 1)).json("json"), InputError);
  EXPECT_THROW(load(nested(1000000)).json("json"), InputError);
}

TEST(ModelWriter, RefusesWhatCannotBeStored) {
  ModelWriter writer("tag", 1);
  writer.add("section", {});
  EXPECT_THROW(writer.add("section", {}), UsageError);
  EXPECT_THROW(writer.add("", {}), UsageError);
  EXPECT_THROW(writer.add("with space", {}), UsageError);
  EXPECT_THROW(writer.add(std::string(33, 'n'), {}), UsageError);
  EXPECT_NO_THROW(writer.add(std::string(32, 'n'), {}));
  EXPECT_THROW(ModelWriter("", 1), UsageError);
  EXPECT_THROW(ModelWriter(std::string(25, 'k'), 1), UsageError);
  EXPECT_TRUE(load(writer.to_bytes()).has(std::string(32, 'n')));
}

TEST(ModelWriter, FullDiskIsReported) {
  EXPECT_EQ(complaint_of([] { sample_writer().write("/dev/full"); }),
            "/dev/full: cannot write: No space left on device");
}

}  // namespace
}  // namespace trellis
