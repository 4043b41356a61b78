// A chain of LDA on a corpus of word numbers, timed.
//
//   topics_speed_program TRAIN HELD_OUT TOPICS ALPHA BETA THREADS SAMPLER SWEEPS SECONDS
//
// The files (peers/word_numbers.py writes them) have, in 8 bytes each, the numbers of documents and
// of words and where each document's tokens begin; then a word's number in 4 bytes for each token.
// SAMPLER is auto, dense, sparse or alias. Sweeps, one at least, until there are SWEEPS of them or
// SECONDS of wall time are over. Prints one line of JSON: seconds of the start and of the sweeps,
// tokens a second, peak memory in MB so far (with the documents, while the chain is made of them),
// log p(w, z) a token, and, where HELD_OUT is not "-", the held-out log-likelihood a token (left to
// right, particle filter of 20).
//
//   topics_speed_program judge COUNTS HELD_OUT TOPICS ALPHA BETA
//
// prints the latter by another's counts: 4 bytes for each word and topic, word by word.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/topics/lda/held_out.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {
namespace {

struct WordNumbers {
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> tokens;
  Index num_words = 0;

  Documents documents() const { return {begin, tokens, num_words}; }
};

template <class Number>
void read_numbers(std::ifstream& file, std::vector<Number>& numbers) {
  const auto bytes = static_cast<std::streamsize>(numbers.size() * sizeof(Number));
  file.read(reinterpret_cast<char*>(numbers.data()), bytes);
}

WordNumbers read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint64_t> sizes(2);
  read_numbers(file, sizes);
  WordNumbers corpus;
  corpus.num_words = sizes[1];
  corpus.begin.resize(sizes[0] + 1);
  read_numbers(file, corpus.begin);
  corpus.tokens.resize(corpus.begin.back());
  read_numbers(file, corpus.tokens);
  if (!file) throw InputError(path, 0, "expected documents as numbers of words");
  return corpus;
}

LdaSampler sampler_named(std::string_view name) {
  if (name == "auto") return LdaSampler::kAuto;
  if (name == "dense") return LdaSampler::kDense;
  if (name == "sparse") return LdaSampler::kSparse;
  if (name == "alias") return LdaSampler::kAlias;
  throw UsageError("there is no such sampler");
}

double judge(const LdaModel& model, const char* held_out, int threads) {
  const WordNumbers held = read(held_out);
  LeftToRightOptions estimate;
  estimate.linear = true;
  estimate.particles = 20;
  return held_out_likelihood(model, held.documents(), estimate, threads).per_token();
}

void judge_counts(char** arguments) {
  const Index topics = std::strtoull(arguments[4], nullptr, 10);
  const Index words = read(arguments[3]).num_words;
  std::ifstream file(arguments[2], std::ios::binary);
  std::vector<std::uint32_t> counts(topics);
  std::vector<std::uint64_t> begin = {0};
  std::vector<LdaModel::Entry> entries;
  for (Index w = 0; w < words; ++w) {
    read_numbers(file, counts);
    for (std::uint32_t k = 0; k < topics; ++k) {
      if (counts[k] > 0) entries.push_back({k, static_cast<double>(counts[k])});
    }
    begin.push_back(entries.size());
  }
  if (!file) throw InputError(arguments[2], 0, "expected a count for each word and topic");
  const LdaModel model(std::vector<double>(topics, std::strtod(arguments[5], nullptr)),
                       std::vector<double>(words, std::strtod(arguments[6], nullptr)),
                       std::move(begin), std::move(entries));
  fmt::print("{{\"held_out\": {:.5f}}}\n", judge(model, arguments[3], 0));
}

double peak_megabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

void measure(char** arguments) {
  LdaOptions options;
  options.topics = std::strtoull(arguments[3], nullptr, 10);
  options.alpha = std::strtod(arguments[4], nullptr);
  options.beta = std::strtod(arguments[5], nullptr);
  const int threads = std::atoi(arguments[6]);
  options.sampler = sampler_named(arguments[7]);
  const Index most = std::strtoull(arguments[8], nullptr, 10);
  const double limit = std::strtod(arguments[9], nullptr);
  // The chain has a copy of its own, and needs no other.
  LdaChain chain = [&] { return LdaChain(read(arguments[1]).documents(), options); }();
  Stopwatch watch;
  chain.start(threads);
  const double start = watch.seconds();
  const std::clock_t clock = std::clock();
  do {
    chain.sweep(threads);
  } while (chain.num_sweeps() < most && watch.seconds() < limit);
  const double seconds = watch.seconds() - start;
  const double cpu = static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
  const double memory = peak_megabytes();
  const auto tokens = static_cast<double>(chain.num_tokens());
  const double joint = chain.log_joint(threads) / tokens;
  fmt::print(R"({{"start": {:.4f}, "seconds": {:.4f}, "cpu": {:.4f}, "sweeps": {}, )"
             R"("tokens_per_second": {:.0f}, "memory": {:.1f}, "log_joint": {:.5f})",
             start, seconds, cpu, chain.num_sweeps(),
             tokens * static_cast<double>(chain.num_sweeps()) / seconds, memory, joint);
  if (std::string_view(arguments[2]) != "-") {
    fmt::print(R"(, "held_out": {:.5f})", judge(LdaModel(chain), arguments[2], 0));
  }
  fmt::print("}}\n");
}

}  // namespace
}  // namespace trellis::topics

int main(int count, char** arguments) {
  try {
    if (count == 7 && std::string_view(arguments[1]) == "judge") {
      trellis::topics::judge_counts(arguments);
    } else if (count == 10) {
      trellis::topics::measure(arguments);
    } else {
      throw trellis::UsageError("expected nine arguments, or judge and five");
    }
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "topics_speed_program: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
