#include "trellis/tasks/topics/page/topics_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/output/word_tables.h"
#include "trellis/tasks/topics/page/reported_topics.h"
#include "trellis/topics/embedding/sign_projection.h"
#include "trellis/topics/embedding/tsne.h"
#include "trellis/topics/topic_rows.h"

namespace trellis::report {
namespace {

constexpr Index kMixturesAtOnce = 1024;
constexpr Index kWordsInDocumentTitle = 6;
constexpr Index kLongestTitle = 80;  // characters of an id
constexpr std::uint64_t kProjectionSeed = 1;

// Reports progress; returns false to stop.
bool go_on(const TrainEvents& events, const std::string& message) {
  if (events.on_progress) events.on_progress(message);
  return !events.stop.stop_requested();
}

// The numbers of the topics on the page.
std::vector<Index> topics_shown(const topics::TopicModel& model) {
  const std::vector<double> prevalence = model.prevalence();
  std::vector<Index> shown(model.num_topics());
  std::iota(shown.begin(), shown.end(), Index{0});
  std::stable_sort(shown.begin(), shown.end(),
                   [&](Index a, Index b) { return prevalence[a] > prevalence[b]; });
  shown.resize(std::min<Index>(shown.size(), kMostTopicsInReport));
  std::sort(shown.begin(), shown.end());
  return shown;
}

// n_w / n in the training text.
std::vector<double> shares_of_words(const topics::LdaModel& model) {
  std::vector<double> shares(model.num_words(), 0.0);
  double all = 0;
  for (Index w = 0; w < shares.size(); ++w) {
    for (const topics::LdaModel::Entry& entry : model.entries(w)) shares[w] += entry.count;
    all += shares[w];
  }
  if (all > 0) {
    for (double& share : shares) share /= all;
  }
  return shares;
}

void set_coherence(const std::vector<double>& by_topic, TopicsReport& page) {
  page.coherence_name = "NPMI";
  for (Index i = 0; i < page.topics.size(); ++i) {
    page.topics[i].coherence = by_topic[page.topic_numbers[i]];
  }
}

Tile coherence_tile(double npmi, double umass) {
  return {"Coherence", format_fixed(npmi, 3),
          fmt::format("NPMI; UMass {}", format_fixed(umass, 2))};
}

// Documents with words: all, or `most` documents at equal distances.
std::vector<Index> documents_shown(const topics::Documents& documents, Index most) {
  std::vector<Index> with_words;
  for (Index d = 0; d < documents.size(); ++d) {
    if (!documents[d].empty()) with_words.push_back(d);
  }
  if (with_words.size() <= most) return with_words;
  std::vector<Index> shown(most);
  for (Index i = 0; i < most; ++i) shown[i] = with_words[i * with_words.size() / most];
  return shown;
}

// The positions of documents in the space of mixtures, and their largest topics.
struct Mixed {
  Index dimensions = 0;
  std::vector<float> points;
  std::vector<Index> topics;  // number of the topic on the page
};

// Mixtures are replaced by points batch by batch, so that memory is that of one batch.
Mixed mix(const topics::TopicModel& model, const topics::Documents& documents,
          std::span<const Index> chosen, const TopicsReport& page, int threads,
          const TrainEvents& events) {
  const Index num_topics = model.num_topics();
  const bool many = num_topics > kMostMapDimensions;
  Mixed mixed;
  mixed.dimensions = many ? kMostMapDimensions : num_topics;
  mixed.points.resize(chosen.size() * mixed.dimensions);
  mixed.topics.resize(chosen.size());
  const topics::SignProjection projection(many ? num_topics : 0, kMostMapDimensions,
                                          kProjectionSeed);
  for (Index first = 0; first < chosen.size(); first += kMixturesAtOnce) {
    const Index count = std::min(kMixturesAtOnce, chosen.size() - first);
    const std::vector<double> shares =
        topics::infer_mixtures(model, documents, chosen.subspan(first, count), {}, threads);
    const std::vector<float> roots = topics::hellinger_points(shares);
    parallel_for(count, resolve_threads(threads), [&](Index i, int) {
      const std::span<const float> root = std::span(roots).subspan(i * num_topics, num_topics);
      const auto more = [&](Index a, Index b) { return root[a] < root[b]; };
      const auto most =
          std::max_element(page.topic_numbers.begin(), page.topic_numbers.end(), more);
      mixed.topics[first + i] = static_cast<Index>(most - page.topic_numbers.begin());
      const std::span<float> point =
          std::span(mixed.points).subspan((first + i) * mixed.dimensions, mixed.dimensions);
      if (many) {
        projection.project(root, point);
      } else {
        std::copy(root.begin(), root.end(), point.begin());
      }
    });
    if (!go_on(events,
               fmt::format("mixtures of {} of {} documents", first + count, chosen.size()))) {
      break;
    }
  }
  return mixed;
}

topics::TsneOptions map_options(Index documents, const TopicsPageOptions& options,
                                const TrainEvents& events) {
  topics::TsneOptions tsne;
  tsne.threads = options.threads;
  tsne.iterations = static_cast<int>(options.map_iterations);
  tsne.on_neighbours = [&events, documents](Index done) {
    return go_on(events, fmt::format("map of documents: neighbours of {} of {}", done, documents));
  };
  tsne.on_iteration = [&events, iterations = options.map_iterations](int iteration) {
    return go_on(events,
                 fmt::format("map of documents: iteration {} of {}", iteration, iterations));
  };
  return tsne;
}

// At most `most` characters, with a mark if the text is longer.
std::string shortened(std::string_view text, Index most) {
  Index end = 0;
  for (Index characters = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && characters++ == most) return std::string(text.substr(0, end)) + "…";
  }
  return std::string(text);
}

// The id, or the number and the first words.
std::string document_title(const topics::Corpus& corpus, Index d) {
  if (corpus.has_ids()) return shortened(corpus.ids()[d], kLongestTitle);
  const std::span<const std::uint32_t> words = corpus.documents()[d];
  std::string title = fmt::format("{}:", d + 1);
  for (Index i = 0; i < std::min(words.size(), kWordsInDocumentTitle); ++i) {
    title += ' ';
    title += shortened(corpus.words()[words[i]], kLongestTitle);
  }
  if (words.size() > kWordsInDocumentTitle) title += " …";
  return title;
}

// The model's languages and links, for the topics of the page.
void add_word_tables(const topics::TopicModel& model, TopicsReport& page) {
  constexpr Index kWordsOfLanguage = 10, kRaisedOfTopic = 5;
  const std::vector<topics::LanguageTable> tables = language_tables(model, kWordsOfLanguage);
  const std::vector<std::vector<topics::RaisedWord>> raised = raised_words(model, kRaisedOfTopic);
  if (!tables.empty()) {
    for (Index l = 0; l < model.languages()->names.size(); ++l) {
      page.languages.emplace_back(model.languages()->names[l]);
    }
  }
  for (const Index i : by_prevalence(page.topics)) {
    const Index k = page.topic_numbers[i];
    const std::string name = fmt::format("{}", k);
    if (!tables.empty()) {
      TopicLanguages& row = page.language_words.emplace_back(TopicLanguages{name, {}});
      for (const std::vector<topics::LanguageWord>& words : tables[k]) {
        std::string& joined = row.words.emplace_back();
        for (const topics::LanguageWord& one : words) {
          if (!joined.empty()) joined += ' ';
          joined += spelling_of(model, one.word);
        }
      }
    }
    if (raised.empty()) continue;
    for (const topics::RaisedWord& one : raised[k]) {
      RaisedWordRow& row = page.raised.emplace_back(RaisedWordRow{
          name, std::string(model.words()[one.word]), one.prior, one.usual, one.count, {}});
      for (const topics::RaisedWord::Kin& kin : one.kin) {
        if (!row.kin.empty()) row.kin += ", ";
        row.kin += fmt::format("{} {}", model.words()[kin.word], kin.count);
      }
    }
  }
}

// Documents that the model assigns to a wrong class.
Tile error_tile(double error, const std::string& note) {
  return {"Wrong classes", fmt::format("{} %", format_fixed(100 * error, 2)), note};
}

}  // namespace

