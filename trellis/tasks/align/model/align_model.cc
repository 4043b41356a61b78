#include "trellis/tasks/align/model/align_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/align/model/position_sections.h"
#include "trellis/tasks/align/model/statistics_sections.h"

namespace trellis::align {
namespace {

constexpr Range kLogs{-1000, 0.001};
constexpr float kNearly = 0.01F;  // in logs
// More than any chain draws; and of sweeps, over all chains, no more work than a stranger may
// cause.
constexpr Index kMostFertile = 255, kMostSweeps = 1000;

void describe_words(ModelArchive& a, std::shared_ptr<const Vocabularies>& words) {
  bool lowercase = words == nullptr || words->lowercase();
  NameView source, target;
  if (words != nullptr) source = words->source().view(), target = words->target().view();
  a.value("lowercase", lowercase, "whether words are told apart in lower case");
  a.name_list("source", source, "the source words");
  a.name_list("target", target, "the target words");
  a.check([&] {
    words = std::make_shared<Vocabularies>(NameList(source, a.name()), NameList(target, a.name()),
                                           lowercase);
  });
}

void describe_lexicon(ModelArchive& a, LexiconArrays& lexicon, Index sources, Index targets) {
  a.number("floor", lexicon.floor, kLogs, "log-probability of a pair of words without an entry");
  a.lists("lexicon/rows", lexicon.row_begin, "lexicon/targets", lexicon.targets, sources,
          {.ascending = true, .in = Range{0, static_cast<double>(targets) - 1}},
          "entries of each source word: their target words");
  const auto logs = [&](const char* section, std::vector<float>& values, Index size,
                        const char* what) {
    a.array(section, values, {size, false, kLogs}, what);
  };
  const Index entries = lexicon.targets.size();
  logs("lexicon/forward", lexicon.forward, entries, "by entry: log t(f | e)");
  logs("lexicon/reverse", lexicon.reverse, entries, "by entry: log t(e | f)");
  logs("lexicon/null_forward", lexicon.null_forward, targets, "log t(f | nothing)");
  logs("lexicon/null_reverse", lexicon.null_reverse, sources, "log t(e | nothing)");
  logs("lexicon/unseen_forward", lexicon.unseen_forward, sources, "of pairs without an entry");
  logs("lexicon/unseen_reverse", lexicon.unseen_reverse, targets, "of pairs without an entry");
}

void describe_fertilities(ModelArchive& a, Fertilities& f, const Vocabularies& words) {
  FertilitySampling& sampling = f.sampling;
  Index& most = f.forward.most;
  a.record("fertilities", [&] {
    a.number("most", most, {1, kMostFertile}, "largest fertility");
    a.number("chains", sampling.chains, {1, kMostSweeps}, "drawn for a pair of sentences");
    a.number("burn_in", sampling.burn_in, {0, kMostSweeps}, "sweeps that are not counted");
    a.number("sweeps", sampling.sweeps, {1, kMostSweeps}, "that are counted");
    a.number("seed", sampling.seed, {}, "of the chains");
  });
  a.require(sampling.chains * (sampling.burn_in + sampling.sweeps) <= kMostSweeps,
            "the fertilities of the model take too many sweeps");
  f.reverse.most = most;
  const auto table = [&](const char* section, std::vector<float>& rows, const NameList& list) {
    a.array(section, rows, {(list.size() + 1) * (most + 1), false, Range{1e-30, 1}},
            "r(fertility | word); the last row is that of unknown words");
  };
  table("forward/fertilities", f.forward.rows, words.source());
  table("reverse/fertilities", f.reverse.rows, words.target());
}

void describe_decoding(ModelArchive& a, Decoding& decoding) {
  a.record("decoding", [&] {
    a.choice("combination", decoding.combination, "of the two directions");
    a.choice("decode", decoding.decode, "how links are chosen");
    a.number("threshold", decoding.threshold, {0, 1}, "probability of a link");
  });
}

// number(word) for each word, in lower case where that is wanted.
template <class Number>
void number_words(std::span<const std::string_view> words, bool lowercase, std::vector<WordId>& ids,
                  const Number& number) {
  ids.clear();
  std::string lower;
  for (const std::string_view word : words) {
    if (lowercase) to_lower(word, lower);
    ids.push_back(number(lowercase ? std::string_view(lower) : word));
  }
}

}  // namespace

LexiconArrays LexiconArrays::compact(const LexiconView& lexicon, const LexiconView* before) {
  LexiconArrays kept;
  kept.floor = lexicon.floor;
  kept.row_begin.push_back(0);
  const auto keep = [&](const LexiconView& from, Index x) {
    kept.targets.push_back(from.targets[x]);
    kept.forward.push_back(from.forward[x]);
    kept.reverse.push_back(from.reverse[x]);
  };
  for (Index e = 0; e + 1 < lexicon.row_begin.size(); ++e) {
    const bool had = before != nullptr && e + 1 < before->row_begin.size();
    Index old = had ? before->row_begin[e] : 0;
    const Index old_end = had ? before->row_begin[e + 1] : 0;
    for (Index x = lexicon.row_begin[e]; x < lexicon.row_begin[e + 1]; ++x) {
      const WordId f = lexicon.targets[x];
      while (old < old_end && before->targets[old] < f) keep(*before, old++);
      if (old < old_end && before->targets[old] == f) ++old;
      if (lexicon.forward[x] > lexicon.unseen_forward[e] + kNearly ||
          lexicon.reverse[x] > lexicon.unseen_reverse[f] + kNearly) {
        keep(lexicon, x);
      }
    }
    while (old < old_end) keep(*before, old++);
    kept.row_begin.push_back(kept.targets.size());
  }
  kept.null_forward.assign(lexicon.null_forward.begin(), lexicon.null_forward.end());
  kept.null_reverse.assign(lexicon.null_reverse.begin(), lexicon.null_reverse.end());
  kept.unseen_forward.assign(lexicon.unseen_forward.begin(), lexicon.unseen_forward.end());
  kept.unseen_reverse.assign(lexicon.unseen_reverse.begin(), lexicon.unseen_reverse.end());
  return kept;
}

void Vocabularies::add(std::span<const std::string_view> source,
                       std::span<const std::string_view> target, std::vector<WordId>& source_ids,
                       std::vector<WordId>& target_ids) {
  number_words(source, lowercase_, source_ids,
               [&](std::string_view word) { return source_.add(word); });
  number_words(target, lowercase_, target_ids,
               [&](std::string_view word) { return target_.add(word); });
}

void Vocabularies::find(std::span<const std::string_view> source,
                        std::span<const std::string_view> target, std::vector<WordId>& source_ids,
                        std::vector<WordId>& target_ids) const {
  static_assert(NameList::kNone == kUnknownWord);
  number_words(source, lowercase_, source_ids,
               [&](std::string_view word) { return source_.find(word); });
  number_words(target, lowercase_, target_ids,
               [&](std::string_view word) { return target_.find(word); });
}

void AlignModel::describe(ModelArchive& a, AlignParts& m) {
  describe_words(a, m.words);
  const auto words = changeable(m.words);
  describe_lexicon(a, *changeable(m.lexicon), words->source().size(), words->target().size());
  describe_decoding(a, m.decoding);
  a.value("training", m.training, "how the model was made");
  describe_positions(a, "forward", m.forward);
  describe_positions(a, "reverse", m.reverse);
  a.optional("fertilities", m.fertilities != nullptr, 1, [&] {
    a.check([&] {
      a.require(m.forward->kind() == Positions::kJumps && m.reverse->kind() == Positions::kJumps,
                "the fertilities do not fit the model");
    });
    describe_fertilities(a, *changeable(m.fertilities), *words);
  });
  a.optional("statistics", m.statistics != nullptr, 2,
             [&] { describe_statistics(a, *changeable(m.statistics)); });
  a.optional("links", m.links != nullptr, 2, [&] {
    a.require(m.statistics != nullptr,
              "the model was trained with links, but has no statistics of the text");
    describe_links(a, *changeable(m.links));
  });
}

AlignModel::AlignModel(AlignParts parts)
    : StoredModel(std::move(parts)),
      aligner_(this->parts().lexicon->view(), this->parts().forward, this->parts().reverse,
               this->parts().fertilities) {
  if (statistics() == nullptr) return;
  check(*statistics(), words().source().size(), words().target().size(),
        this->parts().lexicon->targets.size());
}

AlignModel::AlignModel(Vocabularies words, LexiconArrays lexicon,
                       std::shared_ptr<const PositionModel> forward,
                       std::shared_ptr<const PositionModel> reverse,
                       std::shared_ptr<const Fertilities> fertilities, const Decoding& decoding,
                       const Value& training, std::shared_ptr<const TextStatistics> statistics)
    : AlignModel(AlignParts{std::make_shared<const Vocabularies>(std::move(words)),
                            std::make_shared<const LexiconArrays>(std::move(lexicon)),
                            std::move(forward), std::move(reverse), std::move(fertilities),
                            decoding, share(training), std::move(statistics), nullptr}) {}

AlignModel AlignModel::with_links(LinkWeights learned, const Value& training) const {
  AlignModel model = *this;
  model.parts().links = std::make_shared<const LinkWeights>(std::move(learned));
  model.parts().training = share(training);
  return model;
}

}  // namespace trellis::align
