// A peer for bench/handwriting.py: dlib's structural sequence labeling trainer on a file of items
// (label TAB pN ..., a blank line after each word), with the features of a first-order tagger.
// Prints seconds, and the objective ½‖w‖² + C Σ_i hinge_i of the weights that it found, computed
// here.
//
//   dlib_sequence FILE C EPSILON
#include <dlib/svm_threaded.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr unsigned long kLabels = 26;
constexpr unsigned long kPixels = 128;

using Letter = std::vector<unsigned long>;  // the pixels that are set
using Word = std::vector<Letter>;

class LetterFeatures {
 public:
  using sequence_type = Word;

  unsigned long num_features() const { return kPixels * kLabels + kLabels * kLabels; }
  unsigned long order() const { return 1; }
  unsigned long num_labels() const { return kLabels; }

  template <typename Setter, typename Labels>
  void get_features(Setter& set, const sequence_type& word, const Labels& y,
                    unsigned long position) const {
    for (const unsigned long pixel : word[position]) set(pixel * kLabels + y(0), 1.0);
    if (position > 0) set(kPixels * kLabels + y(1) * kLabels + y(0), 1.0);
  }
};

void serialize(const LetterFeatures&, std::ostream&) {}
void deserialize(LetterFeatures&, std::istream&) {}

void read(const char* path, std::vector<Word>& words,
          std::vector<std::vector<unsigned long>>& labels) {
  std::ifstream file(path);
  std::string line;
  bool fresh = true;
  while (std::getline(file, line)) {
    if (line.empty()) {
      fresh = true;
      continue;
    }
    if (fresh) words.emplace_back(), labels.emplace_back();
    fresh = false;
    std::istringstream fields(line);
    std::string field;
    fields >> field;
    labels.back().push_back(static_cast<unsigned long>(field[0] - 'a'));
    words.back().emplace_back();
    while (fields >> field) words.back().back().push_back(std::stoul(field.substr(1)));
  }
}

// max over labellings of score + Hamming cost, less the score of the true one.
template <typename Weights>
double hinge(const Weights& w, const Word& word, const std::vector<unsigned long>& truth) {
  std::vector<double> best(kLabels, 0.0), next(kLabels);
  double gold = 0;
  for (std::size_t t = 0; t < word.size(); ++t) {
    for (unsigned long j = 0; j < kLabels; ++j) {
      double node = j == truth[t] ? 0.0 : 1.0;
      for (const unsigned long pixel : word[t]) node += w(static_cast<long>(pixel * kLabels + j));
      double before = t == 0 ? 0.0 : -1e300;
      for (unsigned long i = 0; t > 0 && i < kLabels; ++i) {
        before = std::max(before, best[i] + w(static_cast<long>((kPixels + i) * kLabels + j)));
      }
      next[j] = before + node;
      if (j == truth[t]) gold += node;
    }
    if (t > 0) gold += w(static_cast<long>((kPixels + truth[t - 1]) * kLabels + truth[t]));
    best = next;
  }
  return *std::max_element(best.begin(), best.end()) - gold;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::vector<Word> words;
  std::vector<std::vector<unsigned long>> labels;
  read(argv[1], words, labels);
  const double c = std::atof(argv[2]);
  dlib::structural_sequence_labeling_trainer<LetterFeatures> trainer;
  // dlib minimises ½‖w‖² + (C'/n) Σ_i hinge_i.
  trainer.set_c(c * static_cast<double>(words.size()));
  trainer.set_epsilon(std::atof(argv[3]));
  trainer.set_num_threads(1);
  const auto start = std::chrono::steady_clock::now();
  const auto labeler = trainer.train(words, labels);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto& w = labeler.get_weights();
  double objective = 0;
  for (std::size_t i = 0; i < words.size(); ++i) objective += c * hinge(w, words[i], labels[i]);
  objective += 0.5 * dlib::length_squared(w);
  std::printf("{\"seconds\": %.6f, \"objective\": %.9g}\n", seconds, objective);
}
