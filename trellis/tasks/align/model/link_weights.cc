#include "trellis/tasks/align/model/link_weights.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

constexpr Index kMostNames = Index{1} << 16;

std::vector<std::string> read_names(const Value& said, const char* key) {
  auto names = said.at(key).get<std::vector<std::string>>();
  const std::set<std::string> distinct(names.begin(), names.end());
  if (names.size() > kMostNames || distinct.size() != names.size()) {
    throw UsageError(std::string("the names of '") + key + "' are not valid");
  }
  return names;
}

}  // namespace

std::string LinkShape::name() const {
  return std::string("M") + (most_links > 1 ? "+F" : "") + (quadratic ? "+Q" : "");
}

std::vector<WeightRange> WeightLayout::nonnegative() const {
  if (source_word_begin() == dimension()) return {};
  return {{source_word_begin(), dimension()}};
}

LinkWeights read_link_weights(const Value& said, const ModelReader& reader) {
  LinkWeights learned;
  learned.shape.most_links = said.at("most_links").get<Index>();
  learned.shape.quadratic = said.at("quadratic").get<bool>();
  learned.offset = said.at("offset").get<double>();
  if (learned.shape.most_links < 1 || learned.shape.most_links > kMostLinks ||
      !(std::abs(learned.offset) <= ModelReader::kLargestWeight)) {
    throw UsageError("its description of links is not valid");
  }
  learned.features.externals = read_names(said, "externals");
  learned.features.source_tags = read_names(said, "source_tags");
  learned.features.target_tags = read_names(said, "target_tags");
  learned.features.lexical_source = read_names(said, "lexical_source");
  learned.features.lexical_target = read_names(said, "lexical_target");
  const std::span<const double> weights = reader.weights("links/weights");
  learned.weights.assign(weights.begin(), weights.end());
  return learned;
}

Value write_link_weights(const LinkWeights& learned, ModelWriter& writer) {
  writer.add_array<double>("links/weights", learned.weights);
  return Value::record({{"most_links", learned.shape.most_links},
                        {"quadratic", learned.shape.quadratic},
                        {"offset", learned.offset},
                        {"externals", learned.features.externals},
                        {"source_tags", learned.features.source_tags},
                        {"target_tags", learned.features.target_tags},
                        {"lexical_source", learned.features.lexical_source},
                        {"lexical_target", learned.features.lexical_target}});
}

}  // namespace trellis::align
