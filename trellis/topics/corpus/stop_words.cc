#include "trellis/topics/corpus/stop_words.h"

#include <array>

#include "trellis/base/input_file.h"
#include "trellis/topics/corpus/source_text.h"

namespace trellis::topics {
namespace {

constexpr std::array<std::string_view, 1> kLanguages = {"english"};

// Function words, and what the tokenizer leaves of their contractions ("don", "ll").
constexpr std::string_view kEnglish =
    "a about above across after afterwards again against ain all almost alone along already also "
    "although always am among amongst an and another any anybody anyhow anyone anything anyway "
    "anywhere are aren around as at away back be became because become becomes been before "
    "beforehand behind being below beside besides between beyond both but by can cannot could "
    "couldn couldnt did didn didnt do does doesn doesnt doing don done dont down due during each "
    "either else elsewhere enough etc even ever every everybody everyone everything everywhere "
    "except few for from further get gets got had hadn has hasn have haven having he hence her "
    "here hers herself him himself his how however i if in indeed instead into is isn isnt it its "
    "itself just least less like ll many may maybe me meanwhile might mine more moreover most "
    "mostly much must mustn my myself namely neither never nevertheless no nobody none nor not "
    "nothing now nowhere of off often on once one ones only onto or other others otherwise ought "
    "our ours ourselves out over own per perhaps quite rather re really s same shall shan she "
    "should shouldn since so some somebody somehow someone something sometimes somewhere still "
    "such t than that thats the their theirs them themselves then there thereby therefore these "
    "they this those though through throughout thus to together too toward towards under until "
    "unless up upon us ve very via was wasn we well were weren what whatever when whence whenever "
    "where whereas whereby wherever whether which while who whoever whole whom whose why will with "
    "within without won would wouldn yes yet you your yours yourself yourselves";

}  // namespace

std::span<const std::string_view> stop_word_languages() {
  return kLanguages;
}

NameList read_stop_words(const std::string& name_or_path, const TextOptions& text) {
  TextOptions every_word;
  every_word.lowercase = text.lowercase;
  every_word.unspaced = text.unspaced;
  every_word.numbers = true;
  every_word.min_length = 1;
  Tokenizer tokenizer(every_word);
  NameList list;
  const auto add = [&](std::string_view word) { list.add(word); };
  if (name_or_path == kLanguages[0]) {
    tokenizer.tokenize(kEnglish, add);
    return list;
  }
  InputFile file(name_or_path);
  for (std::string_view line; file.read_line(line);) {
    if (line.starts_with('#')) continue;
    require_utf8(line, file.name(), file.line_number());
    tokenizer.tokenize(line, add);
  }
  return list;
}

}  // namespace trellis::topics
