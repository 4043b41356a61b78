#include "trellis/tasks/classify/vectorizer.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::classify {

void Vectorizer::vectorize(const Example& example, const std::string& file,
                           Scratch& scratch) const {
  FeatureScanner& scanner = scratch.scanner;
  FeatureVector& vector = scratch.vector;
  scanner.scan(example);
  vector.ids.clear();
  vector.values.clear();
  for (Index k = 0; k < scanner.size(); ++k) {
    const AttributeId id = vocabulary_.find(scanner.fingerprint(k));
    if (id == kNoAttribute || id == bias_) continue;
    vector.ids.push_back(id);
    vector.values.push_back(scanner.count(k));
  }
  merge_counts(vector);
  if (!weigh(options_, idf_, bias_, vector)) {
    throw_no_logarithm(file, example.line, options_.weighting);
  }
}

void throw_no_logarithm(const std::string& file, Index line, Weighting weighting) {
  throw InputError(file, line,
                   fmt::format("expected counts from 1 on for the weighting {}, which takes their "
                               "logarithm, found a smaller value",
                               to_string(weighting)));
}

}  // namespace trellis::classify
