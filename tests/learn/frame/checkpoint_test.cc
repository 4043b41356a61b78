#include "trellis/learn/frame/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/model_file.h"
#include "trellis/learn/frame/checkpoint_file.h"

namespace trellis {
namespace {

SparseVector sparse(const std::vector<double>& dense) {
  SparseVector vector;
  vector.assign_dense(dense);
  return vector;
}

std::vector<double> dense(const SparseVector& vector, Index size) {
  std::vector<double> values(size);
  vector.add_to(values, 1);
  return values;
}

TEST(Checkpoint, ReturnsWhatWasPut) {
  Checkpoint checkpoint;
  EXPECT_TRUE(checkpoint.empty());
  checkpoint.put("a", std::vector<double>{1, -0.0, 3});
  checkpoint.put_integers("b", std::vector<std::uint64_t>{~std::uint64_t{0}, 7});
  checkpoint.put_text("c", "three words here");
  EXPECT_FALSE(checkpoint.empty());
  EXPECT_TRUE(checkpoint.has("a") && checkpoint.has("b") && checkpoint.has("c"));
  std::vector<double> a(3);
  std::vector<std::uint64_t> b(2);
  checkpoint.get("a", a);
  checkpoint.get_integers("b", b);
  EXPECT_TRUE(std::signbit(a[1]));
  EXPECT_EQ(b[0], ~std::uint64_t{0});
  EXPECT_EQ(checkpoint.text("c"), "three words here");
  checkpoint.clear();
  EXPECT_TRUE(checkpoint.empty());
}

TEST(Checkpoint, MissingEntriesAndOtherSizesAreRefusedByName) {
  Checkpoint checkpoint;
  checkpoint.put("weights", std::vector<double>{1, 2});
  std::vector<double> three(3);
  try {
    checkpoint.get("weights", three);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("weights"), std::string::npos) << error.what();
  }
  EXPECT_THROW(checkpoint.doubles("other"), InputError);
  EXPECT_THROW(checkpoint.integers("weights"), InputError);
  EXPECT_THROW(checkpoint.text("weights"), InputError);
}

TEST(Checkpoint, SparseVectorsComeBack) {
  const std::vector<SparseVector> vectors = {sparse({0, 1, 2, 0, 3}), sparse({}), sparse({5})};
  Checkpoint checkpoint;
  checkpoint.put_sparse("s", vectors);
  std::vector<SparseVector> loaded(3);
  checkpoint.get_sparse("s", 5, loaded);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(dense(loaded[k], 5), dense(vectors[k], 5));
    EXPECT_EQ(loaded[k].runs().size(), vectors[k].runs().size());
  }
}

TEST(Checkpoint, HostileSparseVectorsAreRefused) {
  const auto refuses = [](std::vector<std::uint64_t> shape, std::vector<double> values) {
    Checkpoint checkpoint;
    checkpoint.put_integers("s", shape);
    checkpoint.put("s", values);
    std::vector<SparseVector> loaded(1);
    EXPECT_THROW(checkpoint.get_sparse("s", 4, loaded), InputError);
  };
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  refuses({}, {});
  refuses({1}, {});
  refuses({kHuge}, {});
  refuses({1, 0, 1}, {});
  refuses({1, 0, 5}, {1, 2, 3, 4, 5});
  refuses({1, 3, kHuge}, {1});
  refuses({1, kHuge, 2}, {1, 2});
  refuses({2, 2, 1, 0, 1}, {1, 2});
  refuses({1, 0, 1}, {1, 2});
  refuses({1, 0, 1, 0}, {1});
}

TEST(CheckpointFile, ReturnsWhatWasWritten) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "trellis_checkpoint_test.checkpoint").string();
  Checkpoint checkpoint;
  checkpoint.put("a long name / with a path / that no section could have",
                 std::vector<double>{1, 2});
  checkpoint.put("empty", std::vector<double>{});
  checkpoint.put_integers("b", std::vector<std::uint64_t>{3});
  checkpoint.put_text("c", "text");
  write_checkpoint(checkpoint, path);
  const Checkpoint loaded = read_checkpoint(path);
  EXPECT_EQ(loaded.all_doubles(), checkpoint.all_doubles());
  EXPECT_EQ(loaded.all_integers(), checkpoint.all_integers());
  EXPECT_EQ(loaded.all_texts(), checkpoint.all_texts());

  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_THROW(read_checkpoint(path), InputError);
  std::filesystem::remove(path);
  EXPECT_THROW(read_checkpoint(path), InputError);
}

TEST(CheckpointFile, AnotherVersionIsRefusedByItsNumber) {
  ModelWriter writer("checkpoint", 1);
  const Value none = Value::list();
  writer.add_json("directory",
                  Value::record({{"doubles", none}, {"integers", none}, {"texts", none}}));
  const std::string bytes = writer.to_bytes();
  try {
    checkpoint_from_bytes(std::as_bytes(std::span(bytes)), "m.checkpoint");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "m.checkpoint: the checkpoint has version 1, and this program continues version 3 "
                 "only: train again without --resume");
  }
}

}  // namespace
}  // namespace trellis
