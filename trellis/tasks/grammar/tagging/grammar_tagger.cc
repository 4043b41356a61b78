#include "trellis/tasks/grammar/tagging/grammar_tagger.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/frame/training/folds.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::grammar {
namespace {

constexpr Index kTaggerEpochs = 5;  // docs/grammars.md

const TaskDefaults& tagger_defaults() {
  static const TaskDefaults table{Loss::named("crf"), LearnerKind::kDca, LearnerKind::kDca};
  return table;
}

std::optional<GrammarTagger> train_on(std::span<const ConstituencyTree> trees,
                                      std::span<const Index> chosen, const NameList& tags,
                                      std::uint64_t seed, const std::stop_token& stop) {
  tagging::TaggedText text;
  for (const Index i : chosen) {
    for (const ConstituencyTree::Node& node : trees[i].nodes) {
      if (node.is_preterminal()) text.add(node.word, node.label);
    }
    text.end_sentence();
  }
  auto tagger = tagging::train_word_tagger(
      text, {tagger_defaults().loss, tagger_defaults().smooth, kTaggerEpochs, seed}, stop);
  if (!tagger) return std::nullopt;
  return GrammarTagger(*std::move(tagger), tags);
}

}  // namespace

GrammarTagger::GrammarTagger(tagging::WordTagger tagger, const NameList& tags)
    : tagger_(std::move(tagger)) {
  for (Index t = 0; t < tagger_.num_tags(); ++t) {
    const std::string_view name = tagger_.name(static_cast<Label>(t));
    tags_.push_back(tags.find(name));
    if (tags_.back() == NameList::kNone) {
      throw InputError(tagger_.model().name(), 0, "expected a tag of the grammar, found", name);
    }
  }
  if (tags_.empty()) throw InputError(tagger_.model().name(), 0, "the tagger has no tags");
}

void GrammarTagger::choose(std::span<const std::string> words, double least, Scratch& scratch,
                           TagChoices& choices) const {
  scratch.words.assign(words.begin(), words.end());
  tagger_.marginals(scratch);
  choices.clear();
  for (Index i = 0; i < words.size(); ++i) {
    const std::span<const double> row =
        std::span(scratch.probabilities).subspan(i * tags_.size(), tags_.size());
    const auto best = static_cast<Index>(std::ranges::max_element(row) - row.begin());
    const auto add = [&](Index t) {
      const double p = std::max(row[t], 1e-9);
      choices.choices.push_back(
          {tags_[t], std::max(static_cast<float>(portable_log(p)), TagChoices::kUnlikely)});
    };
    add(best);
    for (Index t = 0; t < row.size(); ++t) {
      if (t != best && row[t] >= least) add(t);
    }
    choices.end_word();
  }
}

std::optional<LearnedTagger> learn_tagger(std::span<const ConstituencyTree> trees,
                                          const NameList& tags, const TaggerOptions& options,
                                          const TrainEvents& events) {
  const Index n = trees.size();
  tagging::require_folds(options.jackknife, n);
  const auto folds = deal_folds(n, options.jackknife, options.seed);
  std::optional<GrammarTagger> whole;
  std::vector<TagChoices> jackknifed(n);
  // The longest jobs first: all sentences, then those without each fold.
  parallel_for(folds.size() + 1, options.threads, [&](Index round, int) {
    const std::vector<Index> held = round == 0 ? std::vector<Index>() : folds[round - 1];
    auto tagger = train_on(trees, without(held, n), tags, options.seed, events.stop);
    if (!tagger) return;
    GrammarTagger::Scratch scratch;
    for (const Index i : held) {
      tagger->choose(trees[i].words(), options.least, scratch, jackknifed[i]);
    }
    if (round == 0) whole = std::move(tagger);
  });
  if (events.stop.stop_requested() || !whole) return std::nullopt;
  LearnedTagger learned{*std::move(whole), std::move(jackknifed)};
  for (Index i = 0; i < n; ++i) {
    Index word = 0;
    for (const ConstituencyTree::Node& node : trees[i].nodes) {
      if (!node.is_preterminal()) continue;
      ++learned.words;
      learned.right += tags[learned.jackknifed[i].best(word++)] == node.label ? 1 : 0;
    }
  }
  return learned;
}

}  // namespace trellis::grammar
