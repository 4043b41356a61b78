#include "trellis/tasks/parse/output/evaluate.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/pipeline.h"
#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {
namespace {

constexpr Index kEvaluateBatch = 256;

// The parser of a thread.
struct EvaluateWorker {
  Parser::Scratch scratch;
  ParsedTree tree;
};

// A sentence with the model's tags and tree.
struct ParsedSentence {
  Sentence system;
  std::vector<double> probabilities;
  bool proven = true, converged = true;
};

void parse_copy(const Parser& parser, const Sentence& gold, Retag retag, const std::string& file,
                EvaluateWorker& worker, Sentence& system) {
  system = gold;
  parser.tag(retag, file, system, worker.scratch);
  at_line(file, system.line, [&] { parser.parse(system, worker.scratch, worker.tree); });
  parser.write(worker.tree, system);
}

}  // namespace

Evaluation evaluate(const ParseModel& model, InputFile file, const EvaluateOptions& options) {
  TreebankOptions reading;
  reading.format = options.format;
  reading.heads = Heads::kTree;
  TreebankReader reader(std::move(file), reading);
  require_tagger(model, options.retag);
  const Parser parser(model, options.decoding);
  Pipeline<Sentence> pipeline(kEvaluateBatch, options.threads);
  std::vector<EvaluateWorker> workers(static_cast<Index>(pipeline.num_workers()));
  std::vector<ParsedSentence> parsed(pipeline.batch_size());
  Evaluation evaluation;
  if (options.retag == Retag::kAll) evaluation.tags.emplace();
  if (model.shape().order == 2) {
    (parser.decoding().risk() ? evaluation.converged : evaluation.proven) = 0;
  }
  std::set<std::string> unseen;
  pipeline.run([&](Sentence& sentence) { return reader.read(sentence); },
               [&](const Sentence& gold, Index slot, int number) {
                 EvaluateWorker& worker = workers[static_cast<Index>(number)];
                 ParsedSentence& found = parsed[slot];
                 parse_copy(parser, gold, options.retag, reader.name(), worker, found.system);
                 found.proven = worker.tree.proven;
                 found.converged = worker.tree.converged;
                 if (options.marginals) {
                   parser.marginals(worker.tree, worker.scratch, found.probabilities);
                 }
               },
               [&](const Sentence& gold, Index slot) {
                 for (const Word& word : gold.words) {
                   if (model.labels().find(word.label) == NameList::kNone) {
                     unseen.insert(word.label);
                   }
                 }
                 const ParsedSentence& found = parsed[slot];
                 evaluation.scores.add(gold, found.system);
                 if (evaluation.tags) {
                   evaluation.tags->add(gold, found.system, model.tagger()->has_fine());
                 }
                 if (evaluation.proven) *evaluation.proven += found.proven ? 1 : 0;
                 if (evaluation.converged) *evaluation.converged += found.converged ? 1 : 0;
                 if (options.on_sentence) {
                   options.on_sentence(gold, found.system, found.probabilities);
                 }
               });
  if (evaluation.scores.num_sentences() == 0) {
    throw InputError(reader.name(), 0, "expected sentences, found none");
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
    parse_copy(parser, sentences[i], Retag::kMissing, "", workers[static_cast<Index>(worker)],
               parsed[i]);
  });
  AttachmentScores scores;
  for (Index i = 0; i < sentences.size(); ++i) scores.add(sentences[i], parsed[i]);
  return scores;
}

Value Evaluation::record() const {
  Value record = scores.record();
  record["unseen_labels"] = unseen_labels;
  if (tags) record["tags"] = tags->record();
  if (proven) record["proven"] = *proven;
  if (converged) record["converged"] = *converged;
  return record;
}

std::string Evaluation::to_text() const {
  std::string text;
  if (tags) text += fmt::format("correct tags of the model: {}\n\n", tags->to_text());
  if (proven) {
    text += fmt::format("{} of {} trees are proven to be the best trees of the model\n\n", *proven,
                        scores.num_sentences());
  }
  if (converged) {
    text += fmt::format("arc probabilities of {} of {} sentences converged\n\n", *converged,
                        scores.num_sentences());
  }
  return text + scores.to_text();
}

}  // namespace trellis::parse
