// How well the foremost words of a topic go together, by how often they occur together in a
// reference corpus (Röder, Both & Hinneburg 2015 has them all in one frame).
//
// Let P(a) be the share of windows with the word a in them, P(a, b) of those with both. A window
// is a whole document, or W words in a row: a document of n > W words has n − W + 1 of them, a
// shorter or empty one has one, itself. For the words of a topic, the foremost first, and ε =
// 1e-12:
//
//   umass  log (P(a,b) + ε) / P(b),        a after b, windows are documents  (Mimno et al. 2011)
//   uci    log (P(a,b) + ε) / (P(a) P(b))                                    (Newman et al. 2010)
//   npmi   the same divided by −log (P(a,b) + ε)                             (Bouma 2009)
//
// A topic's coherence is the mean over the pairs of its words: not the sum, and with this ε, not
// with the one of Mimno et al. Words that occur nowhere are left out, and a topic of fewer than two
// others has no coherence (NaN). A word that is named twice pairs with itself. NPMI of words that
// share every window is −1, since log (1 + ε) is divided by its negative.
//
// These are gensim's figures (4.x: u_mass, c_uci, c_npmi). With windows shorter than documents
// its figures differ from the definition: a word that leaves a window on the left counts as gone,
// though another of its kind may still be inside. kGensim counts as gensim does, to compare with
// what others report; kDefinition as is written above; without windows they are the same.
//
// kTomotopy has the formulas of tomotopy (0.1x: u_mass, c_uci and c_npmi over documents, there
// without windows), with ε at other places and of any size:
//
//   umass  log (P(a,b) / (P(b) + ε) + ε),  0 for a word with itself
//   uci    log ((P(a,b) + ε) / (P(a) P(b) + ε))
//   npmi   the same divided by −log (P(a,b) + ε), 1 for a word with itself
//
// Time: a pass over the tokens, and for each pair a pass over the stretches of windows that have
// its words. Memory: 16 bytes for each such stretch. Logarithms are portable, the bits are the same
// everywhere.
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

// The coherence of each topic: its foremost words by number, the foremost first. Throws UsageError
// where the options do not go together, or a word is not below documents.num_words.
std::vector<double> coherence(const Documents& documents,
                              std::span<const std::vector<std::uint32_t>> topics,
                              const CoherenceOptions& options = {});

// The mean of those that are numbers; NaN where none is.
double mean_coherence(std::span<const double> topics);

}  // namespace trellis::topics
