// Any bytes are links or features of words, or an InputError, in each form; the first byte chooses.
// What is read is within its limits.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/topics/wordlda/word_features.h"
#include "trellis/topics/words/dictionary.h"
#include "trellis/topics/words/edge_list.h"
#include "trellis/topics/words/synonyms.h"
#include "trellis/topics/words/word_vectors.h"

namespace {

using namespace trellis;
using namespace trellis::topics;
using testing::require;

NameList some_words() {
  NameList words;
  for (const char* word : {"cat", "dog", "élan", "new york", "#", "北京"}) words.add(word);
  return words;
}

void check_graph(const WordGraph& graph, const LinkTally& tally) {
  require(graph.num_edges() <= tally.links && tally.skipped <= tally.lines);
  for (Index word = 0; word < graph.num_words(); ++word) {
    for (const WordGraph::Link& link : graph.links(word)) {
      require(link.word < graph.num_words() && link.word != word);
      require(std::isfinite(link.weight) && link.weight > 0);
    }
  }
}

void check_features(const ReadWordFeatures& read) {
  require(read.tally.outside <= read.tally.lines);
  for (Index word = 0; word < read.features.num_words(); ++word) {
    for (const WordFeatures::Value& value : read.features[word]) {
      require(value.feature < read.features.num_features() && std::isfinite(value.value));
    }
  }
}

// Bits 0 to 2: the form; 3: lines of another shape are skipped; 4: n-grams.
void read_all(std::uint8_t choice, std::string_view bytes) {
  const NameList vocabulary = some_words();
  const TextOptions text{.ngrams = (choice & 16) != 0 ? Index{3} : Index{1}, .stop_words = {}};
  WordFinder words(vocabulary, text);
  WordGraphBuilder graph(vocabulary.size());
  InputFile file = InputFile::from_bytes(bytes, "fuzz");
  LinkTally tally;
  switch (choice & 7) {
    case 0:
      tally = add_edge_list(std::move(file), words, graph);
      break;
    case 1: {
      const auto other_lines = (choice & 8) != 0 ? OtherLines::kSkip : OtherLines::kRefuse;
      tally =
          add_dictionary(std::move(file), words, {.weight = 2, .other_lines = other_lines}, graph);
      break;
    }
    case 2:
      tally = add_synonyms(std::move(file), words, 1, graph);
      break;
    case 3:
      tally = add_embedding_links(read_word_vectors(std::move(file), words), {}, 1, graph);
      break;
    default:
      check_features(read_word_features(std::move(file), words));
  }
  check_graph(graph.build(), tally);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_all(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const InputError&) {
  }
  return 0;
}
