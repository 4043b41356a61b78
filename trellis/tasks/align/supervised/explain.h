// Why these links: what each feature adds to the score of a link, what further links of its words
// cost, and what it has of its neighbours; and for a link that is not there, by how much the best
// alignment with it is worse.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/align/supervised/supervised_aligner.h"

namespace trellis::align {

struct Contribution {
  std::string feature;
  double value = 0;   // of the feature
  double weight = 0;  // of the feature; the contribution is their product
  double product() const { return value * weight; }
};

// What speaks for and against one link of a pair.
struct LinkExplanation {
  Link link;
  bool found = false;                  // it is one of those found
  bool candidate = false;              // if not, nothing speaks for it and the rest is empty
  double score = 0;                    // of the link alone, the offset included
  std::vector<Contribution> features;  // by size, the largest first
  std::vector<Contribution>
      fertility;  // of further links of its two words, where it is one of them
  struct Neighbour {
    Link link;
    double score = 0;
    std::vector<Contribution> features;
  };
  std::vector<Neighbour> neighbours;  // links found beside it, and what the pair of both adds
  // The best alignment is worth so much more than the best one that differs in this link.
  double margin = 0;
  bool proven = true;  // that both are the best: a limit may have ended a search (quadratic models)
};

struct ExplainOptions {
  Index top = 8;            // contributions of a link
  std::vector<Link> links;  // those to explain; empty: those found
};

std::vector<LinkExplanation> explain(const SupervisedAligner& aligner, const SentencePair& pair,
                                     const PairExtras& extras, const ExplainOptions& options);

std::string explain_text(const SentencePair& pair, Index number,
                         const std::vector<LinkExplanation>& links);
Value explain_record(const SentencePair& pair, Index number,
                     const std::vector<LinkExplanation>& links);

}  // namespace trellis::align
