#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/frame/model_command.h"
#include "trellis/scorers/naacl_score.h"
#include "trellis/tasks/align/commands/align_calls.h"
#include "trellis/tasks/align/inspect.h"
#include "trellis/tasks/align/page/align_report.h"
#include "trellis/tasks/align/predict.h"
#include "trellis/tasks/tasks.h"

namespace trellis::align {
namespace {

using frame::Command;
using frame::Findings;

Findings findings_of(const PredictCounts& counts) {
  Findings found{"", counts.unknown.warnings()};
  if (counts.search.not_proven > 0) found.notes.push_back(counts.search.sentence("pairs"));
  return found;
}

void add_predict(Command& align) {
  struct Call : frame::ModelCall {
    TextCall text;
    ExtrasCall extras;
    DecodingOptions decoding;
    PredictOptions options;
  };
  frame::add_predict<AlignModel, Call>(
      align,
      {"predict",
       "Print the links of each sentence pair on a line: 'i-j', source word first, words counted "
       "from 0.\n\n"
       "  trellis align predict text.en text.fr --model m.trellis\n"
       "  trellis align predict bitext.tsv --symmetrise grow-diag-final-and --model m.trellis",
       "", "the first pairs as grids"},
      [](Command& command, Call& call) {
        command.option("files", call.text.files,
                       "Source and target file, or one file with both sides [standard input]");
        add_separator(command, call.text);
        add_extras(command, call.extras);
        add_model_decoding(command, call.decoding);
        command
            .option("--nbest", call.options.nbest,
                    "Number of alignments of each pair to print, best first: a line each with its "
                    "score, then a blank line (models trained with links)")
            .between(1, 10000)
            .shows("");
        command.option("--format", call.options.writing.format,
                       "pharaoh: i-j\nnaacl: sentence i j S, from 1\ngiza: A3 of GIZA++");
        command.flag("--probabilities", call.options.writing.probabilities,
                     "Write the probability of each link after it");
        command.flag("--scores", call.options.scores,
                     "Write at the end of each line log p(target|source) and log p(source|target), "
                     "or the score");
      },
      [](const AlignModel& model, Call& call, OutputFile& out) {
        if (call.text.files.empty()) call.text.files = {"-"};
        require_readable(call.text.files);
        call.options.json = call.json;
        call.options.threads = call.threads;
        call.options.at_once = call.text.files.front() == "-";
        const PairAligner aligner(model, call.decoding);
        call.options.extras = aligner.in_order(call.extras.files());
        require_readable(call.options.extras.paths());
        if (call.report.empty()) {
          return findings_of(predict(aligner, call.text.text(), call.options, out));
        }
        report::AlignReport page = report::model_page(aligner, "Links by " + call.model);
        call.options.on_pair = [&](const SentencePair& pair, const AlignedLinks& found) {
          report::add_pair(aligner, pair, found, page);
        };
        Findings found = findings_of(predict(aligner, call.text.text(), call.options, out));
        found.page = align_report(page);
        return found;
      });
}

struct EvaluateCall : frame::ModelCall {
  TextCall text;
  LinksCall gold;
  LinkReadingOptions found;  // with --predictions
  ExtrasCall extras;
  DecodingOptions decoding;
  bool per_sentence = false;
};

template <class Scores>
Findings findings_of(const EvaluateCall& call, const Scores& scores) {
  return frame::answer(call, scores.record(call.per_sentence), scores.to_text(call.per_sentence));
}

Findings evaluate_model(const AlignModel& model, EvaluateCall& call) {
  const PairAligner aligner(model, call.decoding);
  const LabelledPairs pairs =
      read_labelled({call.text.text(), call.gold.links(), aligner.in_order(call.extras.files())});
  Findings found = findings_of(call, evaluate(aligner, pairs, call.threads));
  if (!call.report.empty()) {
    report::AlignReport page = report::model_page(aligner, frame::evaluation_title(call));
    report::add_evaluation(aligner, pairs, call.text.files.front(), call.threads, page);
    found.page = align_report(page);
  }
  return found;
}

// Numbers of words, by which links are checked.
std::vector<PairLengths> lengths_of(const std::vector<SentencePair>& pairs) {
  std::vector<PairLengths> lengths;
  for (const SentencePair& pair : pairs) {
    lengths.push_back({pair.source().size(), pair.target().size()});
  }
  return lengths;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const GoldPairs gold = read_gold(call.text.text(), call.gold.links());
  const auto links = read_links(InputFile(call.predictions), lengths_of(gold.pairs), call.found);
  report::AlignReport page;
  page.title = frame::evaluation_title(call);
  page.evaluated_on = call.text.files.front();
  for (Index k = 0; k < links.size(); ++k) {
    page.scores.add(links[k].possible, gold.links[k]);
    page.pair_names.push_back(fmt::format("line {}", gold.pairs[k].line()));
  }
  Findings found = findings_of(call, page.scores);
  if (!call.report.empty()) found.page = align_report(page);
  return found;
}

void add_evaluate(Command& align) {
  frame::add_evaluate<AlignModel, EvaluateCall>(
      align,
      {"evaluate",
       "Align sentence pairs with gold links, and compare: AER, precision, recall.\n\n"
       "  trellis align evaluate text.en text.fr --gold links.wa --model m.trellis\n"
       "  trellis align evaluate text.en text.fr --gold links.wa --predictions found.txt",
       "", "scores, sentence pairs from the worst to the best, and words with mistakes", false,
       "links in any format, as predict writes them"},
      [](Command& command, EvaluateCall& call) {
        command
            .option("files", call.text.files, "Source and target file, or one file with both sides")
            .required();
        add_separator(command, call.text);
        command.option("--gold", call.gold.file, "Gold links of the sentence pairs").required();
        add_links_form(command, call.gold);
        command.option("--format", call.found.format,
                       "Format of the links in --predictions [detected from the first line]");
        command.flag("--swapped", call.found.swap,
                     "The target word of a link comes first in --predictions");
        add_extras(command, call.extras);
        add_model_decoding(command, call.decoding);
        command.flag("--per-sentence", call.per_sentence,
                     "Print the scores of each sentence pair as well");
        command.those({"format", "swapped"}).needs("predictions");
        command.those({"external", "tags"}).excludes("predictions", "they require a model");
      },
      evaluate_model, evaluate_predictions);
}

void add_score(Command& align) {
  struct Call : frame::CommonOptions {
    std::string found;
    LinksCall gold;
    std::optional<LinksFormat> format;
    bool swapped = false, official = false, per_sentence = false;
  };
  const auto call = std::make_shared<Call>();
  Command& command = align.command(
      "score", "Compare links found by any program with gold links; requires no model.");
  command.option("links", call->found, "File with the links found").required();
  command.option("--gold", call->gold.file, "File with the gold links").required();
  command.option("--format", call->format,
                 "Format of the links found [detected from the first line]");
  command.flag("--swapped", call->swapped,
               "The target word of a link comes first in the links found");
  add_links_form(command, call->gold);
  command.flag("--official", call->official,
               "Print exactly what wa_eval_align.pl prints for two NAACL files");
  command.flag("--per-sentence", call->per_sentence,
               "Print the scores of each sentence pair as well");
  frame::add_common_options(command, *call);
  command.run([call](frame::Session&) {
    require_readable({call->found, call->gold.file});
    if (call->official) {
      return Findings{naacl_score(InputFile(call->gold.file), InputFile(call->found)).to_text()};
    }
    const auto gold = read_links(InputFile(call->gold.file), {}, call->gold.links().options);
    const auto found =
        read_links(InputFile(call->found), {}, LinkReadingOptions{call->format, call->swapped});
    if (gold.size() != found.size()) {
      throw InputError(call->found, 0,
                       fmt::format("has links of {} sentence pairs, and {} of {}", found.size(),
                                   call->gold.file, gold.size()));
    }
    AlignmentScores scores;
    for (Index k = 0; k < gold.size(); ++k) scores.add(found[k].possible, gold[k]);
    return frame::answer(*call, scores.record(call->per_sentence),
                         scores.to_text(call->per_sentence));
  });
}

void add_inspect(Command& align) {
  struct Call : frame::InspectCall {
    std::string word;
  };
  frame::add_inspect<AlignModel, Call>(
      align,
      {"Show what a model has learned: feature weights (models trained with links), strongest "
       "translations, jump widths, and words aligned to nothing.",
       20, "Number of weights and translations to print",
       "the lexicon, the jumps, and words aligned to nothing"},
      [](const AlignModel& model, Call& call) {
        Findings found = frame::answer(call, inspect_record(model, call.top, call.word),
                                       inspect_text(model, call.model, call.top, call.word));
        if (!call.report.empty()) {
          const PairAligner aligner(model);
          report::AlignReport page = report::model_page(aligner, "The model " + call.model);
          if (aligner.supervised() != nullptr) {
            report::add_weights(*aligner.supervised(), call.top, page);
          }
          report::add_lexicon(model, call.top, call.word, page);
          found.page = align_report(page);
        }
        return found;
      },
      [](Command& command, Call& call) {
        command.option("--word", call.word, "Show only the translations of this word");
      });
}

}  // namespace

frame::Task task() {
  return {
      "align", "train text.en text.fr --unsupervised --model m.trellis",
      "Word alignment: which words translate which in parallel text.\n\n"
      "Text has one sentence per line, in two files, or in one with a tab or ' ||| ' between the "
      "sides; links are 'i-j' lines, NAACL or GIZA++ files. See docs/aligning.md.",
      [](Command& align) {
        add_train(align);
        add_predict(align);
        add_evaluate(align);
        add_score(align);
        add_inspect(align);
        add_explain(align);
      }};
}

}  // namespace trellis::align
