// The output of the evaluation scripts of the benchmark collections, to the byte: Eval-Score-3.0.pl
// (LETOR 3.0), Eval-Score-4.0.pl (LETOR 4.0; Qin et al. 2010) and eval-score-mslr.pl (MSLR-WEB).
//
//   DCG@k = gain(1) + gain(2) + Σ_{3 ≤ j ≤ k} gain(j) · ln 2 / ln j,   NDCG@k = DCG@k / best DCG@k
//
//   script   gains of grades   relevant  a line ends with                 positions
//   letor3   0 1 3             1 2       #docid = D                       16 at most, no padding
//   letor4   0 1 3             1 2       #docid = D inc = I prob = P      10
//   mslr     0 1 3 7 15        2 3 4     anything                         10
//
// We keep the peculiarities of the scripts, because publications compare their values. Other grades
// gain nothing and are not relevant. Beyond the last document, letor4 and mslr count NDCG as 0 and
// P@k as if irrelevant documents followed; letor3 has no such column, but still divides by the
// number of all queries. A query without a relevant document counts 0. In letor3 and letor4 a
// repeated docid of a query replaces the earlier line. Documents of a query need not be
// consecutive; queries come in the order of their numbers (a qid that is not a number counts as 0;
// equal ones in the order of the file). Scores beyond the last document are not read.
//
// Differences: a score that is not a number is refused (Perl reads its prefix, or 0), and a
// carriage return at the end of a line is removed.
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

// `graded` has one document per line, with `scores`. Throws InputError for a line that the script
// does not understand, a document without a score, and a file without a document.
std::string letor_scores(InputFile graded, ScoreReader scores, Convention convention,
                         bool per_query);

}  // namespace trellis::rank
