#include "trellis/tasks/topics/output/word_tables.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/corpus/tokenizer.h"

namespace trellis::topics {
namespace {

struct Weighed {
  double weight;
  std::uint32_t word;

  bool operator<(const Weighed& other) const {
    return weight != other.weight ? weight > other.weight : word < other.word;
  }
};

// The largest weights so far, smallest of them first.
class Heaviest {
 public:
  explicit Heaviest(Index most) : most_(most) {}
  void offer(const Weighed& one) {
    if (kept_.size() == most_ && (most_ == 0 || !(one < kept_.front()))) return;
    if (kept_.size() == most_) {
      std::pop_heap(kept_.begin(), kept_.end());
      kept_.pop_back();
    }
    kept_.push_back(one);
    std::push_heap(kept_.begin(), kept_.end());
  }
  std::vector<Weighed> sorted() && {
    std::sort(kept_.begin(), kept_.end());
    return std::move(kept_);
  }

 private:
  Index most_;
  std::vector<Weighed> kept_;
};

std::vector<RaisedWord::Kin> foremost_kin(const TopicModel& model, std::uint32_t word,
                                          Index topic) {
  std::vector<RaisedWord::Kin> kin;
  for (const WordGraph::Link& link : model.graph()->links(word)) {
    const double count = model.lda().count(link.word, topic);
    if (count > 0) kin.push_back({link.word, count});
  }
  std::stable_sort(kin.begin(), kin.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  if (kin.size() > RaisedWord::kKin) kin.resize(RaisedWord::kKin);
  return kin;
}

}  // namespace

std::string_view spelling_of(const TopicModel& model, std::uint32_t word) {
  std::string_view name = model.words()[word];
  if (model.text().by_language) name.remove_prefix(name.find(Tokenizer::kAfterLanguage) + 1);
  return name;
}

std::vector<LanguageTable> language_tables(const TopicModel& model, Index words) {
  const ModelLanguages* languages = model.languages();
  if (languages == nullptr) return {};
  const Index count = languages->names.size(), topics = model.num_topics();
  std::vector<Heaviest> found(topics * count, Heaviest(words));
  std::vector<double> phi(topics), belongs(count);
  for (std::uint32_t w = 0; w < model.words().size(); ++w) {
    double all = 0;
    for (Index l = 0; l < count; ++l) {
      const auto total = static_cast<double>(languages->words.totals[l]);
      belongs[l] = total > 0 ? static_cast<double>(languages->words.of(w)[l]) / total : 0;
      all += belongs[l];
    }
    if (all == 0) continue;
    model.lda().word_probabilities(w, phi);
    for (Index l = 0; l < count; ++l) {
      if (belongs[l] == 0) continue;
      for (Index k = 0; k < topics; ++k) {
        found[k * count + l].offer({phi[k] * belongs[l] / all, w});
      }
    }
  }
  std::vector<LanguageTable> tables(topics, LanguageTable(count));
  for (Index k = 0; k < topics; ++k) {
    for (Index l = 0; l < count; ++l) {
      for (const Weighed& one : std::move(found[k * count + l]).sorted()) {
        model.lda().word_probabilities(one.word, phi);
        tables[k][l].push_back({one.word, phi[k]});
      }
    }
  }
  return tables;
}

std::vector<std::vector<RaisedWord>> raised_words(const TopicModel& model, Index words) {
  const PriorRows& rows = model.lda().prior().rows();
  if (model.graph() == nullptr || rows.size() == 0) return {};
  const Index topics = model.num_topics();
  std::vector<Heaviest> found(topics, Heaviest(words));
  std::vector<double> usual(model.words().size(), 0);
  for (Index i = 0; i < rows.size(); ++i) {
    const auto row = rows.row(i, topics);
    usual[rows.words[i]] = sum(row) / static_cast<double>(topics);
    for (Index k = 0; k < topics; ++k) {
      const double raised = row[k] - usual[rows.words[i]];
      if (raised > 0) found[k].offer({raised, rows.words[i]});
    }
  }
  std::vector<std::vector<RaisedWord>> tables(topics);
  for (Index k = 0; k < topics; ++k) {
    for (const Weighed& one : std::move(found[k]).sorted()) {
      tables[k].push_back({one.word, model.lda().count(one.word, k),
                           model.lda().prior().at(k, one.word), usual[one.word],
                           foremost_kin(model, one.word, k)});
    }
  }
  return tables;
}

}  // namespace trellis::topics
