// Any text is a template or an InputError; a template extracts attributes whose fingerprints are
// those of their names, and survives being written and read. Bytes that begin with the magic of a
// serialized template are read as one.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace {

using namespace trellis;
using namespace trellis::tag;

FeatureTemplate read(std::string_view bytes) {
  if (bytes.substr(0, 6) == "TRTMPL") return FeatureTemplate::deserialize(bytes, "fuzz");
  return FeatureTemplate::parse(
      bytes, "fuzz", [](const std::string& path) { return path + " New York\nYork\nαθήνα 1\n"; });
}

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const FeatureTemplate& features) {
  if (features.min_columns() > 100) return;
  Sentence sentence;
  sentence.clear(1);
  for (const std::string_view word : {"New", "York", "Αθήνα", "1", "-2", ""}) {
    sentence.add_token(
        std::vector<std::string_view>(std::max<Index>(features.min_columns(), 1), word));
  }
  FeatureTemplate::Scratch scratch;
  SentenceAttributes attributes;
  features.extract(sentence, scratch, attributes);
  const AttributeList& node = attributes.node;
  for (Index t = 0; t < sentence.num_tokens(); ++t) {
    for (Index k = node.begin[t]; k < node.begin[t + 1]; ++k) {
      const std::string name =
          FeatureTemplate::Names(features, sentence, scratch).node(t, k - node.begin[t]);
      require(attribute_fingerprint(name) == node.fingerprints[k]);
    }
  }
  const std::string bytes = features.serialize();
  require(FeatureTemplate::deserialize(bytes, "fuzz").serialize() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check(read(std::string_view(reinterpret_cast<const char*>(data), size)));
  } catch (const InputError&) {
  }
  return 0;
}
