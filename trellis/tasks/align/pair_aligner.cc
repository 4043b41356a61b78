#include "trellis/tasks/align/pair_aligner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/align/inspect.h"

namespace trellis::align {

Decoding DecodingOptions::over(const Decoding& model) const {
  Decoding decoding = model;
  if (combination) decoding.combination = *combination;
  if (decode) decoding.decode = *decode;
  if (decode && decoding.combination == Combination::kProduct) {
    throw UsageError(
        "--decode cannot be combined with --symmetrise product, which always uses posteriors");
  }
  // The model's threshold is for its own combination.
  const bool another = decoding.has_threshold() && decoding.combination != model.combination;
  if (threshold) {
    if (!decoding.has_threshold()) {
      throw UsageError("--threshold requires --decode posterior or --symmetrise product");
    }
    if (!(*threshold >= 0 && *threshold <= 1))
      throw UsageError("--threshold must be between 0 and 1");
    decoding.threshold = *threshold;
  } else if (another) {
    decoding.threshold = decoding.combination == Combination::kProduct ? Decoding().threshold : 0.5;
  }
  return decoding;
}

PairAligner::PairAligner(const AlignModel& model, const DecodingOptions& said)
    : model_(&model), decoding_(model.decoding()) {
  if (said.search_limit && (model.links() == nullptr || !model.links()->shape.quadratic)) {
    throw UsageError("--search-limit requires a model trained with --quadratic");
  }
  if (model.links() == nullptr) {
    if (said.offset) {
      throw UsageError(
          "--offset requires a model trained with links: this model was trained on text only (use "
          "--threshold)");
    }
    decoding_ = said.over(model.decoding());
    return;
  }
  if (said.combination || said.decode || said.threshold) {
    throw UsageError(
        "--symmetrise, --decode and --threshold require a model trained on text only: this model "
        "was trained with links (use --offset)");
  }
  supervised_.emplace(model, said.offset.value_or(0), said.search_limit.value_or(kSearchLimit));
}

std::string PairAligner::describe() const {
  if (!supervised_) return align::describe(decoding_);
  return align::describe(supervised_->learned());
}

ExtraFiles PairAligner::in_order(ExtraFiles files) const {
  const FeatureShape known = supervised_ ? supervised_->features().shape() : FeatureShape();
  for (const ExternalFile& one : files.external) {
    if (std::find(known.externals.begin(), known.externals.end(), one.name) !=
        known.externals.end()) {
      continue;
    }
    throw UsageError(
        fmt::format("--external {}: the model was trained {}", one.name,
                    known.externals.empty()
                        ? std::string("without links of other aligners")
                        : fmt::format("with those of {}", fmt::join(known.externals, ", "))));
  }
  std::vector<ExternalFile> ordered;
  for (const std::string& name : known.externals) {
    const auto of_name = std::find_if(files.external.begin(), files.external.end(),
                                      [&](const ExternalFile& one) { return one.name == name; });
    if (of_name == files.external.end()) {
      throw UsageError(fmt::format(
          "the model was trained with links of '{0}': --external {0}=FILE is required", name));
    }
    ordered.push_back(*of_name);
  }
  if (ordered.size() != files.external.size()) {
    throw UsageError("--external gives the same aligner twice");
  }
  files.external = std::move(ordered);
  if (files.has_tags() != known.tagged()) {
    throw UsageError(known.tagged()
                         ? "the model was trained with tags: --tags SOURCE TARGET is required"
                         : "--tags is not possible: the model was trained without tags");
  }
  return files;
}

void PairAligner::align(const SentencePair& pair, const PairExtras& extras, Scratch& scratch,
                        AlignedLinks& found) const {
  model_->words().find(pair.source(), pair.target(), scratch.source, scratch.target);
  if (!supervised_) {
    decode(model_->aligner(), {scratch.source, scratch.target}, decoding_, scratch.posteriors,
           found);
    return;
  }
  supervised_->align(pair, extras, scratch.links, scratch.found);
  found.links.clear();
  for (const Link link : scratch.found.links) found.links.push_back({link, 1});
  found.likelihood = {scratch.found.score, 0};
  found.gap = scratch.found.upper - scratch.found.score;
}

std::vector<AlignedLinks> align_all(const PairAligner& aligner, const LabelledPairs& pairs,
                                    int threads) {
  std::vector<AlignedLinks> found(pairs.gold.pairs.size());
  std::vector<PairAligner::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  parallel_for(found.size(), threads, [&](Index k, int worker) {
    aligner.align(pairs.gold.pairs[k], pairs.extras[k], scratch[static_cast<Index>(worker)],
                  found[k]);
  });
  return found;
}

Evaluation evaluate(const PairAligner& aligner, const LabelledPairs& pairs, int threads) {
  Evaluation evaluation;
  if (aligner.searches()) evaluation.search.emplace();
  const std::vector<AlignedLinks> found = align_all(aligner, pairs, threads);
  for (Index k = 0; k < found.size(); ++k) {
    evaluation.scores.add(links_at(found[k].links, 0), pairs.gold.links[k]);
    if (evaluation.search) evaluation.search->add(found[k].gap);
  }
  return evaluation;
}

Value Evaluation::record(bool per_sentence) const {
  Value record = scores.record(per_sentence);
  if (search) search->put(record);
  return record;
}

std::string Evaluation::to_text(bool per_sentence) const {
  std::string text = scores.to_text(per_sentence);
  if (search && search->not_proven > 0) text += search->sentence("pairs") + "\n";
  return text;
}

}  // namespace trellis::align
