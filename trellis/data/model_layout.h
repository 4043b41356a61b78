// The fixed-size records of a model file as stored on disk, shared by its writer and its reader;
// model_file.h describes them.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "trellis/base/types.h"

namespace trellis::model_layout {

// Sections are used where they lie, so the machine must read numbers as the file writes them.
static_assert(std::endian::native == std::endian::little);

inline constexpr Index kAlignment = 64;
inline constexpr std::string_view kMagic = "TRELLIS\n";

struct Header {
  char magic[8];
  std::uint32_t layout_version;
  std::uint32_t kind_version;
  std::uint64_t file_size;
  std::uint32_t num_sections;
  std::uint32_t zero;
  char kind[24];
  std::uint64_t checksum;
};

struct Entry {
  char name[32];
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum_low;
  std::uint64_t checksum_high;
};

static_assert(sizeof(Header) == 64 && std::has_unique_object_representations_v<Header>);
static_assert(sizeof(Entry) == 64 && std::has_unique_object_representations_v<Entry>);

// Kinds and sections have names of printable ASCII, since messages quote them.
inline bool is_legal_name(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

inline std::uint64_t align(std::uint64_t offset) {
  return (offset + (kAlignment - 1)) & ~std::uint64_t{kAlignment - 1};
}

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline XXH128_hash_t checksum(std::span<const std::byte> bytes) {
  return XXH3_128bits(bytes.data(), bytes.size());
}

}  // namespace trellis::model_layout
