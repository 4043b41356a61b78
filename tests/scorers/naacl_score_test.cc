// The official script's outputs, byte for byte. Each folder of wa_eval_align/ has the two files
// that it was given, what it printed, and what the case is there for (command.txt). Where it
// printed nothing, it refused the input.
#include "trellis/scorers/naacl_score.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

TEST(NaaclScore, PrintsWhatTheScriptPrints) {
  const std::filesystem::path cases =
      std::filesystem::path(TRELLIS_SOURCE_DIR) / "tests/golden/wa_eval_align";
  int num_cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cases)) {
    const auto file = [&](const char* name) { return (entry.path() / name).string(); };
    const auto score = [&] {
      return naacl_score(InputFile(file("gold.wa")), InputFile(file("submission.wa")));
    };
    const std::string expected = read_file(file("expected.txt"));
    if (expected.empty()) {
      EXPECT_THROW(score(), InputError) << entry.path();
    } else {
      EXPECT_EQ(score().to_text(), expected) << entry.path();
    }
    ++num_cases;
  }
  EXPECT_EQ(num_cases, 19);
}

TEST(NaaclScore, NamesTheLineThatTheScriptStopsAt) {
  try {
    naacl_score(InputFile::from_bytes("1 1 1\n\n", "gold"), InputFile::from_bytes("", "found"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "gold:2: expected 'sentence source target [S|P] [confidence]', found 0 columns");
  }
}

}  // namespace
}  // namespace trellis::align
