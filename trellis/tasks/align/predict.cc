#include "trellis/tasks/align/predict.h"

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::align {
namespace {

constexpr Index kBatch = 512;

// A pair of the text, with its additional data.
struct Item {
  SentencePair pair;
  PairExtras extras;
};

// The links found in a pair.
struct Found {
  AlignedLinks best;
  std::vector<RankedLinks> ranked;  // with --nbest
  UnknownWords unknown;
};

void count_unknown(const std::vector<WordId>& words, Index& unknown, Index& tokens) {
  for (const WordId word : words) unknown += word == kUnknownWord ? 1 : 0;
  tokens += words.size();
}

Value list_of(std::span<const ScoredLink> links, bool probabilities) {
  Value list = Value::list();
  for (const ScoredLink& one : links) {
    Value link = Value::list({one.link.source, one.link.target});
    if (probabilities) link.push_back(one.probability);
    list.push_back(std::move(link));
  }
  return list;
}

std::vector<ScoredLink> certain(const Links& links) {
  std::vector<ScoredLink> scored;
  for (const Link link : links) scored.push_back({link, 1});
  return scored;
}

// Writes the lines of one pair.
class PairText {
 public:
  PairText(const PairAligner& aligner, const PredictOptions& options)
      : learned_(aligner.supervised() != nullptr),
        searches_(aligner.searches()),
        options_(options) {}

  std::string of(const SentencePair& pair, Index number, const Found& found) const {
    if (options_.json) return to_json(record(number, found)) + "\n";
    if (options_.nbest == 0) return line(pair, number, found.best);
    std::string text;
    for (const RankedLinks& one : found.ranked) {
      text += line(pair, number, {certain(one.links), {one.score, 0}});
    }
    return text + "\n";
  }

 private:
  std::string line(const SentencePair& pair, Index number, const AlignedLinks& found) const {
    const double forward = found.likelihood.forward;
    std::string text;
    append_links({number, pair.source(), pair.target(), found.links,
                  learned_ ? forward : portable_exp(forward)},
                 options_.writing, text);
    if (!options_.scores && options_.nbest == 0) return text;
    text.pop_back();  // the line end
    text += learned_ ? fmt::format("\t{:.6g}\n", forward)
                     : fmt::format("\t{:.6g}\t{:.6g}\n", forward, found.likelihood.reverse);
    return text;
  }

  Value record(Index number, const Found& found) const {
    Value record = Value::record(
        {{"pair", number}, {"links", list_of(found.best.links, options_.writing.probabilities)}});
    if (!learned_) {
      record["forward"] = found.best.likelihood.forward;
      record["reverse"] = found.best.likelihood.reverse;
      return record;
    }
    record["score"] = found.best.likelihood.forward;
    if (searches_) {
      record["proven"] = found.best.gap <= 0;
      record["gap"] = found.best.gap;
    }
    for (const RankedLinks& one : found.ranked) {
      Value ranked =
          Value::record({{"links", list_of(certain(one.links), false)}, {"score", one.score}});
      if (searches_) ranked["proven"] = one.proven();
      record["nbest"].push_back(std::move(ranked));
    }
    return record;
  }

  bool learned_, searches_;
  const PredictOptions& options_;
};

void validate(const PairAligner& aligner, const PredictOptions& options) {
  validate(options.writing);
  const bool lines = options.writing.format == LinksFormat::kPharaoh;
  if (options.scores && !lines) {
    throw UsageError("--scores requires --format pharaoh");
  }
  if (options.nbest > 0 && !lines) {
    throw UsageError("--nbest requires --format pharaoh");
  }
  if (aligner.supervised() == nullptr) {
    if (options.nbest > 0) {
      throw UsageError(
          "--nbest requires a model trained with links: this model was trained on text only");
    }
  } else if (options.writing.probabilities) {
    throw UsageError(
        "--probabilities requires a model trained on text only: this model was trained with links "
        "and has scores");
  }
}

}  // namespace

std::vector<std::string> UnknownWords::warnings() const {
  std::vector<std::string> warnings;
  const auto warn = [&](const char* side, Index unknown, Index tokens) {
    if (unknown * 2 <= tokens) return;
    warnings.push_back(
        fmt::format("{} of {} {} words are unknown to the model: check the language, and that "
                    "words are separated as in the training text",
                    unknown, tokens, side));
  };
  warn("source", source, source_tokens);
  warn("target", target, target_tokens);
  return warnings;
}

PredictCounts predict(const PairAligner& aligner, const BitextFiles& files,
                      const PredictOptions& options, OutputFile& out) {
  validate(aligner, options);
  BitextReader reader = files.open();
  ExtraReader extras(options.extras);
  Pipeline<Item> pipeline(options.at_once ? Pipeline<Item>::kAtOnce : kBatch, options.threads);
  std::vector<PairAligner::Scratch> workers(static_cast<Index>(pipeline.num_workers()));
  std::vector<Found> slots(pipeline.batch_size());
  const PairText text(aligner, options);
  PredictCounts counts;
  Index number = 0;
  pipeline.run(
      [&](Item& item) {
        if (!reader.read(item.pair)) return false;
        extras.read(item.pair, item.extras);
        return true;
      },
      [&](const Item& item, Index slot, int who) {
        PairAligner::Scratch& worker = workers[static_cast<Index>(who)];
        Found& found = slots[slot];
        aligner.align(item.pair, item.extras, worker, found.best);
        if (options.nbest > 0) {
          aligner.supervised()->k_best(item.pair, item.extras, options.nbest, worker.links,
                                       found.ranked);
        }
        found.unknown = {};
        count_unknown(worker.source, found.unknown.source, found.unknown.source_tokens);
        count_unknown(worker.target, found.unknown.target, found.unknown.target_tokens);
      },
      [&](const Item& item, Index slot) {
        const Found& found = slots[slot];
        out.write(text.of(item.pair, ++number, found));
        if (options.on_pair) options.on_pair(item.pair, found.best);
        counts.search.add(found.best.gap);
        counts.unknown.source += found.unknown.source;
        counts.unknown.source_tokens += found.unknown.source_tokens;
        counts.unknown.target += found.unknown.target;
        counts.unknown.target_tokens += found.unknown.target_tokens;
      });
  extras.finish();
  return counts;
}

std::vector<ScoredLink> weigh_links(const AlignModel& model, const SentencePair& pair,
                                    const Decoding& decoding, double least) {
  DecodeScratch scratch;
  std::vector<WordId> source, target;
  std::vector<ScoredLink> weighed;
  model.words().find(pair.source(), pair.target(), source, target);
  weigh_links(model.aligner(), {source, target}, decoding, least, scratch, weighed);
  return weighed;
}

}  // namespace trellis::align
