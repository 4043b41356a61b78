// Training a word aligner on parallel text that nobody has aligned.
//
//   files → numbers of words → what occurs together → EM, both directions → model
//
// `dice` and `llr` count and learn nothing more; the others are EM in two stages, Model 1 first,
// whose likelihood has one maximum (but for null), then the model asked for, from the lexicon that
// Model 1 leaves; `gibbs` goes on from the HMM by Gibbs sampling, with fertilities. Given links of
// some pairs (dev), AER is followed, and the threshold of links is chosen by them; nothing else is.
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

struct TrainOptions {
  AlignerKind aligner = AlignerKind::kFertility;
  bool agree = true;            // from the second stage on
  Index model1_iterations = 5;  // iterations of Model 1
  Index iterations = 4;         // of the aligner asked for
  Smoothing smoothing = Smoothing::kAdd;
  double prior = 1e-3;
  double floor = 1e-7;
  double null = 0.1;
  Index reach = 50;
  double tension = 4;  // that the diagonal begins with
  double keep = 1e-2;  // entries that Model 1 never gives so much are left out (model1.h)
  Index fertility_iterations = 2;  // of kFertility, after those of the HMM
  FertilityTraining fertility;     // seed and threads are those of this struct
  GibbsTraining gibbs;             // of kGibbs, which begins with what the HMM draws; likewise
  std::uint64_t seed = 1;          // of draws
  bool lowercase = true;
  bool statistics = false;  // of the text, counted with the model (count_statistics.h)
  Index frequent = 5;       // of those
  Decoding decoding;
  bool fixed_threshold = false;  // it was said: dev does not choose it
  ThresholdAim aim;
  int threads = 0;
  std::string checkpoint;  // as in TrainingOptions
  double save_every = 300;
  bool resume = false;
};

struct Iteration {
  std::string stage;   // "model1", "hmm"
  Index number = 0;    // from 1, over all stages
  double forward = 0;  // log p(f | e) a target word, of the parameters before the iteration; with
                       // fertilities log p(f, a | e), a drawn
  double reverse = 0;  // log p(e | f) a source word
  double aer = std::numeric_limits<double>::quiet_NaN();  // on dev, in percent, after it
  double seconds = 0;
};

// The last one that has a likelihood (with fertilities there is none); null: there is none.
const Iteration* last_with_likelihood(const std::vector<Iteration>& iterations);

struct TrainResult {
  AlignerKind aligner = AlignerKind::kHmm;
  Index pairs = 0, source_tokens = 0, target_tokens = 0, source_words = 0, target_words = 0;
  Index entries = 0;  // of the lexicon that was trained
  Index kept = 0;     // of those in the model
  Index sweeps = 0;   // of all chains
  // Pairs of words that follow each other often enough for the statistics, where they are counted.
  std::optional<std::pair<Index, Index>> bigrams;
  std::vector<Iteration> iterations;
  Decoding decoding;
  std::optional<AlignmentCounts> dev;
  bool aim_reached = true;  // the recall asked for, on dev
  bool interrupted = false;
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;
};

struct Trained {
  std::optional<AlignModel> model;  // none where it was interrupted
  TrainResult result;
  std::optional<GoldPairs> dev;  // what train_files() read
};

// `start`: a model whose lexicon and positions are taken over after Model 1, and of whose entries
// those stay that the text does not speak of; its words must be the first of `words`, all of which
// the bitext covers.
Trained train(const Bitext& bitext, const Vocabularies& words, const GoldPairs* dev,
              const TrainOptions& options, const AlignModel* start = nullptr,
              const TrainEvents& events = {});

// Where sentence pairs are.
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

// Reads all pairs; new words are added.
Bitext read_bitext(const BitextFiles& files, Vocabularies& words);
GoldPairs read_gold(const BitextFiles& files, const LinkFiles& links);

struct TrainFiles {
  BitextFiles text;
  std::optional<BitextFiles> dev;
  LinkFiles dev_links;
  std::string start;  // a model; empty: none
};
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::align