TopicsReport model_page(const topics::TopicModel& model, const std::string& title,
                        const TopicsPageOptions& options, const TrainEvents& events) {
  TopicsReport page;
  page.title = title;
  for (auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({std::move(key), std::move(value)});
  }
  page.topic_numbers = topics_shown(model);
  const std::vector<double> all = model.prevalence();
  std::vector<double> prevalence;
  for (const Index k : page.topic_numbers) prevalence.push_back(all[k]);
  const Index shown = prevalence.size();
  page.topics =
      reported_topics({topics::rows_of_topics(model.lda(), page.topic_numbers),
                       shares_of_words(model.lda()), prevalence},
                      model.words().view(), options.threads, [&](Index done) {
                        return go_on(events, fmt::format("map of topics: {} of {}", done, shown));
                      });
  for (Index i = 0; i < shown; ++i) {
    page.topics[i].name = fmt::format("{}", page.topic_numbers[i]);
    if (model.classes() != nullptr) {
      page.topics[i].group = model.classes()->group(page.topic_numbers[i]);
    }
  }
  page.figures = {{"Topics", format_count(model.num_topics()),
                   shown < model.num_topics()
                       ? fmt::format("the {} most prevalent topics are shown", format_count(shown))
                       : ""}};
  add_word_tables(model, page);
  return page;
}

