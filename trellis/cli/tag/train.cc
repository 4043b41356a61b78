// `trellis tag train`
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/cli/tag/report_data.h"
#include "trellis/cli/training_command.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/builtin_templates.h"
#include "trellis/tasks/tag/templates/gazetteer.h"
#include "trellis/tasks/tag/templates/template_parser.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {
namespace {

// The command line as the user gave it.
struct TrainCall {
  cli::TrainingFlags flags;
  TrainOptions options;
  TrainingSetOptions data;
  std::vector<std::string> files;
  std::string template_name;
  BuiltinOptions builtin;
  std::string comments = "auto";
  std::string format, file_scheme = "detect", scheme = "keep";
  std::string states = "observed", transitions = "observed", kernel;
  std::optional<Index> label_column;
  bool no_boundaries = false;
  std::vector<std::string> label_weights;
  std::string warm_start;
};

FeatureSet parse_feature_set(const std::string& text) {
  return text == "all" ? FeatureSet::kAll : FeatureSet::kObserved;
}

// Item files bring their features along: no template but `none` goes with them, and they with it,
// unless columns are asked for.
void choose_format(TrainCall& call) {
  if (call.template_name.empty()) call.template_name = call.format == "items" ? "none" : "pos";
  const bool none = call.template_name == "none";
  if (call.format.empty()) call.format = none && call.builtin.columns.empty() ? "items" : "columns";
  if (call.format == "items" && !none) {
    throw UsageError("item files bring their features along: they take the template none");
  }
  if (call.format == "items" && !call.builtin.columns.empty()) {
    throw UsageError("item files have no columns: --columns is about column files");
  }
}

// The columns of a file but for its label: what `none` takes where it is not told.
std::vector<Index> all_columns(const TrainCall& call) {
  const std::string& file = call.files.front();
  if (file == "-") {
    throw UsageError("with standard input, say which columns are features: --columns");
  }
  SequenceReader reader(InputFile(file), InputFormat::kColumns, call.data.comments);
  TagSequence sequence;
  std::vector<Index> columns;
  if (!reader.read(sequence)) return columns;
  const Index label = std::min(call.data.label_column, sequence.columns.num_columns() - 1);
  for (Index c = 0; c < sequence.columns.num_columns(); ++c) {
    if (c != label) columns.push_back(c);
  }
  return columns;
}

// The template that was named: built in, or a file, beside which the lists lie that it names.
FeatureTemplate load_template(const TrainCall& call) {
  const std::string& name = call.template_name;
  for (const BuiltinTemplate& known : builtin_templates()) {
    if (known.name == name) return FeatureTemplate::builtin(name, call.builtin);
  }
  const std::string directory = std::filesystem::path(name).parent_path().string();
  return FeatureTemplate::parse(read_file(name, Index{1} << 26), name, gazetteer_files(directory));
}

// Turns what was written into options.
void understand(TrainCall& call) {
  TrainOptions& options = call.options;
  options.training = call.flags.options;
  choose_format(call);
  call.data.format = parse_input_format(call.format);
  if (call.label_column) call.data.label_column = *call.label_column;
  call.data.comments = parse_comments(call.comments);
  call.data.detect_scheme = call.file_scheme == "detect";
  if (!call.data.detect_scheme) call.data.file_scheme = parse_tag_scheme(call.file_scheme);
  call.data.keep_scheme = call.scheme == "keep";
  if (!call.data.keep_scheme) call.data.model_scheme = parse_tag_scheme(call.scheme);
  call.data.threads = call.flags.common.threads;
  options.features.nodes = parse_feature_set(call.states);
  options.features.transitions = parse_feature_set(call.transitions);
  options.features.boundaries = !call.no_boundaries;
  options.word_column = call.builtin.word_column;
  options.label_weights = cli::parse_label_weights(call.label_weights);
  if (!call.kernel.empty()) options.kernel = parse_kernel(call.kernel);
  if (!call.warm_start.empty()) {
    options.warm_start = std::make_shared<const TagModel>(TagModel::read(call.warm_start));
  }
  if (call.template_name == "none" && call.format == "columns" && call.builtin.columns.empty()) {
    call.builtin.columns = all_columns(call);
  }
}

std::vector<std::string> notes(const TrainCall& call, const TrainResult& result) {
  std::vector<std::string> lines;
  if (result.learned.fitted.eta > 0) {
    lines.push_back(fmt::format("learning rate {}", result.learned.fitted.eta));
  }
  if (result.dev) {
    lines.push_back(fmt::format("best on {}: {} {:.2f} (epoch {})", call.flags.dev,
                                result.dev->figure_name(), result.dev->figure(),
                                result.learned.best_epoch));
  }
  return lines;
}

std::string training_page(const TrainCall& call, const TrainResult& result) {
  const TagModel model = TagModel::read(call.flags.model);
  report::TagReport page = model_report(model, "Training of " + call.flags.model);
  add_training(result, page);
  if (!call.flags.dev.empty()) {
    add_evaluation(evaluate(model, InputFile(call.flags.dev), {{}, call.flags.common.threads, 200}),
                   call.flags.dev, page);
  }
  return report::tag_report(page);
}

cli::TrainingOutcome train(TrainCall& call, const TrainEvents& events) {
  understand(call);
  plan(call.options, call.data);  // before any file is read
  const auto start = std::chrono::steady_clock::now();
  FeatureTemplate features = load_template(call);
  std::optional<InputFile> dev;
  if (!call.flags.dev.empty()) dev.emplace(call.flags.dev);
  TagData data = read_tag_data(open_files(call.files), std::move(dev), std::move(features),
                               call.data, call.options.warm_start.get());
  const double read_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  events.phase(fmt::format("read {} sequences, {} tokens, {} labels ({})",
                           data.set.examples->num_examples(), data.set.examples->num_positions(),
                           data.set.labels.size(), to_string(data.set.model_scheme)));
  if (data.dev) {
    events.phase(fmt::format("watching {} sequences of {}", data.dev->gold.size(), call.flags.dev));
  }
  const Index repaired = data.set.repaired_labels;
  const Trained trained = tag::train(std::move(data), call.options, events);
  const TrainResult& result = trained.result;
  cli::TrainingOutcome outcome;
  for (const std::string& label : result.unseen_dev_labels) {
    outcome.warnings.push_back(fmt::format("{}: the label '{}' does not occur in the training set",
                                           call.flags.dev, label));
  }
  if (repaired > 0) events.phase(fmt::format("repaired {} labels", repaired));
  outcome.interrupted = result.learned.interrupted;
  if (outcome.interrupted) return outcome;
  trained.model->write(call.flags.model);
  result.learned.stages->discard();
  outcome.summary = result.learned.fitted.summary;
  outcome.json = result.to_json(read_seconds).dump();
  outcome.notes = notes(call, result);
  outcome.page = [&call, result] { return training_page(call, result); };
  return outcome;
}

void add_data_options(cli::Command& command, TrainCall& call) {
  command.group("Data");
  command.option("--format", call.format, "columns, or items (CRFsuite's label TAB name:value ...)")
      .one_of({"columns", "items"});
  command.option("--label-column", call.label_column, "Column of the label, from 0 [the last one]");
  command
      .option("--comments", call.comments,
              "Lines before a sentence that are comments: none, every '# ...' (hash), or those "
              "that have not the columns of a token (auto)")
      .one_of({"auto", "none", "hash"})
      .shows_default();
  command.option("--file-scheme", call.file_scheme, "Tag scheme of the files")
      .one_of({"detect", "plain", "iob1", "iob2", "bioes"})
      .shows_default();
  command
      .option("--scheme", call.scheme,
              "Tag scheme to learn; predictions are written in that of the files")
      .one_of({"keep", "plain", "iob2", "bioes"})
      .shows_default();
  command.flag("--repair", call.data.repair,
               "Read illegal tag sequences as conlleval does, instead of refusing them");
  command.flag("--allow-illegal", call.options.allow_illegal,
               "Do not hold training and decoding to legal tag sequences");
  command.flag("--partial", call.data.partial,
               "Labels may be unknown: '?', or one of several: 'A|B' (smooth losses)");
  command.option("--label-weight", call.label_weights,
                 "LABEL=WEIGHT: what missing this label costs [1]");
}

void add_feature_options(cli::Command& command, TrainCall& call) {
  command.group("Features");
  std::string names;
  for (const BuiltinTemplate& known : builtin_templates()) {
    names += fmt::format("\n  {}: {}", known.name, known.description);
  }
  command.option(
      "--template", call.template_name,
      "A template file (see 'trellis tag train --help-template'), or a built-in [pos]:" + names);
  command
      .option("--word-column", call.builtin.word_column, "Built-in templates: column of the word")
      .shows_default();
  command
      .option("--pos-column", call.builtin.pos_column, "chunk, ner: column of the part of speech")
      .shows_default();
  command.option("--chunk-column", call.builtin.chunk_column, "ner: column of the chunk tag")
      .shows_default();
  command.option("--columns", call.builtin.columns,
                 "none: columns whose values are the features [all but the label]");
  command.option("--gazetteer", call.builtin.gazetteers,
                 "ner-gazetteer: files with a phrase per line");
  command.option("--kernel", call.kernel,
                 "A kernel over the attributes of a token, taken as one vector of length 1 "
                 "(pixels, say): linear, poly:DEGREE[:OFFSET] or rbf:GAMMA");
  command.option("--kernel-rank", call.options.kernel_rank,
                 "Pivots of the kernel at most: fewer are faster and less exact [all it takes]");
  command.flag("--implicit", call.options.implicit,
               "Learn a coefficient for each training token, without features of the kernel");
  command.option("--order", call.options.order, "Labels that a label depends on")
      .between(1, 4)
      .shows_default();
  command.option("--states", call.states, "Which (attribute, label) pairs have a weight")
      .one_of({"observed", "all"})
      .shows_default();
  command.option("--transitions", call.transitions, "Which label n-grams have a weight")
      .one_of({"observed", "all"})
      .shows_default();
  command.flag("--no-boundaries", call.no_boundaries,
               "No weights for the first and the last label");
  command
      .option("--min-count", call.options.features.min_count,
              "Drop attributes that occur less often")
      .shows_default();
  command.option("--hash-bits", call.data.hash_bits, "Feature hashing into 2^B attributes; 0: none")
      .between(0, AttributeIndex::kMaxHashBits)
      .shows_default();
  command.option("--warm-start", call.warm_start,
                 "Start from the weights of this model; labels and features may be new");
}

}  // namespace

void add_train(cli::Command& tag) {
  auto call = std::make_shared<TrainCall>();
  cli::Command command = tag.command(
      "train",
      "Train a tagger.\n\n"
      "  trellis tag train train.txt --dev dev.txt --template ner --model ner.trellis\n"
      "  trellis tag train train.txt.gz --template chunk --loss softmax-margin --c 0.1,1,10 --cv 5 "
      "--model m.trellis");
  command.option("files", call->files, "Labelled files").required();
  add_data_options(command, *call);
  add_feature_options(command, *call);
  add_training_flags(command, call->flags, defaults(), able(),
                     {" (f1 of spans, or accuracy)", "curves, scores, features and sentences"});
  command.print_and_exit(
      "--help-template", [] { return std::string(template_reference()); },
      "Print the template language, and exit");
  command.run([call] {
    return cli::run_training(call->flags,
                             [&](const TrainEvents& events) { return train(*call, events); });
  });
}

}  // namespace trellis::tag
