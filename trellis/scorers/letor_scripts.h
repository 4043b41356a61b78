// What the evaluation scripts of the benchmark collections print, to the byte: Eval-Score-3.0.pl
// (LETOR 3.0), Eval-Score-4.0.pl (LETOR 4.0; Qin et al. 2010) and eval-score-mslr.pl (MSLR-WEB).
//
//   DCG@k = gain(1) + gain(2) + Σ_{3 ≤ j ≤ k} gain(j) · ln 2 / ln j,   NDCG@k = DCG@k / best DCG@k
//
//   script   gains of grades   relevant  a line ends with                 positions
//   letor3   0 1 3             1 2       #docid = D                       16 at most, no padding
//   letor4   0 1 3             1 2       #docid = D inc = I prob = P      10
//   mslr     0 1 3 7 15        2 3 4     anything                         10
//
// Their habits are kept, because their figures are the ones that are compared: other grades gain
// nothing and are not relevant; beyond the last document letor4 and mslr count NDCG as 0 and P@k as
// if more documents followed, and letor3 has no such column but divides by all queries all the
// same; a query without a relevant document counts 0; with letor3 and letor4 a docid that comes
// again in its query takes the place of the earlier line. Documents of a query need not stand
// together; queries come in the order of their numbers (those that are none count as 0; equal ones
// in the order of the file). Scores beyond the last document are not looked at.
//
// Where we differ: a score that is no number is refused (Perl reads a prefix of it, or 0), and a
// carriage return at the end of a line is none of the line.
#pragma once

#include <string>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/formats/queries/score_reader.h"

namespace trellis::rank {

enum class Convention { kLetor3, kLetor4, kMslr };
constexpr auto names_of(Convention) {
  return Names{"convention", "letor3", "letor4", "mslr"};
}

// `graded` has a document a line; `scores` are theirs. Throws InputError for a line that the script
// does not understand, for a document without a score, and for a file without a document.
std::string letor_scores(InputFile graded, ScoreReader scores, Convention convention,
                         bool per_query);

}  // namespace trellis::rank
