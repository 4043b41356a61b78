#include "trellis/cli/classify/train_call.h"

#include "trellis/base/error.h"
#include "trellis/cli/loss_options.h"

namespace trellis::cli {
namespace {

// --loss, or a pair of --beta and --gamma where what is missing comes from the learner's own loss
// (the SVM's, where no learner is named).
std::optional<Loss> chosen_loss(const ClassifyTrainCall& call) {
  if (call.loss.empty() && call.beta.empty() && !call.gamma) return std::nullopt;
  Loss loss = classify::default_loss(call.options.learner.value_or(classify::Learner::kSmo));
  if (!call.loss.empty()) loss = Loss::named(call.loss == "maxent" ? "crf" : call.loss);
  if (!call.beta.empty()) loss.beta = parse_beta(call.beta);
  if (call.gamma) loss.gamma = *call.gamma;
  return loss;
}

void add_data_options(CLI::App& app, ClassifyTrainCall& call) {
  const std::string group = "Data";
  app.add_option("--dev", call.options.dev,
                 "Held-out file: watched for early stopping, and the best epoch is kept")
      ->group(group);
  app.add_option(
         "--format", call.format,
         "text (columns with tabs) or libsvm (label index:value ...) [the first line tells]")
      ->check(CLI::IsMember({"text", "libsvm"}))
      ->group(group);
  app.add_option("--columns", call.columns,
                 "Columns of a text file, with commas: label, text, id, skip [label,text or "
                 "id,label,text]")
      ->group(group);
}

void add_feature_options(CLI::App& app, ClassifyTrainCall& call) {
  const std::string group = "Features";
  app.add_flag("--keep-case", call.keep_case, "Do not turn text into lower case")->group(group);
  app.add_option("--ngrams", call.options.data.ngrams, "Text: up to so many words in a row")
      ->check(CLI::Range(Index{1}, classify::FeatureOptions::kMaxNgrams))
      ->capture_default_str()
      ->group(group);
  app.add_option("--weighting", call.weighting,
                 "binary, count, log (1 + ln count), tfidf, or log-tfidf [text: log-tfidf; libsvm "
                 "and naive Bayes: count]")
      ->check(CLI::IsMember({"binary", "count", "log", "tfidf", "log-tfidf"}))
      ->group(group);
  app.add_option("--normalize", call.normalize,
                 "l2: every vector has length 1; none [text: l2; libsvm and naive Bayes: none]")
      ->check(CLI::IsMember({"l2", "none"}))
      ->group(group);
  app.add_option("--min-count", call.options.data.min_count,
                 "Drop features that occur in fewer documents")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--no-bias", call.no_bias, "No constant feature")->group(group);
  app.add_option("--kernel", call.kernel, "Not for classifiers: they are linear (see --ngrams)")
      ->group("");
}

// What one learner has and the others do not.
void add_learners_own_options(CLI::App& app, ClassifyTrainCall& call) {
  const std::string group = "Learners";
  classify::TrainOptions& options = call.options;
  app.add_option("--l1", options.l1, "Weight of the L1 norm (lbfgs becomes OWL-QN)")
      ->capture_default_str()
      ->group(group);
  app.add_option("--alpha", options.alpha, "naive-bayes: what is added to every count")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--complement", options.complement,
               "naive-bayes: estimate from the other labels, for labels of unequal size")
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
  app.add_flag("--no-average", call.no_average,
               "dca, bcfw, perceptron: the last weights instead of their mean")
      ->group(group);
  app.add_option("--eta", options.eta, "sgd: learning rate; 0: chosen on the dev set")
      ->capture_default_str()
      ->group(group);
}

void add_learning_options(CLI::App& app, ClassifyTrainCall& call) {
  const std::string group = "Learning";
  classify::TrainOptions& options = call.options;
  app.add_option("--learner", call.learner,
                 "smo: exact dual ascent to a proven gap (svm)\n"
                 "dca: dual coordinate ascent, good in a few epochs, no learning rate (svm, "
                 "maxent)\n"
                 "bcfw, bmrm: block-coordinate Frank-Wolfe, bundles (svm)\n"
                 "lbfgs: to the optimum, with all threads (maxent)\n"
                 "sgd: stochastic gradient (any loss)\n"
                 "perceptron: averaged (perceptron, svm)\n"
                 "naive-bayes: counts words, in one pass\n"
                 "[smo, or what suits the loss]")
      ->check(CLI::IsMember(
          {"smo", "dca", "bcfw", "bmrm", "lbfgs", "sgd", "perceptron", "naive-bayes"}))
      ->group(group);
  app.add_option("--loss", call.loss,
                 "svm, maxent (the same as crf), softmax-margin or perceptron [svm, or what suits "
                 "the learner]")
      ->group(group);
  app.add_option("--beta", call.beta, "Inverse temperature of the loss, up to inf (see --loss)")
      ->group(group);
  app.add_option("--gamma", call.gamma, "Scale of the cost in the loss (see --loss)")->group(group);
  app.add_option("--c", call.c,
                 "C: how much the data counts against small weights [svm 1, maxent 10]")
      ->group(group);
  app.add_option("--label-weight", call.label_weights,
                 "LABEL=WEIGHT: what missing this label costs [1]")
      ->group(group);
  app.add_option("--epochs", options.epochs,
                 "At most so many [smo, bmrm, lbfgs 1000, bcfw, dca stored 200, others 20]")
      ->group(group);
  app.add_option("--patience", options.patience,
                 "End after so many epochs without a better dev figure [lbfgs 20, others 5]")
      ->group(group);
  app.add_flag("--certify", options.certify, "Report objective, lower bound and gap of each epoch")
      ->group(group);
  app.add_option("--gap", call.gap,
                 "Stop as soon as the certified relative gap is below this [svm by smo, bcfw, bmrm "
                 "and dca stored: 0.001]")
      ->group(group);
  app.add_option("--seed", options.seed, "Same data, options and seed: same model, bit for bit")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

void resolve(ClassifyTrainCall& call) {
  classify::TrainOptions& options = call.options;
  if (!call.kernel.empty()) {
    throw UsageError(
        "classifiers are linear in their features: there is no kernel here (--ngrams 2 adds word "
        "pairs)");
  }
  if (!call.format.empty()) options.data.reader.format = classify::parse_input_format(call.format);
  if (!call.columns.empty()) {
    if (options.data.reader.format == classify::InputFormat::kLibsvm) {
      throw UsageError("LIBSVM files have no columns: --columns is about text");
    }
    options.data.reader.columns = classify::TextColumns::parse(call.columns);
  }
  options.data.lowercase = !call.keep_case;
  options.data.bias = !call.no_bias;
  if (!call.weighting.empty()) options.weighting = classify::parse_weighting(call.weighting);
  if (!call.normalize.empty()) options.normalize = call.normalize == "l2";
  if (!call.learner.empty()) options.learner = classify::parse_learner(call.learner);
  options.loss = chosen_loss(call);
  options.c = call.c;
  options.gap = call.gap;
  options.average = !call.no_average;
  options.stored_dual = call.dual == "stored";
  options.threads = call.common.threads;
  options.label_weights = parse_label_weights(call.label_weights);
  if (options.checkpoint.empty()) options.checkpoint = options.model + ".checkpoint";
}

void add_classify_train_options(CLI::App& app, ClassifyTrainCall& call) {
  app.add_option("files", call.options.data.files, "Labelled files")->required();
  app.add_option("--model", call.options.model, "Where the model goes")->required();
  add_data_options(app, call);
  add_feature_options(app, call);
  add_learning_options(app, call);
  add_learners_own_options(app, call);
  add_run_options(app, {call.options.checkpoint, call.options.resume, call.history, call.report},
                  "curves, scores and features");
  add_common_options(app, call.common);
}

}  // namespace trellis::cli
