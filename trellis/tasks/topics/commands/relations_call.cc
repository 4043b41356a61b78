#include "trellis/tasks/topics/commands/relations_call.h"

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
  all.check();
  return all;
}

void add_relations_options(frame::Command& command, RelationsCall& call) {
  RelationSources& sources = call.sources;
  command.group("Related words");
  command
      .option("--word-graph", sources.graphs,
              "File of links, one per line: word TAB word [TAB weight]; may be repeated")
      .repeats();
  command
      .option("--dictionary", sources.dictionaries,
              "File of translations: on each line a word, a tab and its translations, separated by "
              "commas; may be repeated")
      .repeats();
  command.option("--dictionary-weight", call.dictionary_weight,
                 "Weight of the links of --dictionary");
  command.option("--other-lines", sources.dictionary.other_lines,
                 "Treatment of lines of a dictionary in another format: refuse or skip");
  command
      .option("--synonyms", sources.synonyms,
              "File of synonyms: on each line a word and its synonyms; may be repeated")
      .repeats();
  command.option("--synonym-weight", call.synonym_weight, "Weight of the links of --synonyms");
  command.option("--word-vectors", sources.vectors,
                 "File of embeddings in the format of word2vec: each word is linked with the words "
                 "of the nearest vectors");
  command.option("--spelling", sources.spelling,
                 "Link words of similar spelling\n"
                 "edits: words that differ in few letters\n"
                 "substrings: words with many common substrings");
  command.option("--edits", sources.edits.distance, "Maximum number of letters that differ (edits)")
      .between(1, 2);
  command.option("--edit-length", sources.edits.min_length,
                 "Minimum length of a word in letters (edits)");
  command.option("--company", call.company,
                 "Documents in which words that often occur together are linked: a file, or corpus "
                 "for the training documents");
  command.option("--min-npmi", sources.cooccurrence.min_npmi,
                 "Minimum normalised pointwise mutual information of linked words (--company)");
  command.option("--min-together", sources.cooccurrence.min_together,
                 "Minimum number of documents that contain both words (--company)");
  command.option(
      "--neighbours", call.neighbours,
      "Maximum number of words that a word is linked with (vectors, substrings and company)");
  command.option("--min-cosine", call.min_cosine,
                 "Minimum cosine similarity of linked words (vectors and substrings)");
  command.option("--word-features", sources.features,
                 "File of word features, one word per line: word TAB feature[:value] …");
  command.those({"edits", "edit-length"}).only_with("spelling", {"edits"});
  command.those({"min-npmi", "min-together"}).needs("company");
  command.those({"dictionary-weight", "other-lines"}).needs("dictionary");
  command.at("synonym-weight").needs("synonyms");
  command.require([&] {
    const bool nearest = !sources.vectors.empty() || sources.spelling == SpellingLinks::kSubstrings;
    if (command.given("min-cosine") && !nearest) {
      throw UsageError("--min-cosine requires --word-vectors or --spelling substrings");
    }
    if (command.given("neighbours") && !nearest && call.company.empty()) {
      throw UsageError("--neighbours requires --word-vectors, --spelling substrings or --company");
    }
  });
}

}  // namespace trellis::topics
