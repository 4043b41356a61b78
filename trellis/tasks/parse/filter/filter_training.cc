#include "trellis/tasks/parse/filter/filter_training.h"

#include <algorithm>

#include "trellis/base/parallel.h"
#include "trellis/fit/fit.h"
#include "trellis/tasks/parse/filter/filter_model.h"

namespace trellis::parse {
namespace {

std::vector<std::uint32_t> heads_of(const Sentence& sentence) {
  std::vector<std::uint32_t> heads;
  for (const Word& word : sentence.words) heads.push_back(word.head);
  return heads;
}

}  // namespace

const TaskDefaults& filter_defaults() {
  using enum LearnerKind;
  static const TaskDefaults table = [] {
    TaskDefaults made{Loss::named("crf"), kDca, kDca};
    LearnerOptions dca;
    dca.c = 1;
    dca.epochs = 3;
    made.rows = {{{kDca}, TaskDefaults::Losses::kAny, dca}};
    return made;
  }();
  return table;
}

std::optional<std::vector<float>> train_filter(std::span<const Sentence> sentences,
                                               const TagNumbers& tags,
                                               const FilterTraining& training) {
  const FilterExample none{DependencyArcs(0, {}), {}, {}, {}};
  std::vector<FilterExample> examples(sentences.size(), none);
  const Index workers = static_cast<Index>(resolve_threads(training.threads));
  std::vector<SentenceAtoms> atoms(workers);
  std::vector<FilterNumbering> numberings(workers);
  parallel_for(sentences.size(), training.threads, [&](Index i, int worker) {
    SentenceAtoms& mine = atoms[static_cast<Index>(worker)];
    mine.assign(sentences[i], tags);
    examples[i] =
        make_filter_example(mine, heads_of(sentences[i]), numberings[static_cast<Index>(worker)]);
  });
  const FilterModel model(examples, training.roots);
  const LearnerChoice choice = choose({}, filter_defaults(), able_of<FilterModel>());
  LearnControl control;
  control.seed = training.seed;
  control.threads = training.threads;
  control.stop = training.stop;
  std::vector<double> w(kFilterWeights, 0.0);
  const Fitted fitted = fit(model, {choice, w, control});
  if (fitted.summary.termination == Termination::kInterrupted) return std::nullopt;
  std::vector<float> weights(kFilterWeights);
  std::transform(w.begin(), w.end(), weights.begin(),
                 [](double weight) { return static_cast<float>(weight); });
  return weights;
}

FilterRecall filter_recall(const ArcFilter& filter, std::span<const Sentence> sentences,
                           const TagNumbers& tags) {
  FilterRecall recall;
  SentenceAtoms atoms;
  ArcFilter::Scratch scratch;
  std::vector<DependencyArc> arcs;
  for (const Sentence& sentence : sentences) {
    atoms.assign(sentence, tags);
    filter.keep(atoms, {}, scratch, arcs);
    recall.words += sentence.size();
    recall.arcs += arcs.size();
    for (const DependencyArc& arc : arcs) {
      recall.kept += sentence.word(arc.modifier).head == arc.head ? 1 : 0;
    }
  }
  return recall;
}

}  // namespace trellis::parse