void add_training(const topics::TrainResult& result, TopicsReport& page) {
  const auto held_out = [](double perplexity) { return -std::log(perplexity); };
  const bool chain = result.method == topics::TopicMethod::kGibbs;
  page.subtitle = fmt::format("{}, {}, {} sweeps", trellis::to_string(result.kind),
                              trellis::to_string(result.method), format_count(result.sweeps));
  page.figures.push_back({"Documents", format_count(result.documents),
                          fmt::format("{} words, {} different words", format_count(result.tokens),
                                      format_count(result.words))});
  for (const topics::Look& look : result.looks) {
    TopicSweep sweep;
    sweep.sweep = look.sweep;
    (chain ? sweep.log_likelihood : sweep.change) = chain ? -look.loss : look.loss;
    sweep.held_out = held_out(look.held_out.perplexity);
    sweep.coherence = look.coherence;
    page.sweeps.push_back(sweep);
  }
  if (!result.looks.empty()) {
    const topics::Look& last = result.looks.back();
    if (chain) page.figures.push_back({"Log-likelihood", format_fixed(-last.loss, 3), "a word"});
    if (std::isfinite(last.held_out.perplexity)) {
      page.figures.push_back(
          {"Perplexity", format_fixed(last.held_out.perplexity, 1),
           fmt::format("{} documents held out", format_count(result.held_out_documents))});
    }
  }
  const bool classified = std::isfinite(result.classifier_error);
  const double error = classified ? result.classifier_error : result.error;
  if (std::isfinite(error)) {
    page.figures.push_back(error_tile(
        error, classified ? "held-out documents, by the classifier" : "of held-out documents"));
  }
  page.figures.push_back(coherence_tile(result.coherence_npmi, result.coherence_umass));
  set_coherence(result.topic_npmi, page);
}

void add_evaluation(const topics::Evaluation& found, const std::string& file, TopicsReport& page) {
  page.subtitle = fmt::format("{}; prevalence and words of the topics are from training", file);
  std::string words = fmt::format("{} words", format_count(found.tokens));
  if (found.unseen > 0)
    words += fmt::format(", {} unknown words ignored", format_count(found.unseen));
  page.figures.push_back({"Documents", format_count(found.documents), words});
  page.figures.push_back({"Log-likelihood", format_fixed(found.log_likelihood, 3), "a word"});
  page.figures.push_back({"Perplexity", format_fixed(found.perplexity, 1), ""});
  if (found.classes) {
    page.figures.push_back(error_tile(
        found.classes->scores.error() / 100,
        fmt::format("of {} documents", format_count(found.classes->scores.num_examples()))));
  }
  page.figures.push_back(coherence_tile(found.coherence_npmi, found.coherence_umass));
  set_coherence(found.topic_npmi, page);
}

void add_documents(const topics::TopicModel& model, const topics::Corpus& corpus,
                   const TopicsPageOptions& options, const TrainEvents& events,
                   TopicsReport& page) {
  const std::vector<Index> chosen = documents_shown(corpus.documents(), options.map_documents);
  if (chosen.empty() || events.stop.stop_requested()) return;
  const Mixed mixed = mix(model, corpus.documents(), chosen, page, options.threads, events);
  if (events.stop.stop_requested()) return;
  const topics::Embedding map =
      topics::tsne(mixed.points, mixed.dimensions, map_options(chosen.size(), options, events));
  // Classes determine the colours of documents; without classes, languages do.
  const NameView& kinds = corpus.has_labels() ? corpus.label_names() : corpus.language_names();
  const std::span<const Label> kind_of = corpus.has_labels() ? corpus.labels() : corpus.languages();
  for (Index c = 0; c < kinds.size(); ++c) page.classes.emplace_back(kinds[c]);
  page.documents.reserve(chosen.size());
  for (Index i = 0; i < chosen.size(); ++i) {
    page.documents.push_back({map.places[i], kind_of.empty() ? kNoLabel : kind_of[chosen[i]],
                              mixed.topics[i], document_title(corpus, chosen[i])});
  }
  page.documents_in_all = corpus.documents().size();
}

}  // namespace trellis::report
