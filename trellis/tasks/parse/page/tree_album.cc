#include "trellis/tasks/parse/page/tree_album.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>
#include <string_view>

#include "trellis/base/random.h"
#include "trellis/base/text.h"

namespace trellis::report {
namespace {

constexpr std::uint64_t kSampleSeed = 1;

// "line 12", or with the sentence id of CoNLL-U, "line 12, garden-003".
std::string name_of(const parse::Sentence& sentence) {
  constexpr std::string_view kKey = "# sent_id = ";
  std::string name = fmt::format("line {}", sentence.line);
  for (const std::string& comment : sentence.comments) {
    if (comment.starts_with(kKey)) name += ", " + comment.substr(kKey.size());
  }
  return name;
}

}  // namespace

bool TreeAlbum::has_room(const Shelf& shelf, Index most, double key) {
  return shelf.size() < most || key < shelf.back().key;
}

void TreeAlbum::keep(Shelf& shelf, Index most, Kept one) {
  const auto place = std::upper_bound(shelf.begin(), shelf.end(), one.key,
                                      [](double key, const Kept& kept) { return key < kept.key; });
  shelf.insert(place, std::move(one));
  if (shelf.size() > most) shelf.pop_back();
}

void TreeAlbum::add(const parse::Sentence& gold, const parse::Sentence& system,
                    const std::vector<double>& probabilities) {
  assert(gold.size() == system.size());
  const parse::AttachmentCounts counts =
      parse::attachment_counts(gold, system, parse::Punctuation::kScored);
  const Index number = num_sentences_++;
  by_length_[(gold.size() + kLengthStep - 1) / kLengthStep] += counts;
  num_words_ += gold.size();
  for (Index i = 0; i < gold.size(); ++i) {
    const parse::Word& right = gold.words[i];
    const parse::Word& found = system.words[i];
    num_right_tags_ += right.coarse == found.coarse ? 1 : 0;
    if (right.head == found.head) ++labels_[{right.label, found.label}];
  }
  const auto picture = [&] {
    return DependencyPicture{name_of(gold), system, gold, probabilities};
  };
  const double share = static_cast<double>(counts.words - counts.both) /
                       (static_cast<double>(counts.words) + kRightWords);
  if (counts.both < counts.words && has_room(hardest_, kHardest, -share)) {
    keep(hardest_, kHardest, {-share, number, picture()});
  }
  // Draws more than kSampled, since some may be among the hardest.
  const double draw = Random(kSampleSeed, number).uniform();
  if (has_room(drawn_, kHardest + kSampled, draw)) {
    keep(drawn_, kHardest + kSampled, {draw, number, picture()});
  }
}

std::vector<DependencyPicture> TreeAlbum::hardest() const {
  std::vector<DependencyPicture> pictures;
  for (const Kept& one : hardest_) pictures.push_back(one.picture);
  return pictures;
}

std::vector<DependencyPicture> TreeAlbum::sample() const {
  std::set<Index> hard;
  for (const Kept& one : hardest_) hard.insert(one.number);
  std::map<Index, const DependencyPicture*> chosen;
  for (const Kept& one : drawn_) {
    if (chosen.size() == kSampled) break;
    if (!hard.contains(one.number)) chosen[one.number] = &one.picture;
  }
  std::vector<DependencyPicture> pictures;
  for (const auto& [number, picture] : chosen) pictures.push_back(*picture);
  return pictures;
}

ConfusionMatrix TreeAlbum::label_confusion() const {
  std::map<std::string, Index> numbers;
  for (const auto& [pair, count] : labels_) {
    numbers[pair.first] = 0;
    numbers[pair.second] = 0;
  }
  ConfusionMatrix confusion;
  for (auto& [label, number] : numbers) {
    number = confusion.labels.size();
    confusion.labels.push_back(label.empty() ? "_" : label);
  }
  confusion.counts.assign(numbers.size() * numbers.size(), 0);
  for (const auto& [pair, count] : labels_) {
    confusion.counts[numbers[pair.first] * numbers.size() + numbers[pair.second]] = count;
  }
  return confusion;
}

}  // namespace trellis::report
