#include "trellis/tasks/grammar/span_trainable.h"

#include <limits>
#include <string>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/scorers/evalb.h"
#include "trellis/tasks/grammar/model/span_model.h"

namespace trellis::grammar {
namespace {

class SpanTrainable final : public Trainable {
 public:
  SpanTrainable(const SpanLesson& lesson, const SpanTrainableOptions& options)
      : lesson_(lesson), options_(options), model_(lesson.dimension, *lesson.learned) {
    std::vector<Index> held(lesson.held == nullptr ? 0 : lesson.held->size());
    for (Index i = 0; i < held.size(); ++i) held[i] = i;
    whole_ = trial({}, lesson.held, std::move(held));
  }

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return lesson_.learned->size(); }
  bool has_dev() const override { return lesson_.held != nullptr; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const Index n = num_examples();
    std::vector<Index> held = deal_folds(n, folds, options_.seed)[k];
    std::vector<Index> others = without(held, n);
    return trial(std::move(others), lesson_.learned, std::move(held));
  }
  // F1 of EVALB's sums: matched brackets over those of both trees.
  double figure(std::span<const double> tally) const override {
    return tally[1] > 0 ? 200 * tally[0] / tally[1] : 0;
  }
  std::string_view figure_name() const override { return "f1"; }

 private:
  struct Worker {
    ParseForest::Scratch forest;
    ParseForest::Output best;
    std::vector<double> scores;
    Derivation derivation;
    Evalb evalb{patient_evalb()};
  };
  // Unlike EVALB, never stops at sentences with differently tagged punctuation.
  static EvalbParameters patient_evalb() {
    EvalbParameters parameters = EvalbParameters::collins();
    parameters.max_errors = std::numeric_limits<Index>::max() / 2;
    return parameters;
  }

  std::unique_ptr<Trial> trial(std::vector<Index> chosen, const SpanExamples* examples,
                               std::vector<Index> judged) const {
    return trial_of(model_, std::move(chosen),
                    [this, examples, judged = std::move(judged)](std::span<const double> w) {
                      return tally(*examples, judged, w);
                    });
  }

  static void judge(const SpanExamples& examples, Index i, std::span<const double> w,
                    Worker& worker) {
    const auto held = examples.get(i);
    const SpanExample& example = *held;
    const ConstituencyTree& tree = examples.trees().trees[i];
    if (example.chart.nodes.empty()) return;  // no tree: nothing to learn from
    worker.scores.resize(example.num_parts());
    SpanModel::scores(example, w, worker.scores);
    ParseForest(example.chart.forest).maximize(worker.scores, worker.forest, worker.best);
    examples.maker().derivation_of(example.chart, worker.best, worker.derivation);
    const TreebankGrammar& treebank = examples.maker().grammar().treebank();
    worker.evalb.add(tree, treebank.tree_of(worker.derivation, tree.words()));
  }

  std::vector<double> tally(const SpanExamples& examples, std::span<const Index> judged,
                            std::span<const double> w) const {
    std::vector<Worker> workers(static_cast<Index>(resolve_threads(options_.threads)));
    parallel_for(judged.size(), options_.threads, [&](Index k, int worker) {
      judge(examples, judged[k], w, workers[static_cast<Index>(worker)]);
    });
    std::vector<double> sums(2, 0.0);
    for (const Worker& worker : workers) {
      const EvalbSums& all = worker.evalb.all();
      sums[0] += static_cast<double>(all.matched);
      sums[1] += static_cast<double>(all.gold + all.test);
    }
    return sums;
  }

  SpanLesson lesson_;
  SpanTrainableOptions options_;
  SpanModel model_;
  std::unique_ptr<Trial> whole_;
};

}  // namespace

std::unique_ptr<Trainable> make_trainable(const SpanLesson& lesson,
                                          const SpanTrainableOptions& options) {
  return std::make_unique<SpanTrainable>(lesson, options);
}

}  // namespace trellis::grammar
