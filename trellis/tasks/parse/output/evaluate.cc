#include "trellis/tasks/parse/output/evaluate.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/pipeline.h"
#include "trellis/tasks/parse/model/parser.h"
#include "trellis/tasks/parse/reading/treebank_reader.h"

namespace trellis::parse {
namespace {

constexpr Index kEvaluateBatch = 256;

// A thread's parser, and a copy of the sentence that its trees are written into.
struct EvaluateWorker {
  Parser::Scratch scratch;
  ParsedTree tree;
};

void parse_copy(const Parser& parser, const Sentence& gold, EvaluateWorker& worker,
                Sentence& system) {
  parser.parse(gold, worker.scratch, worker.tree);
  system = gold;
  parser.write(worker.tree, system);
}

}  // namespace

Evaluation evaluate(const ParseModel& model, InputFile file, const EvaluateOptions& options) {
  TreebankOptions reading;
  reading.format = options.format;
  reading.heads = Heads::kTree;
  TreebankReader reader(std::move(file), reading);
  const Parser parser(model);
  Pipeline<Sentence> pipeline(kEvaluateBatch, options.threads);
  std::vector<EvaluateWorker> workers(static_cast<Index>(pipeline.num_workers()));
  std::vector<Sentence> parsed(pipeline.batch_size());
  Evaluation evaluation;
  std::set<std::string> unseen;
  pipeline.run([&](Sentence& sentence) { return reader.read(sentence); },
               [&](const Sentence& gold, Index slot, int worker) {
                 parse_copy(parser, gold, workers[static_cast<Index>(worker)], parsed[slot]);
               },
               [&](const Sentence& gold, Index slot) {
                 for (const Word& word : gold.words) {
                   if (model.labels().find(word.label) == NameList::kNone) {
                     unseen.insert(word.label);
                   }
                 }
                 evaluation.scores.add(gold, parsed[slot]);
                 if (options.on_sentence) options.on_sentence(gold, parsed[slot]);
               });
  if (evaluation.scores.num_sentences() == 0) {
    throw InputError(reader.name(), 0, "there is no sentence in it");
  }
  evaluation.unseen_labels = {unseen.begin(), unseen.end()};
  return evaluation;
}

AttachmentScores evaluate(const ParseModel& model, std::span<const Sentence> sentences,
                          int threads) {
  const Parser parser(model);
  std::vector<EvaluateWorker> workers(static_cast<Index>(resolve_threads(threads)));
  std::vector<Sentence> parsed(sentences.size());
  parallel_for(sentences.size(), threads, [&](Index i, int worker) {
    parse_copy(parser, sentences[i], workers[static_cast<Index>(worker)], parsed[i]);
  });
  AttachmentScores scores;
  for (Index i = 0; i < sentences.size(); ++i) scores.add(sentences[i], parsed[i]);
  return scores;
}

std::string Evaluation::to_json() const {
  nlohmann::json json = scores.to_json();
  json["unseen_labels"] = unseen_labels;
  return json.dump();
}

}  // namespace trellis::parse
