// Any bytes are two treebanks to the shared tasks' scripts, parted by a zero byte, or an
// InputError. The first byte chooses the options.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/scorers/conllx_script.h"

namespace {

using namespace trellis;
using namespace trellis::parse;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t zero = bytes.find('\0');
  const std::string_view gold = bytes.substr(0, zero);
  const std::string_view system = zero == std::string_view::npos ? gold : bytes.substr(zero + 1);
  ConllScriptOptions options;
  if ((data[0] & 1) != 0) options.script = ConllScript::kConll07;
  if ((data[0] & 2) != 0) options.punctuation = Punctuation::kScored;
  options.derivations = (data[0] & 4) == 0;
  options.sentences = (data[0] & 8) != 0;
  options.tables = (data[0] & 16) != 0;
  try {
    const std::string text = conll_script(InputFile::from_bytes(gold, "gold"),
                                          InputFile::from_bytes(system, "system"), options);
    require(text.find("Labeled   attachment score") != std::string::npos);
  } catch (const InputError&) {
  }
  return 0;
}
