// The coherence of the top words of a topic, from their co-occurrence in a reference corpus (Röder,
// Both & Hinneburg 2015 describe all measures in one framework).
//
// Let P(a) be the share of windows that contain the word a, P(a, b) of those that contain both. A
// window is a whole document, or W successive words: a document of n > W words has n − W + 1
// windows, a shorter or empty one has one, itself. For the words of a topic, the most probable
// first, and ε = 1e-12:
//
//   umass  log (P(a,b) + ε) / P(b),        a after b, windows are documents  (Mimno et al. 2011)
//   uci    log (P(a,b) + ε) / (P(a) P(b))                                    (Newman et al. 2010)
//   npmi   the same divided by −log (P(a,b) + ε)                             (Bouma 2009)
//
// A topic's coherence is the mean over the pairs of its words: not the sum, and with this ε, not
// that of Mimno et al. Words that occur nowhere are left out, and a topic with fewer than two other
// words has no coherence (NaN). A word that is named twice pairs with itself. NPMI of words that
// share every window is −1, since log (1 + ε) is divided by its negative.
//
// These are gensim's values (4.x: u_mass, c_uci, c_npmi). With windows shorter than documents its
// values differ from the definition: when a word leaves a window on the left, gensim treats it as
// absent even if another occurrence is still inside. kGensim counts as gensim does, for comparison
// with published values; kDefinition as above; without windows they are equal.
//
// kTomotopy has the formulas of tomotopy (0.1x: u_mass, c_uci and c_npmi over documents, without
// windows), with ε in other positions and of any size:
//
//   umass  log (P(a,b) / (P(b) + ε) + ε),  0 for a word with itself
//   uci    log ((P(a,b) + ε) / (P(a) P(b) + ε))
//   npmi   the same divided by −log (P(a,b) + ε), 1 for a word with itself
//
// Time: a pass over the tokens, and for each pair a pass over the runs of windows that contain its
// words. Memory: 16 bytes for each such run. Logarithms are portable, so the bits are the same on
// every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

enum class CoherenceMeasure { kUMass, kUci, kNpmi };
constexpr auto names_of(CoherenceMeasure) {
  return Names{"measure of coherence", "umass", "uci", "npmi"};
}

enum class CoherenceConvention { kDefinition, kGensim, kTomotopy };
constexpr auto names_of(CoherenceConvention) {
  return Names{"convention of coherence", "definition", "gensim", "tomotopy"};
}

struct CoherenceOptions {
  CoherenceMeasure measure = CoherenceMeasure::kNpmi;
  CoherenceConvention convention = CoherenceConvention::kDefinition;
  Index window = 0;        // words; 0: whole documents, the only choice for umass and tomotopy
  double epsilon = 1e-12;  // finite, > 0
};

// The coherence of each topic, given by the numbers of its top words, the most probable first.
// Throws UsageError if options are incompatible, or a word is not below documents.num_words.
std::vector<double> coherence(const Documents& documents,
                              std::span<const std::vector<std::uint32_t>> topics,
                              const CoherenceOptions& options = {});

// The mean of the values that are numbers; NaN if there are none.
double mean_coherence(std::span<const double> topics);

}  // namespace trellis::topics
