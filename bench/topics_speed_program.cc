// A chain of LDA on a corpus of word numbers, timed.
//
//   topics_speed_program TRAIN HELD_OUT TOPICS ALPHA BETA THREADS SAMPLER SWEEPS SECONDS
//
// The files (peers/word_numbers.py writes them) have, in 8 bytes each, the numbers of documents and
// of words and where each document's tokens begin; then a word's number in 4 bytes for each token.
// SAMPLER is auto, dense, sparse or alias. Sweeps until there are SWEEPS of them or SECONDS of wall
// time are over. Prints one line of JSON: seconds of the start and of the sweeps, tokens a second,
// log p(w, z) a token, and, where HELD_OUT is not "-", the held-out log-likelihood a token (left to
// right, particle filter of 100).
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <string_view>
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
  while (chain.num_sweeps() < most && watch.seconds() < limit) chain.sweep(threads);
  const double seconds = watch.seconds() - start;
  const auto tokens = static_cast<double>(chain.num_tokens());
  const double joint = chain.log_joint(threads) / tokens;
  fmt::print(R"({{"start": {:.4f}, "seconds": {:.4f}, "sweeps": {}, "tokens_per_second": {:.0f}, )"
             R"("log_joint": {:.5f}, "megabytes": {:.1f})",
             start, seconds, chain.num_sweeps(),
             tokens * static_cast<double>(chain.num_sweeps()) / seconds, joint,
             static_cast<double>(chain.num_bytes()) / 1e6);
  if (std::string_view(arguments[2]) != "-") {
    const WordNumbers held = read(arguments[2]);
    LeftToRightOptions estimate;
    estimate.linear = true;
    estimate.particles = 100;
    const HeldOut result =
        held_out_likelihood(LdaModel(chain), held.documents(), estimate, threads);
    fmt::print(R"(, "held_out": {:.5f})", result.per_token());
  }
  fmt::print("}}\n");
}

}  // namespace
}  // namespace trellis::topics

int main(int count, char** arguments) {
  try {
    if (count != 10) throw trellis::UsageError("expected nine arguments");
    trellis::topics::measure(arguments);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "topics_speed_program: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
