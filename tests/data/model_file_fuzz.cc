// Any bytes loaded as a model: an InputError or a model that can be used. To get past the checksums
// the input is also tried with the checksums made right, as a hostile author would.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/model_file.h"
#include "trellis/data/model_layout.h"
#include "trellis/data/name_list.h"

namespace {

using trellis::FingerprintView;
using trellis::Index;
using trellis::InputError;
using trellis::ModelReader;
using trellis::NameList;
using trellis::NameView;
using trellis::model_layout::Entry;
using trellis::model_layout::Header;

template <class Action>
void try_to(const Action& action) {
  try {
    action();
  } catch (const InputError&) {
  }
}

void use_names(const ModelReader& model) {
  const std::span<const char> bytes(model.text("names"));
  const NameView names(model.array<std::uint64_t>("offsets"), bytes, model.name());
  const NameList list(names, model.name());
  for (Index id = 0; id < names.size(); ++id) {
    if (list.find(names[id]) != id) std::abort();
  }
}

void use_table(const ModelReader& model) {
  constexpr Index kIds = 10;
  const FingerprintView table(model.array<std::uint64_t>("keys"), model.array<std::uint32_t>("ids"),
                              kIds, model.name());
  for (std::uint64_t fp = 0; fp < 100; ++fp) {
    const std::uint32_t id = table.find(fp);
    if (id != FingerprintView::kNone && id >= kIds) std::abort();
  }
}

void load(const std::string& bytes) {
  const ModelReader model = ModelReader::from_bytes(std::as_bytes(std::span(bytes)), "fuzz");
  try_to([&] { model.expect("fuzz", 1); });
  try_to([&] { static_cast<void>(model.json("options")); });
  try_to([&] { use_names(model); });
  try_to([&] { use_table(model); });
}

void make_checksums_right(std::string& bytes) {
  if (bytes.size() < sizeof(Header)) return;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_size = bytes.size();
  header.num_sections %= 8;
  header.checksum = 0;
  const Index front = sizeof(Header) + header.num_sections * sizeof(Entry);
  if (front > bytes.size()) return;
  for (Index i = 0; i < header.num_sections; ++i) {
    char* place = bytes.data() + sizeof(Header) + i * sizeof(Entry);
    Entry entry;
    std::memcpy(&entry, place, sizeof entry);
    if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset) continue;
    const XXH128_hash_t hash = XXH3_128bits(bytes.data() + entry.offset, entry.size);
    entry.checksum_low = hash.low64;
    entry.checksum_high = hash.high64;
    std::memcpy(place, &entry, sizeof entry);
  }
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = XXH3_64bits(bytes.data(), front);
  std::memcpy(bytes.data(), &header, sizeof header);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try_to([&] { load(bytes); });
  make_checksums_right(bytes);
  try_to([&] { load(bytes); });
  return 0;
}
