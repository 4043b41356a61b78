#include "trellis/tasks/parse/arc_trainable.h"

#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"

namespace trellis::parse {
namespace {

JudgedSentence judged_sentence(const Sentence& sentence, const ArcExample& example,
                               const NameList& labels) {
  JudgedSentence judged{&example, {}, true_arcs(sentence, labels)};
  for (const Word& word : sentence.words) {
    judged.counts.push_back(is_punctuation_word(word.form) ? 0 : 1);
  }
  return judged;
}

template <class S>
class ArcTrainable final : public Trainable {
 public:
  ArcTrainable(const ArcLesson& lesson, const ArcTrainableOptions& options)
      : lesson_(lesson),
        options_(options),
        model_(lesson.weights, lesson.examples, options.shape.trees.roots, options.limits),
        decoder_(options.shape.trees, options.decoding) {
    std::vector<JudgedSentence> dev;
    for (Index i = 0; i < lesson.dev_examples.size(); ++i) {
      dev.push_back(
          judged_sentence(lesson.dev_sentences[i], lesson.dev_examples[i], lesson.labels));
    }
    whole_ = trial({}, std::move(dev));
  }

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return lesson_.examples.size(); }
  bool has_dev() const override { return !lesson_.dev_examples.empty(); }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const Index n = lesson_.examples.size();
    const std::vector<Index> held = deal_folds(n, folds, options_.seed)[k];
    std::vector<JudgedSentence> judged;
    for (const Index i : held) {
      judged.push_back(judged_sentence(lesson_.sentences[i], lesson_.examples[i], lesson_.labels));
    }
    return trial(without(held, n), std::move(judged));
  }
  // Right heads with right labels, over all words that count.
  double figure(std::span<const double> tally) const override {
    return tally[1] > 0 ? 100 * tally[0] / tally[1] : 0;
  }
  std::string_view figure_name() const override { return "las"; }

 private:
  std::unique_ptr<Trial> trial(std::vector<Index> chosen,
                               std::vector<JudgedSentence> judged) const {
    return trial_of(
        model_, std::move(chosen),
        [this, judged = std::move(judged)](std::span<const double> w) { return tally(judged, w); });
  }

  struct Worker {
    TreeDecoder::Scratch scratch;
    std::vector<std::uint32_t> best;
    std::vector<double> scores;
    Index right = 0, words = 0;
  };

  void judge(const JudgedSentence& sentence, std::span<const double> w, Worker& worker) const {
    const LabelledArcs& arcs = sentence.example->arcs;
    worker.scores.resize(sentence.example->num_parts());
    lesson_.weights.scores(*sentence.example, w, worker.scores);
    decoder_.decode(arcs.parts, sentence.example->graph.get(), worker.scores, worker.scratch,
                    worker.best);
    // Without a tree all words are wrong.
    for (Index m = 0; m < sentence.counts.size(); ++m) {
      if (sentence.counts[m] == 0) continue;
      ++worker.words;
      if (worker.best.empty()) continue;
      const std::uint32_t part = worker.best[m];
      const bool right = arcs.parts.head(part) == sentence.truth.heads[m] &&
                         arcs.labels[part] == sentence.truth.labels[m];
      worker.right += right ? 1 : 0;
    }
  }

  std::vector<double> tally(std::span<const JudgedSentence> judged,
                            std::span<const double> w) const {
    std::vector<Worker> workers(static_cast<Index>(resolve_threads(options_.threads)));
    parallel_for(judged.size(), options_.threads, [&](Index i, int worker) {
      judge(judged[i], w, workers[static_cast<Index>(worker)]);
    });
    std::vector<double> sums(2, 0.0);
    for (const Worker& worker : workers) {
      sums[0] += static_cast<double>(worker.right);
      sums[1] += static_cast<double>(worker.words);
    }
    return sums;
  }

  const ArcLesson& lesson_;
  ArcTrainableOptions options_;
  ArcModel<S> model_;
  TreeDecoder decoder_;
  std::unique_ptr<Trial> whole_;
};

}  // namespace

std::vector<ArcExample> ExampleMaker::make(std::span<const Sentence> sentences, bool keep_true,
                                           int threads) const {
  struct Worker {
    ExampleBuilder builder;
    SentenceAtoms atoms;
    ArcFilter::Scratch filter;
    std::vector<DependencyArc> arcs;
  };
  std::vector<Worker> workers;
  for (int worker = 0; worker < resolve_threads(threads); ++worker) {
    workers.push_back({ExampleBuilder(sets, numbers, shape), {}, {}, {}});
  }
  std::vector<ArcExample> examples(sentences.size());
  parallel_for(sentences.size(), threads, [&](Index i, int worker) {
    Worker& mine = workers[static_cast<Index>(worker)];
    const TrueArcs truth = true_arcs(sentences[i], labels);
    mine.atoms.assign(sentences[i], tags);
    const std::span<const std::uint32_t> always = truth.heads;
    filter.keep(mine.atoms, keep_true ? always : std::span<const std::uint32_t>(), mine.filter,
                mine.arcs);
    examples[i] = mine.builder.make(mine.atoms, mine.arcs, truth.heads, truth.labels);
  });
  return examples;
}

std::unique_ptr<Trainable> make_trainable(const ArcLesson& lesson,
                                          const ArcTrainableOptions& options) {
  if (options.shape.order == 2) {
    switch (options.inference) {
      case PairInference::kRelaxed:
        return std::make_unique<ArcTrainable<RelaxedHigherOrderTree>>(lesson, options);
      case PairInference::kBeliefs:
        return std::make_unique<ArcTrainable<BeliefTree>>(lesson, options);
      case PairInference::kReweighted:
        for (ArcExample& example : lesson.examples) {
          example.cover = std::make_shared<const ForestCover>(example.graph->layout());
        }
        return std::make_unique<ArcTrainable<ReweightedTree>>(lesson, options);
    }
  }
  if (options.shape.trees.projective) {
    return std::make_unique<ArcTrainable<ProjectiveTree>>(lesson, options);
  }
  return std::make_unique<ArcTrainable<DependencyTree>>(lesson, options);
}

}  // namespace trellis::parse
