// A stranger's program: finds the best tag sequence and its probability with the installed library.
#include <trellis/structure/sequences/chain.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using trellis::Label;
  enum : Label { kOutside, kBegin, kInside };

  trellis::TransitionRules rules(3);
  rules.forbid_start(kInside);
  rules.forbid(kOutside, kInside);
  const trellis::ChainStates states(rules);
  const trellis::Chain chain(states, 3);

  // The second token would love to be inside, so the first has to begin.
  std::vector<double> scores(chain.num_parts(), 0.0);
  scores[chain.node_part(1, kInside)] = 5;

  trellis::Chain::Scratch scratch;
  trellis::Chain::Output best;
  const double score = chain.maximize(scores, scratch, best);
  const double probability = std::exp(score - chain.log_partition(scores, scratch));
  std::printf("%d %d %d, probability %.3f\n", best[0], best[1], best[2], probability);
  return best[0] == kBegin && best[1] == kInside && probability > 0 && probability <= 1 ? 0 : 1;
}
