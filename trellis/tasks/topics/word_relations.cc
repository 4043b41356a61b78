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
    text += fmt::format(", {} words that are not in the documents", tally.outside);
  }
  if (tally.phrases > 0) text += fmt::format(", {} phrases skipped", tally.phrases);
  if (tally.skipped > 0) text += fmt::format(", {} lines in another format", tally.skipped);
  return text;
}

std::vector<std::string> FoundRelations::notes() const {
  std::vector<std::string> notes;
  for (const SourceTally& source : sources) notes.push_back(source.to_text());
  if (features.lines > 0) {
    notes.push_back(fmt::format("features: {} for {} words, {} words that are not in the documents",
                                relations.features.num_features(),
                                features.lines - features.outside, features.outside));
  }
  return notes;
}

Value FoundRelations::record() const {
  Value record = Value::record({{"words", relations.graph.num_words()},
                                {"links", relations.graph.num_edges()},
                                {"sources", Value::list()}});
  for (const auto& [name, tally] : sources) {
    record["sources"].push_back(Value::record({{"name", name},
                                               {"lines", tally.lines},
                                               {"links", tally.links},
                                               {"outside", tally.outside},
                                               {"phrases", tally.phrases},
                                               {"skipped", tally.skipped}}));
  }
  return record;
}

namespace {

// The spellings of words, and the spelling of each word.
struct Spellings {
  NameList names;
  std::vector<std::uint32_t> of_words;

  explicit Spellings(const Corpus& corpus) {
    for (Index w = 0; w < corpus.words().size(); ++w) {
      std::string_view name = corpus.words()[w];
      if (corpus.text().by_language) name.remove_prefix(name.find(Tokenizer::kAfterLanguage) + 1);
      of_words.push_back(names.add(name));
    }
  }
};

std::vector<std::vector<std::uint32_t>> words_by_spelling(const Spellings& spellings) {
  std::vector<std::vector<std::uint32_t>> words(spellings.names.size());
  for (std::uint32_t w = 0; w < spellings.of_words.size(); ++w) {
    words[spellings.of_words[w]].push_back(w);
  }
  return words;
}

// Turns links between spellings into links between words, and links all words of one spelling.
void add_lifted(const WordGraph& graph, const Spellings& spellings, WordGraphBuilder& lifted) {
  const auto words = words_by_spelling(spellings);
  for (std::uint32_t s = 0; s < words.size(); ++s) {
    for (const std::uint32_t v : words[s]) {
      for (const std::uint32_t other : words[s]) lifted.add(v, other, 1);
      for (const WordGraph::Link& link : graph.links(s)) {
        for (const std::uint32_t other : words[link.word]) lifted.add(v, other, link.weight);
      }
    }
  }
}

WordFeatures lifted_features(const WordFeatures& features, const Spellings& spellings) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<WordFeatures::Value> values;
  for (const std::uint32_t s : spellings.of_words) {
    values.insert(values.end(), features[s].begin(), features[s].end());
    begin.push_back(values.size());
  }
  return {std::move(begin), std::move(values), features.names()};
}

TextOptions without_languages(TextOptions text) {
  text.by_language = false;
  return text;
}

}  // namespace

FoundRelations find_relations(const Corpus& corpus, const RelationSources& sources, int threads) {
  sources.check();
  const Spellings spellings(corpus);
  const TextOptions text = without_languages(corpus.text());
  WordFinder finder(spellings.names, text);
  WordGraphBuilder graph(spellings.names.size());
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
    add("spelling", add_edit_distance_links(spellings.names.view(), sources.edits, threads, graph));
  }
  if (sources.spelling == SpellingLinks::kSubstrings) {
    add("spelling", add_lexical_links(spellings.names.view(), sources.substrings, threads, graph));
  }
  WordGraphBuilder words(corpus.words().size());
  if (corpus.text().by_language) {
    add_lifted(graph.build(), spellings, words);
  } else {
    words = std::move(graph);
  }
  if (sources.own_company) {
    add("co-occurrence",
        add_cooccurrence_links(corpus.documents(), sources.cooccurrence, threads, words));
  }
  if (sources.company) {
    const Corpus others = read_new_documents(
        *sources.company, NameList(corpus.words(), "the corpus"), corpus.text(), threads);
    add(fmt::format("co-occurrence in {}", sources.company->paths.front()),
        add_cooccurrence_links(others.documents(), sources.cooccurrence, threads, words));
  }
  found.relations.graph = words.build();
  found.relations.features = WordFeatures(corpus.words().size());
  if (!sources.features.empty()) {
    const ReadWordFeatures read = read_word_features(InputFile(sources.features), finder);
    found.relations.features = lifted_features(read.features, spellings);
    found.features = read.tally;
  }
  return found;
}

}  // namespace trellis::topics
