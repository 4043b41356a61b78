#include "trellis/cli/topics/relations_call.h"

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"

namespace trellis::topics {

RelationSources RelationsCall::complete(const SourceCall& documents) const {
  RelationSources all = sources;
  for (Index* of_source :
       {&all.embedding.neighbours, &all.substrings.neighbours, &all.cooccurrence.neighbours}) {
    *of_source = neighbours;
  }
  all.embedding.min_cosine = all.substrings.min_cosine = min_cosine;
  if (company == "corpus") {
    all.own_company = true;
  } else if (!company.empty()) {
    require_readable(company);
    all.company = documents.files({company});
  }
  all.dictionary.weight = static_cast<float>(dictionary_weight);
  all.synonym_weight = static_cast<float>(synonym_weight);
  const RelationsCall usual;
  const RelationSources standard;
  const bool nearest = !all.vectors.empty() || all.spelling == SpellingLinks::kSubstrings;
  if (min_cosine != usual.min_cosine && !nearest) {
    throw UsageError("--min-cosine is for --word-vectors and --spelling substrings");
  }
  if (neighbours != usual.neighbours && !nearest && company.empty()) {
    throw UsageError("--neighbours is for --word-vectors, --spelling substrings and --company");
  }
  if (all.spelling != SpellingLinks::kEdits &&
      (all.edits.distance != standard.edits.distance ||
       all.edits.min_length != standard.edits.min_length)) {
    throw UsageError("--edits and --edit-length are for --spelling edits");
  }
  if (company.empty() && (all.cooccurrence.min_npmi != standard.cooccurrence.min_npmi ||
                          all.cooccurrence.min_together != standard.cooccurrence.min_together)) {
    throw UsageError("--min-npmi and --min-together are for --company");
  }
  if (all.dictionaries.empty() && (dictionary_weight != usual.dictionary_weight ||
                                   all.dictionary.other_lines != standard.dictionary.other_lines)) {
    throw UsageError("--dictionary-weight and --other-lines are for --dictionary");
  }
  if (all.synonyms.empty() && synonym_weight != usual.synonym_weight) {
    throw UsageError("--synonym-weight is for --synonyms");
  }
  all.check();
  return all;
}

void add_relations_options(cli::Command& command, RelationsCall& call) {
  RelationSources& sources = call.sources;
  command.group("Related words");
  command
      .option("--word-graph", sources.graphs,
              "File of links, a line each: word TAB word [TAB weight]; may be said again")
      .repeats();
  command
      .option("--dictionary", sources.dictionaries,
              "File whose lines are a word, a tab and its translations with commas between them; "
              "may be said again")
      .repeats();
  command.option("--dictionary-weight", call.dictionary_weight, "Of its links");
  command.option("--other-lines", sources.dictionary.other_lines,
                 "Lines of a dictionary of another shape: refuse, skip");
  command
      .option("--synonyms", sources.synonyms,
              "File whose lines are a word and its synonyms; may be said again")
      .repeats();
  command.option("--synonym-weight", call.synonym_weight, "Of its links");
  command.option("--word-vectors", sources.vectors,
                 "File of embeddings as word2vec writes them: words with the nearest vectors are "
                 "linked");
  command.option("--spelling", sources.spelling,
                 "Link words of similar spelling\n"
                 "edits: that differ by few letters; substrings: that have many in common");
  command.option("--edits", sources.edits.distance, "Letters that differ (edits)").between(1, 2);
  command.option("--edit-length", sources.edits.min_length, "Letters of a word, at least (edits)");
  command.option("--company", call.company,
                 "Documents, or corpus for those at hand: words that are often in one document are "
                 "linked");
  command.option("--min-npmi", sources.cooccurrence.min_npmi,
                 "Normalised pointwise mutual information of words in company, at least");
  command.option("--min-together", sources.cooccurrence.min_together,
                 "Documents that have both, at least");
  command.option("--neighbours", call.neighbours,
                 "Words that a word is linked with, of vectors, substrings and company");
  command.option("--min-cosine", call.min_cosine, "Of vectors, or of substrings, at least");
  command.option("--word-features", sources.features,
                 "File of features, a line a word: word TAB feature[:value] …");
}

}  // namespace trellis::topics
