#include "trellis/cli/topics/graph_command.h"

#include <memory>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/topics/corpus_call.h"
#include "trellis/cli/topics/relations_call.h"
#include "trellis/data/json.h"
#include "trellis/tasks/topics/word_relations.h"
#include "trellis/topics/words/edge_list.h"

namespace trellis::topics {

void add_graph(cli::Command& topics) {
  struct Call : cli::CommonOptions {
    CorpusCall corpus;
    RelationsCall relations;
    std::string output;
  };
  const auto call = std::make_shared<Call>();
  cli::Command command =
      topics.command("graph",
                     "Find related words of documents, and write them as links for 'trellis topics "
                     "train --kind wordlda --word-graph'.\n\n"
                     "  trellis topics graph texts.corpus --dictionary eng-fra.tsv --spelling "
                     "substrings --output links.tsv\n"
                     "  trellis topics train texts.corpus --kind wordlda --word-graph links.tsv "
                     "--topics 50 --model m.trellis");
  add_corpus_options(command, call->corpus);
  add_relations_options(command, call->relations);
  command.group("");
  command.option("--output", call->output, "File of links to write").required();
  cli::add_common_options(command, *call);
  command.run([call] {
    const RelationSources sources = call->relations.complete(call->corpus.source);
    if (!sources.features.empty()) throw UsageError("--word-features cannot be written as links");
    if (!sources.any())
      throw UsageError(
          "a source of related words is required: --word-graph, --dictionary, --synonyms, "
          "--word-vectors, --spelling or --company");
    require_writable(call->output);
    const Corpus corpus = call->corpus.read(call->threads);
    const FoundRelations found = find_relations(corpus, sources, call->threads);
    OutputFile out(call->output);
    write_edge_list(found.relations.graph, corpus.words(), out);
    out.commit();
    if (call->json) {
      cli::print(to_json(found.record()) + "\n");
    } else {
      cli::Console console(call->quiet);
      for (const std::string& note : found.notes()) console.note(note);
    }
    return 0;
  });
}

}  // namespace trellis::topics
