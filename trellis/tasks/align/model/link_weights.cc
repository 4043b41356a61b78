#include "trellis/tasks/align/model/link_weights.h"

namespace trellis::align {

std::string LinkShape::name() const {
  return std::string("M") + (most_links > 1 ? "+F" : "") + (quadratic ? "+Q" : "");
}

std::vector<WeightRange> WeightLayout::nonnegative() const {
  if (source_word_begin() == dimension()) return {};
  return {{source_word_begin(), dimension()}};
}

void describe_links(ModelArchive& a, LinkWeights& learned) {
  FeatureShape& features = learned.features;
  const Range count{0, 1 << 16};
  a.record("links", [&] {
    a.number("most_links", learned.shape.most_links, {1, kMostLinks}, "of a word");
    a.value("quadratic", learned.shape.quadratic, "whether pairs of links have scores");
    a.number("offset", learned.offset, kWeights, "added to the score of every link");
    a.names("externals", features.externals, count, "names of other aligners");
    a.names("source_tags", features.source_tags, count, "known tags of source words");
    a.names("target_tags", features.target_tags, count, "known tags of target words");
    a.names("lexical_source", features.lexical_source, count, "words with weights of their own");
    a.names("lexical_target", features.lexical_target, count, "words with weights of their own");
  });
  a.weights("links/weights", learned.weights, {}, "of features of links, words and pairs of links");
}

}  // namespace trellis::align
