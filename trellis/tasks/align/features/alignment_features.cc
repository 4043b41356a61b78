#include "trellis/tasks/align/features/alignment_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

const TextStatistics& statistics_of(const AlignModel& model) {
  if (model.statistics() == nullptr) {
    throw UsageError(
        "features of links require a generative model with statistics of its text: train it with "
        "--statistics");
  }
  return *model.statistics();
}

void check_names(const std::vector<std::string>& externals) {
  std::vector<std::string> sorted = externals;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && sorted.front().empty()) {
    throw UsageError("the name of another aligner is empty");
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw UsageError(fmt::format("two other aligners are named '{}'", *twice));
  }
}

FeatureShape checked(FeatureShape shape) {
  check_names(shape.externals);
  return shape;
}

const FertilityTable* fertilities_of(const AlignModel& model,
                                     FertilityTable Fertilities::*direction) {
  const Fertilities* const both = model.aligner().fertilities();
  return both != nullptr ? &(both->*direction) : nullptr;
}

void assign_words(std::span<const std::string_view> words, std::span<const WordId> ids,
                  const WordKnowledge& knowledge, std::vector<WordForm>& forms,
                  std::vector<WordFacts>& facts) {
  if (forms.size() < words.size()) forms.resize(words.size());
  facts.clear();
  for (Index k = 0; k < words.size(); ++k) {
    forms[k].assign(words[k]);
    facts.push_back(knowledge.of(ids[k]));
  }
}

}  // namespace

AlignmentFeatures::AlignmentFeatures(const AlignModel& model, FeatureShape shape)
    : shape_(checked(std::move(shape))),
      model_(std::make_shared<const AlignModel>(model)),
      views_(model_),
      source_(statistics_of(model).source_counts, statistics_of(model).source_several,
              fertilities_of(model, &Fertilities::forward)),
      target_(statistics_of(model).target_counts, statistics_of(model).target_several,
              fertilities_of(model, &Fertilities::reverse)),
      links_(views_.names(), shape_.externals, model.aligner().lexicon().floor),
      words_(model.aligner().fertilities() != nullptr),
      pairs_(shape_.externals),
      identities_(shape_, model.words().lowercase()) {}

void AlignmentFeatures::gather(const SentencePair& pair, const PairExtras& extras,
                               Scratch& scratch) const {
  if (extras.external.size() != shape_.externals.size()) {
    throw UsageError(fmt::format("the features require the links of {} other aligners, found {}",
                                 shape_.externals.size(), extras.external.size()));
  }
  PairEvidence& evidence = scratch.evidence;
  evidence.num_source = pair.source().size();
  evidence.num_target = pair.target().size();
  model_->words().find(pair.source(), pair.target(), evidence.source, evidence.target);
  assign_words(pair.source(), evidence.source, source_, evidence.source_forms,
               evidence.source_facts);
  assign_words(pair.target(), evidence.target, target_, evidence.target_forms,
               evidence.target_facts);
  evidence.externals.resize(extras.external.size());
  for (Index x = 0; x < extras.external.size(); ++x) {
    evidence.externals[x].assign(extras.external[x], evidence.num_source, evidence.num_target);
  }
  views_.look({evidence.source, evidence.target}, scratch.views, evidence.views);
  evidence.look_up(model_->aligner().lexicon(), model_->statistics()->dice);
}

void AlignmentFeatures::extract(const SentencePair& pair, const PairExtras& extras, bool with_pairs,
                                Scratch& scratch, LinkGraph& graph) const {
  gather(pair, extras, scratch);
  const PairEvidence& evidence = scratch.evidence;
  const Candidates& candidates = scratch.candidates;
  choose_candidates(evidence, scratch.candidates);
  graph.num_source = evidence.num_source;
  graph.num_target = evidence.num_target;
  graph.edges = candidates.edges;

  const auto rows_of = [](Index rows, std::span<const std::string> names) {
    return std::vector<float>(rows * names.size(), 0.0F);
  };
  std::vector<float> links = rows_of(candidates.edges.size(), link_names());
  links_.fill(evidence, candidates.edges, scratch.links, links);
  graph.links = FeatureRows::dense(link_names().size(), std::move(links));
  graph.identities =
      identities_.rows({pair.source(), extras.source_tags}, {pair.target(), extras.target_tags},
                       candidates.edges, scratch.identities);

  std::vector<float> source_words = rows_of(evidence.num_source, word_names());
  std::vector<float> target_words = rows_of(evidence.num_target, word_names());
  words_.fill(evidence, candidates, scratch.words, source_words, target_words);
  graph.source_words = FeatureRows::dense(word_names().size(), std::move(source_words));
  graph.target_words = FeatureRows::dense(word_names().size(), std::move(target_words));

  graph.pairs.clear();
  if (with_pairs) PairFeatures::find(evidence, candidates, graph.pairs);
  std::vector<float> pair_rows = rows_of(graph.pairs.size(), pair_names());
  pairs_.fill(evidence, candidates, *model_->statistics(), graph.pairs, pair_rows);
  graph.pair_rows = FeatureRows::dense(pair_names().size(), std::move(pair_rows));
}

}  // namespace trellis::align
