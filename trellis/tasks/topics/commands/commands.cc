#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/frame/model_command.h"
#include "trellis/tasks/tasks.h"
#include "trellis/tasks/topics/commands/corpus_call.h"
#include "trellis/tasks/topics/commands/graph_command.h"
#include "trellis/tasks/topics/commands/inference_options.h"
#include "trellis/tasks/topics/commands/page_call.h"
#include "trellis/tasks/topics/commands/train_command.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/output/inspect.h"
#include "trellis/tasks/topics/output/judge_file.h"
#include "trellis/tasks/topics/output/predict.h"

namespace trellis::topics {
namespace {

using frame::Command;
using frame::Findings;

constexpr const char* kNewDocuments = "Documents, as for train; words are extracted as in training";

Corpus read_for(const TopicModel& model, const frame::ModelCall& call, const SourceCall& source) {
  return read_new_documents(source.files({call.file}), model.words(), model.text(), call.threads);
}

std::string corpus_text(const Corpus& corpus) {
  return fmt::format(
      "{} documents ({} without a word), {} words, {} different words, {} labels; {} words were "
      "removed while reading the text, and {} by the limits of the vocabulary",
      corpus.documents().size(), corpus.num_empty(), corpus.documents().num_tokens(),
      corpus.words().size(), corpus.label_names().size(), corpus.tally().left_out,
      corpus.tally().outside);
}

Value corpus_record(const Corpus& corpus) {
  return Value::record({{"documents", corpus.documents().size()},
                        {"empty_documents", corpus.num_empty()},
                        {"tokens", corpus.documents().num_tokens()},
                        {"words", corpus.words().size()},
                        {"labels", corpus.label_names().size()},
                        {"languages", corpus.language_names().size()},
                        {"left_out", corpus.tally().left_out},
                        {"outside", corpus.tally().outside}});
}

void add_corpus(Command& topics) {
  struct Call : frame::CommonOptions {
    CorpusCall corpus;
    std::string output;
  };
  const auto call = std::make_shared<Call>();
  Command& command = topics.command(
      "corpus",
      "Convert documents into a corpus file, which is mapped into memory when it is used.\n\n"
      "  trellis topics corpus texts/ --min-documents 5 --output texts.corpus\n"
      "  trellis topics train texts.corpus --topics 100 --model m.trellis");
  add_corpus_options(command, call->corpus);
  command.group("");
  command.option("--output", call->output, "Corpus file to write").required();
  frame::add_common_options(command, *call);
  command.run([call](frame::Session& session) {
    if (call->quiet) session.be_quiet();
    require_writable(call->output);
    const Corpus corpus = call->corpus.read(call->threads);
    corpus.write(call->output);
    Findings findings = frame::answer(*call, corpus_record(corpus), {});
    if (!call->json) findings.notes = {corpus_text(corpus)};
    return findings;
  });
}

void add_predict(Command& topics) {
  struct Call : frame::ModelCall {
    SourceCall source;
    PredictOptions options;
    bool bridges = false;
  };
  frame::add_predict<TopicModel, Call>(
      topics,
      {"predict",
       "Write the topic shares of each document and, if the model has classes, its class.\n"
       "Memory does not grow with the input; with piped input, each document is written as soon as "
       "it is complete.\n\n"
       "  trellis topics predict new.tsv --model m.trellis\n"
       "  trellis topics predict new.tsv --model m.trellis --as libsvm --output new.libsvm   # for "
       "trellis classify",
       kNewDocuments},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        command.option("--as", options.format,
                       "Output format: text: the largest topics; csv; libsvm: label and topic "
                       "shares, for 'trellis classify'; json: as --json");
        command.option("--top", options.top,
                       "Number of topics to write for a document (--as text)");
        add_inference_options(command, options.inference, call.bridges);
        add_source_options(command, call.source);
        command.group("");
      },
      [](const TopicModel& model, Call& call, OutputFile& out) {
        require_bridges(model, call.bridges);
        call.options.threads = call.threads;
        if (call.json) call.options.format = MixtureFormat::kJson;
        call.options.at_once = call.piped();
        const PredictCounts counts =
            predict(model, call.source.files({call.file}), call.options, out);
        Findings found;
        const std::string told = counts.to_text();
        if (!told.empty()) found.notes.push_back(told);
        return found;
      });
}

std::string evaluation_page(const TopicModel& model, const Corpus& corpus, const Evaluation& found,
                            const frame::ModelCall& call,
                            const report::TopicsPageOptions& options) {
  TrainEvents events;
  events.on_progress = [&](const std::string& message) { call.session->progress(message); };
  report::TopicsReport page =
      report::model_page(model, "Evaluation of " + call.model, options, events);
  report::add_evaluation(found, call.piped() ? "standard input" : call.file, page);
  report::add_documents(model, corpus, options, events, page);
  return report::topics_report(page);
}

struct EvaluateCall : frame::ModelCall {
  SourceCall source;
  EvaluateOptions options;
  bool bridges = false;
  bool agreement = false;
  std::optional<Index> top_topics;  // as it was said
  std::string topic_words;          // topics that anybody found
  CoherenceOptions coherence;       // of them
  PageCall page;

