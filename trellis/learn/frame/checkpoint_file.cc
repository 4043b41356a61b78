#include "trellis/learn/frame/checkpoint_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/model_file.h"

namespace trellis {
namespace {

constexpr const char* kKind = "checkpoint";
// 1 had the fields of epochs in rows, without names; 2 had other words for a run.
constexpr std::uint32_t kVersion = 3;

// Names of entries can be longer than names of sections: the directory maps one to the other.
std::string section(const char* kind, Index number) {
  return kind + std::to_string(number);
}

Checkpoint checkpoint_of(const ModelReader& reader) {
  reader.expect(kKind, kVersion);
  if (reader.version() < kVersion) {
    throw InputError(
        reader.name(), 0,
        fmt::format("the checkpoint has version {}, and this program continues version {} only: "
                    "train again without --resume",
                    reader.version(), kVersion));
  }
  const Value directory = reader.json("directory");
  Checkpoint checkpoint;
  try {
    const auto names = [&](const char* kind) {
      return directory.at(kind).get<std::vector<std::string>>();
    };
    Index number = 0;
    for (const std::string& name : names("doubles")) {
      checkpoint.put(name, reader.array<double>(section("doubles.", number++)));
    }
    number = 0;
    for (const std::string& name : names("integers")) {
      checkpoint.put_integers(name, reader.array<std::uint64_t>(section("integers.", number++)));
    }
    number = 0;
    for (const std::string& name : names("texts")) {
      checkpoint.put_text(name, reader.text(section("texts.", number++)));
    }
  } catch (const ValueError&) {
    throw InputError(reader.name(), 0, "the checkpoint's directory is damaged");
  }
  return checkpoint;
}

}  // namespace

void write_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  ModelWriter writer(kKind, kVersion);
  Value directory = Value::record(
      {{"doubles", Value::list()}, {"integers", Value::list()}, {"texts", Value::list()}});
  for (const auto& [name, values] : checkpoint.all_doubles()) {
    writer.add_array<double>(section("doubles.", directory["doubles"].size()), values);
    directory["doubles"].push_back(name);
  }
  for (const auto& [name, values] : checkpoint.all_integers()) {
    writer.add_array<std::uint64_t>(section("integers.", directory["integers"].size()), values);
    directory["integers"].push_back(name);
  }
  for (const auto& [name, text] : checkpoint.all_texts()) {
    writer.add_text(section("texts.", directory["texts"].size()), text);
    directory["texts"].push_back(name);
  }
  writer.add_json("directory", directory);
  writer.write(path);
}

Checkpoint read_checkpoint(const std::string& path) {
  return checkpoint_of(ModelReader::open(path));
}

Checkpoint checkpoint_from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return checkpoint_of(ModelReader::from_bytes(bytes, name));
}

}  // namespace trellis
