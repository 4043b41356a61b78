// Any bytes loaded as a ranker: an InputError, or a model that can be asked everything. To get
// past the checksums the input is also tried with the checksums made right, as a hostile author
// would.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/model_layout.h"
#include "trellis/tasks/rank/rank_model.h"

namespace {

using namespace trellis;
using namespace trellis::rank;
using model_layout::Entry;
using model_layout::Header;

void require(bool holds) {
  if (!holds) std::abort();
}

void use(const RankModel& model) {
  Query query;
  query.id = "q";
  query.grades = {0, 2};
  query.lines = {1, 2};
  query.notes = {"", ""};
  query.values = {{1, 1.0F}, {5, 2.0F}, {1, -3.0F}};
  query.begin = {0, 2, 3};
  const auto scores = score_queries(model.features(), model.weights(), {&query, 1}, 1);
  require(scores.size() == 1 && scores[0].size() == 2);
  for (Index w = 0; w < model.weights().size(); ++w) {
    require(!model.features().weight_name(w).empty());
  }
}

void load(const std::string& bytes) {
  try {
    use(RankModel::from_bytes(std::as_bytes(std::span(bytes)), "fuzz"));
  } catch (const InputError&) {
  }
}

void make_checksums_right(std::string& bytes) {
  if (bytes.size() < sizeof(Header)) return;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_size = bytes.size();
  header.num_sections %= 16;
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
  load(bytes);
  make_checksums_right(bytes);
  load(bytes);
  return 0;
}
