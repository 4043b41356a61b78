#include "trellis/tasks/topics/word_relations.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/input_file.h"
#include "trellis/topics/words/edge_list.h"
#include "trellis/topics/words/synonyms.h"

namespace trellis::topics {

bool RelationSources::any() const {
  return !graphs.empty() || !dictionaries.empty() || !synonyms.empty() || !vectors.empty() ||
         !features.empty() || spelling != SpellingLinks::kNone || company || own_company;
}

void RelationSources::check() const {
  dictionary.check();
  require_edge_weight(synonym_weight);
  embedding.check();
  edits.check();
  substrings.check();
  cooccurrence.check();
  require_readable(graphs);
  require_readable(dictionaries);
  require_readable(synonyms);
  require_readable(vectors);
  require_readable(features);
}

std::string SourceTally::to_text() const {
  std::string text = fmt::format("{}: {} links", name, tally.links);
  if (tally.lines > 0) text += fmt::format(" from {} lines", tally.lines);
  if (tally.outside > 0) {
    text += fmt::format(", {} words that the documents do not have", tally.outside);
  }
  if (tally.phrases > 0) text += fmt::format(", {} phrases left out", tally.phrases);
  if (tally.skipped > 0) text += fmt::format(", {} lines of another shape", tally.skipped);
  return text;
}

std::vector<std::string> FoundRelations::notes() const {
  std::vector<std::string> notes;
  for (const SourceTally& source : sources) notes.push_back(source.to_text());
  if (features.lines > 0) {
    notes.push_back(fmt::format("features: {} of {} words, {} that the documents do not have",
                                relations.features.num_features(),
                                features.lines - features.outside, features.outside));
  }
  return notes;
}

FoundRelations find_relations(const Corpus& corpus, const RelationSources& sources, int threads) {
  sources.check();
  const NameList words(corpus.words(), "the corpus");
  WordFinder finder(words, corpus.text());
  WordGraphBuilder graph(words.size());
  FoundRelations found;
  const auto add = [&](std::string name, const LinkTally& tally) {
    found.sources.push_back({std::move(name), tally});
  };
  for (const std::string& path : sources.graphs) {
    add(path, add_edge_list(InputFile(path), finder, graph));
  }
  for (const std::string& path : sources.dictionaries) {
    add(path, add_dictionary(InputFile(path), finder, sources.dictionary, graph));
  }
  for (const std::string& path : sources.synonyms) {
    add(path, add_synonyms(InputFile(path), finder, sources.synonym_weight, graph));
  }
  if (!sources.vectors.empty()) {
    const WordVectors vectors = read_word_vectors(InputFile(sources.vectors), finder);
    add(sources.vectors, add_embedding_links(vectors, sources.embedding, threads, graph));
  }
  if (sources.spelling == SpellingLinks::kEdits) {
    add("spelling", add_edit_distance_links(corpus.words(), sources.edits, threads, graph));
  }
  if (sources.spelling == SpellingLinks::kSubstrings) {
    add("spelling", add_lexical_links(corpus.words(), sources.substrings, threads, graph));
  }
  if (sources.own_company) {
    add("co-occurrence",
        add_cooccurrence_links(corpus.documents(), sources.cooccurrence, threads, graph));
  }
  if (sources.company) {
    const Corpus others = read_new_documents(*sources.company, words, corpus.text(), threads);
    add(fmt::format("co-occurrence in {}", sources.company->paths.front()),
        add_cooccurrence_links(others.documents(), sources.cooccurrence, threads, graph));
  }
  found.relations.graph = graph.build();
  found.relations.features = WordFeatures(words.size());
  if (!sources.features.empty()) {
    ReadWordFeatures read = read_word_features(InputFile(sources.features), finder);
    found.relations.features = std::move(read.features);
    found.features = read.tally;
  }
  return found;
}

}  // namespace trellis::topics
