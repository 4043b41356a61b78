// Any bytes loaded as a matcher: an InputError, or a model that can be asked everything. To get
// past the checksums the input is also tried with the checksums made right, as a hostile author
// would.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/model_layout.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/matcher.h"

namespace {

using namespace trellis;
using namespace trellis::match;
using model_layout::Entry;
using model_layout::Header;

void require(bool holds) {
  if (!holds) std::abort();
}

// A graph of one edge, or two points of two shapes.
MatchExample smallest(const MatchFeatures& features) {
  MatchExample example;
  const Index n = features.pairs() ? 2 : 1;
  example.num_left = example.num_right = n;
  if (features.pairs()) {
    PointSet shape;
    shape.points = {{0, 0}, {3, 1}};
    shape.ids = {0, 1};
    const ContextTable table(shape, features.contexts());
    const bool bias = features.cover() == Cover::kPartial;
    example.features = EdgeFeatures::of_contexts(
        std::make_shared<const ContextTable>(bias ? table.with_bias(1) : table),
        std::make_shared<const ContextTable>(bias ? table.with_bias(0) : table),
        features.contexts().difference);
  } else {
    example.features = EdgeFeatures::of_rows(
        FeatureRows::dense(features.dimension(), std::vector<float>(features.dimension(), 1)));
  }
  return example;
}

void use(const MatchModel& model) {
  require(model.weights().size() == model.features().dimension());
  for (Index k = 0; k < model.weights().size(); ++k) model.features().weight_name(k);
  const MatchExample example = smallest(model.features());
  Matcher::Scratch scratch;
  Matching::Output found;
  Matcher(model).match(example, scratch, found);
  require(found.size() == example.num_left);
  const std::string bytes = model.to_bytes();
  const MatchModel again = MatchModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  require(again.to_bytes() == bytes);
}

void load(const std::string& bytes) {
  try {
    use(MatchModel::from_bytes(std::as_bytes(std::span(bytes)), "fuzz"));
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
