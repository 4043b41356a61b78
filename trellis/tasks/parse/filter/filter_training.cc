#include "trellis/tasks/parse/filter/filter_training.h"

#include <algorithm>
#include <ranges>

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

// Trains on the arcs that `before` leaves, and on the true ones.
template <FilterStage kStage>
std::vector<FilterExample> filter_examples(std::span<const Sentence> sentences,
                                           const TagNumbers& tags, const ArcFilter& before,
                                           int threads) {
  struct Worker {
    SentenceAtoms atoms;
    ArcFilter::Scratch scratch;
    std::vector<DependencyArc> arcs;
    FilterNumbering numbering{kStage};
  };
  const FilterExample none{DependencyArcs(0, {}), {}, {}, {}};
  std::vector<FilterExample> examples(sentences.size(), none);
  std::vector<Worker> workers(static_cast<Index>(resolve_threads(threads)));
  parallel_for(sentences.size(), threads, [&](Index i, int worker) {
    Worker& mine = workers[static_cast<Index>(worker)];
    const std::vector<std::uint32_t> heads = heads_of(sentences[i]);
    mine.atoms.assign(sentences[i], tags);
    before.keep(mine.atoms, heads, mine.scratch, mine.arcs);
    examples[i] = make_filter_example<kStage>(mine.atoms, mine.arcs, heads, mine.numbering);
  });
  return examples;
}

// Empty if stopped.
template <FilterStage kStage>
std::vector<float> train_stage(std::span<const Sentence> sentences, const TagNumbers& tags,
                               const ArcFilter& before, const FilterTraining& training) {
  const std::vector<FilterExample> examples =
      filter_examples<kStage>(sentences, tags, before, training.threads);
  const FilterModel model(examples, kStage, training.shape.roots);
  const LearnerChoice choice = choose({}, filter_defaults(), able_of<FilterModel>());
  LearnControl control;
  control.seed = training.seed;
  control.threads = training.threads;
  control.stop = training.stop;
  std::vector<double> w(model.dimension(), 0.0);
  const Fitted fitted = fit(model, {choice, w, control});
  if (fitted.summary.termination == Termination::kInterrupted) return {};
  std::vector<float> weights(w.size());
  std::ranges::transform(w, weights.begin(),
                         [](double weight) { return static_cast<float>(weight); });
  return weights;
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

std::optional<TrainedFilter> train_filter(std::span<const Sentence> sentences,
                                          const TagNumbers& tags, const FilterTraining& training) {
  TrainedFilter trained;
  const ArcFilter all({}, {false, {}}, training.shape);
  trained.tags = train_stage<FilterStage::kTags>(sentences, tags, all, training);
  if (trained.tags.empty()) return std::nullopt;
  if (!training.second_look) return trained;
  const ArcFilter wide(trained.weights(), {true, FilterOptions::kWide}, training.shape);
  trained.words = train_stage<FilterStage::kWords>(sentences, tags, wide, training);
  if (trained.words.empty()) return std::nullopt;
  return trained;
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
