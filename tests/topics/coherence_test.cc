// Coherence: the figures of gensim 4.4.0 and tomotopy 0.14.0 (topic_coherence/*), counts against
// enumeration of all windows, and what cannot be asked.
#include "trellis/topics/coherence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/topics/tiny_corpus.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/data/name_list.h"

namespace trellis::topics::coherence_test {
namespace {

using Topics = std::vector<std::vector<std::uint32_t>>;

struct Case {
  TinyCorpus corpus;
  Topics topics;
};

std::vector<std::vector<std::uint32_t>> read_lines(const std::filesystem::path& path,
                                                   NameList& names) {
  std::vector<std::vector<std::uint32_t>> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    lines.emplace_back();
    for (std::string word; words >> word;) lines.back().push_back(names.add(word));
  }
  EXPECT_FALSE(lines.empty()) << path;
  return lines;
}

Case read_case(const std::filesystem::path& folder) {
  NameList names;
  Case found;
  for (const auto& document : read_lines(folder / "docs.txt", names)) found.corpus.add(document);
  found.topics = read_lines(folder / "topics.txt", names);
  found.corpus.num_words = names.size();
  return found;
}

// "gensim c_npmi window=3 topic=1 0.25", "tomotopy u_mass eps=1/3 topic=2 nan"
struct Expected {
  CoherenceOptions options;
  Index topic = 0;
  double value = 0;
  bool known = true;  // c_v is not
};

CoherenceMeasure measure_of(const std::string& name) {
  if (name == "u_mass") return CoherenceMeasure::kUMass;
  return name.ends_with("npmi") ? CoherenceMeasure::kNpmi : CoherenceMeasure::kUci;
}

double parse_epsilon(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::stod(text);
  return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

Expected parse_expected(const std::string& line) {
  std::istringstream fields(line);
  std::string library;
  std::string measure;
  fields >> library >> measure;
  Expected expected;
  expected.known = measure != "c_v";
  expected.options.measure = measure_of(measure);
  expected.options.convention =
      library == "gensim" ? CoherenceConvention::kGensim : CoherenceConvention::kTomotopy;
  for (std::string field; fields >> field;) {
    const std::string value = field.substr(field.find('=') + 1);
    if (field.starts_with("window=")) expected.options.window = std::stoul(value);
    if (field.starts_with("eps=")) expected.options.epsilon = parse_epsilon(value);
    if (field.starts_with("topic=")) expected.topic = std::stoul(value) - 1;
    expected.value = value == "nan" ? std::nan("") : 0;
    if (fields.peek() == EOF && value != "nan") expected.value = std::stod(value);
  }
  return expected;
}

TEST(Coherence, IsThatOfGensimAndTomotopy) {
  const std::filesystem::path all =
      std::filesystem::path(TRELLIS_SOURCE_DIR) / "tests/golden/topic_coherence";
  Index compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(all)) {
    const Case found = read_case(entry.path());
    std::ifstream lines(entry.path() / "expected.txt");
    for (std::string line; std::getline(lines, line);) {
      const Expected expected = parse_expected(line);
      if (!expected.known) continue;
      const double value =
          coherence(found.corpus.documents(), found.topics, expected.options)[expected.topic];
      const std::string where = entry.path().filename().string() + ": " + line;
      EXPECT_EQ(std::isnan(value), std::isnan(expected.value)) << where;
      if (!std::isnan(value)) {
        EXPECT_NEAR(value, expected.value, 1e-12 + 1e-10 * std::abs(expected.value)) << where;
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 288u);
}

// Shares by looking at each window of each document.
struct Enumerated {
  std::vector<std::vector<bool>> windows;

  Enumerated(const Documents& documents, Index width) {
    for (Index d = 0; d < documents.size(); ++d) {
      const auto words = documents[d];
      for (Index begin = 0; begin == 0 || begin + width <= words.size(); ++begin) {
        std::vector<bool> has(documents.num_words);
        for (Index i = begin; i < std::min(begin + width, words.size()); ++i) has[words[i]] = true;
        windows.push_back(std::move(has));
      }
    }
  }
  double share(std::uint32_t a, std::uint32_t b) const {
    const auto count = std::count_if(windows.begin(), windows.end(),
                                     [&](const auto& has) { return has[a] && has[b]; });
    return static_cast<double>(count) / static_cast<double>(windows.size());
  }
};

TEST(Coherence, EqualsEnumerationOfWindows) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    TinyCorpus corpus;
    corpus.num_words = 6;
    for (Index d = 0; d < 1 + random.below(6); ++d) {
      std::vector<std::uint32_t> document(random.below(12));
      for (std::uint32_t& word : document) word = static_cast<std::uint32_t>(random.below(5));
      corpus.add(document);
    }
    const Index width = 1 + random.below(14);
    const Enumerated all(corpus.documents(), width);
    for (std::uint32_t a = 0; a < 5; ++a) {
      for (std::uint32_t b = 0; b < 5; ++b) {
        CoherenceOptions options;
        options.measure = CoherenceMeasure::kUci;
        options.window = width;
        const Topics topic = {{a, 5, b}};  // 5 occurs nowhere
        const double value = coherence(corpus.documents(), topic, options)[0];
        if (all.share(a, a) == 0 || all.share(b, b) == 0) {
          EXPECT_TRUE(std::isnan(value));
          continue;
        }
        const double expected =
            std::log((all.share(a, b) + 1e-12) / (all.share(a, a) * all.share(b, b)));
        EXPECT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected)));
      }
    }
  }
}

TEST(Coherence, OfEveryWordTogetherIsOneMean) {
  EXPECT_DOUBLE_EQ(mean_coherence(std::vector<double>{1, std::nan(""), 2}), 1.5);
  EXPECT_TRUE(std::isnan(mean_coherence(std::vector<double>{std::nan("")})));
  EXPECT_TRUE(std::isnan(mean_coherence({})));
}

TEST(Coherence, OfNoDocumentIsNone) {
  TinyCorpus corpus;
  corpus.num_words = 2;
  EXPECT_TRUE(std::isnan(coherence(corpus.documents(), Topics{{0, 1}})[0]));
  EXPECT_TRUE(std::isnan(coherence({{}, {}, 2}, Topics{{0, 1}})[0]));
}

TEST(Coherence, RefusesWhatDoesNotGoTogether) {
  TinyCorpus corpus;
  corpus.num_words = 2;
  corpus.add({0, 1});
  const Topics topics = {{0, 1}};
  const auto with = [&](CoherenceOptions options) {
    return coherence(corpus.documents(), topics, options);
  };
  EXPECT_THROW(with({CoherenceMeasure::kUMass, CoherenceConvention::kGensim, 5}), UsageError);
  EXPECT_THROW(with({CoherenceMeasure::kNpmi, CoherenceConvention::kTomotopy, 5}), UsageError);
  for (const double epsilon : {0.0, -1.0, std::nan(""), kInfinity}) {
    EXPECT_THROW(with({CoherenceMeasure::kNpmi, CoherenceConvention::kDefinition, 0, epsilon}),
                 UsageError);
  }
  EXPECT_THROW(coherence(corpus.documents(), Topics{{0, 2}}), UsageError);
}

}  // namespace
}  // namespace trellis::topics::coherence_test
