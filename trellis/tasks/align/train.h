// Trains a word aligner on parallel text without gold links.
//
//   files → word numbers → co-occurrence → EM in both directions → model
//
// `dice` and `llr` only count. The others run EM in two stages: first Model 1, whose likelihood has
// one maximum (except for null), then the requested model from the lexicon of Model 1. `gibbs`
// continues from the HMM by Gibbs sampling with fertilities. Gold links of some pairs (dev) are
// used to report AER and to choose the threshold of links, and for nothing else.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/links/bitext_reader.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/formats/links/link_reader.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/fertility_maximisation.h"
#include "trellis/generative/alignment/gibbs.h"
#include "trellis/generative/alignment/lexicon.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/held_out.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/tasks/align/metrics/threshold.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

enum class AlignerKind { kDice, kLlr, kModel1, kModel2, kDiagonal, kHmm, kFertility, kGibbs };
constexpr auto names_of(AlignerKind) {
  return Names{"aligner",  "dice", "llr",       "model1", "model2",
               "diagonal", "hmm",  "fertility", "gibbs"};
}

struct TrainOptions : CheckpointOptions {
  AlignerKind aligner = AlignerKind::kFertility;
  bool agree = true;            // from the second stage on
  Index model1_iterations = 5;  // iterations of Model 1
  Index iterations = 4;         // of the requested aligner
  Smoothing smoothing = Smoothing::kAdd;
  double prior = 1e-3;
  double floor = 1e-7;
  double null = 0.1;
  Index reach = 50;
  double tension = 4;  // initial tension of the diagonal
  double keep = 1e-2;  // entries that never reach this in Model 1 are left out (model1.h)
  Index fertility_iterations = 2;  // for kFertility, after those of the HMM
  FertilityTraining fertility;     // with the seed and threads of this struct
  GibbsTraining gibbs;             // for kGibbs, which starts from draws of the HMM; likewise
  std::uint64_t seed = 1;          // for random draws
  bool lowercase = true;
  bool statistics = false;  // count those of the text into the model (count_statistics.h)
  Index frequent = 5;       // for the statistics
  Decoding decoding;
  bool fixed_threshold = false;  // the threshold was given: dev does not choose it
  ThresholdAim aim;
  int threads = 0;
};

struct Iteration {
  std::string stage;   // "model1", "hmm"
  Index number = 0;    // from 1, over all stages
  double forward = 0;  // log p(f | e) per target word, before the iteration; with fertilities
                       // log p(f, a | e), with a drawn
  double reverse = 0;  // log p(e | f) per source word
  double aer = std::numeric_limits<double>::quiet_NaN();  // on dev, in percent, after the iteration
  double seconds = 0;
};

// The last one with a likelihood, or null; iterations with fertilities have no likelihood.
const Iteration* last_with_likelihood(const std::vector<Iteration>& iterations);

struct TrainResult {
  AlignerKind aligner = AlignerKind::kHmm;
  Index pairs = 0, source_tokens = 0, target_tokens = 0, source_words = 0, target_words = 0;
  Index entries = 0;  // of the trained lexicon
  Index kept = 0;     // number of entries in the model
  Index sweeps = 0;   // over all chains
  // If statistics are counted: the number of frequent pairs of consecutive words on each side.
  std::optional<std::pair<Index, Index>> bigrams;
  std::vector<Iteration> iterations;
  Decoding decoding;
  std::optional<AlignmentCounts> dev;
  bool aim_reached = true;  // false: no threshold reaches the requested recall on dev
  bool interrupted = false;
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct Trained {
  std::optional<AlignModel> model;  // empty if interrupted
  TrainResult result;
  std::optional<GoldPairs> dev;  // as read by train_files()
};

// `start`: a model whose lexicon and positions are taken over after Model 1; its entries without
// evidence in the text stay. Its words must come first in `words`; the bitext must cover all
// `words`.
Trained train(const Bitext& bitext, const Vocabularies& words, const GoldPairs* dev,
              const TrainOptions& options, const AlignModel* start = nullptr,
              const TrainEvents& events = {});

// The files of sentence pairs.
struct BitextFiles {
  std::string source;  // or both sides
  std::string target;  // empty: `source` has both sides
  std::optional<BitextSeparator> separator;

  BitextReader open() const;
};
struct LinkFiles {
  std::string links;
  LinkReadingOptions options;
};

// Reads all pairs and adds new words.
Bitext read_bitext(const BitextFiles& files, Vocabularies& words);
GoldPairs read_gold(const BitextFiles& files, const LinkFiles& links);

struct TrainFiles {
  BitextFiles text;
  std::optional<BitextFiles> dev;
  LinkFiles dev_links;
  std::string start;  // path of a model; empty: none
};
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::align