  std::optional<AgreementOptions> agreement_options() const {
    if (!agreement) return std::nullopt;
    AgreementOptions asked;
    if (top_topics) asked.top_topics = *top_topics;
    return asked;
  }
  std::string source_name() const { return piped() ? "<stdin>" : file; }
};

void add_evaluate_options(Command& command, EvaluateCall& call) {
  command.short_help({"--model", "--predictions", "--report", "--estimator", "--coherent-words",
                      "--agreement", "--topic-words", "--window", "--format", "--columns"});
  EvaluateOptions& options = call.options;
  command.option("--estimator", options.estimator,
                 "Estimator of the likelihood of LDA: particle-filter: time linear in the length "
                 "of a document; left-to-right: of Wallach et al. (2009), quadratic time");
  command.option("--particles", options.particles, "Number of particles of the likelihood estimate")
      .between(1, 1e6);
  add_inference_options(command, options.inference, call.bridges);
  command.option("--coherent-words", options.coherent_words, "Number of words per topic");
  command.option("--convention", options.convention,
                 "Convention for coherence: the definition, or the formulas of another program; "
                 "gensim counts as definition does, over whole documents");
  command.flag("--agreement", call.agreement,
               "Report for every two languages how well documents with the same id agree in "
               "topics, and how well one document retrieves the other");
  command
      .option("--agreement-topics", call.top_topics,
              fmt::format("Number of topics of each document that --agreement compares [{}]",
                          AgreementOptions().top_topics))
      .between(1, 1e6)
      .needs("agreement");
  command.group("Coherence of given topics");
  command.option("--topic-words", call.topic_words,
                 "File of topics, one per line: the words separated by blanks, most probable "
                 "first; prints their coherence in the documents, without a model");
  command.option("--window", call.coherence.window,
                 "Window in words within which words co-occur (NPMI, UCI); 0: whole documents");
  command.option("--epsilon", call.coherence.epsilon, "Number added to probabilities")
      .between(1e-300, 1);
  add_source_options(command, call.source);
  command.those({"window", "epsilon"}).needs("topic-words");
  const char* no_model = "only the topics of a model have a page";
  command.at("topic-words").excludes("model").excludes("predictions").excludes("report", no_model);
  command.at("predictions").excludes("report", no_model);
  command.group("");
  add_page_options(command, call.page);
}

// Documents in words of their own.
Corpus read_documents(const EvaluateCall& call) {
  return read_training_corpus(call.source.files({call.file}), TextOptions(), VocabularyOptions(),
                              call.threads);
}

std::optional<Findings> judge_topic_words(EvaluateCall& call) {
  if (call.topic_words.empty()) return std::nullopt;
  require_readable({call.file, call.topic_words});
  call.coherence.convention = call.options.convention;
  const TopicCoherence found =
      judge_topics(read_documents(call), InputFile(call.topic_words), call.coherence);
  return frame::answer(call, found.record(), found.to_text());
}

Findings evaluate_model(const TopicModel& model, EvaluateCall& call) {
  require_bridges(model, call.bridges);
  call.options.agreement = call.agreement_options();
  call.options.source = call.source_name();
  call.options.seed = call.options.inference.seed;
  call.options.threads = call.threads;
  const Corpus corpus = read_for(model, call, call.source);
  const Evaluation found = evaluate(model, corpus, call.options);
  Findings findings = frame::answer(call, found.record(), found.to_text());
  if (!call.report.empty()) {
    findings.page = evaluation_page(model, corpus, found, call, call.page.options(call.threads));
  }
  return findings;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const Corpus corpus = read_documents(call);
  const ClassEvaluation classes =
      judge_classes(corpus, InputFile(call.predictions), call.source_name());
  return frame::answer(call, classes_record(classes, corpus.documents().size()), classes.to_text());
}

void add_evaluate(Command& topics) {
  frame::add_evaluate<TopicModel, EvaluateCall>(
      topics,
      {"evaluate",
       "Evaluate a topic model on documents: perplexity, coherence of the most probable words of "
       "each topic, accuracy of the classes (if the model has classes), and agreement of "
       "translations (--agreement).\n\n"
       "  trellis topics evaluate test.tsv --model m.trellis\n"
       "  trellis topics evaluate test.tsv --predictions classes.tsv   # only the classes\n"
       "  trellis topics evaluate test.tsv --topic-words topics.txt   # only the coherence",
       kNewDocuments, "the topics and their words, and a map of these documents", true,
       "the classes of the documents, in a format of predict (text, csv or json)"},
      add_evaluate_options, evaluate_model, evaluate_predictions, judge_topic_words);
}

void add_inspect(Command& topics) {
  struct Call : frame::InspectCall {
    InspectOptions options;
  };
  frame::add_inspect<TopicModel, Call>(
      topics,
      {"Show the topics of a model: their most probable words, their shares of the training text, "
       "and how the model was trained. DiscLDA: by class; several languages: the words of each "
       "language; wordlda: the effect of links between words.",
       10, "Number of words per topic"},
      [](const TopicModel& model, Call& call) {
        call.options.top = call.top;
        if (call.json) call.options.format = TableFormat::kJson;
        return Findings{inspect(model, call.model, call.options)};
      },
      [](Command& command, Call& call) {
        command.option("--as", call.options.format, "Format of the tables; json: as --json");
        command.option("--order", call.options.order, "Order of the topics");
      });
}

}  // namespace

frame::Task task() {
  return {"topics", "train texts/ --topics 100 --model m.trellis",
          "Topic models of documents, with or without labels.\n\n"
          "A document is a line of text, a file or a cell of a table, or a list of word "
          "counts. Gzip and zstd files are read directly; '-' is standard input.",
          [](Command& topics) {
            add_train(topics);
            add_predict(topics);
            add_evaluate(topics);
            add_inspect(topics);
            add_corpus(topics);
            add_graph(topics);
          }};
}

}  // namespace trellis::topics
