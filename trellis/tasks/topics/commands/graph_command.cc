#include "trellis/tasks/topics/commands/graph_command.h"

#include <memory>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/tasks/topics/commands/corpus_call.h"
#include "trellis/tasks/topics/commands/relations_call.h"
#include "trellis/tasks/topics/word_relations.h"
#include "trellis/topics/words/edge_list.h"

namespace trellis::topics {

void add_graph(frame::Command& topics) {
  struct Call : frame::CommonOptions {
    CorpusCall corpus;
    RelationsCall relations;
    std::string output;
  };
  const auto call = std::make_shared<Call>();
  frame::Command& command =
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
  frame::add_common_options(command, *call);
  command.run([call](frame::Session& session) {
    if (call->quiet) session.be_quiet();
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
    frame::Findings findings = frame::answer(*call, found.record(), {});
    if (!call->json) findings.notes = found.notes();
    return findings;
  });
}

}  // namespace trellis::topics
