#include "trellis/cli/tag/train_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/cli/loss_options.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/gazetteer.h"

namespace trellis::cli {
namespace {

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
  const std::string& file = call.options.files.front();
  if (file == "-")
    throw UsageError("with standard input, say which columns are features: --columns");
  tag::SequenceReader reader(InputFile(file), tag::InputFormat::kColumns,
                             call.options.data.comments);
  tag::TagSequence sequence;
  std::vector<Index> columns;
  if (!reader.read(sequence)) return columns;
  const Index label = std::min(call.options.data.label_column, sequence.columns.num_columns() - 1);
  for (Index c = 0; c < sequence.columns.num_columns(); ++c) {
    if (c != label) columns.push_back(c);
  }
  return columns;
}

void add_data_options(CLI::App& app, TrainCall& call) {
  const std::string group = "Data";
  app.add_option("--dev", call.options.dev,
                 "Held-out file: watched for early stopping, and the best epoch is kept")
      ->group(group);
  app.add_option("--format", call.format, "columns, or items (CRFsuite's label TAB name:value ...)")
      ->check(CLI::IsMember({"columns", "items"}))
      ->group(group);
  app.add_option("--label-column", call.label_column, "Column of the label, from 0 [the last one]")
      ->group(group);
  app.add_option("--comments", call.comments,
                 "Lines before a sentence that are comments: none, every '# ...' (hash), or those "
                 "that have not the columns of a token (auto)")
      ->check(CLI::IsMember({"auto", "none", "hash"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--file-scheme", call.file_scheme, "Tag scheme of the files")
      ->check(CLI::IsMember({"detect", "plain", "iob1", "iob2", "bioes"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--scheme", call.scheme,
                 "Tag scheme to learn; predictions are written in that of the files")
      ->check(CLI::IsMember({"keep", "plain", "iob2", "bioes"}))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--repair", call.options.data.repair,
               "Read illegal tag sequences as conlleval does, instead of refusing them")
      ->group(group);
  app.add_flag("--allow-illegal", call.options.allow_illegal,
               "Do not hold training and decoding to legal tag sequences")
      ->group(group);
  app.add_flag("--partial", call.options.data.partial,
               "Labels may be unknown: '?', or one of several: 'A|B' (lbfgs and sgd)")
      ->group(group);
}

void add_feature_options(CLI::App& app, TrainCall& call) {
  const std::string group = "Features";
  std::string names;
  for (const tag::BuiltinTemplate& known : tag::builtin_templates()) {
    names += fmt::format("\n  {}: {}", known.name, known.description);
  }
  app.add_option(
         "--template", call.template_name,
         "A template file (see 'trellis tag train --help-template'), or a built-in [pos]:" + names)
      ->group(group);
  app.add_option("--word-column", call.builtin.word_column,
                 "Built-in templates: column of the word")
      ->capture_default_str()
      ->group(group);
  app.add_option("--pos-column", call.builtin.pos_column,
                 "chunk, ner: column of the part of speech")
      ->capture_default_str()
      ->group(group);
  app.add_option("--chunk-column", call.builtin.chunk_column, "ner: column of the chunk tag")
      ->capture_default_str()
      ->group(group);
  app.add_option("--columns", call.builtin.columns,
                 "none: columns whose values are the features [all but the label]")
      ->delimiter(',')
      ->group(group);
  app.add_option("--gazetteer", call.builtin.gazetteers,
                 "ner-gazetteer: files with a phrase per line")
      ->group(group);
  app.add_option("--kernel", call.kernel,
                 "A kernel over the attributes of a token, taken as one vector of length 1 "
                 "(pixels, say): linear, poly:DEGREE[:OFFSET] or rbf:GAMMA")
      ->group(group);
  app.add_option("--kernel-rank", call.options.kernel_rank,
                 "Pivots of the kernel at most: fewer are faster and less exact [all it takes]")
      ->group(group);
  app.add_option("--order", call.options.order, "Labels that a label depends on")
      ->check(CLI::Range(1, 4))
      ->capture_default_str()
      ->group(group);
  app.add_option("--states", call.states, "Which (attribute, label) pairs have a weight")
      ->check(CLI::IsMember({"observed", "all"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--transitions", call.transitions, "Which label n-grams have a weight")
      ->check(CLI::IsMember({"observed", "all"}))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--no-boundaries", call.no_boundaries, "No weights for the first and the last label")
      ->group(group);
  app.add_option("--min-count", call.options.features.min_count,
                 "Drop attributes that occur less often")
      ->capture_default_str()
      ->group(group);
  app.add_option("--hash-bits", call.options.data.hash_bits,
                 "Feature hashing into 2^B attributes; 0: none")
      ->check(CLI::Range(0, tag::AttributeIndex::kMaxHashBits))
      ->capture_default_str()
      ->group(group);
}

// What one learner has and the others do not.
void add_learners_own_options(CLI::App& app, TrainCall& call) {
  const std::string group = "Learners";
  tag::TrainOptions& options = call.options;
  app.add_option("--warm-up", options.warm_up, "lbfgs: start from where so many epochs of dca end")
      ->capture_default_str()
      ->group(group);
  app.add_option("--epsilon", options.epsilon, "lbfgs: stop at this relative gradient norm")
      ->capture_default_str()
      ->group(group);
  app.add_option("--delta", options.delta,
                 "lbfgs: stop at this relative decrease over ten iterations")
      ->capture_default_str()
      ->group(group);
  app.add_option("--dual", call.dual, "dca: online (the paper), or stored: goes on to the optimum")
      ->check(CLI::IsMember({"online", "stored"}))
      ->capture_default_str()
      ->group(group);
  app.add_flag(
         "--no-average", call.no_average,
         "dca, mira, perceptron, bcfw without a cache: the last weights instead of their mean")
      ->group(group);
  app.add_option("--voters", options.voters, "perceptron: keep so many voters, and let them vote")
      ->group(group);
  app.add_option("--k", options.k, "mira: outputs that a step looks at")
      ->capture_default_str()
      ->group(group);
  app.add_option("--cache", options.cache, "bcfw: cuts to keep of each sequence; 0: none")
      ->capture_default_str()
      ->group(group);
  app.add_option("--geometry", call.geometry,
                 "extragradient: entropic steps (by sums), or euclidean ones (by projections)")
      ->check(CLI::IsMember({"entropic", "euclidean"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--radius", options.radius,
                 "extragradient, projected-gradient, qp: hold the weights within a ball of this "
                 "radius, instead of by C")
      ->group(group);
  app.add_flag("--l1-ball", options.l1_ball, "extragradient: the ball is that of the 1-norm")
      ->group(group);
  app.add_option("--eta", options.eta, "sgd: learning rate; 0: chosen on the dev set")
      ->capture_default_str()
      ->group(group);
}

void add_learning_options(CLI::App& app, TrainCall& call) {
  const std::string group = "Learning";
  tag::TrainOptions& options = call.options;
  app.add_option("--learner", call.learner,
                 "lbfgs: to the optimum, with all threads (smooth losses)\n"
                 "dca: dual coordinate ascent, good in a few epochs, no learning rate (all but "
                 "perceptron)\n"
                 "mira: k-best MIRA (svm)\nsgd: stochastic gradient (any loss)\n"
                 "perceptron: averaged or voted (perceptron, svm)\n"
                 "bcfw: block-coordinate Frank-Wolfe, to a small gap (all but perceptron)\n"
                 "bmrm: bundles of cuts, to a small gap, with all threads (all but perceptron)\n"
                 "extragradient: dual extragradient over the marginals (svm)\n"
                 "projected-gradient, smo: also over marginals (svm)\n"
                 "qp: one convex program by an interior-point method, for small data (svm)")
      ->check(CLI::IsMember({"lbfgs", "dca", "mira", "sgd", "perceptron", "bcfw", "bmrm",
                             "extragradient", "projected-gradient", "smo", "qp"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--loss", call.loss,
                 "crf, softmax-margin, svm or perceptron [what suits the learner]")
      ->group(group);
  app.add_option("--beta", call.beta, "Inverse temperature of the loss, up to inf (see --loss)")
      ->group(group);
  app.add_option("--gamma", call.gamma, "Scale of the cost in the loss (see --loss)")->group(group);
  app.add_option("--c", options.c,
                 "C: how much the data counts against small weights; CRFsuite's c2 is 1/(2C)")
      ->capture_default_str()
      ->group(group);
  app.add_option("--l1", options.l1, "Weight of the L1 norm (lbfgs becomes OWL-QN); CRFsuite's c1")
      ->capture_default_str()
      ->group(group);
  app.add_option("--label-weight", call.label_weights,
                 "LABEL=WEIGHT: what missing this label costs [1]")
      ->group(group);
  app.add_option("--epochs", options.epochs,
                 "At most so many [lbfgs, bmrm 1000; extragradient 200; bcfw, smo 100; sgd 50; "
                 "others 20]")
      ->group(group);
  app.add_option(
         "--patience", options.patience,
         "End after so many epochs without a better dev figure [online learners 5, others 20]")
      ->group(group);
  app.add_flag("--certify", options.certify, "Report objective, lower bound and gap of each epoch")
      ->group(group);
  app.add_option("--gap", options.gap, "Stop as soon as the certified relative gap is below this")
      ->group(group);
  app.add_option("--seed", options.seed, "Same data, options and seed: same model, bit for bit")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

tag::FeatureTemplate load_template(const TrainCall& call) {
  const std::string& name = call.template_name;
  for (const tag::BuiltinTemplate& known : tag::builtin_templates()) {
    if (known.name == name) return tag::FeatureTemplate::builtin(name, call.builtin);
  }
  const std::string directory = std::filesystem::path(name).parent_path().string();
  return tag::FeatureTemplate::parse(read_file(name, Index{1} << 26), name,
                                     tag::gazetteer_files(directory));
}

void resolve(TrainCall& call) {
  tag::TrainOptions& options = call.options;
  options.learner = tag::parse_learner(call.learner);
  Loss loss = call.loss.empty() ? tag::default_loss(options.learner) : Loss::named(call.loss);
  if (!call.beta.empty()) loss.beta = parse_beta(call.beta);
  if (call.gamma) loss.gamma = *call.gamma;
  options.loss = loss;
  choose_format(call);
  options.data.format = tag::parse_input_format(call.format);
  if (call.label_column) options.data.label_column = *call.label_column;
  options.data.comments = tag::parse_comments(call.comments);
  options.data.detect_scheme = call.file_scheme == "detect";
  if (!options.data.detect_scheme)
    options.data.file_scheme = tag::parse_tag_scheme(call.file_scheme);
  options.data.keep_scheme = call.scheme == "keep";
  if (!options.data.keep_scheme) options.data.model_scheme = tag::parse_tag_scheme(call.scheme);
  options.features.nodes = parse_feature_set(call.states);
  options.features.transitions = parse_feature_set(call.transitions);
  options.features.boundaries = !call.no_boundaries;
  options.average = !call.no_average;
  options.stored_dual = call.dual == "stored";
  options.geometry =
      call.geometry == "euclidean" ? tag::Geometry::kEuclidean : tag::Geometry::kEntropic;
  options.threads = call.common.threads;
  options.word_column = call.builtin.word_column;
  options.label_weights = parse_label_weights(call.label_weights);
  if (!call.kernel.empty()) options.kernel = tag::parse_kernel(call.kernel);
  if (call.kernel.empty() && options.kernel_rank > 0) {
    throw UsageError("--kernel-rank is about a kernel: say which with --kernel");
  }
  if (call.template_name == "none" && call.format == "columns" && call.builtin.columns.empty()) {
    call.builtin.columns = all_columns(call);
  }
  if (options.checkpoint.empty()) options.checkpoint = options.model + ".checkpoint";
}

void add_train_options(CLI::App& app, TrainCall& call) {
  app.add_option("files", call.options.files, "Labelled files")->required();
  app.add_option("--model", call.options.model, "Where the model goes")->required();
  add_data_options(app, call);
  add_feature_options(app, call);
  add_learning_options(app, call);
  add_learners_own_options(app, call);
  app.add_option("--warm-start", call.options.warm_start,
                 "Start from the weights of this model; labels and features may be new")
      ->group("Run");
  add_run_options(app, {call.options.checkpoint, call.options.resume, call.history, call.report},
                  "curves, scores, features and sentences");
  add_common_options(app, call.common);
}

}  // namespace trellis::cli
