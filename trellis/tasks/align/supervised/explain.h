// Explains links: the contribution of each feature to the score of a link, the penalty of further
// links of its words, and the score of its neighbours; for a link that was not found, how much
// worse the best alignment with this link is.
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

// The contributions to the score of one link of a pair.
struct LinkExplanation {
  Link link;
  bool found = false;                  // the link is in the best alignment
  bool candidate = false;              // if not, the link cannot be found and the rest is empty
  double score = 0;                    // of the link alone, including the offset
  std::vector<Contribution> features;  // largest absolute value first
  std::vector<Contribution>
      fertility;  // of further links of its two words, if the best alignment has it
  struct Neighbour {
    Link link;
    double score = 0;
    std::vector<Contribution> features;
  };
  std::vector<Neighbour> neighbours;  // neighbouring found links, and the score of each pair
  // Score of the best alignment minus that of the best one that differs in this link.
  double margin = 0;
  bool proven = true;  // both are proved best; false if a limit ended a search (quadratic models)
};

struct ExplainOptions {
  Index top = 8;            // number of contributions of a link
  std::vector<Link> links;  // links to explain; empty: the links found
};

std::vector<LinkExplanation> explain(const SupervisedAligner& aligner, const SentencePair& pair,
                                     const PairExtras& extras, const ExplainOptions& options);

std::string explain_text(const SentencePair& pair, Index number,
                         const std::vector<LinkExplanation>& links);
Value explain_record(const SentencePair& pair, Index number,
                     const std::vector<LinkExplanation>& links);

}  // namespace trellis::align
