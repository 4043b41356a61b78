#include "trellis/tasks/align/predict.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/pipeline.h"

namespace trellis::align {
namespace {

constexpr Index kBatch = 512;

struct Worker {
  DecodeScratch scratch;
  std::vector<WordId> source, target;
};

void align(const AlignModel& model, const SentencePair& pair, const Decoding& decoding,
           Worker& worker, AlignedLinks& found) {
  model.words().find(pair.source(), pair.target(), worker.source, worker.target);
  decode(model.aligner(), {worker.source, worker.target}, decoding, worker.scratch, found);
}

void count_unknown(const std::vector<WordId>& words, Index& unknown, Index& tokens) {
  for (const WordId word : words) unknown += word == kUnknownWord ? 1 : 0;
  tokens += words.size();
}

std::string json_line(const AlignedPair& pair, const AlignedLinks& found, bool probabilities) {
  nlohmann::json json = {{"pair", pair.number},
                         {"links", nlohmann::json::array()},
                         {"forward", found.likelihood.forward},
                         {"reverse", found.likelihood.reverse}};
  for (const ScoredLink& one : found.links) {
    nlohmann::json link = {one.link.source, one.link.target};
    if (probabilities) link.push_back(one.probability);
    json["links"].push_back(std::move(link));
  }
  return json.dump() + "\n";
}

std::string line_of(const AlignedPair& pair, const AlignedLinks& found,
                    const PredictOptions& options) {
  if (options.json) return json_line(pair, found, options.writing.probabilities);
  std::string text;
  append_links(pair, options.writing, text);
  if (options.scores) {
    text.pop_back();  // the end of the line
    text += fmt::format("\t{:.6g}\t{:.6g}\n", found.likelihood.forward, found.likelihood.reverse);
  }
  return text;
}

}  // namespace

Decoding DecodingOptions::over(const Decoding& model) const {
  Decoding decoding = model;
  if (combination) decoding.combination = *combination;
  if (decode) decoding.decode = *decode;
  if (decode && decoding.combination == Combination::kProduct) {
    throw UsageError(
        "--decode is for the directions by themselves: --symmetrise product has posteriors");
  }
  // The model's threshold is of the product.
  const bool another = decoding.has_threshold() && decoding.combination != model.combination;
  if (threshold) {
    if (!decoding.has_threshold()) {
      throw UsageError(
          "--threshold is for posteriors: say --decode posterior, or --symmetrise product");
    }
    if (!(*threshold >= 0 && *threshold <= 1)) throw UsageError("--threshold is between 0 and 1");
    decoding.threshold = *threshold;
  } else if (another) {
    decoding.threshold = decoding.combination == Combination::kProduct ? Decoding().threshold : 0.5;
  }
  return decoding;
}

std::vector<std::string> UnknownWords::warnings() const {
  std::vector<std::string> warnings;
  const auto warn = [&](const char* side, Index unknown, Index tokens) {
    if (unknown * 2 <= tokens) return;
    warnings.push_back(fmt::format(
        "{} of {} {} words are new to the model: is this the right language, and split into words "
        "as the training text was?",
        unknown, tokens, side));
  };
  warn("source", source, source_tokens);
  warn("target", target, target_tokens);
  return warnings;
}

UnknownWords predict(const AlignModel& model, const BitextFiles& files,
                     const PredictOptions& options, OutputFile& out) {
  validate(options.writing);
  if (options.scores && options.writing.format != LinksFormat::kPharaoh) {
    throw UsageError("--scores is for --format pharaoh: a line a pair");
  }
  const Decoding decoding = options.decoding.over(model.decoding());
  BitextReader reader = files.open();
  Pipeline<SentencePair> pipeline(options.at_once ? Pipeline<SentencePair>::kAtOnce : kBatch,
                                  options.threads);
  std::vector<Worker> workers(static_cast<Index>(pipeline.num_workers()));
  struct Slot {
    AlignedLinks found;
    UnknownWords unknown;
  };
  std::vector<Slot> slots(pipeline.batch_size());
  UnknownWords unknown;
  Index number = 0;
  pipeline.run([&](SentencePair& pair) { return reader.read(pair); },
               [&](const SentencePair& pair, Index slot, int who) {
                 Worker& worker = workers[static_cast<Index>(who)];
                 Slot& result = slots[slot];
                 align(model, pair, decoding, worker, result.found);
                 result.unknown = {};
                 count_unknown(worker.source, result.unknown.source, result.unknown.source_tokens);
                 count_unknown(worker.target, result.unknown.target, result.unknown.target_tokens);
               },
               [&](const SentencePair& pair, Index slot) {
                 const Slot& result = slots[slot];
                 const AlignedPair aligned{++number, pair.source(), pair.target(),
                                           result.found.links,
                                           std::exp(result.found.likelihood.forward)};
                 out.write(line_of(aligned, result.found, options));
                 if (options.on_pair) options.on_pair(pair, result.found);
                 unknown.source += result.unknown.source;
                 unknown.source_tokens += result.unknown.source_tokens;
                 unknown.target += result.unknown.target;
                 unknown.target_tokens += result.unknown.target_tokens;
               });
  return unknown;
}

std::vector<AlignedLinks> align_all(const AlignModel& model, const std::vector<SentencePair>& pairs,
                                    const Decoding& decoding, int threads) {
  std::vector<AlignedLinks> found(pairs.size());
  std::vector<Worker> workers(static_cast<Index>(resolve_threads(threads)));
  parallel_for(pairs.size(), threads, [&](Index k, int worker) {
    align(model, pairs[k], decoding, workers[static_cast<Index>(worker)], found[k]);
  });
  return found;
}

std::vector<ScoredLink> weigh_links(const AlignModel& model, const SentencePair& pair,
                                    const Decoding& decoding, double least) {
  Worker worker;
  std::vector<ScoredLink> weighed;
  model.words().find(pair.source(), pair.target(), worker.source, worker.target);
  weigh_links(model.aligner(), {worker.source, worker.target}, decoding, least, worker.scratch,
              weighed);
  return weighed;
}

AlignmentScores evaluate(const AlignModel& model, const GoldPairs& gold, const Decoding& decoding,
                         int threads) {
  AlignmentScores scores;
  const std::vector<AlignedLinks> found = align_all(model, gold.pairs, decoding, threads);
  for (Index k = 0; k < found.size(); ++k) scores.add(links_at(found[k].links, 0), gold.links[k]);
  return scores;
}

}  // namespace trellis::align
