#include "trellis/tasks/grammar/output/predict.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/formats/brackets/bracket_writer.h"

namespace trellis::grammar {
namespace {

constexpr Index kPredictBatch = 64;
constexpr std::string_view kPipedInput = "<stdin>";

std::string brackets_of(const ConstituencyTree& tree) {
  std::string text;
  append_brackets(tree, text);
  return text;
}

// Writes the trees of one sentence; one for each thread.
class TreeRenderer {
 public:
  TreeRenderer(const Parser& parser, const PredictOptions& options, const std::string& file)
      : parser_(&parser), options_(&options), file_(&file) {}

  // The status of the last rendered sentence.
  ParseStatus status() const { return trees_.front().status; }

  void render(const Sentence& sentence, std::string& text) {
    text.clear();
    const double log_sum = at_line(*file_, sentence.line, [&] { return parse(sentence.words); });
    if (options_->json) {
      text = to_json(record_of(sentence, log_sum)) + "\n";
      return;
    }
    for (Index k = 0; k < trees_.size(); ++k) {
      const ParsedTree& tree = trees_[k];
      if (options_->nbest > 1) {
        text += fmt::format("# rank {} score {:.6f} log_probability {:.6f}\n", k + 1, tree.score,
                            tree.score - log_sum);
      }
      if (options_->marginals) add_marginals(tree.tree, text);
      if (options_->pretty) {
        append_indented_brackets(tree.tree, text);
      } else {
        append_brackets(tree.tree, text);
        text += '\n';
      }
    }
    if (options_->nbest > 1) text += '\n';
  }

 private:
  // Parses into trees_; returns log Σ exp if there are several.
  double parse(const std::vector<std::string>& words) {
    if (options_->nbest > 1) {
      return parser_->n_best(words, options_->nbest, scratch_, trees_);
    }
    trees_.resize(1);
    parser_->parse(words, scratch_, trees_.front());
    return 0;
  }

  // Calls visit(node, probability) for each bracket.
  template <class Visit>
  void each_bracket(const ConstituencyTree& tree, const Visit& visit) {
    parser_->marginals(tree, scratch_, marginals_);
    for (Index i = 0; i < marginals_.size(); ++i) {
      if (!tree.nodes[i].is_preterminal()) visit(tree.nodes[i], marginals_[i]);
    }
  }

  void add_marginals(const ConstituencyTree& tree, std::string& text) {
    each_bracket(tree, [&](const ConstituencyTree::Node& node, double probability) {
      text += fmt::format("# {} {}-{} {:.6f}\n", node.label, node.begin_word, node.end_word,
                          probability);
    });
  }

  Value record_of(const Sentence& sentence, double log_sum) {
    const ParsedTree& best = trees_.front();
    Value record = Value::record({{"line", sentence.line},
                                  {"tree", brackets_of(best.tree)},
                                  {"score", best.score},
                                  {"status", to_string(best.status)}});
    if (options_->marginals) {
      record["brackets"] = Value::list();
      each_bracket(best.tree, [&](const ConstituencyTree::Node& node, double probability) {
        record["brackets"].push_back(Value::record({{"label", node.label},
                                                    {"begin", node.begin_word},
                                                    {"end", node.end_word},
                                                    {"probability", probability}}));
      });
    }
    if (options_->nbest > 1) {
      record["nbest"] = Value::list();
      for (const ParsedTree& tree : trees_) {
        record["nbest"].push_back(Value::record({{"tree", brackets_of(tree.tree)},
                                                 {"score", tree.score},
                                                 {"log_probability", tree.score - log_sum}}));
      }
    }
    return record;
  }

  const Parser* parser_;
  const PredictOptions* options_;
  const std::string* file_;
  Parser::Scratch scratch_;
  std::vector<ParsedTree> trees_;
  std::vector<double> marginals_;
};

}  // namespace

PredictCounts predict(const GrammarModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out) {
  const bool at_once = file.name() == kPipedInput;
  SentenceOptions reading;
  reading.format = options.format;
  SentenceReader reader(std::move(file), reading);
  const std::string name = reader.name();
  const Parser parser(model, options.parser);
  Pipeline<Sentence> pipeline(at_once ? Pipeline<Sentence>::kAtOnce : kPredictBatch,
                              options.threads);
  std::vector<TreeRenderer> renderers;
  for (int i = 0; i < pipeline.num_workers(); ++i) renderers.emplace_back(parser, options, name);
  std::vector<std::string> texts(pipeline.batch_size());
  std::vector<ParseStatus> status(pipeline.batch_size());
  PredictCounts counts;
  pipeline.run([&](Sentence& sentence) { return reader.read(sentence); },
               [&](const Sentence& sentence, Index slot, int worker) {
                 TreeRenderer& renderer = renderers[static_cast<Index>(worker)];
                 renderer.render(sentence, texts[slot]);
                 status[slot] = renderer.status();
               },
               [&](const Sentence& sentence, Index slot) {
                 ++counts.sentences;
                 counts.words += sentence.words.size();
                 counts.partial += status[slot] == ParseStatus::kPartial ? 1 : 0;
                 counts.flat += status[slot] == ParseStatus::kFlat ? 1 : 0;
                 out.write(texts[slot]);
                 if (at_once) out.flush();
               });
  return counts;
}

}  // namespace trellis::grammar
