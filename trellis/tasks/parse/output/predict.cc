#include "trellis/tasks/parse/output/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/formats/treebank/treebank_writer.h"
#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {
namespace {

constexpr Index kPredictBatch = 256;
constexpr std::string_view kPipedInput = "<stdin>";

// Writes the trees of one sentence; one for each thread.
class ParseRenderer {
 public:
  ParseRenderer(const Parser& parser, const PredictOptions& options, const std::string& file)
      : parser_(&parser), options_(&options), file_(&file) {}

  // Whether the last rendered trees are proved to be the best.
  bool proven() const {
    return std::ranges::all_of(trees_, [](const ParsedTree& tree) { return tree.proven; });
  }
  bool converged() const {
    return std::ranges::all_of(trees_, [](const ParsedTree& tree) { return tree.converged; });
  }

  void render(const Sentence& given, const TreebankWriter& writer, std::string& text) {
    text.clear();
    tagged_ = given;
    parser_->tag(options_->retag, *file_, tagged_, scratch_);
    const Sentence& sentence = tagged_;
    const double log_sum = at_line(*file_, sentence.line, [&] { return parse(sentence); });
    if (options_->json) {
      text = to_json(record_of(sentence, log_sum)) + "\n";
      return;
    }
    for (Index k = 0; k < trees_.size(); ++k) {
      // Most sentences have one tree, which then needs no copy.
      const bool last = k + 1 == trees_.size();
      if (!last) copy_ = tagged_;
      Sentence& parsed = last ? tagged_ : copy_;
      parser_->write(trees_[k], parsed);
      if (options_->marginals) add_marginals(trees_[k], parsed);
      if (options_->nbest > 1) {
        parsed.comments.push_back(fmt::format("# rank {} score {:.6f} {} {:.6f}", k + 1,
                                              trees_[k].score, probability_name(),
                                              trees_[k].score - log_sum));
      }
      writer.append(parsed, text);
    }
  }

 private:
  // Parses into trees_; returns log Σ exp if there are several.
  double parse(const Sentence& sentence) {
    if (options_->nbest > 1) {
      return parser_->n_best(sentence, options_->nbest, scratch_, trees_);
    }
    trees_.resize(1);
    parser_->parse(sentence, scratch_, trees_.front());
    return 0;
  }

  // Sums over pairs are hard, so their probabilities are estimates.
  std::string_view probability_name() const {
    return parser_->model().shape().order == 2 ? "estimated_log_probability" : "log_probability";
  }

  void add_marginals(const ParsedTree& tree, Sentence& parsed) {
    parser_->marginals(tree, scratch_, marginals_);
    for (Index m = 0; m < marginals_.size(); ++m) {
      std::string& column = parsed.words[m].tenth;
      if (!column.empty()) column += '|';
      column += fmt::format("Prob={:.6f}", marginals_[m]);
    }
  }

  Value tree_record(const ParsedTree& tree) const {
    Value heads = Value::list(), labels = Value::list();
    for (const ParsedArc& arc : tree.arcs) {
      heads.push_back(arc.head);
      labels.push_back(parser_->model().labels()[arc.label]);
    }
    return Value::record({{"heads", std::move(heads)}, {"labels", std::move(labels)}});
  }

  void put_outcome(Value& record) const {
    if (options_->nbest == 1 && parser_->decoding().risk()) {
      record["converged"] = trees_.front().converged;
    } else {
      record["proven"] = trees_.front().proven;
    }
  }

  // Writes the tags of the tagger or of the file.
  static void put_tags(const Sentence& sentence, Value& record) {
    Value coarse = Value::list(), fine = Value::list();
    for (const Word& word : sentence.words) {
      coarse.push_back(word.coarse);
      fine.push_back(word.fine);
    }
    record["coarse"] = std::move(coarse);
    record["fine"] = std::move(fine);
  }

  Value record_of(const Sentence& sentence, double log_sum) {
    Value record = tree_record(trees_.front());
    record["line"] = sentence.line;
    if (parser_->model().shape().order == 2) put_outcome(record);
    if (parser_->model().tagger() != nullptr) put_tags(sentence, record);
    if (options_->marginals) {
      parser_->marginals(trees_.front(), scratch_, marginals_);
      record["marginals"] = marginals_;
    }
    if (options_->nbest > 1) {
      record["nbest"] = Value::list();
      for (const ParsedTree& tree : trees_) {
        Value one = tree_record(tree);
        one["score"] = tree.score;
        one[probability_name()] = tree.score - log_sum;
        if (parser_->model().shape().order == 2) one["proven"] = tree.proven;
        record["nbest"].push_back(std::move(one));
      }
    }
    return record;
  }

  const Parser* parser_;
  const PredictOptions* options_;
  const std::string* file_;
  Parser::Scratch scratch_;
  Sentence tagged_;
  std::vector<ParsedTree> trees_;
  std::vector<double> marginals_;
  Sentence copy_;
};

void require_place(const PredictOptions& options, TreebankFormat format) {
  if (options.json || format == TreebankFormat::kConllu) return;
  if (options.marginals) {
    throw UsageError("CoNLL-X has no column for probabilities: use --json, or CoNLL-U files");
  }
  if (options.nbest > 1) {
    throw UsageError(
        "CoNLL-X has no comments for the ranks of trees: use --json, or CoNLL-U files");
  }
}

}  // namespace

PredictCounts predict(const ParseModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out) {
  const bool at_once = file.name() == kPipedInput;
  TreebankOptions reading;
  reading.format = options.format;
  TreebankReader reader(std::move(file), reading);
  require_place(options, reader.format());
  require_tagger(model, options.retag);
  const Parser parser(model, options.decoding);
  Pipeline<Sentence> pipeline(at_once ? Pipeline<Sentence>::kAtOnce : kPredictBatch,
                              options.threads);
  std::vector<ParseRenderer> renderers;
  for (int i = 0; i < pipeline.num_workers(); ++i) {
    renderers.emplace_back(parser, options, reader.name());
  }
  std::vector<std::string> texts(pipeline.batch_size());
  std::vector<std::uint8_t> proven(pipeline.batch_size()), converged(pipeline.batch_size());
  PredictCounts counts;
  std::optional<TreebankWriter> writer;  // the first sentence determines the number of columns
  const auto read = [&](Sentence& sentence) {
    const bool more = reader.read(sentence);
    if (!writer) writer.emplace(reader.format(), reader.num_columns());
    return more;
  };
  const Index end = pipeline.run(
      read,
      [&](const Sentence& sentence, Index slot, int worker) {
        ParseRenderer& renderer = renderers[static_cast<Index>(worker)];
        renderer.render(sentence, *writer, texts[slot]);
        proven[slot] = renderer.proven() ? 1 : 0;
        converged[slot] = renderer.converged() ? 1 : 0;
      },
      [&](const Sentence& sentence, Index slot) {
        ++counts.sentences;
        counts.words += sentence.size();
        counts.unproven += proven[slot] != 0 ? 0 : 1;
        counts.unconverged += converged[slot] != 0 ? 0 : 1;
        out.write(texts[slot]);
        if (at_once) out.flush();
      });
  if (!options.json) {
    for (const std::string& comment : pipeline.item(end).comments) out.write(comment + "\n");
  }
  return counts;
}

}  // namespace trellis::parse
