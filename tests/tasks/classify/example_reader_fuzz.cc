// Any bytes are a sequence of examples, or an InputError; and every example has features. The first
// byte chooses the options.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/formats/examples/example_reader.h"
#include "trellis/tasks/classify/features.h"

namespace {

using namespace trellis;
using namespace trellis::classify;

void require(bool condition) {
  if (!condition) std::abort();
}

ReaderOptions options_of(std::uint8_t byte) {
  ReaderOptions options;
  options.labelled = (byte & 1) != 0;
  if ((byte & 6) == 2) options.format = InputFormat::kText;
  if ((byte & 6) == 4) options.format = InputFormat::kLibsvm;
  if ((byte & 14) == 10) options.columns = TextColumns::parse("skip,label,text,text");
  return options;
}

void check(const Example& example, InputFormat format, bool labelled) {
  require(!labelled || example.labelled);
  for (Index k = 0; k < example.values.size(); ++k) {
    require(std::isfinite(example.values[k].value) && example.values[k].value != 0);
    require(k == 0 || example.values[k - 1].index < example.values[k].index);
  }
  FeatureOptions features;
  features.format = format;
  features.ngrams = 2;
  FeatureScanner scanner(features);
  scanner.scan(example);
  for (Index k = 0; k < scanner.size(); ++k) require(!scanner.name(k).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const ReaderOptions options = options_of(data[0]);
  try {
    ExampleReader reader(InputFile::from_bytes(bytes, "fuzz"), options);
    Example example;
    Index line = 0;
    while (reader.read(example)) {
      require(example.line > line);
      line = example.line;
      check(example, *reader.format(), options.labelled);
    }
  } catch (const InputError&) {
  }
  return 0;
}
