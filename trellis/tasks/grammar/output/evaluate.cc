#include "trellis/tasks/grammar/output/evaluate.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/pipeline.h"
#include "trellis/formats/brackets/bracket_reader.h"

namespace trellis::grammar {
namespace {

constexpr Index kEvaluateBatch = 64;

// Collects labels and tags that a model does not have.
class UnseenLabels {
 public:
  explicit UnseenLabels(const GrammarModel& model) : treebank_(model.grammar().treebank()) {}

  void add(const ConstituencyTree& tree) {
    for (const ConstituencyTree::Node& node : tree.nodes) {
      // Labels that occur only inside chains are coarse symbols and nothing else.
      const bool known = node.is_preterminal()
                             ? treebank_.tags().find(node.label) != NameList::kNone
                             : treebank_.coarse_names().find(node.label) != NameList::kNone;
      if (!known) labels_.insert(node.label);
    }
  }
  std::vector<std::string> take() const { return {labels_.begin(), labels_.end()}; }

 private:
  const TreebankGrammar& treebank_;
  std::set<std::string> labels_;
};

}  // namespace

Evaluation evaluate(const GrammarModel& model, InputFile file, const EvaluateOptions& options) {
  BracketReader reader(std::move(file));
  const Parser parser(model, options.parser);
  Pipeline<ConstituencyTree> pipeline(kEvaluateBatch, options.threads);
  std::vector<Parser::Scratch> workers(static_cast<Index>(pipeline.num_workers()));
  std::vector<ParsedTree> parsed(pipeline.batch_size());
  Evaluation evaluation;
  evaluation.scores = TreebankScores(options.parameters);
  UnseenLabels unseen(model);
  pipeline.run([&](ConstituencyTree& tree) { return reader.read(tree); },
               [&](const ConstituencyTree& gold, Index slot, int worker) {
                 at_line(reader.name(), gold.line, [&] {
                   parser.parse(gold.words(), workers[static_cast<Index>(worker)], parsed[slot]);
                 });
               },
               [&](const ConstituencyTree& gold, Index slot) {
                 unseen.add(gold);
                 const BracketMatch& match = evaluation.scores.add(gold, parsed[slot].tree);
                 evaluation.count(parsed[slot].status);
                 if (options.on_sentence) options.on_sentence(gold, parsed[slot], match);
               });
  if (evaluation.scores.all().sentences == 0) {
    throw InputError(reader.name(), 0, "expected trees, found none");
  }
  evaluation.unseen_labels = unseen.take();
  return evaluation;
}

Evaluation evaluate(const GrammarModel& model, std::span<const ConstituencyTree> trees,
                    const EvaluateOptions& options) {
  const Parser parser(model, options.parser);
  std::vector<Parser::Scratch> workers(static_cast<Index>(resolve_threads(options.threads)));
  std::vector<ParsedTree> parsed(trees.size());
  parallel_for(trees.size(), options.threads, [&](Index i, int worker) {
    parser.parse(trees[i].words(), workers[static_cast<Index>(worker)], parsed[i]);
  });
  Evaluation evaluation;
  evaluation.scores = TreebankScores(options.parameters);
  UnseenLabels unseen(model);
  for (Index i = 0; i < trees.size(); ++i) {
    unseen.add(trees[i]);
    const BracketMatch& match = evaluation.scores.add(trees[i], parsed[i].tree);
    evaluation.count(parsed[i].status);
    if (options.on_sentence) options.on_sentence(trees[i], parsed[i], match);
  }
  evaluation.unseen_labels = unseen.take();
  return evaluation;
}

TreebankScores compare(InputFile gold, InputFile test, const EvalbParameters& parameters,
                       const OnTreePair& on_sentence) {
  BracketReader gold_reader(std::move(gold)), test_reader(std::move(test));
  TreebankScores scores(parameters);
  for (ConstituencyTree truth, found; gold_reader.read(truth);) {
    if (!test_reader.read(found)) {
      throw InputError(
          test_reader.name(), 0,
          fmt::format(
              "expected a tree for the sentence of line {} of {}, found the end of the file",
              truth.line, gold_reader.name()));
    }
    if (truth.words() != found.words()) {
      throw InputError(test_reader.name(), found.line,
                       fmt::format("expected a tree with the words of line {} of {}", truth.line,
                                   gold_reader.name()));
    }
    const BracketMatch& match = scores.add(truth, found);
    if (on_sentence) on_sentence(truth, found, match);
  }
  if (ConstituencyTree more; test_reader.read(more)) {
    throw InputError(
        test_reader.name(), more.line,
        fmt::format("expected as many trees as in {}, found more", gold_reader.name()));
  }
  if (scores.all().sentences == 0)
    throw InputError(gold_reader.name(), 0, "expected trees, found none");
  return scores;
}

void Evaluation::count(ParseStatus status) {
  partial += status == ParseStatus::kPartial ? 1 : 0;
  flat += status == ParseStatus::kFlat ? 1 : 0;
}

std::string unparsed_text(Index partial, Index flat, Index sentences) {
  if (partial + flat == 0) return "";
  return fmt::format(
      "the grammar has no tree for {} of {} sentences: {}", partial + flat, sentences,
      partial > 0 ? "the output is fragments under the root" : "the output is one flat bracket");
}

Value Evaluation::record() const {
  Value record = scores.record();
  record["partial"] = partial;
  record["flat"] = flat;
  record["unseen_labels"] = unseen_labels;
  return record;
}

std::string Evaluation::to_text() const {
  std::string text = scores.to_text();
  const std::string unparsed = unparsed_text(partial, flat, scores.all().sentences);
  return unparsed.empty() ? text : text + "\n" + unparsed + "\n";
}

}  // namespace trellis::grammar
