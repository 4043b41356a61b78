// Any bytes loaded as a tagger: an InputError, or a model that can be asked everything. To get past
// the checksums the input is also tried with the checksums made right, as a hostile author would.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/model_layout.h"
#include "trellis/tasks/tag/inspect.h"
#include "trellis/tasks/tag/tag_model.h"
#include "trellis/tasks/tag/tagger.h"

namespace {

using trellis::Index;
using trellis::InputError;
using trellis::Label;
using trellis::model_layout::Entry;
using trellis::model_layout::Header;
using trellis::tag::Tagger;
using trellis::tag::TagModel;
using trellis::tag::TagSequence;

TagSequence sentence() {
  TagSequence sequence;
  sequence.columns.clear(1);
  for (const char* word : {"in", "Nice", "Lima", "the"}) {
    const std::vector<std::string_view> fields = {word, "O"};
    sequence.columns.add_token(fields);
  }
  return sequence;
}

void require(bool holds) {
  if (!holds) std::abort();
}

void use(const TagModel& model) {
  static const TagSequence sequence = sentence();
  const Tagger tagger(model);
  Tagger::Scratch scratch;
  std::vector<Label> labels;
  tagger.tag(sequence, {}, scratch, labels);
  require(labels.empty() || labels.size() == sequence.num_tokens());
  for (const Label label : labels) require(static_cast<Index>(label) < model.labels().size());
  std::vector<double> probabilities;
  tagger.marginals(sequence, {}, scratch, probabilities);
  std::vector<trellis::ScoredOutput<std::vector<Label>>> best;
  tagger.n_best(sequence, {}, 3, scratch, best);
  // A kernel has no features to tell apart, and explain() says so.
  if (!labels.empty() && !model.voted() && model.kernel() == nullptr)
    tagger.explain(sequence, 1, scratch);
  strongest_features(model, 3);
  strongest_edge_features(model, 3);
  transition_table(model);
}

void load(const std::string& bytes) {
  try {
    use(TagModel::from_bytes(std::as_bytes(std::span(bytes)), "fuzz"));
  } catch (const InputError&) {
  }
}

void make_checksums_right(std::string& bytes) {
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  load(bytes);
  make_checksums_right(bytes);
  load(bytes);
  return 0;
}
