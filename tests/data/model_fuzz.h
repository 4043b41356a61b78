// How any bytes are tried as a model: as they are, and with the checksums made right, as a hostile
// author would, to get past them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/types.h"
#include "trellis/data/model_layout.h"

namespace trellis::testing {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void make_checksums_right(std::string& bytes) {
  using model_layout::Entry;
  using model_layout::Header;
  if (bytes.size() < sizeof(Header)) return;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_size = bytes.size();
  header.num_sections %= 32;
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

// load_and_use(bytes) must throw InputError, or leave a model that can be asked everything.
template <class LoadAndUse>
void fuzz_model(const std::uint8_t* data, std::size_t size, const LoadAndUse& load_and_use) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto attempt = [&] {
    try {
      load_and_use(std::as_bytes(std::span(bytes)));
    } catch (const InputError&) {
    }
  };
  attempt();
  make_checksums_right(bytes);
  attempt();
}

}  // namespace trellis::testing
