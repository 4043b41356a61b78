#include "trellis/tasks/align/labelled_pairs.h"

namespace trellis::align {

LabelledPairs read_labelled(const LabelledFiles& files) {
  LabelledPairs labelled{read_gold(files.text, files.links), {}};
  ExtraReader reader(files.extras);
  for (const SentencePair& pair : labelled.gold.pairs) {
    labelled.extras.emplace_back();
    reader.read(pair, labelled.extras.back());
  }
  reader.finish();
  return labelled;
}

}  // namespace trellis::align
