// Any bytes are sequences, or an error that says so; sequences can be counted. The first byte
// chooses the options.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/generative/hmm/estimation.h"
#include "trellis/tasks/tables/hmm/sequence_data.h"

namespace {

using namespace trellis;
using namespace trellis::hmm;

void require(bool condition) {
  if (!condition) std::abort();
}

DataOptions options_of(std::uint8_t bits) {
  DataOptions options;
  options.columns.format = (bits & 1) != 0 ? SequenceFormat::kCsv : SequenceFormat::kColumns;
  // gcc 12 finds a fault in the assignment of a literal.
  if ((bits & 1) != 0 && (bits & 2) != 0) options.columns.sequence = std::string("id");
  if ((bits & 4) != 0) options.columns.state = std::string((bits & 1) != 0 ? "s" : "1");
  options.rare = (bits >> 3) & 3;
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const DataOptions options = options_of(data[0]);
  try {
    std::vector<InputFile> files;
    files.push_back(InputFile::from_bytes(bytes, "fuzz"));
    const SequenceData found = read_training_sequences(std::move(files), options, 0);
    Index positions = 0;
    for (const HmmSequence& x : found.sequences) positions += x.states.size();
    require(positions == found.positions && positions > 0);
    if (found.alphabet.states.size() > 100) return 0;
    estimate_hmm(found.alphabet, found.sequences, 1);
    SequenceReader again(InputFile::from_bytes(bytes, "fuzz"), options.columns, found.columns);
    const SequenceNumbers numbers(found.alphabet);
    FileSequence one;
    for (Index n = 0; again.read(one); ++n) {
      require(numbers.number(one, again).sequence.states == found.sequences[n].states);
    }
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
  return 0;
}
