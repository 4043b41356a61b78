#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/tasks/align/train.h"
#include "trellis/tasks/align/train_stages.h"

namespace trellis::align {

BitextReader BitextFiles::open() const {
  if (target.empty()) return BitextReader(InputFile(source), separator);
  if (separator) throw UsageError("--separator requires one file with both sides");
  return {InputFile(source), InputFile(target)};
}

Bitext read_bitext(const BitextFiles& files, Vocabularies& words) {
  BitextReader reader = files.open();
  Bitext bitext;
  std::vector<WordId> source, target;
  for (SentencePair pair; reader.read(pair);) {
    words.add(pair.source(), pair.target(), source, target);
    bitext.add(source, target);
  }
  bitext.cover(words.source().size(), words.target().size());
  for (const bool of_source : {true, false}) {
    if (!(of_source ? bitext.source_tokens() : bitext.target_tokens()).empty()) continue;
    throw InputError(of_source ? reader.source_name() : reader.target_name(), 0,
                     fmt::format("expected words to align, found none in the {}",
                                 of_source ? "source" : "target"));
  }
  return bitext;
}

GoldPairs read_gold(const BitextFiles& files, const LinkFiles& links) {
  BitextReader reader = files.open();
  GoldPairs gold;
  std::vector<PairLengths> lengths;
  for (SentencePair pair; reader.read(pair);) {
    lengths.push_back({pair.source().size(), pair.target().size()});
    gold.pairs.push_back(std::move(pair));
    pair = SentencePair();
  }
  gold.links = read_links(InputFile(links.links), lengths, links.options);
  return gold;
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  check(options);
  Stopwatch watch;
  require_readable({files.text.source, files.text.target, files.start, files.dev_links.links});
  if (files.dev) require_readable({files.dev->source, files.dev->target});
  std::optional<AlignModel> start;
  Vocabularies words(options.lowercase);
  if (!files.start.empty()) {
    start = AlignModel::read(files.start);
    words = start->words();
  }
  std::optional<GoldPairs> dev;
  if (files.dev) dev = read_gold(*files.dev, files.dev_links);
  events.phase(fmt::format("reading {}", files.text.source));
  const Bitext bitext = read_bitext(files.text, words);
  const double read = watch.seconds();
  Trained trained =
      train(bitext, words, dev ? &*dev : nullptr, options, start ? &*start : nullptr, events);
  trained.result.seconds = {read, watch.seconds()};
  trained.dev = std::move(dev);
  return trained;
}

}  // namespace trellis::align
